"""The games in OpenSpiel: chance, what players know, serialisation, and what small games are worth."""

import importlib
import pickle
import re
import shutil
import sys
from collections import Counter, defaultdict
from functools import partial
from itertools import combinations, pairwise, product
from pathlib import Path

import numpy as np
import pytest

import zamek_env
from tests.support.castle_cards.drawn import DrawnCastleCards
from tests.support.games import few, play_randomly
from zamek_agents import make_agent
from zamek_env import RULESETS, Game
from zamek_env.base.records import copy_records
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.core.state import NONE
from zamek_env.common.extras import MissingExtraError
from zamek_env.fair_play import ask
from zamek_env.layout.observation import PARTS
from zamek_env.notation.position_line import format_seen
from zamek_env.records.deal_from_moves import TilesLeft

pyspiel = pytest.importorskip("pyspiel")
gambit = pytest.importorskip("open_spiel.python.algorithms.gambit")
observation = pytest.importorskip("open_spiel.python.observation")
openspiel = pytest.importorskip("zamek_env.openspiel")
castle_cards_node = pytest.importorskip("zamek_env.openspiel.castle_cards_node")
tree = pytest.importorskip("tests.support.spiel_tree")

LONG = pytest.mark.long
CASTLE = "python_castle_cards"
DATA = Path(zamek_env.__file__).parent / "data"


def play(state, seed, most=10_000):
    """Yield the states of a random game from `state` on."""
    rng = np.random.default_rng(seed)
    for _ in range(most):
        yield state
        if state.is_terminal():
            return
        outcomes = state.chance_outcomes() if state.is_chance_node() else [(a, 1) for a in state.legal_actions()]
        actions, weights = zip(*outcomes, strict=True)
        state = state.child(int(rng.choice(actions, p=np.array(weights) / sum(weights))))


def name_tiles(ruleset):
    return f"python_{'zamek' if RULESETS.index(ruleset) < 3 else 'carcassonne'}(ruleset={ruleset})"


# --- games of tiles ---


@pytest.mark.parametrize("seed", [3, *(pytest.param(seed, marks=LONG) for seed in range(10, 15))])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_chance_draws_is_the_deal_of_the_same_game(ruleset, seed):
    """The game is played again by `Game`, with the tiles and tokens that chance drew dealt beforehand."""
    check_deal(pyspiel.load_game(name_tiles(ruleset)), seed)


def check_deal(spiel, seed):
    """Play a game of OpenSpiel, and again by `Game` with what chance drew; compare both at every decision."""
    states = list(play(spiel.new_initial_state(), seed))
    node = states[-1].node
    rules, players = node.rules.ruleset, range(spiel.num_players())
    game = Game.from_deal(rules, list_drawn(states, TilesLeft(rules)), node.states[0].token_deal.tolist())
    for state, following in zip(states, [*states[1:], None], strict=True):
        if state.is_chance_node():
            continue
        player = state.current_player()
        for each in players:
            assert state.observation_string(each) == format_seen(rules, game.raw_states[0], each)
        assert player == (-4 if game.is_terminal else game.current_player)
        assert state.legal_actions() == game.legal_actions()
        assert state.returns() == list(game.returns())
        if not game.is_terminal:
            game.step(following.history()[-1])
    assert game.is_terminal


def list_drawn(states, left):
    """Return the numbers of the tiles that chance drew, in order."""
    steps = pairwise(states)
    draws = [following for state, following in steps if state.is_chance_node() and state.node.tower is None]
    names = states[0].node.rules.outcome_names
    return [left.take(names[following.history()[-1]].removeprefix("tile ")) for following in draws]


HOUSES = [  # (players, house rules as a text, whether hands are hidden)
    (3, "", False),
    (3, "draw_ahead", True),
    (2, "hand:hidden;start_in_bag", True),
    (4, "hand:open;table:3x5", False),
    (5, "draw_ahead;hole_plays_again;start_in_bag;small_city", True),
]
SHAKEN = [(2, "back_into_bag;table:5x5", False), (3, "back_into_bag;draw_ahead;table:5x5", True)]


def load_house(players, rules, returns="win"):
    given = f"ruleset=carcassonne-demo,players={players},returns={returns}" + f",rules={rules}" * bool(rules)
    return pyspiel.load_game(f"python_carcassonne({given})")


@pytest.mark.compiles
@pytest.mark.parametrize("players, rules, hides", HOUSES)
def test_chance_draws_into_hands_as_the_engine_does(players, rules, hides):
    check_deal(load_house(players, rules), 3)


