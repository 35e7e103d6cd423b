"""The agents that search: legal, blind to what is hidden, repeatable, right where the end can be counted out."""

import json
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numpy.random import default_rng

from tests.support import naive_endgame
from tests.support.games import after, check_decision, play_greedily, play_randomly
from zamek_agents import ExpectimaxAgent, MCTSAgent, ValueAgent, make_agent
from zamek_agents.castle_cards.ismcts import ISMCTSAgent
from zamek_agents.options import read_options
from zamek_agents.pretrained import find_shipped
from zamek_agents.registry import make_ismcts, make_openspiel_mcts
from zamek_agents.search import expectimax, mcts
from zamek_agents.search import mcts_search as kernels
from zamek_agents.search.evaluation import choose_of_few, load_evaluation_weights
from zamek_agents.search.star25 import Star25Agent
from zamek_agents.search.uct import FollowerAgent, UCTAgent
from zamek_agents.value.weights import load_weights, new_weights, write_file
from zamek_env import Game
from zamek_env.base.records import NONE
from zamek_env.ruleset import get_ruleset

LINES = json.loads((Path(__file__).parents[1] / "support" / "data" / "endgames.json").read_text(encoding="ascii"))
CHEAP = {  # some of the last decisions are solved, and some would take more nodes
    "expectimax": "expectimax:width=3,tiles=2,endgame_nodes=3000",
    "mcts": "mcts:simulations=20,turns=2,endgame_nodes=3000",
    "mcts-of-few-tries": "mcts:simulations=20,turns=2,tries=2,endgame=0",
}
RULESETS = (  # between them they have all that there is; each takes two minutes to compile
    "zamek",
    pytest.param("sokol-gates", marks=pytest.mark.long),
    pytest.param("carcassonne", marks=pytest.mark.long),
)


@pytest.fixture(params=CHEAP.values(), ids=CHEAP)
def spec(request):
    return request.param


# --- deciding ---


@pytest.mark.parametrize("ruleset", RULESETS)
def test_searching_agents_decide_legally_and_by_nothing_hidden(spec, ruleset):
    """Not even by what lies on a tower, or which tile is next, where that is about to be seen."""
    agent, other, phases = make_agent(spec), make_agent(spec), set()
    for seed in range(2):
        for number, game in enumerate(play_greedily(Game(ruleset, seed=seed), seed)):
            phases.add(game.phase)
            if game.is_terminal:
                break
            check_decision(agent, other, game, number)
    asked = {"place", "send"} if ruleset == "carcassonne" else {"place", "send", "score", "extra turn"}
    assert phases == asked | {"over"}


def test_another_generator_may_lead_to_another_decision(spec):
    game = Game(seed=2)
    for _ in range(20):
        game.step(game.legal_actions()[0])
    assert len({make_agent(spec).act(game, default_rng(number)) for number in range(30)}) > 1


