"""Tests of the oracle in the rules of Carcassonne: the box, what it refuses, records good and spoilt.

Its rules are tested in `tests/rules/` as well, where it plays every position together with the fast engine.
"""

import copy
import json
import random
from collections import Counter

import pytest

from tests.support.house import draw_house
from tests.support.record_checker import check_record
from tests.support.reference import CARCASSONNE, Box, ReferenceCarcassonne, new_game, read_box, scores_after

DEMO, BASE, WITHOUT_FARMERS = (read_box(rules.name) for rules in CARCASSONNE)
FACES = {tile["id"]: tile for box in (DEMO, BASE) for tile in box.tiles["tiles"]}


def game_of(letters: str) -> ReferenceCarcassonne:
    """A game with these tiles only."""
    return new_game(BASE, letters.split(), {})


def box_with(letters: str, players: int = 2, **house) -> Box:
    """A box that holds these tiles beside the start tile, and house rules."""
    return BASE._replace(tiles={"tiles": [FACES[letter] for letter in letters.split()]}).seat(players, **house)


def lay(game: ReferenceCarcassonne, cell: tuple, rotation: int = 0, segment: str | None = None) -> None:
    """Lay the tile of the turn, and send a follower to the segment, or nobody."""
    game.play(("place", cell, rotation))
    if segment or game.phase == "send":
        game.play(("send", segment, "follower") if segment else ("send", None))


def play_out(box, seed: int) -> ReferenceCarcassonne:
    """A game of all tiles, played at random to its end."""
    rng = random.Random(seed)
    deck = box.drawn
    rng.shuffle(deck)
    game = new_game(box, deck, {}, shake=lambda bag: rng.sample(bag, len(bag)))
    while game.phase != "over":
        game.play(rng.choice(game.decisions()))
    return game


# --- the box ---------------------------------------------------------------------------------------------------------


def test_c1_the_deck_has_every_tile_but_the_start_tile():
    assert [len(box.tiles["tiles"]) for box in (DEMO, BASE, WITHOUT_FARMERS)] == [47, 71, 71]
    assert [sum(tile["id"] == "D" for tile in box.tiles["tiles"]) for box in (DEMO, BASE)] == [3, 3]
    assert {box.board["start"]["id"] for box in (DEMO, BASE, WITHOUT_FARMERS)} == {"D"}


@pytest.mark.parametrize("box", [DEMO, BASE, WITHOUT_FARMERS], ids=lambda box: box.rules.name)
def test_whole_games_keep_the_invariants(box):
    game = play_out(box, 1)
    assert len(game.board) - 1 + len(game.discarded) == len(box.tiles["tiles"])
    assert [game.supplies[player] + sum(area.followers[player] for area in game.areas()) for player in (0, 1)] == [
        box.rules.followers
    ] * 2
    assert all(area.owners == [] for area in game.areas() if area.is_complete)
    segments = [segment for area in game.areas() for segment in area.segments]
    assert len(segments) == len(set(segments)) == sum(len(game.table.segments(cell)) for cell in game.board)


# --- the game --------------------------------------------------------------------------------------------------------


def test_a_deck_that_is_not_in_the_box_is_refused():
    for letters in ("", "C C", "Y", "B C1"):
        with pytest.raises(ValueError, match="the deck must hold"):
            game_of(letters)
    with pytest.raises(ValueError, match="no tokens"):
        new_game(BASE, ["B"], {12: 1})


def test_what_is_illegal_is_refused_and_changes_nothing():
    game = game_of("E B")
    before = game.record()
    for illegal in (("place", (-1, 0), 0), ("place", (0, 1), 2), ("send", None), ("send", "c1", "follower")):
        with pytest.raises(ValueError, match="no legal decision"):
            game.play(illegal)
    assert game.record() == before and game.board == {(0, 0): ("D", 0)}
    game.play(("place", (-1, 0), 2))
    for illegal in (("send", "k1", "follower"), ("send", "c1", "prince"), ("place", (1, 0), 0)):
        with pytest.raises(ValueError, match="no legal decision"):
            game.play(illegal)


