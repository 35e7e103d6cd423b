"""Tests of the oracle in the rules of Carcassonne: small tables that are counted by hand, records good and spoilt.

Its rules are tested in `tests/rules/` as well, where it plays every position together with the fast engine.
"""

import copy
import json
import random
from collections import Counter

import pytest

from tests.support.house import draw_house
from tests.support.record_checker import check_record
from tests.support.reference import CARCASSONNE, Box, OpenTable, ReferenceCarcassonne, new_game, read_box, scores_after

DEMO, BASE, WITHOUT_FARMERS = (read_box(rules.name) for rules in CARCASSONNE)
FACES = {tile["id"]: tile for box in (DEMO, BASE) for tile in box.tiles["tiles"]}


def table_of(rows: str) -> OpenTable:
    """A table with what is drawn on it: letters with their quarter turns, `.` for an empty cell, `*` for the start."""
    marks = {(row, col): mark for row, line in enumerate(rows.split("/")) for col, mark in enumerate(line.split())}
    top, left = next(cell for cell, mark in marks.items() if mark == "*")
    table = OpenTable(FACES["D"], [*FACES.values()])
    for (row, col), mark in marks.items():
        if mark not in "*.":
            table.board[row - top, col - left] = (mark[0], int(mark[1:] or 0))
    return table


def game_of(letters: str, box=BASE) -> ReferenceCarcassonne:
    """A game with these tiles only."""
    return new_game(box, letters.split(), {})


def game_with(letters: str, players: int = 2, shake=list, **house) -> ReferenceCarcassonne:
    """A game of a box that holds these tiles only, by house rules."""
    return new_game(box_with(letters, players, **house), letters.split(), {}, shake=shake)


def box_with(letters: str, players: int = 2, **house) -> Box:
    """A box that holds these tiles beside the start tile, and house rules."""
    return BASE._replace(tiles={"tiles": [FACES[letter] for letter in letters.split()]}).seat(players, **house)


def lay(game: ReferenceCarcassonne, cell: tuple, rotation: int = 0, segment: str | None = None) -> None:
    """Lay the tile of the turn, and send a follower to the segment, or nobody."""
    game.play(("place", cell, rotation))
    if segment or game.phase == "send":
        game.play(("send", segment, "follower") if segment else ("send", None))


def held(game: ReferenceCarcassonne) -> list[str]:
    """The tiles in each player's hand, as letters and dots."""
    return ["".join(tile or "." for tile in hand) for hand in game.hands]


def play_out(box, seed: int) -> ReferenceCarcassonne:
    """A game of all tiles, played at random to its end."""
    rng = random.Random(seed)
    deck = box.drawn
    rng.shuffle(deck)
    game = new_game(box, deck, {}, shake=lambda bag: rng.sample(bag, len(bag)))
    while game.phase != "over":
        game.play(rng.choice(game.decisions()))
    return game


# --- the table -------------------------------------------------------------------------------------------------------


def test_c1_the_deck_has_every_tile_but_the_start_tile():
    assert [len(box.tiles["tiles"]) for box in (DEMO, BASE, WITHOUT_FARMERS)] == [47, 71, 71]
    assert [sum(tile["id"] == "D" for tile in box.tiles["tiles"]) for box in (DEMO, BASE)] == [3, 3]
    assert {box.board["start"]["id"] for box in (DEMO, BASE, WITHOUT_FARMERS)} == {"D"}


def test_c1_a_tile_matches_whatever_it_touches():
    table = table_of(". E2 / * U")
    assert table.placements("C") == []
    assert [turn for cell, turn in table.placements("N") if cell == (-1, 0)] == [3]
    assert not table.fits("B", (0, 0), 0) and not table.fits("B", (5, 5), 0)
    assert {cell for cell, _ in table.placements("B")} == {(1, 0), (1, 1), (-2, 1), (-1, 2)}


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


def test_c4_areas_are_counted_by_hand():
    table = table_of("M2 . . / * U W / B . .")
    city = table.area_of((-1, 0), "c1")
    assert (city.tiles, city.marks, city.open_ports, city.is_complete) == (2, 1, 2, False)
    assert city.unfinished_points == 3
    road = table.area_of((0, 0), "r1")
    assert (road.tiles, road.open_ports) == (3, 1)
    monastery = table.area_of((1, 0), "k1")
    assert (monastery.tiles, monastery.open_ports, monastery.points) == (3, 6, 3)