@pytest.mark.parametrize("spec", ["expectimax:width=8,tiles=8", "mcts:simulations=40,turns=4"])
@pytest.mark.long
def test_searching_agents_beat_the_greedy_one(spec):
    agents = make_agent(spec), make_agent("greedy")
    lead = 0
    for number in range(10):
        game, rng, first = Game(seed=number // 2), default_rng(number), number % 2
        while not game.is_terminal:
            game.step(agents[game.current_player ^ first].act(game, rng))
        lead += game.scores[first] - game.scores[1 - first]
    assert lead > 0


# --- the last tiles, where every way to play on can be counted out ---


def find_outcome(game, player):
    """Return the points that `player` wins by where both play on perfectly and nothing is left to chance."""
    if game.is_terminal:
        return game.scores[player] - game.scores[1 - player]
    best = max if game.current_player == player else min
    return best(find_outcome(after(game, action), player) for action in game.legal_actions())


def endings(ruleset, left):
    """Yield placements with so many tiles left to draw, in games of the greedy player."""
    for seed in range(3):
        for game in play_greedily(Game(ruleset, seed=seed), seed):
            if game.phase == "place" and len(game.position().remaining) == left:
                yield game
                break


@pytest.mark.parametrize(
    "spec", ["expectimax:width=64,endgame=0", "mcts:simulations=3000,width=100,evaluation=score,endgame=0"]
)
@pytest.mark.plays("carcassonne")
@pytest.mark.long
def test_the_last_tile_is_played_perfectly(spec):
    agent = make_agent(spec)
    for number, game in enumerate(endings("carcassonne", 0)):
        player = game.current_player
        best = find_outcome(game, player)
        while not game.is_terminal:
            game.step(agent.act(game, default_rng(number)))
        assert find_outcome(game, player) == best


@pytest.mark.parametrize(("spec", "phases"), [("expectimax", ["place"]), ("mcts", ["send", "score"])])
def test_the_last_tiles_are_decided_exactly(spec, phases):
    """Where plain counting can follow."""
    agent, games = make_agent(spec), [Game.parse_position(line, seed=0) for line in LINES["zamek"]]
    for game in (game for game in games if game.phase in phases):
        worths = naive_endgame.solve(game)
        evaluation = agent.evaluate(game, default_rng(1))
        np.testing.assert_allclose(evaluation.values, worths, atol=1e-9)
        assert worths[game.legal_actions().index(agent.act(game, default_rng(0)))] == pytest.approx(worths.max())
        assert agent.is_solved


def time_decisions(agent, game):
    """Return the seconds of five decisions, of which other work on the machine may hold up some."""
    seconds = []
    for _ in range(5):
        started = time.perf_counter()
        agent.act(game, default_rng(0))
        seconds.append(time.perf_counter() - started)
    return seconds


@pytest.mark.parametrize("spec", ["mcts:simulations=20,turns=2,endgame_nodes=1", "mcts:seconds=0.02,endgame=4"])
def test_what_takes_too_long_to_solve_is_searched(spec):
    agent = make_agent(spec)
    for game in play_greedily(Game(seed=1)):
        if game.phase == "place" and len(game.position().remaining) == 3:
            agent.act(game, default_rng(0))
            assert agent.act(game, default_rng(0)) in game.legal_actions()
            assert agent.simulations > 0 and not agent.is_solved
            assert min(time_decisions(agent, game)) < 0.4
            return
    pytest.fail("no decision was asked for")


# --- the limits of a search ---


def test_a_time_limit_is_kept():
    agent, game = make_agent("mcts:seconds=0.1"), Game(seed=1)
    agent.act(game, default_rng(0))
    assert 0.1 <= min(time_decisions(agent, game)) < 0.4
    assert agent.simulations > 10


def test_a_search_by_the_clock_has_room_for_more_simulations_than_there_can_be():
    agent = make_agent("mcts:seconds=0.05,endgame=0")
    agent.act(Game(seed=1), default_rng(0))
    assert len(agent.tree.nodes) > 100_000 * agent.options.seconds > agent.defaults.simulations


def test_the_only_action_to_look_at_is_played_at_once():
    game = Game(seed=5)
    assert make_agent("mcts:seconds=3600,width=1").act(game, default_rng(0)) in game.legal_actions()


# --- the candidates ---


def test_the_worse_half_is_dropped_after_equal_shares_of_the_simulations():
    agent, game = make_agent("mcts:simulations=240,width=8,turns=2,tries=2"), Game(seed=1)
    action = agent.act(game, default_rng(0))
    root = agent.tree.edges[:8]
    assert sorted(root["visits"]) == [10] * 4 + [10 + 20] * 2 + [10 + 20 + 40] * 2
    assert root["action"][0] == action
    trust = agent.options.trust
    worth = (root["total"] + trust * root["guess"]) / (root["visits"] + trust)
    assert worth[0] == worth[root["visits"] == 70].max()
    assert len(set(root["action"].tolist())) == 8


def test_with_fewer_simulations_than_candidates_those_not_tried_keep_their_guess():
    agent, game = make_agent("mcts:simulations=1,trust=1000"), Game(seed=1)
    action = agent.act(game, default_rng(0))
    root = agent.tree.edges[: agent.options.width]
    assert root["visits"].sum() == 1
    assert root["guess"][0] == root["guess"].max() and root["action"][0] == action


def test_unguided_only_playing_on_tells():
    agent, game = make_agent("mcts:simulations=20,guided=0,width=1000,turns=2,tries=1"), Game(seed=1)
    assert agent.act(game, default_rng(0)) in game.legal_actions()
    root = agent.tree.edges[: agent.tree.nodes[0]["num_edges"]]
    assert sorted(root["action"].tolist()) == game.legal_actions()
    assert not root["guess"].any()


def test_all_candidates_meet_the_same_deals_and_each_tile_next_in_turn():
    agent, game = make_agent("mcts:simulations=1"), Game(seed=4)
    for _ in range(40):
        game.step(game.legal_actions()[0])
    agent.act(game, default_rng(0))
    state = game.state[0]
    known = int(state["drawn"])
    deals = [deal_as_for(agent, visit) for visit in range(len(state["deck"]) - known)]
    for visit, (deck, tokens) in enumerate(deals):
        assert deck[:known] == state["deck"][:known].tolist()
        assert sorted(tokens) == sorted(state["token_deal"].tolist())
        agent._simulate(3)  # as other candidates, and those that do not matter, may come in between
        assert deal_as_for(agent, visit) == (deck, tokens)
    assert sorted(deck[known] for deck, _ in deals) == sorted(state["deck"][known:].tolist())
    assert all(deck[known + 1 :] != sorted(deck[known + 1 :]) for deck, _ in deals[:-1])
    assert len({tuple(tokens) for _, tokens in deals}) > 1


def deal_as_for(agent, visit):
    """Return (deck, tokens) that a candidate meets at that visit."""
    kernels.deal_again(agent._states, kernels.GAME, agent.searches[0], visit)
    dealt = agent._states[kernels.GAME]
    return dealt["deck"].tolist(), dealt["token_deal"].tolist()


@pytest.mark.long
def test_simulated_players_do_not_know_what_is_hidden_in_the_game_simulated():
    agent, game = make_agent("mcts:simulations=1"), Game(seed=4)
    agent.act(game, default_rng(0))
    states, logs, _, searches = agent._room
    dealt = states[kernels.GAME].copy()
    choose_of_few(game.ruleset.tables[0], states, kernels.GAME, logs[0], searches[0])
    assert states[kernels.GAME] == dealt
    known, tried = int(dealt["drawn"]), states[kernels.TRIALS]
    assert (tried["deck"][:known] == dealt["deck"][:known]).all()
    assert (tried["deck"] != dealt["deck"]).any()
    assert (tried["token_deal"] != dealt["token_deal"]).any()


# --- the tree ---


@pytest.mark.parametrize("turns", [1, 8])
@pytest.mark.parametrize("edges", [mcts.EDGES_A_NODE, 0])
def test_where_no_room_is_left_the_search_goes_on_in_the_tree_there_is(edges, turns, monkeypatch):
    monkeypatch.setattr(mcts, "EDGES_A_NODE", edges)
    agent = make_agent(f"mcts:simulations=2000,nodes=100,turns={turns},tries=1,endgame=0")
    for number, game in enumerate(play_randomly(Game(seed=6))):
        if number % 10 == 0 and not game.is_terminal:
            assert agent.act(game, default_rng(number)) in game.legal_actions()
            check_tree(agent)


@pytest.mark.parametrize("turns", [1, 6])
@pytest.mark.long
def test_the_tree_adds_up(turns):
    agent, game = make_agent(f"mcts:simulations=1000,turns={turns},tries=2"), Game(seed=1)
    for _ in range(30):
        game.step(agent.act(game, default_rng(0)))
    check_tree(agent)


def test_no_simulation_goes_beyond_the_horizon():
    """With one turn the next is where positions are evaluated, so that no placement is an edge below the root."""
    agent, rng, decisions = make_agent("mcts:simulations=500,turns=1,endgame=0"), default_rng(0), 0
    for game in play_greedily(Game(seed=1)):
        if game.phase == "place" and len(game.position().remaining) in (1, 2, 3):
            agent.act(game, rng)
            first, end = agent.tree.nodes[0]["num_edges"], agent.searches[0]["used_edges"]
            assert first < end
            assert (agent.tree.edges["action"][first:end] >= game.ruleset.tables[0]["send_base"]).all()
            decisions += 1
    assert decisions == 3


def check_tree(agent: MCTSAgent):
    """Assert that every visit of an edge belongs to one of its node, and that no node has two parents."""
    nodes, edges = agent.tree
    search = agent.searches[0]
    found, queue = {0}, [0]
    assert search["used_nodes"] <= len(nodes) and search["used_edges"] <= len(edges)
    while queue:
        node = nodes[queue.pop()]
        own = edges[node["first_edge"] :][: node["num_edges"]]
        assert own["visits"].sum() <= node["visits"]
        assert (np.abs(own["total"]) <= own["visits"]).all()
        for edge in own:
            child, visits = edge["first_node"], 0
            while child != NONE:
                assert child not in found
                found.add(int(child))
                queue.append(int(child))
                visits += nodes[child]["visits"]
                child = nodes[child]["next"]
            assert visits <= edge["visits"]
    assert found == set(range(search["used_nodes"]))
    root = edges[nodes[0]["first_edge"] :][: nodes[0]["num_edges"]]
    assert root["visits"].sum() == nodes[0]["visits"] == agent.simulations


# --- options ---


def test_options_are_taken():
    assert make_agent("mcts:seconds=1.5,turns=3,evaluation=score").options._replace(simulations=1) == (
        mcts.Options(simulations=1, seconds=1.5, turns=3, evaluation="score")
    )
    assert make_agent("mcts:turns=3").name == "mcts:turns=3"
    assert make_agent("expectimax").options.evaluation == "auto"


@pytest.mark.usefixtures("weights_for_zamek_alone")
@pytest.mark.long
def test_what_options_leave_open_depends_on_the_evaluation():
    agent = make_agent("expectimax:width=3,tiles=2")
    agent.act(Game("carcassonne-demo", seed=0), default_rng(0))
    assert agent.options == expectimax.BY_HAND._replace(width=3, tiles=2)
    agent.act(Game("zamek", seed=0), default_rng(0))
    assert agent.options == expectimax.Options(width=3, tiles=2)


class TwoOptions(NamedTuple):
    """Options of an agent that there is not."""

    count: int = 2
    share: float = 0.5


def test_the_ends_of_a_range_belong_to_it_and_what_lies_beyond_does_not():
    def read(text):
        return read_options(TwoOptions(), {"count": (1, 4), "share": (-1.0, 1.0)}, text, {})

    assert [read("count=1,share=-1"), read("count=4,share=1")] == [(1, -1.0), (4, 1.0)]
    for beyond in ("count=0", "count=5", "share=-1.001", "share=1.001"):
        with pytest.raises(ValueError, match=r"must be a (whole )?number from -?1 to [14], not"):
            read(beyond)


def test_an_option_of_any_length_is_refused_by_name_and_cut_off():
    def read(text="", **keywords):
        return read_options(TwoOptions(), {"count": (1, 4), "share": (-1.0, 1.0)}, text, keywords)

    for refused, message in (
        (lambda: read(count=10**5000), "count must be a whole number from 1 to 4, not a value of type int that cannot"),
        (lambda: read("x" * 5000), "an option must be KEY=VALUE .*, not 'xxx"),
        (lambda: read(f"count={'x' * 5000}"), "count must be a whole number from 1 to 4, not 'xxx"),
    ):
        with pytest.raises(ValueError, match=message) as error:
            refused()
        assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    "spec, message",
    [
        ("mcts:5", "an option must be KEY=VALUE with a KEY of simulations, seconds, .*, not '5'"),
        ("mcts:depth=5", "with a KEY of .*, not 'depth=5'"),
        ("mcts:turns=1,turns=2", "turns is given twice"),
        ("mcts:turns=1,", "not ''"),
        ("mcts:simulations=0", "simulations must be a whole number from 1 to .*, not 0"),
        ("mcts:simulations=1.5", "a whole number from 1 to .*, not '1.5'"),
        ("mcts:seconds=nan", "seconds must be a number from 0 to .*, not nan"),
        ("mcts:evaluation=", "evaluation must be one of auto, learned, hand, score, not ''"),
        ("mcts:evaluation=best", "evaluation must be one of auto, learned, hand, score, not 'best'"),
        ("mcts:endgame=5", "endgame must be a whole number from 0 to 4, not 5"),
        ("expectimax:tiles=", "tiles must be a whole number from 1 to 1000, not ''"),
        ("expectimax:evaluation=score", "evaluation must be one of auto, learned, hand, not 'score'"),
        ("mcts:weights=", "weights must not be empty"),
        ("mcts:evaluation=score,weights=pyproject.toml", "evaluation=score takes no weights"),
        ("expectimax:evaluation=hand,weights=pyproject.toml", "evaluation=hand takes no weights"),
    ],
)
def test_wrong_options_are_refused(spec, message):
    with pytest.raises(ValueError, match=f"^the agent '{spec}': .*{message}"):
        make_agent(spec)