def test_a_copy_goes_its_own_way():
    game = game_of("E B U")
    twin = game.copy()
    twin.play(("place", (-1, 0), 2))
    twin.play(("send", "c1", "follower"))
    assert (twin.scores, len(twin.board), twin.tile) == ([4, 0], 2, "B")
    assert (game.scores, len(game.board), game.tile, game.turns) == ([0, 0], 1, "E", [])
    assert game.turn["scored"] == []


def test_the_end_scoring_is_asked_for_at_the_end_only():
    game = game_of("B")
    with pytest.raises(ValueError, match="not over"):
        game.end_entries()
    game.play(("place", (1, 0), 0))
    game.play(("send", "k1", "follower"))
    assert game.end_entries() == [{"player": 0, "reason": "unfinished monastery", "points": 2}]


# --- house rules ------------------------------------------------------------------------------------------------------

CLOSE = ((-1, 0), 2)  # where an E completes the city of the start tile: a C can be laid nowhere then


@pytest.mark.parametrize("players", range(1, 6))
@pytest.mark.parametrize("seed", range(4))
def test_house_rules_of_all_kinds_go_together(players, seed):
    house = draw_house(random.Random(10 * players + seed))
    game = play_out(DEMO.seat(players, **house), seed)
    held_at_the_end = [tile for hand in game.hands for tile in hand if tile]
    lying = [tile for tile, _ in game.board.values()] + game.discarded + game.remaining + held_at_the_end
    assert Counter(lying) == Counter(["D", *(tile["id"] for tile in DEMO.tiles["tiles"])])
    assert all(any(turn["player"] == player for turn in game.turns) for player in range(players))
    assert not game.discarded or not game.house.back_into_bag
    assert not game.remaining + held_at_the_end or game.house.back_into_bag


# --- records ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", [DEMO, BASE, WITHOUT_FARMERS], ids=lambda box: box.rules.name)
@pytest.mark.long
def test_records_of_whole_games_are_accepted(box):
    for seed in range(3):
        record = play_out(box, seed).record(seed=seed)
        assert json.loads(json.dumps(record)) == record
        check_record(record, *box)


@pytest.mark.parametrize("players", range(1, 6))
@pytest.mark.parametrize("seed", range(4))
def test_records_of_games_by_house_rules_are_accepted(players, seed):
    rng = random.Random(10 * players + seed)
    box = DEMO.seat(players, **draw_house(rng))
    record = json.loads(json.dumps(play_out(box, seed).record()))
    check_record(record, *box)
    kept = rng.randrange(len(record["turns"]))
    record["turns"] = record["turns"][:kept]
    check_record({key: value for key, value in record.items() if key != "end"} | broken_off(record, players), *box)


def broken_off(record: dict, players: int) -> dict:
    """What a record says of a game that was not played on."""
    return {"finished": False, "scores": scores_after(record["turns"], players)}


#  what is done to the record of a game in which a C goes back to the bag -> words of the sentence that must name it
SPOILT_BY_HOUSE = {
    "no start": (lambda r: r.pop("start"), "start is None"),
    "another start": (lambda r: r.update(start="Y"), "no tile of the game"),
    "other rules": (lambda r: r["rules"].pop("back_into_bag"), "rules is"),
    "a name too few": (lambda r: r["players"].pop(), "players is malformed"),
    "a score too few": (lambda r: r["scores"].pop(), "scores is malformed"),
    "a player who is not there": (lambda r: r["turns"][0].update(player=3), "the players are 0 to 2"),
    "back what fits": (lambda r: r["turns"][1].update(put_back=["V"]), "V could have been placed"),
    "back what lies there": (lambda r: r["turns"][1].update(put_back=["E"]), "'E', which is not there"),
    "back twice": (lambda r: r["turns"][1].update(put_back=["C", "C"]), "put_back is"),
    "back nothing": (lambda r: r["turns"][1].update(put_back=[]), "put_back is empty"),
    "discarded": (lambda r: r["turns"][2].update(discarded=r["turns"][2].pop("put_back")), "discarded is"),
    "the seat before": (lambda r: r["turns"][2].update(player=1), "player is 1"),
    "finished too early": (lambda r: (r["turns"].pop(), r.update(scores=[0, 0, 0])), "can be laid"),
    "a road at the end": (
        lambda r: r["end"].append({"player": 0, "reason": "unfinished road", "points": 1}),
        "no reason",
    ),
}