def test_c5_all_who_tie_for_most_own_an_area_and_nobody_an_empty_one():
    table = table_of("* U")
    assert table.area_of((0, 1), "r1").owners == []
    table.followers += [(0, (0, 1), "r1", "follower")]
    assert table.area_of((0, 0), "r1").owners == [0]
    table.followers += [(1, (0, 0), "r1", "follower")]
    assert table.area_of((0, 0), "r1").owners == [0, 1]
    table.followers += [(1, (0, 0), "r1", "follower")]
    assert table.area_of((0, 0), "r1").owners == [1]


@pytest.mark.parametrize(
    "rows, cell, field, cities",
    [
        ("* / .", (0, 0), "f1", 0),  # the city is open
        ("E2 / *", (0, 0), "f1", 1),
        ("E2 / *", (0, 0), "f2", 0),  # the south of D
        ("E2 / H / *", (-1, 0), "f1", 2),
        (". B / N2 E3 / * .", (-1, 0), "f1", 1),  # two tiles of one city
        ("P2 E3 / * .", (-1, 0), "f2", 0),
        ("P2 E3 / * .", (-1, 0), "f1", 1),
    ],
)
def test_c8_a_field_touches_completed_cities_each_once(rows, cell, field, cities):
    table = table_of(rows)
    assert len(table.cities_touched(table.area_of(cell, field))) == cities


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


# --- two to five at the table, one alone ------------------------------------------------------------------------------


def test_c10_the_turn_passes_to_the_next_seat():
    game = game_with("U U U U U", players=3)
    seats = []
    for column in range(1, 6):
        seats.append(game.player)
        lay(game, (0, column))
    assert seats == [0, 1, 2, 0, 1]
    assert (game.scores, game.supplies) == ([0, 0, 0], [7, 7, 7])


def test_c10_all_of_five_who_tie_for_most_own_an_area():
    table = OpenTable(FACES["D"], [*FACES.values()], players=5)
    table.followers += [(player, (0, 0), "r1", "follower") for player in (4, 2, 1, 2, 4)]
    area = table.area_of((0, 0), "r1")
    assert (area.followers, area.owners) == ([0, 1, 2, 0, 2], [2, 4])


@pytest.mark.parametrize(
    "scores, returns",
    [
        ([3], [0]),
        ([3, 2], [1, -1]),
        ([3, 3], [0, 0]),
        ([1, 3, 2], [-1 / 2, 1, -1 / 2]),
        ([3, 1, 3], [1 / 4, -1 / 2, 1 / 4]),
        ([2, 2, 2], [0, 0, 0]),
        ([5, 1, 5, 5, 0], [1 / 6, -1 / 4, 1 / 6, 1 / 6, -1 / 4]),
    ],
)
def test_c11_c12_a_shared_victory_counts_its_share(scores, returns):
    game = game_with("B", players=len(scores))
    assert game.returns() == [0] * len(scores)
    lay(game, (1, 0))
    game.scores = scores
    assert game.returns() == pytest.approx(returns)
    assert sum(returns) == pytest.approx(0)


# --- house rules ------------------------------------------------------------------------------------------------------

CLOSE = ((-1, 0), 2)  # where an E completes the city of the start tile: a C can be laid nowhere then


def test_h1_each_draws_ahead_and_a_tile_that_cannot_be_laid_leaves_the_game():
    game = game_with("E U C B V", draw_ahead=True)
    assert (game.tile, held(game), game.remaining) == ("E", [".", "U"], ["C", "B", "V"])
    lay(game, *CLOSE)
    assert (game.player, game.tile, held(game)) == (1, "U", ["C", "."])
    lay(game, (0, 1))
    assert (game.player, game.tile, held(game)) == (0, "V", [".", "B"])
    assert (game.discarded, game.turn["discarded"], game.remaining) == (["C"], ["C"], [])
    lay(game, (0, 2), 1)
    assert (game.player, game.tile, held(game)) == (1, "B", [".", "."])
    lay(game, (1, 0))
    assert (game.phase, len(game.turns)) == ("over", 4)


def test_h1_who_has_no_tile_is_passed_over():
    game = game_with("U U", players=3, draw_ahead=True)
    lay(game, (0, 1))
    lay(game, (0, 2))
    assert (game.phase, len(game.turns)) == ("over", 2)
    game = game_with("E C U", players=3, draw_ahead=True)
    lay(game, *CLOSE)
    assert (game.player, game.tile) == (2, "U")
    lay(game, (0, 1))
    assert [(turn["player"], turn["tile"], turn["discarded"]) for turn in game.turns] == [
        (0, "E", []),
        (1, None, ["C"]),
        (2, "U", []),
    ]


