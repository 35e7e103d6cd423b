"""The checker of records: it passes what the rules allow, and names what they do not."""

import copy
import json

import pytest

from tests.support.games import finish
from tests.support.lockstep import box_of
from tests.support.record_checker import check_record
from tests.support.reference import ReferenceGame
from tests.support.reference_games import BOX, GATES, GENEROUS, SOKOL, generous, play_out, whole_game
from tests.support.small_castles import EAST, SOUTH, area_of, components, start, turn
from zamek_env import Game

# --- whole games ---


def through_json(record: dict) -> dict:
    """The record as a reader of the file sees it."""
    return json.loads(json.dumps(record))


@pytest.mark.parametrize(
    "seed, box", [(5, BOX), (6, BOX), (7, GENEROUS), (8, GENEROUS), (5, SOKOL), (7, generous(GATES))]
)
@pytest.mark.long
def test_records_of_whole_games_are_accepted(seed, box):
    record = play_out(whole_game(seed, box), seed).record(seed=seed, players=("one", "two"))
    assert through_json(record) == record
    check_record(record, *box)


@pytest.mark.long
def test_records_of_games_broken_off_anywhere_are_accepted():
    records = {}
    game = play_out(whole_game(9, GENEROUS), 9, lambda game: records.update({len(game.turns): game.record()}))
    assert sorted(records) == list(range(len(game.turns)))
    for length in [0, 1, 2, 25, len(records) - 1]:
        assert records[length]["finished"] is False and len(records[length]["turns"]) == length
        check_record(records[length], GENEROUS.board, GENEROUS.tiles)
        with pytest.raises(AssertionError, match="scores is"):
            check_record(records[length] | {"scores": [0, 99]}, GENEROUS.board, GENEROUS.tiles)


@pytest.fixture(scope="module")
def rich_record() -> dict:
    """A finished record with an extra turn, a token used, a turn in which both score, and meadows at the end."""
    record = through_json(play_out(whole_game(10, GENEROUS), 10).record(seed=10))
    assert any(played["extra_turn"] for played in record["turns"])
    assert any(entry["token"] for played in record["turns"] for entry in played["scored"])
    assert two_scorers(record) and {"meadow", "family house"} <= {entry["reason"] for entry in record["end"]}
    return record


def first_turn(record: dict, key: str) -> dict:
    """The first turn in which a field is not empty or false."""
    return next(played for played in record["turns"] if played[key])


def first_entry(record: dict, key: str = "points") -> dict:
    """The first scored area in which a field is not null."""
    return next(entry for played in record["turns"] for entry in played["scored"] if entry[key] is not None)


def two_scorers(record: dict) -> dict:
    """A turn in which both players score."""
    return next(played for played in record["turns"] if len({entry["player"] for entry in played["scored"]}) == 2)


def discard_the_last_tile_early(record: dict) -> None:
    record["turns"][5]["discarded"].append(record["turns"].pop()["tile"])


def swap_a_taken_token(record: dict) -> None:
    entry, tokens = first_entry(record, "took"), record["tokens"]
    tower = str(entry["score"] - entry["score"] % 2)  # the generous wall's towers begin on even fields
    other = next(field for field, kind in tokens.items() if kind != tokens[tower])
    tokens[tower], tokens[other] = tokens[other], tokens[tower]


def follow_the_end_with_a_turn(record: dict) -> None:
    record["turns"].append(
        {"player": 0, "discarded": ["Z01"], "tile": None, "follower": None, "scored": [], "extra_turn": False}
    )