@pytest.mark.parametrize(
    ("kind", "option"),
    [
        (MCTSAgent, "simulations"),
        (ExpectimaxAgent, "width"),
        (UCTAgent, "simulations"),
        (FollowerAgent, "simulations"),
        (Star25Agent, "probes"),
        (ISMCTSAgent, "turns"),
        (make_ismcts, "turns"),
        (make_openspiel_mcts, "rollouts"),
    ],
)
def test_options_may_be_keyword_arguments(kind, option):
    by_text, by_keywords = kind(f"{option}=3"), kind(**{option: 3})
    assert by_text.options == by_keywords.options != kind().options
    assert by_text.name == by_keywords.name == f"{kind().name}:{option}=3"


def test_keyword_arguments_join_options_given_as_text():
    agent = MCTSAgent("turns=3", simulations=np.int64(5), seconds=1)
    assert agent.options == mcts.Options(turns=3, simulations=5, seconds=1.0)
    assert agent.name == "mcts:turns=3,simulations=5,seconds=1.0"


def test_a_path_as_a_keyword_argument_may_contain_commas(tmp_path):
    path = tmp_path / "a,b.npz"
    write_file(path, new_weights(get_ruleset("zamek")), get_ruleset("zamek"), {})
    assert ExpectimaxAgent(weights=path).options.weights == str(path)