@pytest.mark.compiles
@pytest.mark.parametrize("players, rules, hides", HOUSES + SHAKEN)
def test_players_of_any_table_know_what_they_see_and_no_more(players, rules, hides):
    game, rng = load_house(players, rules), np.random.default_rng(5)
    information = pyspiel.GameType.Information
    assert game.get_type().information == getattr(information, f"{'IM' * hides}PERFECT_INFORMATION")
    assert (game.num_players(), game.get_type().utility) == (players, pyspiel.GameType.Utility.ZERO_SUM)
    for number, state in enumerate(play(game.new_initial_state(), 4)):
        if state.is_player_node() and number % few(3, 20) == 0:
            player = state.current_player()
            twin = state.resample_from_infostate(player, rng.random)
            for look in ("observation_string", "information_state_string", "observation_tensor"):
                assert getattr(twin, look)(player) == getattr(state, look)(player)
            assert twin.legal_actions() == state.legal_actions()
            assert sum(state.node.play_out(rng)) == pytest.approx(0)
            again = pickle.loads(pickle.dumps(state))
            assert (str(again), again.information_state_string()) == (str(state), state.information_state_string())
        assert number < game.max_game_length() + game.max_chance_nodes_in_history()
    assert sum(state.returns()) == pytest.approx(0)
    assert max(state.returns()) <= game.max_utility() and min(state.returns()) >= game.min_utility()


@pytest.mark.compiles
def test_a_tile_that_is_drawn_ahead_is_known_to_who_drew_it_until_it_is_turned_up():
    state = load_house(3, "draw_ahead").new_initial_state()
    drawn = []
    while state.is_chance_node():
        drawn.append(state.legal_actions()[len(drawn)])
        state.apply_action(drawn[-1])
    texts = [state.information_state_string(player) for player in range(3)]
    seen = [[str(kind) if each in (0, player) else "?" for each, kind in enumerate(drawn)] for player in range(3)]
    assert texts == [f"begin draw {' '.join(kinds)} show {drawn[0]} then 0 0" for kinds in seen]
    while state.current_player() != 1:
        outcomes = state.chance_outcomes()[0][0] if state.is_chance_node() else state.legal_actions()[0]
        state.apply_action(outcomes)
    assert state.information_state_string(2).splitlines()[-1].endswith(f"show {drawn[1]} then 0 1")
    assert " ? " in state.information_state_string(2).splitlines()[-1]


@pytest.mark.compiles
def test_margins_of_several_are_to_the_mean_of_the_others():
    *_, state = play(load_house(3, "", "margin").new_initial_state(), 2)
    scores = state.node.game.scores
    assert state.returns() == pytest.approx([score - (sum(scores) - score) / 2 for score in scores])
    alone = load_house(1, "", "margin")
    *_, state = play(alone.new_initial_state(), 2)
    assert state.returns() == [state.node.game.scores[0]] and state.returns()[0] <= alone.max_utility()
    assert alone.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM


@pytest.mark.compiles
def test_a_position_with_hidden_hands_is_begun_at_with_these_hands():
    game = Game("carcassonne-demo", 3, None, 2, {"draw_ahead": True})
    with pytest.raises(ValueError, match=r"^deals_hands must be False where hands of tiles are hidden"):
        openspiel.begin_at(game)
    twins = game, game.concealed(np.random.default_rng(1), 1)
    states = [openspiel.begin_at(twin, deals_hands=False).new_initial_state() for twin in twins]
    assert {state.observation_string(1) for state in states} == {format_seen(game.ruleset, game.raw_states[0], 1)}
    *_, last = play(states[0], 1)
    assert sum(last.returns()) == 0


@pytest.mark.parametrize(
    "name, said",
    [
        ("python_carcassonne(players=6)", "players must be 1 to 5 in the ruleset carcassonne, not 6"),
        ("python_carcassonne(ruleset=zamek,players=3)", "players must be 2 in the ruleset zamek, not 3"),
        ("python_carcassonne(rules=draw)", "rules must name some of draw_ahead, .*, not 'draw'"),
        ("python_carcassonne(rules=hand:closed)", "rules: hand"),
        ("python_carcassonne(rules=hand:open;back_into_bag)", "rules must not name both hand and back_into_bag"),
        ("python_zamek(ruleset=chess)", "ruleset must be one of"),
        ("python_zamek(returns=money)", "returns must be one of 'win', 'margin', not 'money'"),
        (f"{CASTLE}(players=7)", "players must be one of 2, 3, 4, 5, not 7"),
    ],
)
def test_games_that_cannot_be_are_refused_in_one_line(name, said):
    with pytest.raises(ValueError, match=said):
        pyspiel.load_game(name)


