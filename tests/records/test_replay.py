"""Records: replayed to the same state, and refused with turn and field where they say what cannot be."""

import copy
import json
import re
from types import MappingProxyType

import numpy as np
import pytest

from tests.support.box import load_box
from tests.support.games import IS_COMPILED, TABLES, few, finish, list_texts, play, play_greedily, play_randomly
from tests.support.lockstep import follow
from tests.support.record_checker import check_record
from tests.support.rulesets import IS_PROOF, skip_unless_played
from zamek_agents import GreedyAgent, RandomAgent
from zamek_env import Game, RecordError, __version__
from zamek_env.castle_cards import CastleCards
from zamek_env.components.box_folder import RULESETS
from zamek_env.records import replay
from zamek_env.ruleset import get_ruleset


def told_by_turns(record):
    """Return a record as older versions wrote it, without actions."""
    return {key: value for key, value in record.items() if key != "actions"}


# --- there and back ---


@pytest.mark.parametrize("play_on", [play_randomly, play_greedily])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_record_replays_to_the_same_state(ruleset, play_on):
    for seed in range(few(4, 1)):
        game = Game(ruleset, seed=seed)
        for _ in play_on(game, seed):
            pass
        record = game.record(["one", "two"])
        twin = Game.replay(json.loads(json.dumps(record)))
        assert twin.state.tobytes() == game.state.tobytes()
        assert (twin.seed, twin.history) == (game.seed, game.history)
        assert twin.record(["one", "two"]) == record
        assert record["actions"] == list_texts(game)
        assert Game.replay(told_by_turns(record)).history == game.history
        assert record["ruleset"] == ruleset.removesuffix("-no-farmers")
        assert record.get("farmers") is (False if ruleset.endswith("-no-farmers") else None)
        check_record(game.record(), follow(game))


def test_a_broken_off_game_is_recorded_up_to_its_last_finished_turn():
    for game in play_randomly(Game(seed=3), 3):
        if len(game.history) % few(1, 7):
            continue
        record = game.record()
        assert record["seed"] == 3 and record["engine"] == f"zamek_env {__version__}"
        twin = Game.replay(record)
        assert twin.history == game.history[: len(record["actions"])]
        assert Game.replay(told_by_turns(record)) == twin
        assert twin.is_terminal == game.is_terminal
        assert record.get("finished") is (None if game.is_terminal else False) and ("end" in record) == game.is_terminal
        assert twin.record() == record
        if game.phase == "place":
            assert twin.state.tobytes() == game.state.tobytes()
        if len(game.history) % 20 == 0:
            check_record(record, follow(game))


def test_a_record_of_a_new_game_has_no_turns():
    record = Game(seed=1).record()
    assert record["turns"] == [] and record["scores"] == [0, 0]
    assert Game.replay(record).state.tobytes() == Game(seed=1).state.tobytes()


def test_a_record_may_be_any_mapping():
    record = Game(seed=1).record()
    read_only = MappingProxyType(record | {"tokens": MappingProxyType(record["tokens"])})
    assert Game.replay(read_only) == Game(seed=1)
    assert CastleCards.replay(MappingProxyType(CastleCards(seed=1).record())) == CastleCards(seed=1)
    with pytest.raises(RecordError, match="record: is not JSON: Object of type set"):
        Game.replay(record | {"tokens": set()})


def test_a_record_without_a_seed_is_replayed_by_what_it_tells():
    game = finish(Game(seed=6), 6)
    for seed in (None, 7, -3, 2**63, 10**30):  # those of other programs may be any whole number
        twin = Game.replay(game.record() | {"seed": seed})
        assert twin.seed is None
        assert (twin.history, twin.scores) == (game.history, game.scores)
        assert twin.position() == game.position() and twin.areas() == game.areas()
    record = game.record()
    del record["seed"]
    assert Game.replay(record).scores == game.scores