@pytest.fixture(scope="module")
def house_record() -> tuple:
    """A box and the record of a finished game with it, in which a C goes back, and lies in the bag at the end."""
    house = {"start_in_bag": True, "back_into_bag": True, "unfinished_pays_nothing": True}
    box = box_with("E C V U", 3, **house)
    game = new_game(box, list("DECVU"), {})
    for placement in (CLOSE, ((0, 1), 1), ((0, -1), 0)):
        lay(game, *placement)
    assert (game.phase, game.remaining) == ("over", ["C"])
    return box, json.loads(json.dumps(game.record()))


def test_a_record_by_house_rules_is_accepted(house_record):
    box, record = house_record
    check_record(record, *box)


@pytest.mark.parametrize("what", SPOILT_BY_HOUSE)
def test_a_spoilt_record_by_house_rules_is_rejected(house_record, what):
    spoil, sentence = SPOILT_BY_HOUSE[what]
    box, record = copy.deepcopy(house_record)
    spoil(record)
    with pytest.raises(AssertionError, match=sentence):
        check_record(record, *box)


def test_a_hand_leaves_the_game_whole():
    letters = "U U U B E F V W H I"
    box = box_with(letters, hand="open", table=(1, 3))
    game = new_game(box, letters.split(), {})
    lay(game, (0, 1))
    lay(game, (0, -1), 3)
    record = json.loads(json.dumps(game.record()))
    check_record(record, *box)
    assert record["turns"][1]["discarded"] == ["B", "E", "F"]
    record["turns"][1]["discarded"] = ["B", "E"]
    record["turns"][2]["discarded"].append("F")
    with pytest.raises(AssertionError, match="discarded is"):
        check_record(record, *box)


def test_a_record_broken_off_is_accepted():
    game = game_of(" ".join(tile["id"] for tile in BASE.tiles["tiles"]))
    for _ in range(9):
        game.play(game.decisions()[-1])
    record = game.record()
    assert record["finished"] is False and record["turns"]
    check_record(record, *BASE)


#  0,-1 ─ 0,0 ─ 0,1 ─ 0,2 ─ 0,3      a road of player 1; 0,3 is a village with a city in the south
#         1,0 ═ 1,1 ═ 1,2   1,3       both share the city in the west, player 1 has the one in the east
#               2,1                   a farmer of player 0
RICH = (
    ("E", (1, 0), 1, "c1"),
    ("U", (0, 1), 0, None),
    ("U", (0, 2), 0, None),
    ("E", (1, 2), 3, "c1"),
    ("G", (1, 1), 0, None),
    ("A", (0, -1), 3, "r1"),
    ("B", (2, 1), 0, "f1"),
    ("E", (1, 3), 0, "c1"),
    ("L", (0, 3), 2, None),
)
RICH_BOX = BASE._replace(tiles={"tiles": [FACES[letter] for letter, *_ in RICH]})


@pytest.fixture(scope="module")
def rich_record() -> dict:
    """A finished record with a tied area, a turn in which one player scores two areas, and a field at the end."""
    game = new_game(RICH_BOX, [letter for letter, *_ in RICH], {})
    for _, cell, rotation, segment in RICH:
        game.play(("place", cell, rotation))
        game.play(("send", segment, "follower") if segment else ("send", None))
    record = json.loads(json.dumps(game.record(seed=7)))
    assert tied_turn(record) and two_areas(record) and record["scores"] == [9, 15]
    return record


def tied_turn(record: dict) -> dict | None:
    """A turn in which both players score one area."""
    return find_turn(record, lambda scored: len({tuple(entry["at"]) for entry in scored}) == 1 and len(scored) == 2)