SPOILT = {  # what is done to the rich record -> words of the sentence that must name it
    "other format": (lambda r: r.update(format="zamek-record/2"), "format is"),
    "other ruleset": (lambda r: r.update(ruleset="sokol"), "ruleset is"),
    "no seed": (lambda r: r.pop("seed"), "lacks the key 'seed'"),
    "no scores": (lambda r: r.pop("scores"), "lacks the key 'scores'"),
    "seed in words": (lambda r: r.update(seed="7"), "seed is '7'"),
    "one player": (lambda r: r.update(players=["alone"]), "players is malformed"),
    "tower without token": (lambda r: r["tokens"].pop("2"), "tokens lie on"),
    "token beside the towers": (lambda r: r["tokens"].update({"98": 1}), "tokens lie on"),
    "tenth kind": (lambda r: r["tokens"].update({"2": 10}), r"tokens\['2'\] is 10"),
    "three of a kind": (lambda r: r["tokens"].update({"2": 1, "4": 1, "6": 1}), "tokens of kind 1"),
    "tokens exchanged": (swap_a_taken_token, r"scored\[\d\].took is"),
    "broken off with an end": (lambda r: r.update(finished=False), "'end'"),
    "finished without an end": (lambda r: r.pop("end"), "'end'"),
    "broken off after the end": (lambda r: (r.pop("end"), r.update(finished=False)), "its last tile was drawn"),
    "finished in words": (lambda r: r.update(finished="no"), "finished is"),
    "turn without a key": (lambda r: r["turns"][3].pop("extra_turn"), r"turns\[3\] lacks the key 'extra_turn'"),
    "turn with a new key": (lambda r: r["turns"][3].update(time=1), r"turns\[3\] has the unknown key 'time'"),
    "turn that is a list": (lambda r: r["turns"].insert(3, []), r"turns\[3\] must be an object"),
    "wrong player": (lambda r: r["turns"][0].update(player=1), r"turns\[0\].player is 1"),
    "third player": (lambda r: r["turns"][0].update(player=2), r"turns\[0\].player is 2"),
    "player true": (lambda r: r["turns"][1].update(player=True), r"turns\[1\].player is True"),
    "tile twice": (lambda r: r["turns"][5].update(tile=r["turns"][4]["tile"]), r"turns\[5\] draws .* drawn before"),
    "unknown tile": (lambda r: r["turns"][5].update(tile="Z61"), r"turns\[5\] draws 'Z61'"),
    "cell taken": (lambda r: r["turns"][5].update(cell=r["turns"][4]["cell"]), r"turns\[5\]: .* may not be placed"),
    "cell outside": (lambda r: r["turns"][5].update(cell=[0, 0]), r"turns\[5\]: .* may not be placed"),
    "cell malformed": (lambda r: r["turns"][5].update(cell=[0]), r"turns\[5\].cell is malformed"),
    "no cell": (lambda r: r["turns"][5].update(cell=None), r"turns\[5\].cell is malformed"),
    "fifth rotation": (lambda r: r["turns"][5].update(rotation=4), r"turns\[5\].rotation is 4"),
    "unfounded discard": (discard_the_last_tile_early, r"turns\[5\].discarded\[0\]: .* could have been placed"),
    "unknown segment": (lambda r: first_turn(r, "follower")["follower"].update(segment="h9"), "may not be sent"),
    "prince": (lambda r: first_turn(r, "follower")["follower"].update(piece="prince"), "piece is 'prince'"),
    "follower without piece": (lambda r: first_turn(r, "follower")["follower"].pop("piece"), "lacks the key 'piece'"),
    "follower withheld": (lambda r: first_turn(r, "scored").update(follower=None), r"turns\[\d+\]"),
    "scored by the other": (lambda r: first_entry(r).update(player=1 - first_entry(r)["player"]), r"\].player is"),
    "other feature": (lambda r: first_entry(r).update(feature="meadow"), r"scored\[0\].feature is 'meadow'"),
    "at elsewhere": (lambda r: first_entry(r).update(at=[0, 0, "m1"]), r"scored\[0\].at is"),
    "at malformed": (lambda r: first_entry(r).update(at=[0, 0]), r"scored\[0\].at is malformed"),
    "other size": (lambda r: first_entry(r).update(tiles=9), r"scored\[0\].tiles is 9"),
    "other points": (lambda r: first_entry(r).update(points=99), r"scored\[0\].points is 99"),
    "points as a word": (lambda r: first_entry(r).update(points="2"), r"scored\[0\].points is '2'"),
    "other score": (lambda r: first_entry(r).update(score=99), r"scored\[0\].score is 99"),
    "token taken from nowhere": (lambda r: first_entry(r, "took").update(took=None), r"\].took is None"),
    "token not owned": (lambda r: first_entry(r).update(token=2), r"scored\[0\].token is 2"),
    "token not used": (lambda r: first_entry(r, "token").update(token=None), r"turns\[\d+\]"),
    "nests in the base game": (lambda r: first_entry(r).update(nests=1), r"scored\[0\].nests is 1"),
    "scored without a key": (lambda r: first_entry(r).pop("nests"), r"scored\[0\] lacks the key 'nests'"),
    "opponent scored first": (lambda r: two_scorers(r)["scored"].reverse(), r"scored\[0\]"),
    "area not scored": (lambda r: first_turn(r, "scored")["scored"].pop(), "scored has 0 entries"),
    "area scored twice": (lambda r: first_turn(r, "scored")["scored"].append(first_entry(r)), "scored has 2 entries"),
    "impossible extra turn": (lambda r: r["turns"][0].update(extra_turn=True), r"turns\[0\].extra_turn is true"),
    "extra turn denied": (lambda r: first_turn(r, "extra_turn").update(extra_turn=False), r"turns\[\d+\].player is"),
    "turn missing at the end": (lambda r: r["turns"].pop(), "1 of its tiles were not drawn"),
    "turn after the end": (follow_the_end_with_a_turn, r"turns\[60\] follows"),
    "turns exchanged": (lambda r: r["turns"].insert(0, r["turns"].pop(1)), r"turns\[0\]"),
    "end points": (lambda r: r["end"][0].update(points=r["end"][0]["points"] + 1), "end: the sum"),
    "end entry missing": (lambda r: r["end"].pop(), "end: the sum"),
    "end entry of the other": (lambda r: r["end"][0].update(player=1 - r["end"][0]["player"]), "end: the sum"),
    "end entry for nests": (lambda r: r["end"].append({"player": 0, "reason": "nests", "points": 0}), "'nests'"),
    "end entry negative": (lambda r: r["end"][0].update(points=-1), "negative"),
    "end entry with a new key": (lambda r: r["end"][0].update(note=""), "unknown key 'note'"),
    "end an object": (lambda r: r.update(end={}), "end must be a list"),
    "final scores": (lambda r: r.update(scores=[r["scores"][0] + 1, r["scores"][1]]), "scores is"),
    "three scores": (lambda r: r.update(scores=[1, 2, 3]), "scores is malformed"),
}