@pytest.mark.plays("carcassonne-hand")
def test_a_record_of_hands_with_the_seed_of_other_tiles_names_the_seed():
    record = finish(Game("carcassonne-hand", seed=5), 5).record() | {"seed": 6}
    with pytest.raises(RecordError, match=r"^turns\[\d.*; the tiles are those of seed 6$"):
        Game.replay(record)


@pytest.mark.parametrize("seed", ["x", "7", True, 7.0, 1.5, [], {}])
def test_a_seed_that_is_no_whole_number_is_refused(seed):
    with pytest.raises(RecordError, match=r"^record, seed: must be a whole number or null, not [^\n]+$"):
        Game.replay(Game(seed=1).record() | {"seed": seed})


@pytest.mark.parametrize("changed", ["deck", "token_deal"])
def test_a_seed_that_deals_otherwise_than_the_record_tells_is_not_believed(changed):
    state = Game(seed=1).state[0]
    deal = {"deck": state.deck.tolist(), "token_deal": state.token_deal.tolist()}
    deal[changed] = deal[changed][::-1]
    game = finish(Game.from_deal(get_ruleset(), *deal.values()))
    twin = Game.replay(game.record() | {"seed": 1})
    assert (twin.seed, twin.history, twin.scores) == (None, game.history, game.scores)


def test_a_record_in_the_middle_of_a_turn_has_the_scores_of_the_last_one():
    """Areas are scored one after the other, and their player may have to choose in between."""
    between = 0
    for game in play_greedily(Game(seed=1), 1):
        record = game.record() if game.phase == "score" else None
        if record and tuple(record["scores"]) != game.scores:
            between += 1
            assert Game.replay(record).record() == record
    assert between


def test_a_game_from_a_deal_is_recorded_and_replayed():
    ruleset = get_ruleset()
    game = finish(Game.from_deal(ruleset, list(range(60)), ruleset.tables[0].token_pool.tolist()), 2)
    assert game.record()["seed"] is None
    assert Game.replay(game.record()).scores == game.scores


def test_unknown_keys_at_the_top_and_missing_ones_are_read_over():
    game = finish(Game(seed=6), 6)
    record = game.record() | {"event": "final", "settings": [1, None]}
    del record["engine"]
    assert Game.replay(record).scores == game.scores


def test_a_record_shares_nothing_with_the_game():
    game = finish(Game(seed=6), 6)
    record, again = game.record(), game.record()
    record["turns"].clear()
    again["turns"][0]["cell"][0] = 99
    assert game.record() == finish(Game(seed=6), 6).record()


def test_a_discarded_tile_and_an_empty_last_turn_are_replayed():
    """Random games often discard; the last turn is seldom empty, so it is looked for."""
    discarded, empty = 0, 0
    for seed in range(60 if IS_COMPILED else 8):
        game = finish(Game(seed=seed), seed)
        record = game.record()
        discarded += sum(len(turn["discarded"]) for turn in record["turns"])
        if record["turns"][-1]["tile"] is None:
            empty += 1
            del record["turns"][-1]["cell"], record["turns"][-1]["rotation"]
            assert Game.replay(record).state.tobytes() == game.state.tobytes()
    assert discarded and (empty or not IS_COMPILED)


# --- two to five, and house rules ---


def new_table(players, rules, seed=4):
    return Game("carcassonne-demo", seed=seed, players=players, rules=rules)