@pytest.mark.parametrize(
    ("error", "keywords", "message"),
    [
        (TypeError, {"depth": 5}, "an option must be one of simulations, seconds, .*, not 'depth'"),
        (TypeError, {"simulations": "5"}, "simulations must be a whole number, not '5'"),
        (TypeError, {"simulations": 5.0}, r"simulations must be a whole number, not 5\.0"),
        (TypeError, {"guided": True}, "guided must be a whole number, not True"),
        (TypeError, {"unit": "5"}, "unit must be a number, not '5'"),
        (TypeError, {"unit": True}, "unit must be a number, not True"),
        (TypeError, {"evaluation": None}, "evaluation must be text, not None"),
        (ValueError, {"seconds": 10**400}, "seconds must be a number from 0 to .*, not 1000"),
        (ValueError, {"simulations": 0}, "simulations must be a whole number from 1 to .*, not 0"),
        (ValueError, {"unit": np.nan}, "unit must be a number from 0.001 to .*, not nan"),
        (ValueError, {"evaluation": "best"}, "evaluation must be one of auto, .*, not 'best'"),
        (ValueError, {"weights": ""}, "weights must not be empty"),
        (ValueError, {"options": "turns=1", "turns": 2}, "the option turns is given twice"),
        (TypeError, {"options": 200}, "options must be text such as 'simulations=200', not 200"),
        (FileNotFoundError, {"weights": "nothing"}, "there are no weights 'nothing'"),
    ],
)
def test_wrong_keyword_arguments_are_refused(error, keywords, message):
    with pytest.raises(error, match=f"^{message}"):
        MCTSAgent(**keywords)