def two_areas(record: dict) -> dict | None:
    """A turn in which one player scores two areas that are worth different points."""
    return find_turn(
        record,
        lambda scored: (
            len({entry["player"] for entry in scored}) == 1 and len({entry["points"] for entry in scored}) == 2
        ),
    )


def find_turn(record: dict, is_sought) -> dict | None:
    """The first turn whose scored areas are as sought."""
    return next((played for played in record["turns"] if is_sought(played["scored"])), None)


def exchange(record: dict) -> None:
    """Let the two areas of a turn be scored in the other order."""
    first, second = two_areas(record)["scored"]
    before = first["score"] - first["points"]
    two_areas(record)["scored"][:] = [second | {"score": before + second["points"]}, first | {"score": second["score"]}]


def first_entry(record: dict) -> dict:
    """The first scored area."""
    return next(entry for played in record["turns"] for entry in played["scored"])


@pytest.mark.parametrize(
    "change",
    [
        exchange,
        lambda record: tied_turn(record)["scored"].reverse(),
        lambda record: record["end"].append({"player": 1, "reason": "unfinished city", "points": 0}),
        lambda record: record.update(farmers=True, event="a Sunday"),
    ],
)
def test_what_the_format_leaves_free_is_accepted(rich_record, change):
    record = copy.deepcopy(rich_record)
    change(record)
    assert record != rich_record
    check_record(record, *RICH_BOX)


SPOILT = {  # what is done to the rich record -> words of the sentence that must name it
    "other ruleset": (lambda r: r.update(ruleset="carcassonne-demo"), "ruleset is"),
    "without farmers": (lambda r: r.update(farmers=False), "farmers is False"),
    "a token": (lambda r: r["tokens"].update({"12": 1}), "tokens lie on"),
    "one E too many": (lambda r: r["turns"][5].update(tile="E"), "drawn before"),
    "a tile of the other set": (lambda r: r["turns"][5].update(tile="Y"), "no tile of the game"),
    "turned": (lambda r: r["turns"][0].update(rotation=(r["turns"][0]["rotation"] + 1) % 4, cell=[-1, 1]), "placed"),
    "on the start tile": (lambda r: r["turns"][3].update(cell=[0, 0]), "may not be placed"),
    "far away": (lambda r: r["turns"][3].update(cell=[0, -40]), "may not be placed"),
    "a prince": (lambda r: r["turns"][0].update(follower={"segment": "f1", "piece": "prince"}), "piece is 'prince'"),
    "an extra turn": (lambda r: r["turns"][0].update(extra_turn=True), "extra_turn is true"),
    "one of two who tie": (lambda r: tied_turn(r)["scored"].pop(), "has 1 entries"),
    "order without its scores": (lambda r: two_areas(r)["scored"].reverse(), "score is"),
    "points": (lambda r: first_entry(r).update(points=99), "points is 99"),
    "tiles": (lambda r: first_entry(r).update(tiles=99), "tiles is 99"),
    "a token used": (lambda r: first_entry(r).update(token=2), "token is 2"),
    "an area elsewhere": (lambda r: first_entry(r).update(at=[0, 0, "f2"]), "at is"),
    "a meadow at the end": (lambda r: r["end"].append({"player": 0, "reason": "meadow", "points": 3}), "no reason"),
    "a field that pays more": (lambda r: r["end"].append({"player": 0, "reason": "field", "points": 3}), "sum of"),
}


@pytest.mark.parametrize("what", SPOILT)
def test_a_spoilt_record_is_rejected_with_the_place_named(rich_record, what):
    spoil, sentence = SPOILT[what]
    record = copy.deepcopy(rich_record)
    spoil(record)
    with pytest.raises(AssertionError, match=sentence):
        check_record(record, *RICH_BOX)


def test_a_field_pays_nothing_where_farmers_are_switched_off():
    record = play_out(WITHOUT_FARMERS, 0).record()
    record["end"].append({"player": 0, "reason": "field", "points": 3})
    with pytest.raises(AssertionError, match="no reason of this game"):
        check_record(record, *WITHOUT_FARMERS)