@pytest.mark.compiles
@pytest.mark.parametrize("players, rules", TABLES)
def test_a_game_of_any_table_replays_to_the_same_state(players, rules):
    game = finish(new_table(players, rules), 4)
    record = json.loads(json.dumps(game.record()))
    assert record["players"] == [f"player {number}" for number in range(players)]
    assert record.get("rules") == rules and "components" not in record and "deal" not in record
    twin = Game.replay(record)
    assert twin == game and (twin.seed, twin.history) == (game.seed, game.history)
    assert twin.record() == record
    assert {turn["player"] for turn in record["turns"]} == set(range(players))
    half = new_table(players, rules)
    for action in game.history[: len(game.history) // 2]:
        half.step(action)
    assert Game.replay(half.record()).record() == half.record()


@pytest.mark.compiles
@pytest.mark.parametrize("players, rules", TABLES)
def test_a_game_that_was_dealt_otherwise_holds_its_deal_where_turns_do_not_tell_it(players, rules):
    ruleset = new_table(players, rules).ruleset
    game = finish(Game.from_deal(ruleset, range(20, 30), seed=6), 6)
    record = json.loads(json.dumps(game.record()))
    assert record["seed"] is None and ("deal" in record) == ruleset.hides_deal
    assert ("bag" in record.get("deal", ())) == bool(rules and rules.get("back_into_bag"))
    twin = Game.replay(record)
    assert (twin.history, twin.position(), twin.seed) == (game.history, game.position(), None)
    assert Game.replay(twin.record()) == twin


@pytest.mark.compiles
@pytest.mark.parametrize("players, rules", [table for table in TABLES if not (table[1] or {}).get("back_into_bag")])
def test_turns_alone_tell_a_game_in_which_nothing_goes_back(players, rules):
    """Who holds a hand then draws its tiles in the order in which they are used."""
    game = finish(new_table(players, rules), 5)
    record = told_by_turns(game.record()) | {"seed": None}
    twin = Game.replay(record)
    assert twin.seed is None and twin.scores == game.scores
    without = [{key: turn[key] for key in ("player", "discarded", "tile", "cell")} for turn in record["turns"]]
    again = [{key: turn[key] for key in ("player", "discarded", "tile", "cell")} for turn in twin.record()["turns"]]
    assert again == without


@pytest.mark.compiles
def test_who_is_passed_over_has_a_turn_where_tiles_left_the_game():
    record = finish(new_table(3, {"hand": "open", "table": [3, 5]}), 4).record()
    passed = [turn for turn in record["turns"] if turn["tile"] is None]
    assert len(passed) > 1 and all(turn["discarded"] for turn in passed)
    assert len({turn["player"] for turn in passed}) > 1


@pytest.mark.compiles
def test_tiles_that_went_back_are_told_and_compared():
    game = finish(new_table(3, {"back_into_bag": True, "table": [5, 5]}), 4)
    record = told_by_turns(game.record())
    number = next(number for number, turn in enumerate(record["turns"]) if "put_back" in turn)
    for put_back in ([], ["X"], record["turns"][number]["put_back"] * 2):
        with pytest.raises(RecordError, match=rf"^turns\[{number}\], put_back: must be \[.*\], not \["):
            Game.replay(replaced(record, ("turns", number, "put_back"), put_back))
    said = r"^record, deal: is missing, so it is not known how the bag was shaken \(H3\)"
    with pytest.raises(RecordError, match=said):
        Game.replay(record | {"seed": None})


@pytest.mark.compiles
def test_a_record_by_house_rules_is_refused_with_the_field_that_cannot_be():
    record = told_by_turns(finish(new_table(2, {"hand": "open", "start_in_bag": True}), 4).record())
    deck = [tile.id for tile in get_ruleset("carcassonne-demo", rules=record["rules"]).components.tiles]
    chosen = next(number for number, turn in enumerate(record["turns"]) if turn["tile"] != record["turns"][0]["tile"])
    for changed, said in (
        ({"rules": {"hand": "closed"}}, "record, rules: .*hand: must be one of open, hidden, not 'closed'"),
        ({"rules": {"hands": "open"}}, "record, rules: .*hands.* is not a field"),
        ({"rules": []}, "record, rules: must be an object, not"),
        ({"players": list("abcdef")}, "record, players: players must be 1 to 5 in the ruleset carcassonne-demo, not 6"),
        ({"players": "ab"}, "record, players: must be a list or null, not 'ab'"),
        ({"players": list("abc")}, r"turns\[\d+\], (tile|player): must be"),
        ({"start": "?"}, "record, start: there is no tile '\\?'"),
        ({"start": next(tile for tile in "BE" if tile != record["start"]), "turns": []}, "record, start: must be"),
        ({"deal": {"deck": deck[1:]}}, "record, deal, deck: must hold all 48 tiles, not 47"),
        ({"deal": {"deck": [*deck, "B"]}}, "record, deal, deck: B is there 2 times"),
        ({"deal": {}}, "record, deal, deck: is missing"),
        (
            {"turns": replaced(record, ("turns", chosen, "tile"), "?")["turns"]},
            rf"turns\[{chosen}\], tile: there is no",
        ),
    ):
        with pytest.raises(RecordError, match=f"^{said}"):
            Game.replay(record | changed)
    with pytest.raises(RecordError, match=r"^record, start: is missing"):
        Game.replay({key: value for key, value in record.items() if key != "start"})
    plain = finish(new_table(2, None), 4).record()
    for changed, said in (({"start": "B"}, "record, start"), ({"deal": {"deck": deck}}, "record, deal")):
        with pytest.raises(RecordError, match=f"^{said}: must be missing"):
            Game.replay(plain | changed)


@pytest.mark.compiles
def test_a_tile_that_the_hand_does_not_hold_is_not_chosen():
    record = told_by_turns(finish(new_table(2, {"hand": "open"}), 4).record())
    first, later = record["turns"][0], record["turns"][-1]
    swapped = replaced(replaced(record, ("turns", 0, "tile"), later["tile"]), ("turns", -1, "tile"), first["tile"])
    said = r"^turns\[0\], tile: must be (one of .*, which the hand holds|'.'), not '.';"
    with pytest.raises(RecordError, match=said):
        Game.replay(swapped)


@pytest.mark.compiles
def test_a_game_with_hands_that_was_redealt_has_no_record():
    game = new_table(2, {"draw_ahead": True})
    game.redeal(np.random.default_rng(1), 0)
    said = "^it is not known how the tiles of this game were dealt, so it has no record$"
    with pytest.raises(ValueError, match=said):
        game.record()


@pytest.mark.compiles
def test_a_record_needs_a_name_for_each_player():
    for names in (("a", "b"), ("a", "b", 3), "abc"):
        with pytest.raises(ValueError, match=r"^players must be 3 names, not "):
            new_table(3, None).record(names)
    assert new_table(3, None).record(["a", "b", "c"])["players"] == ["a", "b", "c"]


# --- records that cannot be ---


class MixedAgent:
    """Plays now greedily, now at random, so that much happens in a game."""

    def __init__(self):
        self._greedy, self._random = GreedyAgent(), RandomAgent()

    def act(self, game, rng):
        return (self._greedy if rng.random() < 0.7 else self._random).act(game, rng)


def find_record(components=None, at_least=4):
    """Return the record of a game with so many of these at least: a discard, an extra turn, a token used, one taken."""
    for seed in range(3000):
        game = Game(seed=seed, components=components)
        for _ in play(game, MixedAgent(), seed):
            pass
        record = game.record()
        scored = [area for turn in record["turns"] for area in turn["scored"]]
        happened = (
            any(turn["discarded"] for turn in record["turns"]),
            any(turn["extra_turn"] for turn in record["turns"]),
            any(area["token"] for area in scored),
            any(area["took"] for area in scored),
        )
        if sum(happened) >= at_least:
            return record
    raise AssertionError("no such game was found")


@pytest.fixture(scope="module")
def played():
    return find_record()


@pytest.fixture(scope="module")
def record(played):
    return told_by_turns(played)


def leaves(value, path=()):
    """Yield (path, value) of everything in a record that is no object and no list with something in it."""
    if isinstance(value, dict | list) and value:
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*path, key))
    else:
        yield path, value