def test_what_is_no_game_of_ours_is_refused_in_words():
    with pytest.raises(ValueError, match=r"^rules must be a text such as 'draw_ahead' or .*, not 'hand=open'$"):
        openspiel.CarcassonneGame({"rules": "hand=open"})
    with pytest.raises(TypeError, match="game must be a Game, a CastleCards or another PlayableGame, not str"):
        openspiel.begin_at("zamek")
    for kind in (openspiel.ZamekGame, openspiel.CastleCardsGame):
        with pytest.raises(ValueError, match=r"the name of a parameter must be one of .*, not 'player'$"):
            kind({"player": 5})


@pytest.mark.plays("zamek")
@pytest.mark.rule("Z31")
def test_nothing_hidden_is_in_a_game_that_begins_at_a_position():
    for number, game in enumerate(play_randomly(Game("zamek", seed=5), 5)):
        if number % 50 == 10:
            twin = game.concealed(np.random.default_rng(number))
            begun = [openspiel.begin_at(each).new_initial_state() for each in (game, twin)]
            assert begun[0].node.states.tobytes() == begun[1].node.states.tobytes()
            assert begun[0].legal_actions() == game.legal_actions()


@pytest.mark.plays("carcassonne-demo")
def test_copies_of_a_tile_are_one_outcome_of_chance():
    game = pyspiel.load_game("python_carcassonne(ruleset=carcassonne-demo)")
    state = game.new_initial_state()
    tiles = Game("carcassonne-demo").ruleset.components.tiles
    shares = Counter(f"tile {tile.id}" for tile in tiles)
    found = {state.action_to_string(outcome): chance for outcome, chance in state.chance_outcomes()}
    assert found == pytest.approx({name: count / len(tiles) for name, count in shares.items()})


@pytest.mark.parametrize("name", ["python_zamek", CASTLE])
@pytest.mark.parametrize("outcome", [-1, 10_000])
@pytest.mark.plays("zamek")
def test_outcomes_of_chance_that_are_not_possible_have_no_name(name, outcome):
    state = pyspiel.load_game(name).new_initial_state()
    with pytest.raises(ValueError, match=f"action must be one of .*, not {outcome}"):
        state.action_to_string(outcome)


@pytest.mark.plays("zamek")
def test_a_game_of_tiles_pays_the_margin_where_it_is_asked_to():
    game = pyspiel.load_game("python_zamek(returns=margin)")
    for state in play(game.new_initial_state(), 1):
        last = state
    first, second = last.node.game.scores
    assert last.returns() == [first - second, second - first]
    assert game.max_utility() >= abs(first - second)


@pytest.mark.plays("zamek")
def test_a_lead_at_the_beginning_raises_what_a_margin_may_be():
    """All that can be scored in a game may come on top of the lead, or be scored by the other player."""
    most = pyspiel.load_game("python_zamek(returns=margin)").max_utility()
    game = Game.parse_position("zamek; 0 place Z33; score 20:500", seed=1)
    begun = openspiel.begin_at(game, returns="margin")
    assert (begun.min_utility(), begun.max_utility()) == (-most - 480, most + 480)
    assert openspiel.begin_at(game).max_utility() == 1


@pytest.mark.plays("carcassonne")
def test_a_game_that_begins_at_a_position_tells_players_and_house_rules():
    start = Game("carcassonne", 1, players=3, rules={"small_city": True, "hand": "hidden"})
    begun = openspiel.begin_at(start, deals_hands=False)
    told = {"ruleset": "carcassonne", "returns": "win", "players": 3, "rules": "hand:hidden;small_city"}
    assert begun.get_parameters() == told
    assert pyspiel.load_game("python_zamek", told).rules.ruleset is start.ruleset


@pytest.mark.plays("zamek")
def test_observations_are_those_of_the_environments():
    game = pyspiel.load_game("python_zamek")
    *_, state = play(game.new_initial_state(), 3, most=42)
    assert state.is_player_node()
    observer = game.make_py_observer()
    observer.set_from(state, 1)
    expected = state.node.game.observe(1)
    assert np.array_equal(observer.dict["planes"], expected["planes"])
    assert np.array_equal(
        state.observation_tensor(1), np.concatenate([expected[part].ravel() for part in observer.dict])
    )
    assert state.information_state_string(0).split() == [str(action) for action in state.history()]