# --- the evaluation ---


@pytest.mark.usefixtures("weights_for_zamek_alone")
def test_the_evaluation_is_learned_where_weights_are_shipped():
    zamek, demo = get_ruleset("zamek"), get_ruleset("carcassonne-demo")
    shipped = load_weights(find_shipped("value", zamek), zamek)
    assert np.array_equal(load_evaluation_weights("auto", "", zamek), shipped)
    assert np.array_equal(load_evaluation_weights("learned", "", zamek), shipped)
    assert load_evaluation_weights("auto", "", demo).size == 0
    for evaluation in ("hand", "score"):
        assert load_evaluation_weights(evaluation, "", zamek).size == 0


@pytest.mark.usefixtures("weights_for_zamek_alone")
def test_where_no_weights_are_shipped_learned_ones_must_be_named(spec, tmp_path):
    demo, path = get_ruleset("carcassonne-demo"), str(tmp_path / "weights.npz")
    with pytest.raises(
        ValueError,
        match=r"no weights of the agent 'value' are shipped for the ruleset 'carcassonne-demo', only for .*zamek",
    ):
        make_agent(f"{spec},evaluation=learned").act(Game("carcassonne-demo", seed=0), default_rng(0))
    with pytest.raises(FileNotFoundError, match=r"there are no weights 'no/such\.npz'"):
        make_agent(f"{spec},weights=no/such.npz")
    write_file(path, new_weights(demo), demo, {})
    for evaluation in ("auto", "learned"):
        assert np.array_equal(load_evaluation_weights(evaluation, path, demo), new_weights(demo))
    with pytest.raises(ValueError, match="was trained for the ruleset 'carcassonne-demo', not for 'zamek'"):
        make_agent(f"{spec},weights={path}").act(Game("zamek", seed=0), default_rng(0))


@pytest.mark.parametrize("spec", ["expectimax:width=3", "mcts:turns=3"])
def test_weights_may_be_a_folder_with_a_model_of_value(spec, tmp_path):
    demo, path, folder = get_ruleset("carcassonne-demo"), tmp_path / "weights.npz", tmp_path / "model"
    write_file(path, new_weights(demo), demo, {})
    ValueAgent(path).save_pretrained(folder)
    make_agent(f"{spec},weights={folder}")
    assert np.array_equal(load_evaluation_weights("auto", str(folder), demo), new_weights(demo))
    with pytest.raises(ValueError, match=r"holds no model: there is no model\.json"):
        make_agent(f"{spec},weights={tmp_path}")
    (folder / "weights.npz").write_bytes(path.read_bytes()[:-7])
    with pytest.raises(ValueError, match=r"model\.json: "):
        make_agent(f"{spec},weights={folder}")