def replaced(record, path, value):
    """Return a copy of `record` with `value` at `path`."""
    changed = copy.deepcopy(record)
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return changed


def other_values(value):
    """Return values of other kinds than `value`, and others of its kind."""
    others = [None, True, 3, "x", [], {"a": 1}, 10**12]
    if isinstance(value, bool):
        others.append(not value)
    elif isinstance(value, int):
        others += [value + 1, float(value)]
    return [other for other in others if not (type(other) is type(value) and other == value)]


def as_played(record):
    """Return what a record says of the game, as text: without names, and any segment for the area it lies in."""
    entries = {key: value for key, value in copy.deepcopy(record).items() if key not in ("seed", "players", "engine")}
    for turn in entries["turns"]:
        for area in turn["scored"]:
            area["at"] = [type(item).__name__ for item in area["at"]]
    for paid in entries.get("end", ()):
        paid["at"] = [type(item).__name__ for item in paid.get("at", ())]
    return json.dumps(entries, sort_keys=True)


def find_wrong(record, read, components=None, every=1):
    """Return what is wrong where values in a record are replaced by many others: it is refused, or it is what happened.

    Some of them describe another game that could be. `read` is what the record of a replayed game is compared by.
    """
    wrong, accepted = [], 0
    for path, value in [*leaves(record)][::every]:
        for other in other_values(value):
            changed = replaced(record, path, other)
            try:
                twin = Game.replay(changed, components)
            except RecordError as error:
                assert str(error)
                continue
            except Exception as error:
                wrong.append((path, other, error))
                continue
            accepted += 1
            if as_played(read(twin.record())) != as_played(changed):
                wrong.append((path, other, "accepted"))
    assert accepted
    return wrong