@pytest.mark.parametrize("what", SPOILT)
@pytest.mark.long
def test_a_spoilt_record_is_rejected_with_the_place_named(rich_record, what):
    spoil, sentence = SPOILT[what]
    record = copy.deepcopy(rich_record)
    spoil(record)
    with pytest.raises(AssertionError, match=sentence):
        check_record(record, GENEROUS.board, GENEROUS.tiles)


def split_an_end_entry(record: dict) -> None:
    entry = record["end"].pop(0)
    record["end"] += [entry | {"points": entry["points"] - 1}, entry | {"points": 1}]


def move_at_within_the_area(record: dict) -> None:
    """Say, where the area has several tiles, another of them."""
    game = ReferenceGame(GENEROUS.board, GENEROUS.tiles, [played["tile"] for played in record["turns"]], {})
    for played in record["turns"]:
        game.board[tuple(played["cell"])] = (played["tile"], played["rotation"])
    for entry in (entry for played in record["turns"] for entry in played["scored"]):
        area = area_of(game, tuple(entry["at"][:2]), entry["at"][2])
        (row, col), name = max(segment for segment in area.segments if segment[0] in game.board)
        entry["at"] = [row, col, name]


@pytest.mark.parametrize(
    "change",
    [
        split_an_end_entry,
        move_at_within_the_area,
        lambda r: r["end"].append({"player": 0, "reason": "token 6", "points": 0}),
        lambda r: r["end"].reverse(),
        lambda r: r.update(finished=True, event="a Sunday", date="2024-05-05", settings=[{}, {}]),
    ],
)
@pytest.mark.long
def test_what_the_format_leaves_free_is_accepted(rich_record, change):
    record = copy.deepcopy(rich_record)
    change(record)
    assert record != rich_record
    check_record(record, GENEROUS.board, GENEROUS.tiles)


SMALL = components("###", "field1 crossing1 field2 crossing2")


def small_record() -> dict:
    """A record with a discarded tile and a last turn without a placement."""
    game = ReferenceGame(*SMALL, ["field1", "crossing1", "field2", "crossing2"], {})
    turn(game, (0, 0), send="m1")
    turn(game, (0, 1))
    return through_json(game.record())


def test_a_last_turn_without_a_tile_is_accepted_with_or_without_a_cell():
    record = small_record()
    assert [played["discarded"] for played in record["turns"]] == [[], ["crossing1"], ["crossing2"]]
    check_record(record, *SMALL)
    del record["turns"][2]["cell"], record["turns"][2]["rotation"]
    check_record(record, *SMALL)


def place_what_fits_nowhere(record: dict) -> None:
    record["turns"][1].update(tile="crossing1", discarded=[])
    record["turns"][2].update(discarded=["field2", "crossing2"])


