"""Ways of playing games in tests."""

import math

import numpy as np

from tests.support.rulesets import IS_COMPILED, IS_PROOF, IS_REST
from zamek_agents import GreedyAgent, RandomAgent
from zamek_env import Game
from zamek_env.base.chance import seed_generator
from zamek_env.base.records import NONE
from zamek_env.castle_cards import CastleCards
from zamek_env.core.dealing import redeal
from zamek_env.layout.observation import PLANE_PARTS
from zamek_env.vector import ZamekVectorEnv

ENVIRONMENTS = {  # id -> ruleset
    "Zamek-v0": "zamek",
    "ZamekSokol-v0": "sokol",
    "ZamekSokolGates-v0": "sokol-gates",
    "CarcassonneDemo-v0": "carcassonne-demo",
    "Carcassonne-v0": "carcassonne",
    "CarcassonneNoFarmers-v0": "carcassonne-no-farmers",
    "CarcassonneBGA-v0": "carcassonne-bga",
    "CarcassonneHand-v0": "carcassonne-hand",
}
TABLES = (  # (players, house rules): all rules, and what is drawn, hidden and passed over by them together
    (1, {"small_city": True}),
    (3, None),
    (5, {"draw_ahead": True, "start_in_bag": True, "hole_plays_again": True}),
    (3, {"hand": "open", "table": [3, 5]}),
    (2, {"hand": "hidden", "unfinished_pays_nothing": True}),
    (3, {"back_into_bag": True, "table": [5, 5], "edges_complete": True}),
    (2, {"back_into_bag": True, "draw_ahead": True, "table": [5, 7]}),
    (3, {"back_into_bag": True, "hand": "hidden", "table": [5, 5], "start_in_bag": True}),
)
PER_PLAYER = (  # fields of a state
    "follower_node", "follower_area", "to_score", "score", "family_house", "tokens", "fresh_tokens", "nests", "at_gate",
    "hand",
)  # fmt: skip


def few(compiled, plain):
    """Return a number of games, or a step from game to game: what `compiled` kernels manage, or `plain` Python.

    The proof plays all that each can. The daily tests play less: compiled kernels what lies in between, nearer to what
    plain Python plays, and plain Python half as much.
    """
    if IS_COMPILED:
        return compiled if IS_PROOF else math.ceil(math.cbrt(compiled * max(plain, 1) ** 2))
    if IS_REST:
        return 2 * plain if plain > compiled else math.ceil(plain / 2)
    return plain


def play(game, agent, seed=0):
    """Yield `game` at each of its decisions and at its end; `agent` decides in between, for both players."""
    rng = np.random.default_rng(seed)
    while not game.is_terminal:
        yield game
        game.step(agent.act(game, rng))
    yield game


def play_randomly(game, seed=0):
    """Yield `game` at each of its decisions and at its end, playing random legal actions in between."""
    return play(game, RandomAgent(), seed)


def play_greedily(game, seed=0):
    """Yield `game` at each of its decisions and at its end, played by the greedy player in between."""
    return play(game, GreedyAgent(), seed)


def finish(game, seed=0):
    """Play `game` to its end by random legal actions and return it."""
    for _ in play_randomly(game, seed):
        pass
    return game


def play_episode(env, seed):
    """Yield (mover, observation, reward, terminated, info) of an episode of random legal actions, from its reset on."""
    observation, info = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    terminated = info["current_player"] == -1
    yield None, observation, 0.0, terminated, info
    while not terminated:
        mover = info["current_player"]
        action = int(rng.choice(np.flatnonzero(info["action_mask"])))
        observation, reward, terminated, truncated, info = env.step(action)
        assert truncated is False
        yield mover, observation, reward, terminated, info


def list_texts(game):
    """Return the actions of a game in notation."""
    return [again.format_action(action) for again, action in game.retrace()]


def check_decision(agent, other, game, number, redeals=True):
    """Check that an agent decides legally, leaves the game alone, and as `other`, its like, where it is dealt anew."""
    before, twin = game.state.tobytes(), game.copy()
    if redeals:
        twin.redeal(np.random.default_rng(number))
    action = agent.act(game, np.random.default_rng(number))
    assert type(action) is int and action in game.legal_actions()
    assert other.act(twin, np.random.default_rng(number)) == action
    assert game.state.tobytes() == before


def list_decisions(game, seed, every=1):
    """Yield `game` at every so manieth of its decisions, playing random legal actions in between."""
    for number, _ in enumerate(play_randomly(game, seed)):
        if number % every == 0 and not game.is_terminal:
            yield game


def play_many(ruleset, steps, number=6, parts=PLANE_PARTS):
    """Return so many games of a ruleset after so many random decisions in each, what is seen of them, and the masks."""
    games = ZamekVectorEnv(number, ruleset, autoreset_mode="SameStep", observation=parts)
    rng = np.random.default_rng(0)
    seen, info = games.reset(seed=0)
    for _ in range(steps):
        seen, _, _, _, info = games.step([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
    return games, seen, info["action_mask"]


def sample_positions(name, every, games=1):
    """Yield some positions of games: before all kinds of decisions and at the end."""
    for seed in range(games):
        for player in (play_randomly, play_greedily):
            for number, game in enumerate(player(Game(name, seed=seed), seed)):
                if number % every == seed % every or game.is_terminal:
                    yield game


def after(game, action):
    """Return a game one decision on; the one given stays as it is."""
    twin = game.copy()
    twin.step(action)
    return twin


def swap_players(game):
    """Return a copy of `game` in which each player has what the other had."""
    twin = game.copy()
    state = twin.raw_states[0]
    for field in PER_PLAYER:
        state[field] = state[field][::-1].copy()
    state["area_followers"] = state["area_followers"][:, ::-1].copy()
    state["player"] = 1 - state["player"]
    state["scorer"] = 1 - state["scorer"]
    return twin


def same_observation(first, second):
    """Return whether two observations are equal."""
    return all(np.array_equal(first[part], second[part]) for part in ("planes", "vector"))


def play_cards(players, seed):
    """Yield a game of castle-cards at each of its decisions and its end, at random, cards rather than anything else."""
    game, rng = CastleCards(players, seed), np.random.default_rng(seed)
    while not game.is_terminal:
        yield game
        legal = game.legal_actions()
        plays = [action for action in legal if game.phase == "action" and game.format_action(action)[:4] == "play"]
        game.step(int(rng.choice(plays if plays and rng.random() < 0.7 else legal)))
    yield game


def generator_for(number):
    """Return a generator of the kernels, seeded with a number."""
    generator = np.zeros(1, np.uint64)
    seed_generator(generator, number)
    return generator


def redeal_all(states):
    """Return copies of tile games in which all that is hidden lies otherwise."""
    others = states.copy()
    for number, other in enumerate(others):
        redeal(other, generator_for(number), NONE)
    assert (others != states).all()
    return others
