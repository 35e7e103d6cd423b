"""Records of games on an open table: copies of tiles, negative cells, ties, farmers."""

import copy
from collections import Counter

import pytest

from tests.records.test_replay import find_wrong, scored_in, spoil, told_by_turns
from tests.support.games import few, finish, play_randomly
from zamek_env import Game, RecordError
from zamek_env.components.house_rules import format_rules
from zamek_env.ruleset import get_ruleset
from zamek_scripts.replaying.replay_tiles import TileStoryBuilder

pytestmark = pytest.mark.compiles


@pytest.fixture(scope="module")
def record():
    """A game of the base set in which a tied area was paid to both, and farmers were sent."""
    record = told_by_turns(finish(Game("carcassonne", seed=11), 11).record())
    assert any(len({entry["player"] for entry in turn["scored"]}) == 2 for turn in record["turns"])
    assert any(entry["reason"] == "field" for entry in record["end"])
    return record


def test_a_table_has_no_tokens_and_cells_may_be_negative(record):
    assert record["tokens"] == {}
    assert min(min(turn["cell"]) for turn in record["turns"]) < 0
    reasons = {entry["reason"] for entry in record["end"]}
    assert reasons <= {"unfinished road", "unfinished city", "unfinished monastery", "field"}
    assert {(area["token"], area["took"], area["nests"]) for area in scored_in(record)} == {(None, None, 0)}


@pytest.mark.parametrize(
    "field, value, problem",
    [
        ("tile", "AA", "there is no tile 'AA'"),
        ("cell", [0, 0], r"a tile lies on \[0, 0\] already \(C1\)"),
        ("cell", [7, -7], r"\[7, -7\] is no cell beside a tile, as \[row, column\] \(C1\)"),
        ("cell", [37, 37], r"\[37, 37\] is no cell beside a tile"),  # has the number of [0, 0]
        ("cell", [10**12, 0], "is no cell beside a tile"),
        ("cell", [-1.0, 0], "is no cell beside a tile"),
        ("cell", [-1], "is no cell beside a tile"),
        ("cell", None, "null is no cell beside a tile"),
        ("rotation", -1, "must lie in 0 to 3, not -1"),
        ("follower", {"segment": "f1", "piece": "monk"}, "piece must be one of follower, not 'monk'"),
        ("follower", {"segment": "k9", "piece": "follower"}, "segment must be one of"),
        ("extra_turn", True, "must be false, not true"),
    ],
)
def test_a_first_turn_on_a_table_that_cannot_be_is_named_with_its_field(record, field, value, problem):
    with pytest.raises(RecordError, match=rf"^turns\[0\], {field}: .*{problem}"):
        Game.replay(spoil(record, 0, field, value))


def test_a_tile_that_does_not_match_is_refused_by_the_rules_of_the_table(record):
    turn = record["turns"][0]
    refused = 0
    for rotation in range(4):
        try:
            Game.replay(spoil(record, 0, "rotation", rotation))
        except RecordError as error:
            refused += "shows" in str(error) and "(C1)" in str(error)
    assert refused or turn["tile"] in "BC"


def test_there_are_as_many_of_a_tile_as_there_are_copies(record):
    """Copies are drawn one after another, and one more than there are is named."""
    copies = Counter(tile.id for tile in get_ruleset("carcassonne").components.tiles)
    assert copies["D"] == 3  # the fourth is the start tile
    broken = copy.deepcopy(record)
    for turn in broken["turns"][:4]:
        turn["tile"] = "D"
    with pytest.raises(RecordError, match=r"^turns\[3\], tile: D is there 3 times and was so often drawn before"):
        Game.replay(broken)
    once = spoil(spoil(record, 0, "tile", "X"), 1, "tile", "X")
    with pytest.raises(RecordError, match=r"^turns\[1\], tile: X was drawn before"):
        Game.replay(once)


def test_a_record_on_a_table_without_a_seed_is_replayed_by_what_it_tells(record):
    twin = Game.replay(record | {"seed": None})
    assert twin.seed is None and twin.history == Game.replay(record).history
    assert twin.position() == Game.replay(record).position()
    assert told_by_turns(twin.record(record["players"])) | {"seed": record["seed"]} == record


