"""The box of Carcassonne, and how its games are written down (rules C1, C2, C9)."""

import json
from collections import Counter

import pytest

from tests.support.drawn_table import DrawnTable
from tests.support.games import few, finish
from tests.support.lockstep import OPEN_TABLES, box_of, follow
from tests.support.record_checker import check_record
from zamek_env import Game

pytestmark = pytest.mark.plays("carcassonne")
rule = pytest.mark.rule
in_every_ruleset = pytest.mark.parametrize("ruleset", OPEN_TABLES)

#  letter: sides N E S W, tiles in the set of 72, tiles in the demo, shields, monasteries, cities, roads, fields
TILES = {
    "A": ("FFRF", 2, 1, 0, 1, 0, 1, 1),
    "B": ("FFFF", 4, 2, 0, 1, 0, 0, 1),
    "C": ("CCCC", 1, 0, 1, 0, 1, 0, 0),
    "D": ("CRFR", 4, 4, 0, 0, 1, 1, 2),
    "E": ("CFFF", 5, 2, 0, 0, 1, 0, 1),
    "F": ("FCFC", 2, 2, 1, 0, 1, 0, 2),
    "G": ("FCFC", 1, 1, 0, 0, 1, 0, 2),
    "H": ("CFCF", 3, 2, 0, 0, 2, 0, 1),
    "I": ("CFFC", 2, 2, 0, 0, 2, 0, 1),
    "J": ("CRRF", 3, 2, 0, 0, 1, 1, 2),
    "K": ("CFRR", 3, 2, 0, 0, 1, 1, 2),
    "L": ("CRRR", 3, 3, 0, 0, 1, 3, 3),
    "M": ("CFFC", 2, 0, 1, 0, 1, 0, 1),
    "N": ("CFFC", 3, 4, 0, 0, 1, 0, 1),
    "O": ("CRRC", 2, 2, 1, 0, 1, 1, 2),
    "P": ("CRRC", 3, 1, 0, 0, 1, 1, 2),
    "Q": ("CCFC", 1, 1, 1, 0, 1, 0, 1),
    "R": ("CCFC", 3, 0, 0, 0, 1, 0, 1),
    "S": ("CCRC", 2, 2, 1, 0, 1, 1, 2),
    "T": ("CCRC", 1, 1, 0, 0, 1, 1, 2),
    "U": ("FRFR", 8, 4, 0, 0, 0, 1, 2),
    "V": ("FFRR", 9, 5, 0, 0, 0, 1, 2),
    "W": ("FRRR", 4, 3, 0, 0, 0, 3, 3),
    "X": ("RRRR", 1, 0, 0, 0, 0, 4, 4),
    "Y": ("CFRF", 0, 1, 0, 0, 1, 1, 2),
    "Z": ("FRFR", 0, 1, 0, 1, 0, 2, 2),
}
OF_72, OF_48 = 1, 2


def set_of(ruleset):
    """Return {letter: how many there are} of all tiles of a game, the start tile among them."""
    column = OF_48 if ruleset == "carcassonne-demo" else OF_72
    return Counter({letter: row[column] for letter, row in TILES.items()})


# --- tiles ---


@rule("C1")
@pytest.mark.parametrize("ruleset, number", [("carcassonne-demo", 48), ("carcassonne", 72)])
def test_there_are_48_tiles_in_the_demo_and_72_in_the_base_game(ruleset, number):
    table = Game(ruleset, seed=0).position()
    tiles = Counter([tile for tile, _ in table.board.values()]) + Counter(table.remaining) + Counter([table.tile])
    assert tiles == set_of(ruleset)
    assert tiles.total() == number


@rule("C1", "C8")
def test_the_farmers_are_switched_off_with_the_same_tiles():
    decks = [Game(ruleset, seed=0).ruleset.components.tiles for ruleset in ("carcassonne", "carcassonne-no-farmers")]
    assert decks[0] == decks[1]


@rule("C1")
@in_every_ruleset
def test_every_letter_shows_what_the_table_of_the_rules_says(ruleset):
    components = Game(ruleset, seed=0).ruleset.components
    for tile in components.tiles:
        sides, _, _, shields, monasteries, cities, roads, fields = TILES[tile.id]
        names = Counter(segment.feature for segment in tile.segments)
        assert names == +Counter(city=cities, road=roads, monastery=monasteries, field=fields)
        assert sum(segment.marks for segment in tile.segments) == shields
        at = {port: segment.name[0].upper() for segment in tile.segments for port in segment.ports}
        assert "".join(at.get(3 * side + 1, at[3 * side]) for side in range(4)) == sides


