"""Plays with nothing but the packages that this one requires: `python -I tools/minimal_install.py`, in any environment.

Every other package is refused as if it were not installed. What needs one has to say what to install. With arguments,
`zamek` is run with these.
"""

import sys

OURS = {"zamek_env", "zamek_agents", "zamek_scripts"}
REQUIRED = {"numpy", "numba", "gymnasium", "pettingzoo"}
BROUGHT = {"llvmlite", "cloudpickle", "typing_extensions", "farama_notifications"}  # by these
ALLOWED = OURS | REQUIRED | BROUGHT | sys.stdlib_module_names


class Refusal:
    """Finds no module but those of Python, and of what is required."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Raise `ModuleNotFoundError` for a module of any other package, and leave the rest to others."""
        if path is None and name not in ALLOWED and not name.startswith("__editable__"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def play():
    """Do what the README promises of a bare installation."""
    import gymnasium

    import zamek_env
    from zamek_env import castle_cards_v1, zamek_v1
    from zamek_env.castle_cards import CastleCards

    for opponent in ("random", "greedy", "value", "mcts:simulations=2"):
        env = gymnasium.make("Zamek-v1", opponent=opponent, seat=0)
        _, info = env.reset(seed=7)
        for _ in range(2):
            *_, info = env.step(int(info["action_mask"].argmax()))
        assert sum(info["scores"]) >= 0 and not info["illegal_action"], opponent
    envs = gymnasium.make_vec("Zamek-v1", num_envs=2, vectorization_mode="vector_entry_point", opponent="greedy")
    _, infos = envs.reset(seed=7)
    _, rewards, *_ = envs.step(infos["action_mask"].argmax(axis=1))
    assert rewards.shape == (2,)
    for module in (zamek_v1, castle_cards_v1):
        env = module.env()
        env.reset(seed=7)
        for _ in env.agent_iter(max_iter=2):
            env.step(int(env.last()[0]["action_mask"].argmax()))
    for game in (zamek_env.Game(seed=7), CastleCards(seed=7)):
        for _ in range(5):
            game.step(game.legal_actions()[0])
        assert str(game) and game.draw_svg().startswith("<svg")
        assert game.record()["turns"] and type(game).replay(game.record()).record() == game.record()
        game.copy().step(game.legal_actions()[0])
        say_what_is_missing(game.draw_rgb, "a picture in pixels needs PIL", "pictures")


def say_what_is_missing(call, said, extra):
    """Check that `call()` raises an `ImportError` of one line, which begins with `said` and names the `extra`."""
    try:
        call()
    except ImportError as error:
        assert str(error).startswith(said) and str(error).endswith(f"`pip install 'zamek-env[{extra}]'`"), error
    else:
        raise AssertionError(f"nothing was missing: {said}")


def ask_for_more():
    """Ask for what needs other packages."""
    from importlib import import_module

    from zamek_agents import make_agent

    for module, extra in (
        ("zamek_agents.arena", "cli"), ("zamek_agents.ray_cluster", "cli"), ("zamek_agents.benchmark.run", "cli"),
        ("zamek_env.openspiel", "openspiel"), ("zamek_env.jax", "jax"), ("zamek_env.sb3", "train"),
        ("zamek_env.row_network", "train"),
    ):  # fmt: skip
        say_what_is_missing(lambda module=module: import_module(module), "", extra)
    say_what_is_missing(lambda: make_agent("ppo"), "the agent 'ppo' needs torch", "train")
    from zamek_env.vector import ZamekVectorEnv

    say_what_is_missing(lambda: ZamekVectorEnv(2, device="cuda"), "device='cuda' needs torch", "cuda")


if __name__ == "__main__":
    sys.meta_path.insert(0, Refusal)
    if sys.argv[1:]:  # a command of `zamek`
        from zamek_scripts.cli import main

        sys.exit(main(sys.argv[1:]))
    play()
    ask_for_more()
    print("bare: passed")