@pytest.mark.compiles
@pytest.mark.parametrize("read", [dict, told_by_turns])
def test_a_record_is_refused_or_it_is_what_happened(tmp_path, read):
    components = load_box(tmp_path)
    assert find_wrong(read(find_record(components, at_least=3)), read, components, few(1, 2)) == []


def test_actions_are_played_and_nothing_is_read_out_of_turns(played, monkeypatch):
    monkeypatch.setattr(replay, "_find_action", None)
    assert Game.replay(played).record(played["players"]) == played
    for seed in (None, 7):
        assert Game.replay(played | {"seed": seed}).record()["actions"] == played["actions"]
    without = played | {"turns": [], "actions": [], "scores": [0, 0], "finished": False}
    del without["end"]
    assert Game.replay(without) == Game(seed=played["seed"])


def test_actions_that_are_not_those_of_the_turns_are_refused(played):
    actions, count = played["actions"], len(played["actions"])
    placed = [number for number, text in enumerate(actions) if "@" in text]
    others = ("-", "end", "extra")
    nobody = next(number for number, text in enumerate(actions) if text not in others and "@" not in text)
    part = played | {"turns": played["turns"][:1], "scores": [0, 0], "finished": False}
    del part["end"]
    first = actions[: placed[1]]
    for wrong, said in (
        ([*actions[:nobody], "-", *actions[nobody + 1 :]], r"turns\[\d+\], (follower|actions|scored)"),
        ([actions[0][:-1] + "?", *actions[1:]], r"turns\[0\], actions\[0\]: text must be"),
        (["Z01@5,5N", *actions[1:]], r"turns\[0\], actions\[0\]: "),
        ([*actions[:3], 7, *actions[4:]], r"record, actions\[3\]: must be a text, not 7"),
        (actions[:-1], rf"turns\[\d+\], actions\[{count - 1}\]: is missing: the turn is not over"),
        ([], r"turns\[0\], actions\[0\]: is missing: the turn is not over"),
        ([*actions, "-"], rf"record, actions\[{count}\]: must be missing: it follows the last finished"),
        ([actions[0], *actions], r"turns\[0\], actions\[1\]: action \d+ .* is illegal: it answers 'place'"),
        ("-", "record, actions: must be a list, not '-'"),
        (None, "record, actions: must be a list, not null"),
    ):
        with pytest.raises(RecordError, match=f"^{said}") as refused:
            Game.replay(played | {"actions": wrong})
        assert "\n" not in str(refused.value) and len(str(refused.value)) < 1000
    assert Game.replay(part | {"actions": first}).history == Game.replay(played).history[: placed[1]]
    with pytest.raises(RecordError, match=rf"^record, actions\[{len(first)}\]: must be missing"):
        Game.replay(part | {"actions": actions[: len(first) + 1]})