@pytest.mark.parametrize("turns", [0, 1, 30])
def test_a_broken_off_game_on_a_table_may_be_dealt_in_any_way_after_it(record, turns):
    part = {key: value for key, value in record.items() if key != "end"}
    part |= {"turns": record["turns"][:turns], "finished": False, "seed": None}
    part["scores"] = [
        max([0, *(area["score"] for area in scored_in(part) if area["player"] == player)]) for player in (0, 1)
    ]
    assert len(Game.replay(part).record()["turns"]) == turns


def test_tokens_are_refused_where_there_are_no_towers(record):
    with pytest.raises(RecordError, match=r"^record, tokens: must be empty, not \['12'\]"):
        Game.replay(record | {"tokens": {"12": 4}})


def test_areas_on_a_table_may_be_listed_in_any_order(record):
    """Nothing depends on it but the running score, which follows the list."""
    turn = next(n for n, t in enumerate(record["turns"]) if len({area["player"] for area in t["scored"]}) == 2)
    turned = copy.deepcopy(record)
    turned["turns"][turn]["scored"].reverse()
    totals = {}
    for entry in turned["turns"][turn]["scored"]:
        before = next(area for area in record["turns"][turn]["scored"] if area["player"] == entry["player"])
        totals.setdefault(entry["player"], before["score"] - before["points"])
        totals[entry["player"]] += entry["points"]
        entry["score"] = totals[entry["player"]]
    assert turned != record
    assert Game.replay(turned).history == Game.replay(record).history
    turned["turns"][turn]["scored"][0]["score"] += 1
    with pytest.raises(RecordError, match=rf"^turns\[{turn}\], scored\[0\], score: must be"):
        Game.replay(turned)


@pytest.mark.parametrize("ruleset", ["carcassonne", "carcassonne-no-farmers", "carcassonne-demo"])
def test_a_record_must_say_of_farmers_what_holds(ruleset):
    record = finish(Game(ruleset, seed=5), 5).record()
    farmers = ruleset == "carcassonne"
    assert Game.replay(record | {"farmers": farmers}).ruleset.name == ruleset
    for value in (None, 0, 1, "no"):
        with pytest.raises(RecordError, match=r"^record, farmers: must be"):
            Game.replay(record | {"farmers": value})


def test_a_game_with_farmers_cannot_be_told_as_one_without(record):
    first = next(n for n, t in enumerate(record["turns"]) if (t["follower"] or {}).get("segment", "")[:1] == "f")
    with pytest.raises(RecordError, match=rf"^turns\[{first}\], follower: .*there are no farmers \(C8\)"):
        Game.replay(record | {"farmers": False})
    with pytest.raises(RecordError, match=r"^record, ruleset: must be one of .*, not 'carcassonne-no-farmers'"):
        Game.replay(record | {"ruleset": "carcassonne-no-farmers"})


def test_farmers_are_no_word_of_a_castle():
    record = finish(Game(seed=6), 6).record()
    assert Game.replay(record | {"farmers": "none"}).scores == tuple(record["scores"])


@pytest.mark.parametrize("rules", [{"hand": "hidden", "back_into_bag": True}, {"back_into_bag": True}])
def test_the_page_of_a_game_with_hands_or_a_shaken_bag_begins_with_its_deal(rules):
    game = finish(Game("carcassonne-demo", 4, players=3, rules={**rules, "table": (3, 5)}), 4)
    told = TileStoryBuilder(Game.replay(game.record()), ("a", "b", "c"))
    assert [*told.make_moments()][-1].scores == game.scores and len(told) == 1 + len(game.history)
    assert told.about == f"carcassonne-demo for 3 by {format_rules(game.ruleset.rules)}, seed 4"


@pytest.mark.parametrize("read", [dict, told_by_turns])
def test_a_record_on_a_table_is_refused_or_it_is_what_happened(read):
    game = Game("carcassonne-demo", seed=4)
    for _ in play_randomly(game, 4):
        if len(game.record()["turns"]) == few(9, 3):
            break
    assert find_wrong(read(game.record()), read) == []


def test_a_seed_is_known_where_tiles_are_discarded_before_the_first_is_laid():
    """The tile that the other player drew ahead lay before those in the bag (rule H1)."""
    game = finish(Game("carcassonne-no-farmers", 101, rules={"draw_ahead": True, "table": [1, 11]}), 101)
    record = game.record()
    assert record["turns"][0]["discarded"]
    for each in (record, told_by_turns(record)):
        assert Game.replay(each) == game