def discard_what_fits_and_stop(record: dict) -> None:
    empty = record["turns"].pop()
    record["turns"][1] = empty | {"player": 1, "discarded": ["crossing1", "field2", "crossing2"]}


def stop_with_tiles_left(record: dict) -> None:
    empty = record["turns"].pop()
    record["turns"][1] = empty | {"player": 1, "discarded": ["crossing1"]}


SPOILT_SMALL = {
    "empty turn of the other": (lambda r: r["turns"][2].update(player=1), r"turns\[2\].player is 1"),
    "empty turn without discards": (lambda r: r["turns"][2].update(discarded=[]), r"turns\[2\].discarded is empty"),
    "empty turn with a cell": (lambda r: r["turns"][2].update(cell=[0, 2]), r"turns\[2\].cell must be None"),
    "empty turn with a follower": (lambda r: r["turns"][2].update(follower={}), r"turns\[2\].follower must be None"),
    "empty turn with an extra turn": (lambda r: r["turns"][2].update(extra_turn=True), "extra_turn must be False"),
    "empty turn missing": (lambda r: r["turns"].pop(), "1 of its tiles were not drawn"),
    "tile that fits nowhere": (place_what_fits_nowhere, r"turns\[1\].tile: crossing1 fits nowhere"),
    "discards that fit": (discard_what_fits_and_stop, r"turns\[1\].discarded\[1\]: field2 could have been placed"),
    "empty turn with tiles left": (stop_with_tiles_left, r"turns\[1\].tile is null, but there were tiles left"),
    "discards in numbers": (lambda r: r["turns"][1].update(discarded=[7]), r"turns\[1\].discarded is no list"),
    "follower on a taken area": (lambda r: r["turns"][1].update(follower=r["turns"][0]["follower"]), "no free area"),
}


@pytest.mark.parametrize("what", SPOILT_SMALL)
def test_a_spoilt_small_record_is_rejected_with_the_place_named(what):
    spoil, sentence = SPOILT_SMALL[what]
    record = small_record()
    spoil(record)
    with pytest.raises(AssertionError, match=sentence):
        check_record(record, *SMALL)


def test_a_road_turned_away_from_a_road_is_rejected():
    parts = components("##", "straight1 straight2", [start("A", (0, 0), "W", "m1 r1 m1")])
    game = ReferenceGame(*parts, ["straight1", "straight2"], {})
    turn(game, (0, 0), EAST)
    record = game.record()
    check_record(record, *parts)
    record["turns"][0]["rotation"] = SOUTH
    with pytest.raises(AssertionError, match=r"turns\[0\]: straight1 may not be placed"):
        check_record(record, *parts)


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"tiles": 99}, "tiles is 99"),
        ({"at": [99, 0, "f1"]}, r"at is \[99, 0, 'f1'\], where"),
        ({"at": [0]}, "at is malformed"),
        ({"points": 99}, "the sum of player"),
    ],
)
@pytest.mark.long
def test_a_payment_for_an_area_is_compared_with_that_area(change, sentence):
    record = through_json(finish(Game("carcassonne", seed=3), 3).record())
    check_record(record, *box_of("carcassonne"))
    entry = next(entry for entry in record["end"] if entry["reason"] == "field")
    entry |= change
    with pytest.raises(AssertionError, match=sentence):
        check_record(record, *box_of("carcassonne"))


def test_actions_must_be_those_of_the_turns():
    record = finish(Game(seed=6), 6).record()
    actions, count = record["actions"], len(record["actions"])
    sent = next(number for number, text in enumerate(actions) if text != "-" and "@" not in text)
    check_record({key: value for key, value in record.items() if key != "actions"}, *BOX)
    for wrong, said in (
        (actions[:-1], rf"actions\[{count - 1}\] is '', but turns\[\d+\] has "),
        ([*actions, "-"], f"actions has {count + 1} entries, but the turns have {count} decisions"),
        ([*actions[:sent], "-", *actions[sent + 1 :]], rf"actions\[{sent}\] is '-', but turns"),
        ([actions[0][:-1] + "X", *actions[1:]], r"actions\[0\] is '.*X', but turns\[0\] has "),
        ([*actions[:-1], 7], "actions is no list of texts"),
    ):
        with pytest.raises(AssertionError, match=f"^{said}"):
            check_record(record | {"actions": wrong}, *BOX)
    check_record(record, *BOX)