@pytest.mark.parametrize("name", ["python_zamek", "python_castle_cards"])
def test_there_are_no_observers_of_less_than_a_player_sees(name):
    """OpenSpiel's own tools ask for them, and take None for an answer."""
    game = pyspiel.load_game(name)
    for is_public, recalls in product((False, True), repeat=2):
        for private in pyspiel.PrivateInfoType.__members__.values():
            kind = pyspiel.IIGObservationType(public_info=is_public, perfect_recall=recalls, private_info=private)
            is_whole = is_public and private == pyspiel.PrivateInfoType.SINGLE_PLAYER
            assert (observation.make_observation(game, kind) is not None) == is_whole


@pytest.mark.plays("zamek")
@pytest.mark.parametrize("parts", [("rows",), ("vector", "rows"), PARTS, ("vector",)])
def test_an_observer_shows_the_parts_that_it_is_asked_for(parts):
    """At a node of chance, and of the player who is not to decide, there are no rows."""
    game = pyspiel.load_game("python_zamek")
    observer = observation.make_observation(game, params={"observation": ",".join(parts)})
    kinds = Counter()
    for state, player in product(play(game.new_initial_state(), 3, most=60), (0, 1)):
        observer.set_from(state, player)
        assert len(observer.tensor) == sum(part.size for part in observer.dict.values())
        if "rows" in parts:
            actions = observer.dict["row_actions"]
            legal = state.legal_actions() if player == state.current_player() else []
            assert actions.tolist() == legal + [NONE] * (len(actions) - len(legal))
            assert not observer.dict["rows"][len(legal) :].any()
            kinds[state.is_chance_node(), bool(legal)] += 1
        if state.is_chance_node():
            continue
        expected = state.node.game.observe(player, observation=parts)
        assert observer.dict.keys() == expected.keys()
        assert all(np.array_equal(observer.dict[name], part) for name, part in expected.items())
    assert "rows" not in parts or kinds.keys() == {(True, False), (False, False), (False, True)}


def test_an_observer_refuses_what_it_does_not_have():
    game = pyspiel.load_game("python_zamek")
    for params, error, reason in (
        ({"some": 1}, ValueError, "the name of a parameter of an observer must be one of 'observation', not 'some'"),
        ({"observation": "vector,row"}, ValueError, "observation must name some of .*, not 'row'"),
        ({"observation": 3}, TypeError, "observation must be a sequence of names such as .*, not 3"),
    ):
        with pytest.raises(error, match=reason):
            game.make_py_observer(None, params)
    castle = "observation must name some of 'vector', 'rows', not 'planes'"
    with pytest.raises(ValueError, match=castle):
        pyspiel.load_game(CASTLE).make_py_observer(None, {"observation": "planes"})


@pytest.mark.parametrize("parts", [("vector", "rows"), ("rows",), ("vector",)])
def test_an_observer_of_castle_shows_the_parts_that_are_asked_for(parts):
    game = pyspiel.load_game(f"{CASTLE}(players=3)")
    observer, looked = game.make_py_observer(None, {"observation": ", ".join(parts)}), 0
    for state in play(game.new_initial_state(), 2):
        for player in range(3) if not state.is_chance_node() else ():
            observer.set_from(state, player)
            expected = state.node.game.observe(player, observation=parts)
            assert observer.dict.keys() == expected.keys()
            assert all(np.array_equal(observer.dict[name], part) for name, part in expected.items())
            looked += 1
        if looked > 60:
            break
    assert looked > 60


# --- Castle ---


def list_chance(game):
    """Return what chance drew in a game of Castle that is over, in order, as the record of the game has it."""
    record = game.record()
    cards = [card for cards in (*record["hands"], record["exchange"]) for card in cards]
    for turn in record["turns"]:
        drawing = [step for step in turn["steps"] if step["do"] in ("draw", "steal") or "chance" in step]
        cards += [step["card"] for step in drawing]
    return cards