@rule("C1")
@in_every_ruleset
def test_the_start_tile_is_one_of_four_d_and_lies_in_the_middle_as_it_is(ruleset):
    game = Game(ruleset, seed=0)
    assert game.position().board == {(0, 0): ("D", 0)}
    assert game.ruleset.components.start_tile.id == "D"
    assert [tile.id for tile in game.ruleset.components.tiles].count("D") == 3


@rule("C1")
@in_every_ruleset
def test_the_other_tiles_are_drawn_at_random(ruleset):
    decks = {tuple(Game(ruleset, seed=seed).state[0].deck.tolist()) for seed in range(20)}
    assert len(decks) == 20
    assert all(sorted(deck) == list(range(set_of(ruleset).total() - 1)) for deck in decks)
    assert len({Game(ruleset, seed=seed).observe(0)["vector"].tobytes() for seed in range(100)}) > 10


# --- followers ---


@rule("C2")
@pytest.mark.parametrize(
    "ruleset, followers", [("carcassonne-demo", 5), ("carcassonne", 7), ("carcassonne-no-farmers", 7)]
)
def test_each_player_has_five_followers_in_the_demo_and_seven_in_the_base_game(ruleset, followers):
    table = Game(ruleset, seed=0).position()
    assert table.supplies == (followers, followers)
    assert table.scores == (0, 0)
    assert table.followers == ()
    assert table.player == 0
    assert table.pieces == ((), ())


# --- records ---

# Both players have a follower in a city of three tiles that the last tile completes; two roads and a field are left.
SHARED_CITY = """
    0: E at 1,0 turned 1, knight on c1
    1: U at 0,1, thief on r1
    0: U at 0,2
    1: E at 1,2 turned 3, knight on c1
    0: G at 1,1
"""


def record_of(table):
    """Return the record of a game as it comes back from a file, checked by the rules."""
    record = json.loads(json.dumps(table.game.record()))
    check_record(record, table.twin)
    return record


@rule("C9")
def test_a_record_counts_cells_from_the_start_tile_and_names_tiles_by_their_letters():
    record = record_of(DrawnTable("N E").play("0: N at -1,0 turned 2, knight on c1"))
    assert record["turns"] == [
        {
            "player": 0,
            "discarded": [],
            "tile": "N",
            "cell": [-1, 0],
            "rotation": 2,
            "follower": {"segment": "c1", "piece": "follower"},
            "scored": [],
            "extra_turn": False,
        }
    ]
    assert record["tokens"] == {}
    assert record["finished"] is False


@rule("C5", "C9")
def test_a_record_has_an_entry_for_each_player_who_scores_a_tied_area():
    record = record_of(DrawnTable("E U U E G").play(SHARED_CITY))
    scored = record["turns"][-1]["scored"]
    assert [entry["player"] for entry in scored] == [0, 1]
    for entry in scored:
        assert entry["at"][2] == "c1"
        del entry["player"], entry["at"]
        assert entry == {
            "feature": "city", "tiles": 3, "points": 6, "token": None, "score": 6, "took": None, "nests": 0
        }  # fmt: skip


@rule("C9")
def test_a_record_counts_the_neighbours_of_a_monastery_as_its_tiles():
    table = DrawnTable("B", laid="U * U \n E3 . E1 \n E2 E2 E2").play("1: B at 1,0, monk on k1")
    scored = record_of(table)["turns"][-1]["scored"]
    assert [(entry["feature"], entry["tiles"], entry["points"]) for entry in scored] == [("monastery", 9, 9)]


@rule("C8", "C9")
@pytest.mark.parametrize(
    "ruleset, head",
    [
        ("carcassonne-demo", ("carcassonne-demo", None)),
        ("carcassonne", ("carcassonne", None)),
        ("carcassonne-no-farmers", ("carcassonne", False)),
        ("carcassonne-bga", ("carcassonne-bga", None)),
        ("carcassonne-hand", ("carcassonne-hand", None)),
    ],
)
def test_a_record_says_where_farmers_are_switched_off(ruleset, head):
    game = Game(ruleset, seed=0)
    record = game.record()
    assert (record["ruleset"], record.get("farmers")) == head
    assert Game.replay(record).ruleset.name == ruleset


@rule("C6", "C8", "C9")
@pytest.mark.parametrize("ruleset", OPEN_TABLES)
def test_the_end_of_a_record_names_what_is_paid(ruleset):
    found = set()
    for seed in range(few(3, 3)):
        game = finish(Game(ruleset, seed=seed), seed)
        record = json.loads(json.dumps(game.record()))
        check_record(record, follow(game))
        found |= {entry["reason"] for entry in record["end"]}
    with_farmers = {"field"} if box_of(ruleset).rules.farmers else set()
    assert found == {"unfinished road", "unfinished city", "unfinished monastery"} | with_farmers
