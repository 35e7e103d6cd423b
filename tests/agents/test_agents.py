"""Agents decide legally, by the generator given and by nothing hidden."""

import re
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from scipy import stats

from tests.support.box import load_box
from tests.support.games import check_decision, list_decisions
from zamek_agents import make_agent
from zamek_agents.arena.comparison import compare
from zamek_agents.arena.sets import line_up
from zamek_agents.registry import AGENT_NAMES
from zamek_env import Game
from zamek_env.common.extras import MissingExtraError, needs_train_extra

ROOT = Path(__file__).parents[2]
NAMES = ("random", "greedy", "value")


@pytest.fixture(params=NAMES)
def agent(request):
    return make_agent(request.param)


# --- deciding ---


def test_agents_decide_legally_and_by_nothing_hidden(agent):
    other = make_agent(agent.name)
    for number, game in enumerate(list_decisions(Game(seed=1), seed=1)):
        redeals = bool(game.position().remaining)  # with the last tile, which token counts at once has to be guessed
        check_decision(agent, other, game, number, redeals)


@pytest.mark.parametrize("rng", [None, 3, np.random.RandomState(1)])
def test_what_is_no_generator_is_refused(agent, rng):
    with pytest.raises(TypeError, match=r"^rng must be a numpy\.random\.Generator, not "):
        agent.act(Game(seed=7), rng)


def test_the_random_agent_chooses_uniformly():
    game, agent, rng = Game(seed=4), make_agent("random"), np.random.default_rng(0)
    legal = game.legal_actions()
    chosen = [agent.act(game, rng) for _ in range(100 * len(legal))]
    assert set(chosen) == set(legal)
    assert stats.chisquare([chosen.count(action) for action in legal]).pvalue > 0.001


def test_greedy_beats_random_in_99_of_100_games():
    (pairing,) = line_up([make_agent("greedy"), make_agent("random")])
    assert compare(pairing.play(50)).wins >= 99


@pytest.mark.plays("sokol")
def test_an_agent_makes_ready_for_each_ruleset_it_meets(agent, tmp_path):
    """And is none the worse for one that it does not play."""
    games, other = [Game(seed=5), Game("sokol", seed=5)] * 2, Game("zamek", 5, load_box(tmp_path))
    for game in games:
        due = make_agent(agent.name).act(game, np.random.default_rng(1))
        assert agent.act(game, np.random.default_rng(1)) == due
        if agent.name == "value":
            with pytest.raises(ValueError, match="no weights of the agent 'value' are shipped"):
                agent.act(other, np.random.default_rng(1))
        assert agent.act(game, np.random.default_rng(1)) == due


# --- agents by name ---


@pytest.mark.parametrize("name", NAMES)
def test_agents_are_made_by_name(name):
    assert make_agent(name).name == name


@pytest.mark.parametrize("spec", ["Random", ""])
def test_unknown_agents_are_refused_naming_the_known_ones(spec):
    with pytest.raises(ValueError, match=re.escape(f"one of {', '.join(AGENT_NAMES)}, not {spec!r}")):
        make_agent(spec)


@pytest.mark.parametrize("name", ["random", "greedy", "value-v1"])
def test_agents_without_options_say_so(name):
    for given in ("x", ""):
        with pytest.raises(ValueError, match=f"the agent '{name}' takes no options, not '{given}'"):
            make_agent(f"{name}:{given}")
    if name != "value-v1":
        with pytest.raises(ValueError, match=f"opponent: the agent '{name}:x=1' takes no options"):
            gymnasium.make("Zamek-v0", opponent=f"{name}:x=1")


@pytest.mark.parametrize(
    ("spec", "missing"), [("value:", "a path"), ("ppo:", "a path"), ("mcts:", "options"), ("ismcts:", "options")]
)
def test_nothing_after_a_colon_is_told_with_what_is_missing(spec, missing):
    with pytest.raises(ValueError, match=f"^the agent '{spec}' must have {missing} after its colon$"):
        make_agent(spec)


def test_a_missing_model_is_refused():
    with pytest.raises(FileNotFoundError, match=r"there is no model 'no/such\.zip'"):
        make_agent("ppo:no/such.zip")


def test_a_missing_extra_is_named():
    message = r"a test needs torch, .* install it by `pip install 'zamek-env\[train\]'`$"
    with pytest.raises(MissingExtraError, match=message), needs_train_extra("a test"):
        raise ModuleNotFoundError(name="torch.nn")
    with pytest.raises(ModuleNotFoundError), needs_train_extra("a test"):
        raise ModuleNotFoundError(name="zamek_agents.mistyped")


def test_agents_load_nothing_that_is_not_named():
    """Neither torch nor Castle: both take long, and few need them."""
    command = (
        "import sys, zamek_agents as agents; agents.make_agent('greedy');"
        "print({'torch', 'zamek_env.castle_cards'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", command], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout == "set()\n"