def list_taken(node, rng):
    """Return which cards the engine takes from a hand at a chance node of Castle, in many tries."""
    player, taken = node._draw.player, set()
    for _ in range(100):
        states = copy_records(node._states)
        states["generator"] = 2 * rng.integers(2**62) + 1
        state, hand = states[0], states["hand"][0, player].astype(int)
        if state.card != NONE and state.turn == player:
            hand[state.card] -= 1  # it has been played
        if (given := state.forced[(player - 1) % node.num_players]) != NONE:
            hand[given] += 1  # it comes from the right neighbour
        game = CastleCards.from_history(states, ())
        game.step(node._pending)
        after = game.raw_states[0]
        taken |= {int(after.stolen)} if game.phase == "steal-give" else set(np.flatnonzero(hand > after.hand[player]))
    return taken


@pytest.mark.rule("K11")
def test_a_card_that_is_taken_at_random_may_be_any_that_the_engine_takes():
    rng, asked = np.random.default_rng(0), Counter()
    for seed in range(6):
        for state in play(pyspiel.load_game(f"{CASTLE}(players=3)").new_initial_state(), seed):
            node = state.node
            if isinstance(node, castle_cards_node.CastleCardsChanceNode) and not node._draw.is_from_deck:
                assert {card for card, _ in state.chance_outcomes()} == list_taken(node, rng)
                asked[node._draw.player == int(node._states["turn"][0])] += 1
    assert asked[True] > 1 and asked[False] > 1


@pytest.mark.rule("K10", "K11")
@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 1), (2, 8), (3, 8), (4, 8), (5, 8)])
def test_castle_is_played_as_dealt_when_chance_draws_the_same_cards(players, seed):
    game = CastleCards(players=players, seed=seed)
    for _ in play_randomly(game, seed):
        pass
    chance, actions = list_chance(game), list(game.history)
    state, twin = pyspiel.load_game(f"{CASTLE}(players={players})").new_initial_state(), CastleCards(players, seed)
    while not state.is_terminal():
        if state.is_chance_node():
            named = {state.action_to_string(outcome): outcome for outcome in state.legal_actions()}
            card = chance.pop(0)
            state.apply_action(next(outcome for name, outcome in named.items() if name.startswith(f"{card} ")))
            continue
        assert (state.current_player(), state.legal_actions()) == (twin.current_player, twin.legal_actions())
        for player in range(players):
            assert np.array_equal(state.observation_tensor(player), twin.observe(player))
        state.apply_action(actions[0])
        twin.step(actions.pop(0))
    assert not chance and not actions
    assert state.returns() == list(game.returns())


@pytest.mark.rule("K3")
def test_every_hand_is_dealt_as_often_as_from_a_shuffled_pack():
    left, pile = (0, 0, 1, 2, 2, 2), ()
    found = {}
    stack = [((), 1.0)]
    while stack:
        pile, chance = stack.pop()
        if len(pile) == 3:
            found[pile] = chance
            continue
        for kind, share in castle_cards_node.list_next(left, pile, 3 - len(pile)):
            stack.append(((*pile, kind), chance * share))
    hands = Counter(combinations(left, 3))
    assert found == pytest.approx({hand: count / hands.total() for hand, count in hands.items()})


@LONG
@pytest.mark.parametrize("name", ["python_zamek", CASTLE, f"{CASTLE}(players=3)", f"{CASTLE}(players=5)"])
@pytest.mark.plays("zamek")
def test_openspiel_plays_and_serialises_at_random(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=2, serialize=True, verbose=False)


@pytest.mark.plays("zamek")
@pytest.mark.parametrize("name", ["python_zamek", f"{CASTLE}(players=3)"])
def test_a_state_that_is_read_again_or_whose_history_is_played_again_is_the_same(name):
    """What OpenSpiel serialises holds a pickle as well, so a history is what to keep of a stranger's state."""
    *_, state = play(pyspiel.load_game(name).new_initial_state(), 7, most=90)
    played = pyspiel.load_game(name).new_initial_state()
    for action in state.history():
        played.apply_action(action)
    read = state.get_game().deserialize_state(state.serialize())
    for twin in (pickle.loads(pickle.dumps(state)), read, state.clone(), played):
        assert (str(twin), twin.history(), twin.legal_actions()) == (str(state), state.history(), state.legal_actions())
        for player in range(2):
            assert twin.information_state_string(player) == state.information_state_string(player)


def test_a_state_set_after_the_end_is_played_on():
    rl_environment = pytest.importorskip("open_spiel.python.rl_environment")
    env = rl_environment.Environment(
        pyspiel.load_game(CASTLE), chance_event_sampler=rl_environment.ChanceEventSampler(1)
    )
    states = [state for state in play(env.game.new_initial_state(), 3) if not state.is_chance_node()]
    env.set_state(states[-1].clone())
    assert env.get_time_step().last()
    env.set_state(states[5].clone())
    chosen = env.get_time_step().observations["legal_actions"][states[5].current_player()][0]
    env.step([chosen])
    before = states[5].history()
    assert env.get_state.history()[: len(before) + 1] == [*before, chosen]