def test_every_missing_key_is_named(record):
    for key in ("format", "ruleset", "tokens", "turns", "scores", "end"):
        with pytest.raises(RecordError, match=rf"^record, {key}: is missing"):
            Game.replay({name: value for name, value in record.items() if name != key})
    for key in record["turns"][0]:
        broken = copy.deepcopy(record)
        del broken["turns"][0][key]
        with pytest.raises(RecordError, match=rf"^turns\[0\], {key}: "):
            Game.replay(broken)


def test_a_record_of_the_other_kind_of_game_names_who_replays_it(record):
    with pytest.raises(RecordError, match=r"^record, format: must be 'zamek-record/1', .*: CastleCards.replay replays"):
        Game.replay(CastleCards(2, seed=1).record())
    with pytest.raises(RecordError, match=r"^record, format: must be 'castle-record/1', .*: Game.replay replays"):
        CastleCards.replay(record)
    for game in (Game, CastleCards):
        with pytest.raises(RecordError, match=r"must be an object, not text: read it with json\.loads first"):
            game.replay(json.dumps(record))


@pytest.mark.parametrize("value", [None, [], "{}", 3, [{}]])
def test_a_record_that_is_no_object_is_refused(value):
    with pytest.raises(RecordError, match="record: must be an object"):
        Game.replay(value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), json.loads("1e999")])
def test_no_number_beyond_json_is_read_over_anywhere(record, value):
    paid = replaced(record, ("end", 0, "points"), value)
    for broken in (record | {"event": [value]}, record | {"seed": value}, paid):
        with pytest.raises(RecordError, match=r"^record: is not JSON: [^\n]+$"):
            Game.replay(broken)


@pytest.mark.parametrize(
    "value", [10**30, *(pytest.param(number, marks=pytest.mark.long) for number in (10**6, -(10**30), 10**4000))]
)
def test_a_number_too_large_is_refused_wherever_it_stands(record, value):
    places = [path for path, number in leaves(record) if type(number) is int and path != ("seed",)]
    last = {tuple(step for step in path if type(step) is str): path for path in places}  # of each kind
    for path in places if IS_PROOF else last.values():
        with pytest.raises(RecordError) as raised:
            Game.replay(replaced(record, path, value))
        assert "\n" not in str(raised.value) and len(str(raised.value)) < 1000, path


@pytest.mark.parametrize("player, points, named", [(2, 0, "player"), (-1, 0, "player"), (0, -5, "points")])
def test_payments_at_the_end_go_to_the_players_and_take_nothing(record, player, points, named):
    payments = [{"player": player, "reason": "meadow", "points": points}]
    if points:
        payments.append(payments[0] | {"points": -points})  # together they would be nothing
    number = len(record["end"])
    with pytest.raises(RecordError, match=rf"^end\[{number}\], {named}: must be (0 or 1|at least 0), not -?\d$"):
        Game.replay(record | {"end": record["end"] + payments})


def first_scoring(record, token=False):
    """Return (number of the turn, of the area) of the first area scored, with a token if so asked."""
    return next(
        (turn, number)
        for turn, entry in enumerate(record["turns"])
        for number, area in enumerate(entry["scored"])
        if area["token"] or not token
    )


def spoil(record, turn, field, value):
    broken = copy.deepcopy(record)
    broken["turns"][turn][field] = value
    return broken