def test_h2_who_holds_three_chooses_one_that_can_be_laid():
    game = game_with("E U U B C V W X", hand="open")
    assert (game.phase, game.tile, held(game)) == ("choose", None, ["EUU", "BCV"])
    assert game.decisions() == [("choose", 0), ("choose", 1)]
    game.play(("choose", 0))
    assert (game.phase, game.tile, held(game)) == ("place", "E", [".UU", "BCV"])
    lay(game, *CLOSE)
    assert (game.player, held(game)) == (1, ["WUU", "BCV"])
    assert game.decisions() == [("choose", 0), ("choose", 2)]  # no city is open for the C
    game.play(("choose", 0))
    lay(game, (1, 0))
    assert (held(game), game.remaining) == (["WUU", "XCV"], [])
    game.play(("choose", 1))
    lay(game, (0, 1))
    assert (game.player, held(game), game.decisions()) == (1, ["W.U", "XCV"], [("choose", 0), ("choose", 2)])
    game.play(("choose", 2))
    lay(game, (0, 2), 1)
    game.play(("choose", 2))
    lay(game, (0, -1))
    assert (game.player, game.phase, game.tile, held(game)) == (1, "place", "X", ["W..", ".C."])  # the C cannot be laid


def test_h2_a_hand_of_which_nothing_can_be_laid_leaves_the_game_whole():
    game = game_with("E B B C C C U C C C U", hand="hidden")
    game.play(("choose", 0))
    lay(game, *CLOSE)
    assert (game.player, game.phase, game.tile, held(game)) == (1, "place", "U", ["UBB", "..."])
    assert (game.turn["discarded"], game.remaining) == (["C"] * 6, [])


def test_h3_a_tile_that_cannot_be_laid_goes_back_and_the_first_that_can_is_drawn():
    game = game_with("E C C V B U", back_into_bag=True, shake=lambda bag: bag[::-1])
    lay(game, *CLOSE)
    assert (game.player, game.tile, game.turn["put_back"], game.discarded) == (1, "V", ["C", "C"], [])
    assert game.remaining == ["U", "B", "C", "C"]
    lay(game, (0, 1), 1)
    assert (game.player, game.tile, "put_back" in game.turn) == (0, "U", False)
    lay(game, (0, -1))
    lay(game, (1, 0))
    assert (game.phase, game.remaining, game.discarded, len(game.turns)) == ("over", ["C", "C"], [], 4)
    assert [turn.get("put_back") for turn in game.turns] == [None, ["C", "C"], None, None]


def test_h3_a_tile_drawn_ahead_goes_to_the_front_of_the_bag():
    game = game_with("E C U C B V", draw_ahead=True, players=3, back_into_bag=True, shake=lambda bag: bag[::-1])
    lay(game, *CLOSE)
    assert (game.player, game.tile, held(game)) == (1, "B", ["C", ".", "U"])
    assert (game.turn["put_back"], game.remaining) == (["C"], ["V", "C"])
    game = game_with("E C", draw_ahead=True, back_into_bag=True)
    lay(game, *CLOSE)
    assert (game.phase, game.remaining, held(game), len(game.turns)) == ("over", ["C"], [".", "."], 1)
    game = game_with("E C U", draw_ahead=True, back_into_bag=True, players=3)
    lay(game, *CLOSE)
    assert (game.phase, held(game)) == ("over", [".", ".", "U"])


def test_h3_a_hand_that_cannot_be_laid_goes_back_until_something_can_be_laid():
    shaken = []
    game = game_with(
        "U U U B E F V W",  # on three cells in a row, only what has a road can be laid
        hand="open",
        back_into_bag=True,
        table=(1, 3),
        shake=lambda bag: shaken.append(bag) or bag[::-1],
    )
    lay(game, (0, 1))
    assert (game.player, game.phase, game.tile, held(game)) == (1, "place", "W", ["VUU", ".BE"])
    assert (shaken, game.turn["put_back"], game.remaining) == ([["F", "E", "B", "W"]], ["B", "E", "F"], ["F"])
    game = game_with("U U U B E F V", hand="open", back_into_bag=True, table=(1, 3))
    lay(game, (0, 1))
    assert (game.phase, held(game), game.remaining) == ("over", ["VUU", "..."], ["F", "E", "B"])
    game = game_with("E B B C C C C C V", hand="open", back_into_bag=True, shake=lambda bag: bag[1:] + bag[:1])
    game.play(("choose", 0))
    lay(game, *CLOSE)
    assert (game.tile, held(game), game.remaining) == ("V", ["CBB", "CC."], ["C", "C"])
    assert game.turn["put_back"] == ["C", "C", "C"]  # twice, but named once