def test_a_search_in_a_concealed_game_of_castle_does_not_depend_on_hands():
    """`MCTSBot` looks at all hands, so those that it is handed must not be the real ones."""
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    game, chosen = CastleCards(seed=4), set()
    me = game.current_player
    for number in range(2):
        twin = game.copy()
        twin.redeal(np.random.default_rng(number), me)
        state = openspiel.begin_at(twin.concealed(np.random.default_rng(0), me), deals_hands=False).new_initial_state()
        rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(0))
        bot = mcts.MCTSBot(state.get_game(), 2, 2, rollouts, random_state=np.random.RandomState(0))
        chosen.add((str(state), bot.step(state)))
    assert len(chosen) == 1


def test_a_state_that_no_history_leads_to_is_not_serialised():
    begun = openspiel.begin_at(CastleCards(seed=2), deals_hands=False).new_initial_state()
    for state in (begun, begun.clone(), begun.resample_from_infostate(0, lambda: 0.5)):
        with pytest.raises(ValueError, match="cannot be serialised"):
            state.serialize()


@pytest.mark.rule("K10")
@pytest.mark.parametrize("players", [2, 4])
def test_castle_goes_on_from_a_position_with_all_its_players_who_know_what_all_know(players):
    known_to_some = 0
    for seed in range(6):
        for game in play_randomly(CastleCards(players, seed), seed):
            if len(game.history) > 80 and game.phase == "action":
                break
        begun = openspiel.begin_at(game)
        state = next(state for state in play(begun.new_initial_state(), seed) if state.is_player_node())
        assert (begun.num_players(), state.num_players()) == (players, players)
        known, before = state.node.states["known"][0], game.raw_states["known"][0]
        for observer, player in product(range(players), repeat=2):
            assert np.array_equal(known[observer, player], before[player, player])
            known_to_some += not np.array_equal(before[observer, player], before[player, player])
    assert known_to_some > 0


@pytest.mark.rule("K10")
def test_a_card_drawn_from_a_hand_is_known_to_the_two_players_alone():
    drawn = 0
    for seed in range(4):
        for state in play(pyspiel.load_game(f"{CASTLE}(players=3)").new_initial_state(), seed):
            if state.is_player_node():
                texts = [state.information_state_string(player) for player in range(3)]
                if any("is drawn from the hand" in text for text in texts):
                    drawn += 1
                    assert sum("is drawn from the hand" in text for text in texts) == 2
                    break
    assert drawn > 0


@pytest.mark.rule("K10")
def test_a_state_redealt_looks_the_same_to_who_sees_it_and_to_nobody_else():
    *_, state = play(pyspiel.load_game(f"{CASTLE}(players=3)").new_initial_state(), 6, most=60)
    assert state.is_player_node()
    player = state.current_player()
    twins = [state.resample_from_infostate(player, lambda share=share: share) for share in (0.1, 0.4, 0.8)]
    for twin in twins:
        assert twin.information_state_string(player) == state.information_state_string(player)
        assert twin.observation_tensor(player) == state.observation_tensor(player)
        assert twin.legal_actions() == state.legal_actions()
    assert len({twin.node.states["hand"].tobytes() for twin in twins}) == 3


@pytest.mark.parametrize("name", ["python_zamek", CASTLE])
def test_an_illegal_action_is_refused_and_so_is_an_outcome_that_chance_cannot_have(name):
    refused = set()
    for state in play(pyspiel.load_game(name).new_initial_state(), 1):
        before, actions, legal = str(state), state.history(), state.legal_actions()
        illegal = next(action for action in range(state.num_distinct_actions()) if action not in legal)
        due = (
            rf"must be one of {legal[0]}(, \d+)*…?, not {illegal}"
            if legal
            else f"{illegal} is not .*: the game is over"
        )
        with pytest.raises(Exception, match=f"action {due}$"):
            state.apply_action(illegal)
        assert str(state) == before and state.history() == actions
        refused.add(type(state.node))
    assert len(refused) >= 2


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        ("7", "components must be './7', not '7', which OpenSpiel reads as no text"),
        ("1.5", r"components must be './1\.5', not '1\.5', which"),
        ("true", "components must be './true', not 'true', which"),
        ("my=tiles", r"components must be a path without any of `\(\),=`, which OpenSpiel reads as its own: 'my=tile"),
        ("tiles(1)", "components must be a path without any of"),
    ],
)
def test_a_folder_that_openspiel_would_not_read_again_is_refused(folder, words):
    """Else the game would be played, and its serialised states could not be read."""
    with pytest.raises(ValueError, match=words):
        pyspiel.load_game("python_zamek", {"components": folder})