@pytest.mark.parametrize(
    "field, value, problem",
    [
        ("player", 1, "must be 0, not 1"),
        ("tile", "Z99", "there is no tile 'Z99'"),
        ("cell", "9,9", "must be a list or null, not '9,9'"),
        ("cell", [0, 0], r"\[0, 0\] is not a space inside the wall"),
        ("cell", [5, 5], r"action \d+ \(Z\d\d@5,5[NESW]\) is illegal: \(5, 5\) touches neither"),
        ("rotation", 4, "must lie in 0 to 3, not 4"),
        ("follower", {"segment": "x9", "piece": "follower"}, "segment must be one of"),
        ("follower", {"segment": "m1", "piece": "prince"}, "piece must be one of follower, not 'prince'"),
        ("extra_turn", True, "must be false, not true"),
        ("discarded", ["Z99"], "there is no tile 'Z99'"),
        ("scored", [{}], "is missing"),
    ],
)
def test_a_first_turn_that_cannot_be_is_named_with_its_field(record, field, value, problem):
    named = {"discarded": "tile", "scored": r"scored\[0\], player"}.get(field, field)
    with pytest.raises(RecordError, match=rf"^turns\[0\], {named}: .*{problem}"):
        Game.replay(spoil(record, 0, field, value))


@pytest.mark.parametrize("field", ["player", "feature", "tiles", "points", "token", "score", "took", "at"])
def test_a_scored_area_that_cannot_be_is_named_with_its_field(record, field):
    turn, number = first_scoring(record, token=field == "token")
    area = record["turns"][turn]["scored"][number]
    other = {"player": 1 - area["player"], "feature": "moat", "took": 9 if area["took"] != 9 else 8}
    other |= {"at": [0, 0, "r1"]}
    value = other[field] if field in other else area[field] + 1
    with pytest.raises(RecordError, match=rf"^turns\[{turn}\], scored(.*\b{field}\b|: )"):
        Game.replay(replaced(record, ("turns", turn, "scored", number, field), value))


@pytest.fixture(scope="module")
def sokol_record():
    """A game in which nests were taken, a special piece was sent and points were lost at a gate."""
    skip_unless_played("sokol-gates")
    for seed in range(100):
        game = Game("sokol-gates", seed=seed)
        for _ in play_greedily(game, seed) if IS_COMPILED else play_randomly(game, seed):
            pass
        record = game.record()
        sent = {turn["follower"]["piece"] for turn in record["turns"] if turn["follower"]}
        if any(area["nests"] for area in scored_in(record)) and len(sent) == 3:
            return record
    raise AssertionError("no such game was found")


def scored_in(record):
    return [area for turn in record["turns"] for area in turn["scored"]]


def test_a_record_tells_pieces_nests_and_what_the_gates_took(sokol_record):
    totals = [0, 0]
    for area in scored_in(sokol_record):
        lost = totals[area["player"]] + area["points"] - area["score"]
        assert lost == 0 or area["score"] % 100 in (27, 47, 69, 91)
        assert lost == 0 or area["took"] is None
        totals[area["player"]] = area["score"]
    assert Game.replay(sokol_record).record() == sokol_record
    assert Game.replay(told_by_turns(sokol_record)).record() == sokol_record


@pytest.mark.parametrize("field, change", [("piece", 0), ("nests", 1), ("score", 1), ("points", 2)])
def test_a_change_in_what_the_expansion_tells_is_named(sokol_record, field, change):
    broken = told_by_turns(copy.deepcopy(sokol_record))
    if field == "piece":
        turn = next(n for n, turn in enumerate(broken["turns"]) if (turn["follower"] or {}).get("piece") == "prince")
        broken["turns"][turn]["follower"]["piece"] = "king"
        named = "piece must be one of follower, prince, falconer, not 'king'"
    else:
        turn = next(n for n, turn in enumerate(broken["turns"]) if any(area["nests"] for area in turn["scored"]))
        area = next(area for area in broken["turns"][turn]["scored"] if area["nests"])
        area[field] += change
        named = rf"{field}: must be"
    with pytest.raises(RecordError, match=rf"^turns\[{turn}\], .*{named}"):
        Game.replay(broken)


TURN_OF_NOTHING = {"tile": None, "discarded": []}


def discard_the_first_tile(record):
    """Though it could have been placed."""
    first = record["turns"].pop(0)
    record["turns"][0]["discarded"].insert(0, first["tile"])