def test_h4_the_first_tile_drawn_is_laid_in_the_middle():
    game = game_with("B E D V", start_in_bag=True)
    assert (game.board, game.tile, game.player) == ({(0, 0): ("B", 0)}, "E", 0)
    assert game.record()["start"] == "B" and game.record()["rules"] == {"start_in_bag": True}
    game = game_with("B E U V", start_in_bag=True, draw_ahead=True)
    assert (game.board, game.tile, held(game)) == ({(0, 0): ("B", 0)}, "E", [".", "U"])


#  0,-1  *   0,1       the last of them fills the hole south of the start tile
#  1,-1  ?   1,1
#       2,0  2,1
HOLE = ((0, 1), (1, 1), (0, -1), (1, -1), (2, 1), (2, 0), (1, 0))


@pytest.mark.parametrize(
    "later, house, player",
    [
        ("V V V", {"hole_plays_again": True}, 0),
        ("V V V", {}, 1),
        ("V V V", {"hole_plays_again": True, "draw_ahead": True}, 0),
        ("V V", {"hole_plays_again": True, "draw_ahead": True}, 1),  # he has none: passed over
        ("V V", {"hole_plays_again": True, "table": (5, 5)}, 0),
    ],
)
def test_h5_who_fills_a_hole_takes_another_turn(later, house, player):
    game = game_with(f"U B U B B B B {later}", players=3, **house)
    for number, cell in enumerate(HOLE):
        assert game.player == number % 3
        lay(game, cell)
    assert game.player == player
    lay(game, (0, 2), 1)
    assert game.player == player + 1


def test_h5_the_edge_is_no_neighbour():
    game = game_with("U U U", hole_plays_again=True, table=(1, 5))
    lay(game, (0, 1))
    assert game.player == 1


@pytest.mark.parametrize(
    "house, roads",
    [({}, [{"player": 1, "reason": "unfinished road", "points": 2}]), ({"unfinished_pays_nothing": True}, [])],
)
def test_h6_what_is_unfinished_pays_nothing_and_fields_pay(house, roads):
    game = game_with("E U", **house)
    lay(game, *CLOSE, "f1")
    lay(game, (0, 1), 0, "r1")
    assert game.end_entries() == [{"player": 0, "reason": "field", "points": 3}, *roads]
    assert [game.end_worth(area, 1) for area in game.areas() if area.owners == [1]] == [
        None if house else ("unfinished road", 2)
    ]


def test_h7_nothing_can_be_laid_beyond_the_edge_and_what_runs_into_it_stays_open():
    game = game_with("U A U B", table=(1, 3))
    assert game.decisions() == [("place", (0, column), rotation) for column in (-1, 1) for rotation in (0, 2)]
    lay(game, (0, 1), 0, "r1")
    assert game.decisions() == [("place", (0, -1), 3)]
    lay(game, (0, -1), 3, "k1")
    assert (game.phase, game.discarded) == ("over", ["U", "B"])
    road, monastery = (game.table.area_of(cell, name) for cell, name in (((0, 0), "r1"), ((0, -1), "k1")))
    assert (road.tiles, road.open_ports, monastery.tiles, monastery.open_ports) == (3, 1, 2, 7)
    assert game.scores == [3, 2]


def test_h8_the_edge_closes_what_runs_into_it():
    game = game_with("U A U B", table=(1, 3), edges_complete=True)
    assert game.table.area_of((0, 0), "c1").is_complete
    lay(game, (0, 1), 0, "r1")
    lay(game, (0, -1), 3, "k1")
    assert [
        (entry["player"], entry["feature"], entry["tiles"], entry["points"]) for entry in game.turns[1]["scored"]
    ] == [
        (0, "road", 3, 3),
        (1, "monastery", 2, 2),
    ]
    assert (game.phase, game.scores, game.end_entries()) == ("over", [3, 2], [])


@pytest.mark.parametrize(
    "letters, cells, house, points",
    [
        ("E", [CLOSE], {}, 4),
        ("E", [CLOSE], {"small_city": True}, 2),
        ("M", [CLOSE], {"table": (3, 1), "edges_complete": True}, 6),  # with a shield
        ("M", [CLOSE], {"table": (3, 1), "edges_complete": True, "small_city": True}, 3),
        ("G E", [((-1, 0), 1), ((-2, 0), 2)], {"small_city": True}, 6),
    ],
)
def test_h9_a_city_of_two_tiles_pays_one_a_tile_and_one_a_shield(letters, cells, house, points):
    game = game_with(letters, players=1, **house)
    lay(game, *cells[0], "c1")
    for cell in cells[1:]:
        lay(game, *cell)
    assert (game.scores, game.end_entries()) == ([points], [])


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