def test_a_folder_whose_name_is_a_number_can_be_named_by_its_path(tmp_path, monkeypatch):
    shutil.copytree(DATA, tmp_path / "7")
    monkeypatch.chdir(tmp_path)
    game = pyspiel.load_game("python_zamek(components=./7)")
    serialised = pyspiel.serialize_game_and_state(game, game.new_initial_state())
    assert str(pyspiel.deserialize_game_and_state(serialised)[0]) == str(game)


def test_what_is_missing_is_named_with_what_to_install(monkeypatch):
    imported = [name for name in sys.modules if name.partition(".")[0] == "open_spiel"]
    for name in {"pyspiel", "open_spiel", *imported}:
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("zamek_env.openspiel", "zamek_agents.openspiel_mcts"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    words = r"install it by `pip install 'zamek-env\[openspiel\]'`$"
    with pytest.raises(ImportError, match=f"zamek_env.openspiel needs pyspiel, which is not installed; {words}"):
        importlib.import_module("zamek_env.openspiel")
    with pytest.raises(MissingExtraError, match=f"the agent 'openspiel-mcts' needs (open_spiel|pyspiel), .*{words}"):
        make_agent("openspiel-mcts")


# --- small games of Castle, walked as a whole ---

FULL = """
    Al0 . . . . Gh1
    . Me0 Mi0 Qu0 Ps1 .
    . Pi0 Co1 Sp0 Am1 .
    . Th0 Pr1 LW0 Cr1 .
    . As0 . Ms1 BK0 .
    Lo0 . . . . Ma1
    siege: N SE0, E SE1, S SE0
"""
# Archer and Witch fit nowhere; Courtesan, Siege Engine, Herald and Enchanter fit in one place each.
SHORT = FULL + "hand 0: Archer, Courtesan\n hand 1: Enchanter\n deck 0: Witch\n deck 1: none\n turn: 0, 2 left"
WIDE = FULL + "hand 0: Archer, Courtesan\n hand 1: Enchanter\n deck 0: Herald\n deck 1: Witch\n turn: 0, 2 left"
HELD = "hand 0: Archer, Siege Engine\n hand 1: Courtesan, Enchanter\n "
TIGHT = FULL + HELD + "deck 0: none\n deck 1: Witch\n turn: 1, 2 left"
SMALL = {"short": (SHORT, 1 / 12), "wide": (WIDE, 1 / 5), "tight": (TIGHT, -7 / 30)}  # what player 0 may expect
small = pytest.mark.parametrize("name", ["short", "tight", pytest.param("wide", marks=LONG)])


def begin(name):
    game = CastleCards.from_history(DrawnCastleCards(SMALL[name][0], 2, "fast").game.states, ())
    return openspiel.begin_at(game)


def list_worlds(visits):
    """Return {(player, information state): {what lies where: probability by chance}}, and a state of each."""
    worlds, example = defaultdict(Counter), {}
    for state, reach, *_ in visits:
        if state.is_player_node():
            key = state.current_player(), state.information_state_string()
            worlds[key][find_world(state.node)] += reach
            example[key] = state
    return {key: {at: n / found.total() for at, n in found.items()} for key, found in worlds.items()}, example


def find_world(node):
    """Return the hands, which are hidden; what is in the decks follows from them."""
    return node.states["hand"][0].tobytes()


@small
@pytest.mark.rule("K10")
def test_states_that_a_player_cannot_tell_apart_look_alike_and_are_remembered_alike(name):
    alike = defaultdict(set)
    for visit in tree.walk(begin(name).new_initial_state()):
        state = visit.state
        if state.is_player_node():
            player = state.current_player()
            seen = tuple(state.legal_actions()), tuple(state.observation_tensor(player))
            alike[player, state.information_state_string()].add((*seen, visit.states[player]))
    assert alike and all(len(found) == 1 for found in alike.values())


@small
@pytest.mark.rule("K10")
def test_what_is_redealt_is_what_a_player_cannot_tell_apart_and_as_likely(name):
    """Where nobody passed: who passes shows that no card fits, which K10 does not count as seen."""
    worlds, example = list_worlds(tree.walk(begin(name).new_initial_state()))
    rng, asked = np.random.default_rng(0), 0
    for key, expected in worlds.items():
        if "passes" in key[1] or len(expected) == 1:
            continue
        drawn = Counter(find_world(example[key].node.redealt(key[0], rng)) for _ in range(100))
        assert set(drawn) <= set(expected)
        assert sum(abs(drawn[at] / 100 - chance) for at, chance in expected.items()) / 2 < 0.2
        asked += 1
        if asked == few(300, 10):
            break
    assert asked > 5


@small
@pytest.mark.rule("K10")
def test_regret_minimisation_finds_the_value_that_linear_programming_finds(name):
    game = begin(name)
    value = tree.find_value(tree.walk(game.new_initial_state()))
    assert value == pytest.approx(SMALL[name][1])
    extensive = pyspiel.load_efg_game(gambit.export_gambit(game))
    solver = pyspiel.CFRPlusSolver(extensive)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert pyspiel.exploitability(extensive, policy) < 1e-3
    returns = pyspiel.expected_returns(extensive.new_initial_state(), policy, -1, True)
    assert returns[0] == pytest.approx(value, abs=1e-3)


# --- the agent ---


@pytest.mark.plays("zamek")
@pytest.mark.rule("Z31")
def test_the_agent_decides_by_what_is_seen_and_by_its_generator_alone():
    agent = make_agent("openspiel-mcts:simulations=20,rollouts=2")
    game = Game("zamek", seed=4)
    for number in range(3):
        twin = game.concealed(np.random.default_rng(number))
        chosen = [agent.act(each, np.random.default_rng(number)) for each in (game, twin)]
        assert chosen[0] == chosen[1] and chosen[0] in game.legal_actions()
        game.step(chosen[0])


HIDDEN = partial(Game, "carcassonne-demo", rules={"hand": "hidden"})


@pytest.mark.plays("zamek")
@pytest.mark.parametrize(
    "deal",
    [Game, CastleCards, *(pytest.param(partial(HIDDEN, players=n), marks=pytest.mark.compiles) for n in (1, 2))],
)
def test_two_simulations_are_enough_to_decide_also_with_a_hidden_hand_and_alone(deal):
    game = deal(seed=1)
    agent = make_agent("openspiel-mcts:simulations=2")
    assert ask(agent.act, game, np.random.default_rng(0)) in game.legal_actions()


@pytest.mark.rule("K10")
@pytest.mark.long
def test_the_agent_plays_castle_without_looking_at_hands():
    agent, game = make_agent("openspiel-mcts:simulations=20"), CastleCards(players=3, seed=4)
    for number in range(3):
        twin = game.copy()
        twin.redeal(np.random.default_rng(number), game.current_player)
        chosen = [ask(agent.act, each, np.random.default_rng(number)) for each in (game, twin)]
        assert chosen[0] == chosen[1] and chosen[0] in game.legal_actions()
        game.step(chosen[0])


@pytest.mark.plays("zamek")
def test_the_agent_wins_at_once_where_it_can():
    """On the last tile chance has nothing left to draw, so the search sees the end of each choice."""
    agent = make_agent("openspiel-mcts:simulations=500")
    for game in play_randomly(Game("zamek", seed=3), 3):
        if game.is_terminal:
            break
        last = game.copy()
    returns = {}
    for action in last.legal_actions():
        end = last.copy()
        end.step(action)
        returns[action] = end.returns()[last.current_player] if end.is_terminal else -1
    assert returns[agent.act(last, np.random.default_rng(0))] == max(returns.values())


def test_the_agent_refuses_what_it_does_not_know():
    known = "an option must be KEY=VALUE with a KEY of simulations, exploration, rollouts"
    with pytest.raises(ValueError, match=known):
        make_agent("openspiel-mcts:depth=3")
    with pytest.raises(ValueError, match="simulations must be a whole number from 2 to 1000000000, not 1"):
        make_agent("openspiel-mcts:simulations=1")  # by which OpenSpiel's bots find no action


@pytest.mark.plays("zamek")
def test_the_examples_of_the_page_run():
    page = Path(__file__).parents[2] / "docs" / "openspiel.md"
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    exec(compile("\n".join(blocks), page.name, "exec"), {"__name__": "page"})