def break_off(record):
    """Leave out two turns, for the very last may have had no tile to place."""
    del record["turns"][-2:], record["end"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda record: record["turns"][1].update(tile=record["turns"][0]["tile"]),
            "turns[1], tile: FIRST was drawn b",
        ),
        (discard_the_first_tile, "turns[0], "),
        (
            lambda record: record["turns"].append(record["turns"][-1] | TURN_OF_NOTHING),
            "turns[LAST], player: the game is",
        ),
        (break_off, "record, finished: must be false: tiles are left"),
        (
            lambda record: record["tokens"].update(dict.fromkeys(("12", "22", "25"), 4)),
            "record, tokens: tower 12: there are only 2 tokens of kind 4",
        ),
    ],
)
def test_a_game_that_cannot_have_gone_so_is_refused(record, change, said):
    broken = copy.deepcopy(record)
    change(broken)
    said = said.replace("FIRST", record["turns"][0]["tile"]).replace("LAST", str(len(record["turns"])))
    with pytest.raises(RecordError, match=f"^{re.escape(said)}"):
        Game.replay(broken)


def test_the_end_may_be_listed_in_any_order_and_in_parts(record):
    parts = [entry | {"points": points} for entry in record["end"] for points in (entry["points"] - 1, 1, 0)]
    order = np.random.default_rng(1).permutation(len(parts))
    assert Game.replay(record | {"end": [parts[number] for number in order]}).is_terminal


def test_a_payment_at_the_end_that_is_left_out_or_another_is_named(record):
    assert record["end"]
    for number, entry in enumerate(record["end"]):
        paid = entry["player"], entry["reason"]
        rest = [other for other in record["end"] if (other["player"], other["reason"]) != paid]
        broken = replaced(record, ("end", number, "points"), entry["points"] + 1)
        for wrong in (record | {"end": rest}, broken):
            with pytest.raises(RecordError, match=rf"^end, player {paid[0]}, {paid[1]}: must be "):
                Game.replay(wrong)


def test_a_payment_at_the_end_names_its_area(record):
    number, entry = next(pair for pair in enumerate(record["end"]) if "at" in pair[1])
    for change, said in (
        ({"tiles": entry["tiles"] + 1}, f"tiles: must be {entry['tiles']}, not"),
        ({"at": [*entry["at"][:2], "x9"]}, r"at: \[\d+, \d+, 'x9'\] lies in no area that pays player"),
        ({"at": None}, "at: must be a list, not null"),
        ({"at": []}, "at: must be row, column and segment"),
        ({"tiles": True}, "tiles: must be a whole number, not true"),
    ):
        with pytest.raises(RecordError, match=rf"^end\[{number}\], {said}"):
            Game.replay(replaced(record, ("end", number), entry | change))
    missing = {name: value for name, value in entry.items() if name != "tiles"}
    with pytest.raises(RecordError, match=rf"^end\[{number}\], tiles: is missing"):
        Game.replay(replaced(record, ("end", number), missing))


@pytest.mark.plays("carcassonne")
def test_payments_of_two_areas_may_not_be_exchanged():
    end = (record := finish(Game("carcassonne", seed=3), 3).record())["end"]
    paid = [number for number, entry in enumerate(end) if entry["reason"] == "field"]
    first, second = next(
        (one, other) for one in paid for other in paid
        if end[one]["player"] == end[other]["player"] and end[one]["points"] != end[other]["points"]
    )  # fmt: skip
    end[first]["points"], end[second]["points"] = end[second]["points"], end[first]["points"]
    with pytest.raises(RecordError, match=r"^end, player \d, field at \[.*: must be \d+, not \d+"):
        Game.replay(record)


def test_records_of_older_versions_sum_up_the_areas_of_a_feature(record):
    sums = {}
    for entry in record["end"]:
        key = entry["player"], entry["reason"]
        sums[key] = sums.get(key, 0) + entry["points"]
    end = [{"player": player, "reason": reason, "points": points} for (player, reason), points in sums.items()]
    assert len(end) < len(record["end"])
    assert Game.replay(record | {"end": end}).is_terminal
