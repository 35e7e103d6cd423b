"""Games from Board Game Arena and JCloisterZone: what is read, compared, refused, and written."""

import json
import re
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from tests.support.archives import PEOPLE, flatten, list_moves, write_archive
from tests.support.games import few, finish
from tests.support.hostile.spoiling import spoil
from zamek_env import Game
from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.interchange import ImportedGameError, bga, import_games, jcz, to_jcz
from zamek_env.ruleset import get_ruleset
from zamek_scripts import cli, convert

pytestmark = pytest.mark.plays("carcassonne")

WITH_DISCARD = 3  # of the games of people
FORMS = {
    "as it is": {}, "numbers as texts": {"as_text": True}, "seen by others": {"private": False},
    "discards not told": {"discards": False},
}  # fmt: skip


def as_bytes(value):
    return json.dumps(value).encode()


def take(value, **options):
    """The only game of a JSON value."""
    (game,) = import_games(as_bytes(value), **options)
    return game


# --- Board Game Arena ---


@pytest.mark.parametrize(
    ("number", "form"),
    [*((number, "as it is") for number in range(len(PEOPLE))), *((WITH_DISCARD, form) for form in [*FORMS][1:])],
)
def test_an_archive_in_any_form_agrees_with_the_rules(number, form):
    people, moves = PEOPLE[number], list_moves(PEOPLE[number])
    taken = take(write_archive(people, **FORMS[form]))
    assert taken.problem is None and taken.names == ("name 0", "name 1")
    assert taken.game.is_terminal and people["final"] in (None, list(taken.game.scores))
    assert taken.game.history == Game.from_moves("carcassonne", moves).history
    turns = len(people["turns"])
    paid = sum(len(turn.get("paid", ())) for turn in people["turns"]) + len(people["end"] or ())
    compared = taken.compared
    assert (compared.placements, compared.payments) == (turns, paid)
    assert (compared.lists, compared.results) == ((turns, 2) if people["final"] else (0, 0))


def test_a_flat_list_of_moves_gives_the_same_game():
    archive = write_archive(PEOPLE[WITH_DISCARD])
    taken, due = take(flatten(archive)), take(archive)
    assert taken.game.record() == due.game.record()
    assert (taken.compared.lists, taken.compared.payments, taken.compared.results) == (0, 0, 0)


def rewrap(archive, how):
    packets = archive["data"]["data"]
    if how == "logs":
        return {"status": 1, "data": {"logs": packets}}
    if how == "numbered":
        return {str(number): packet for number, packet in enumerate(packets, 1)}
    if how == "packets":
        return packets
    for packet in packets:
        for event in packet["data"]:
            event["args"] = [event["args"]]
    return archive


def test_an_archive_may_be_wrapped_otherwise():
    archive = write_archive(PEOPLE[0])
    due = take(archive).game.record()
    for how in ("logs", "numbered", "packets", "arguments in lists"):
        assert take(rewrap(archive, how)).game.record() == due, how


def test_a_discard_of_which_nothing_is_told_breaks_the_game_off():
    archive = write_archive(PEOPLE[WITH_DISCARD], private=False, discards=False)
    archive["data"]["data"] = [p for p in archive["data"]["data"] if p["data"][0]["type"] != "gameStateChange"]
    with pytest.raises(ImportedGameError, match=r"^the game breaks off after turn 70: nothing is told of C$"):
        take(archive)
    taken = take(archive, partial=True)
    assert not taken.game.is_terminal and len(taken.game.record()["turns"]) == 70


def events_of(archive, kind):
    return [event["args"] for packet in archive["data"]["data"] for event in packet["data"] if event["type"] == kind]


def change(archive, kind, number, **values):
    events_of(archive, kind)[number].update(values)


DISAGREEMENTS = {
    "placed elsewhere": (lambda a: change(a, "playTile", 5, x=9), 6, r"the file says V@-2,9E, the rules say .*illegal"),
    "placed far away": (
        lambda a: change(a, "playTile", 5, x=50), 6, r"V@-2,50E, the rules say the tile cannot be placed there"),
    "turned otherwise": (lambda a: change(a, "playTile", 5, ori=1), 6, r"the file says V@-2,2N, the rules say .*shows"),
    "sent elsewhere": (lambda a: change(a, "playPartisan", 0, pos=1), 1, "the rules say nobody is paid"),
    "a place more": (
        lambda a: events_of(a, "gameStateChange")[3]["args"]["spots"].pop(), 2,
        "the file says a follower may go to .*, the rules say c1, f1, f2, r1"),
    "paid too much": (
        lambda a: events_of(a, "realizationAchieved")[0]["tile_to_value"].update({"36": 3}), 1,
        "the file says 5 points to player 0 for the city at -1,0 0,0, the rules say 4 points"),
    "paid to the other": (
        lambda a: change(a, "realizationAchieved", 1, winners=[9002]), 5, "the file says 2 points to player 1 for the"),
    "not paid": (
        lambda a: change(a, "realizationAchieved", 1, winners=[]), 5,
        "the file says nothing of it, the rules say 2 points to player 0 for the road at"),
    "other score": (lambda a: change(a, "winPoints", 0, score=5), 1, "the file says player 0 has 5 points then"),
    "other player": (lambda a: change(a, "playTile", 2, player_id="9002"), 3, "that another player is to place K"),
    "other tile": (lambda a: change(a, "playTile", 2, type=13), 3, "that the player is to place K, and then that J"),
}  # fmt: skip


@pytest.mark.parametrize("what", DISAGREEMENTS)
def test_a_disagreement_is_told_with_its_turn_and_what_came_before_can_be_kept(what):
    spoilt, turn, said = DISAGREEMENTS[what]
    archive = write_archive(PEOPLE[0])
    spoilt(archive)
    place = rf"after turn {turn - 1}: .*" if "and then" in said or "is to place" in said else f"turn {turn}: .*"
    with pytest.raises(ImportedGameError, match=f"^{place}{said}") as raised:
        take(archive)
    assert "\n" not in str(raised.value)
    if turn == 1:
        with pytest.raises(ImportedGameError):
            take(archive, partial=True)
    else:
        taken = take(archive, partial=True)
        assert taken.problem == str(raised.value)
        record = taken.game.record()
        assert len(record["turns"]) == turn - 1 and record["finished"] is False


@pytest.mark.parametrize("turn, pos, said", [(27, 1, "nobody can be sent (C3)"), (2, 9, "tile P has no position 9")])
def test_a_follower_who_cannot_be_sent_is_told(turn, pos, said):
    moves = flatten(write_archive(PEOPLE[0], private=False))
    at = [number for number, move in enumerate(moves) if move["type"] == "playTile"][turn - 1]
    moves.insert(at + 1, {"type": "playPartisan", "position": pos})
    with pytest.raises(ImportedGameError, match=f"turn {turn}: .*{re.escape(said)}"):
        take(moves)


def test_a_result_that_is_another_is_told():
    archive = write_archive(PEOPLE[0])
    change(archive, "winPoints", -1, score=1)
    with pytest.raises(ImportedGameError, match=r"^the file says player 1 has 1 point then, the rules say 70"):
        take(archive)


def test_a_discarded_tile_that_fits_is_told():
    archive = write_archive(PEOPLE[WITH_DISCARD])
    packets = archive["data"]["data"]
    at = next(number for number, packet in enumerate(packets) if packet["data"][0]["type"] == "cantPlay")
    packets.insert(6, packets.pop(at))
    with pytest.raises(ImportedGameError, match=r"^turn \d+: the file says C is discarded, the rules say it fits some"):
        take(archive)


def six_players(archive):
    for number in range(2, 6):
        change(archive, "playTile", number, player_id=f"900{number + 1}")


UNSUPPORTED = {
    "expansion": (lambda a: change(a, "playTile", 4, type=25), "after turn 4: playTile, type: 25 is none of the 72"),
    "six players": (six_players, "6 play; only games of 2 to 5 are supported"),
    "follower on another tile": (lambda a: change(a, "playPartisan", 3, id=36), "it goes to another tile than the one"),
    "other features": (
        lambda a: change(a, "realizationAchieved", 0, real_type="garden"), "real_type: 'garden' is not supported"),
    "no such position": (lambda a: change(a, "playPartisan", 0, pos=8), "playPartisan, pos: tile H has no position 8"),
    "no number": (lambda a: change(a, "playTile", 0, x=None), "playTile, x: must be a whole number, not null"),
    "a number as words": (lambda a: change(a, "playTile", 0, x="a"), "playTile, x: must be a whole number, not 'a'"),
    "no orientation": (lambda a: change(a, "playTile", 0, ori=0), "playTile, ori: must lie in 1 to 4, not 0"),
    "a stranger": (lambda a: change(a, "winPoints", 0, player_id=5), "winPoints: player 5 has placed no tile"),
    "paid for what was not placed": (
        lambda a: events_of(a, "realizationAchieved")[0]["tile_to_value"].update({"1": 3}), "1 is paid, which was not"),
    "tiles that are not there": (
        lambda a: [args.update(type=19) for args in events_of(a, "playTile")], "X was drawn before|is to place"),
}  # fmt: skip


@pytest.mark.parametrize("what", UNSUPPORTED)
def test_what_is_not_supported_is_said_in_one_line(what):
    spoilt, said = UNSUPPORTED[what]
    archive = write_archive(PEOPLE[0])
    spoilt(archive)
    with pytest.raises(ImportedGameError, match=said) as raised:
        take(archive)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "content, said",
    [
        (b"", "it is empty"),
        (b"\xff\xfe\x00", "it must be text in UTF-8, not packed"),
        (b"nothing", "it is no JSON"),
        (b"{}", "it is no archive of Board Game Arena, no saved game of JCloisterZone 5 and no record of the format"),
        (b"[]", "it is no archive"),
        (b'"text"', "it is no archive"),
        (b'{"a": 1, "a": 2}', "it is no JSON"),
        (b"[" * 100_000, "it is no JSON"),
        (b'{"data": {"data": [{"data": [{"type": "x", "args": []}]}]}}', "the file tells of no placement"),
        (b'{"format": "castle-record/1"}', "CastleCards.replay replays such a record"),
        (b'{"format": 3}', "record, format: must be a text, not 3"),
    ],
)
def test_what_holds_no_game_is_refused(content, said):
    with pytest.raises(ImportedGameError, match=said) as raised:
        import_games(content)
    assert "\n" not in str(raised.value)


def test_text_is_refused():
    with pytest.raises(TypeError, match=r"content must be bytes, as pathlib.Path.read_bytes returns them, not '{}'"):
        import_games("{}")


def test_a_file_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr("zamek_env.interchange.LARGEST", 10)
    with pytest.raises(ImportedGameError, match="it is larger than 0 MB"):
        import_games(b" " * 11)


# --- the numbers of Board Game Arena ---


@pytest.fixture(scope="module")
def archives():
    return [as_bytes(write_archive(people)) for people in PEOPLE]


def agree(archives):
    """Whether all games agree with the rules."""
    try:
        return all(import_games(content) for content in archives)
    except ImportedGameError:
        return False


ROUND = {"B": [1, 2, 3], "C": [1, 2, 3]}  # tiles that look the same however they are turned
OPEN_TURNS = {"G": [2]}  # what the games leave open: so turned its fields change places
OPEN_POSITIONS = {"T": [(3, 4)], "G": [(2, 3)], "X": [(3, 4), (5, 7)]}


@pytest.mark.parametrize("tile", bga.TILES)
@pytest.mark.long
def test_the_games_of_people_show_how_each_tile_lies(tile, archives, monkeypatch):
    other = []
    for turn in range(1, NUM_ROTATIONS):
        monkeypatch.setitem(bga.TURNED, tile, bga.TURNED.get(tile, 0) + turn)
        if agree(archives):
            other.append(turn)
        monkeypatch.undo()
    assert other == (ROUND | OPEN_TURNS).get(tile, [])


@pytest.mark.parametrize("tile", bga.TILES)
@pytest.mark.long
def test_the_games_of_people_show_which_position_is_which_segment(tile, archives, monkeypatch):
    segments, other = bga.POSITIONS[tile], []
    assert sorted(set(segments) - {"-"}) == sorted(each.name for each in find_tile(tile).segments)
    for first, second in combinations(range(len(segments)), 2):
        if segments[first][0] == segments[second][0]:
            changed = segments.copy()
            changed[first], changed[second] = changed[second], changed[first]
            monkeypatch.setitem(bga.POSITIONS, tile, changed)
            if agree(archives):
                other.append((first + 1, second + 1))
            monkeypatch.undo()
    assert other == OPEN_POSITIONS.get(tile, [])


def find_tile(name):
    return next(tile for tile in get_ruleset("carcassonne").components.tiles if tile.id == name)


def test_ids_number_the_copies_of_each_type():
    assert [bga._find_tile_of_id({"id": number}, "id", "") for number in (1, 2, 3, 36, 39, 57, 61, 68, 72)] == [
        "T", "S", "S", "D", "D", "W", "X", "C", "Q",
    ]  # fmt: skip
    with pytest.raises(ImportedGameError, match="73 is none of the 72 tiles"):
        bga._find_tile_of_id({"id": 73}, "id", "")


# --- JCloisterZone ---

SEGMENTS = {  # of its 24 tiles, as they lie before they are turned: monastery, roads, cities; fields
    "BA/L": "I; NL.NR.EL.ER.SL.SR.WL.WR", "BA/LR": "I S; NL.NR.EL.ER.SL.SR.WL.WR",
    "BA/RCr": "WE N; EL.WR ER.SL.SR.WL", "BA/Cccc+": "NWSE;", "BA/CccR+": "S _S; SL SR", "BA/CccR": "S _S; SL SR",
    "BA/CFc+": "WE; NL.NR SL.SR", "BA/CFc.1": "WE; NL.NR SL.SR", "BA/Cc.1": "NW; EL.ER.SL.SR",
    "BA/Cc+": "NW; EL.ER.SL.SR", "BA/CcRr": "SE NW; EL.SR ER.SL", "BA/CcRr+": "SE NW; EL.SR ER.SL",
    "BA/Ccc": "_S; SL.SR", "BA/Ccc+": "_S; SL.SR", "BA/CRr": "SE N; EL.SR.WL.WR ER.SL",
    "BA/CRRR": "E S W N; EL.WR SR.WL ER.SL", "BA/RrC": "SW N; EL.ER.SL.WR SR.WL", "BA/C": "N; EL.ER.SL.SR.WL.WR",
    "BA/CFC.2": "N S; EL.ER.WL.WR", "BA/CC.2": "N W; EL.ER.SL.SR", "BA/RRRR": "N E S W; NL.WR NR.EL ER.SL SR.WL",
    "BA/RRR": "E S W; NL.NR.EL.WR ER.SL SR.WL", "BA/Rr": "SW; NL.NR.EL.ER.SL.WR SR.WL",
    "BA/RFr": "WE; NL.NR.EL.WR ER.SL.SR.WL",
}  # fmt: skip


@pytest.mark.parametrize("theirs", SEGMENTS)
def test_our_tiles_lie_as_those_of_jcloisterzone(theirs):
    named = jcz.name_segments(find_tile(jcz.TILES[theirs]), 0)
    assert sorted(named.values()) == sorted(SEGMENTS[theirs].replace(";", "").split())
    assert len(set(named.values())) == len(named)


def test_segments_turn_with_their_tile():
    named = jcz.name_segments(find_tile("D"), 1)
    assert (named["c1"], named["r1"]) == ("E", "NS")
    assert {named["f1"], named["f2"]} == {"NR.SL", "NL.SR.WL.WR"}


@pytest.mark.parametrize("ruleset", ["carcassonne", "carcassonne-no-farmers"])
@pytest.mark.parametrize("seed", range(few(6, 1)))
def test_what_is_written_for_jcloisterzone_reads_back_equal(ruleset, seed):
    record = finish(Game(ruleset, seed=seed), seed).record(players=("Ann", "Bob")) | {"seed": None}
    saved = json.loads(json.dumps(to_jcz(record)))
    taken = take(saved)
    assert taken.game.record(taken.names) == record
    sent = Counter(turn["follower"] is not None for turn in record["turns"])
    kinds = Counter(message["type"] for message in saved["replay"])
    assert kinds["DEPLOY_MEEPLE"] == sent[True] and kinds["PLACE_TILE"] == kinds["COMMIT"]
    assert all(message["payload"].get("meepleId", "0.small.1")[-1] in "1234567" for message in saved["replay"])


@pytest.mark.compiles
@pytest.mark.parametrize("players, rules", [(1, None), (3, None), (5, {"small_city": True})])
def test_any_number_of_players_and_small_cities_go_to_jcloisterzone_and_back(players, rules):
    record = finish(Game("carcassonne", seed=2, players=players, rules=rules), 2).record() | {"seed": None}
    saved = json.loads(json.dumps(to_jcz(record)))
    taken = take(saved)
    assert taken.game.record(taken.names) == record
    assert saved["setup"]["rules"] == ({"tiny-city-scoring": "2"} if rules else {})
    assert {turn["player"] for turn in record["turns"]} == set(range(players))


@pytest.mark.compiles
def test_other_house_rules_do_not_go_to_jcloisterzone():
    game = Game("carcassonne", seed=2, rules={"small_city": True, "table": [9, 9]})
    with pytest.raises(ValueError, match=r"^JCloisterZone has no house rules but small_city, not .*table=9x9"):
        to_jcz(game.record())


@pytest.mark.compiles
def test_an_archive_of_three_is_read():
    """Of the moves of people the placements alone, taken in turns by three."""
    moves, events = [move for move in list_moves(PEOPLE[0]) if "@" in move], []
    game = Game.from_moves("carcassonne", [*moves, "-"], players=3)
    for number, turn in enumerate(PEOPLE[0]["turns"]):
        kind, x, y, ori, _ = turn["bga"]
        who = {"player_id": str(7 + number % 3), "player_name": f"name {number % 3}"}
        events.append({"type": "playTile", "args": {"x": x, "y": y, "ori": ori, "type": kind} | who})
    packets = [{"channel": "/table/t1", "data": [event]} for event in events]
    taken = take({"data": packets})
    assert taken.names == ("name 0", "name 1", "name 2") and taken.compared.placements == len(moves)
    assert taken.game.record() == game.record() and taken.game.num_players == 3


@pytest.mark.parametrize("number", [0, WITH_DISCARD])
def test_games_of_people_go_to_jcloisterzone_and_back(number):
    record = take(write_archive(PEOPLE[number])).game.record()
    assert take(to_jcz(record)).game.record() == record


def test_a_game_in_progress_goes_as_far_as_it_came():
    game = Game("carcassonne", seed=3)
    for action in finish(Game("carcassonne", seed=3), 3).history[:30]:
        game.step(action)
    saved = to_jcz(game.record())
    with pytest.raises(ImportedGameError, match=r"breaks off after turn \d+: nothing is told of \d+ tiles"):
        take(saved)
    assert take(saved, partial=True).game.record()["turns"] == game.record()["turns"]


def test_only_carcassonne_goes_to_jcloisterzone():
    with pytest.raises(ValueError, match=r"JCloisterZone has the rules of carcassonne .* not of zamek"):
        to_jcz(finish(Game("zamek", seed=1), 1).record())


def saved_game(*moves, **more):
    """A saved game of JCloisterZone: (type, payload) of messages."""
    start = {"tile": "BA/RCr", "x": 0, "y": 0, "rotation": 0}
    elements = {"small-follower": 7, "farmers": True}
    return {
        "appVersion": "5.7.0",
        "setup": {"sets": {"basic:1": 1}, "elements": elements, "rules": {}, "start": [start]},
        "players": [{"name": "Ann", "slot": 0}, {"name": "Bob", "slot": 1}],
        "replay": [{"type": kind, "payload": payload} for kind, payload in moves],
    } | more


def place(tile, rotation, x, y):
    return "PLACE_TILE", {"tileId": tile, "rotation": f"R{rotation}", "position": [x, y]}


def send(x, y, feature, location, meeple):
    pointer = {"position": [x, y], "feature": feature, "location": location}
    return "DEPLOY_MEEPLE", {"pointer": pointer, "meepleId": meeple}


COMMIT = ("COMMIT", {"random": 0.0})
FARM = (
    place("BA/C", 180, 0, -1), send(0, -1, "Field", "NL.NR.EL.ER.WL.WR", "0.small.1"), COMMIT,
    place("BA/CFC.2", 90, 0, -2), ("PASS", {}), COMMIT,
)  # fmt: skip


@pytest.mark.parametrize(
    "points, problem", [(3, "breaks off after turn 2"), (4, "the file says player 0 has 4 points")]
)
def test_a_claim_of_the_result_is_compared_where_the_game_was_ended(points, problem):
    claims = {"test": {"assertions": [f"Ann has {points} points", "Bob has 0 points", "Ann is happy"]}}
    notes = {"gameAnnotations": {"drawOrder": ["BA/C", "BA/CFC.2"], "endTurn": 2}}
    taken = take(saved_game(*FARM, **claims, **notes), partial=True)
    assert problem in taken.problem and taken.names == ("Ann", "Bob")
    assert taken.compared.results == (2 if points == 3 else 0)


REFUSED = {
    "expansion": (lambda s: s["setup"]["sets"].update({"river:1": 1}), "setup, sets: only .* is supported"),
    "other edition": (lambda s: s["setup"].update(sets={"basic:2": 1}), "setup, sets: only"),
    "element": (lambda s: s["setup"]["elements"].update(abbot=1), "setup, elements: 'abbot': 1 is not supported"),
    "fewer followers": (lambda s: s["setup"]["elements"].update({"small-follower": 5}), "'small-follower': 5 is not"),
    "no followers": (lambda s: s["setup"]["elements"].pop("small-follower"), "there must be 7 small followers"),
    "rule": (lambda s: s["setup"]["rules"].update({"tiny-city-scoring": "3"}), "'tiny-city-scoring': '3' is not"),
    "start": (lambda s: s["setup"]["start"][0].update(rotation=1), "setup, start: only"),
    "nobody": (lambda s: s["players"].clear(), "0 play; only games of 1 to 5 are supported"),
    "names": (lambda s: s["players"][0].update(name=3), "players, name: must be a text, not 3"),
    "message": (lambda s: s["replay"][1].update(type="UNDO"), "after turn 1: the message 'UNDO' is not supported"),
    "tile": (lambda s: s["replay"][0]["payload"].update(tileId="IC/C"), "tile 'IC/C' is none of the 72 tiles"),
    "rotation": (lambda s: s["replay"][0]["payload"].update(rotation="R45"), "rotation must be one of R0, R90"),
    "position": (lambda s: s["replay"][0]["payload"].update(position=[0.5, 1]), "position must be two whole numbers"),
    "far off": (
        lambda s: s["replay"][0]["payload"].update(position=[10**9, 0]),
        r"after turn 0: DEPLOY_MEEPLE, position: must be \[1000000000, 0\], where PLACE_TILE lays .*, not \[0, -1\]",
    ),
    "far off alone": (
        lambda s: s["replay"][3]["payload"].update(position=[0, -(10**9)]),
        r"turn 2: the file says H@-1000000000,0E, the rules say the tile cannot be placed there \(C1\)",
    ),
    "meeple": (lambda s: s["replay"][1]["payload"].update(meepleId="0.big.1"), "'0.big.1' on .* is not supported"),
    "location": (lambda s: s["replay"][1]["payload"]["pointer"].update(location="N"), "tile E has .*, not 'N'"),
    "no setup": (lambda s: s.update(setup=None), "setup, sets: is missing"),
    "nothing played": (lambda s: s.update(replay=[]), "the file tells of no placement"),
    "odd order": (lambda s: s.update(gameAnnotations={"drawOrder": 3}), "drawOrder: must be a list, not 3"),
    "no notes": (lambda s: s.update(gameAnnotations=None), "the file, gameAnnotations: must be an object, not null"),
    "no tile": (lambda s: s["replay"][0]["payload"].pop("tileId"), "after turn 0: PLACE_TILE, tileId: is missing"),
    "no payload": (lambda s: s["replay"][0].update(payload=None), "after turn 0: PLACE_TILE, tileId: is missing"),
    "no rotation": (lambda s: s["replay"][0]["payload"].pop("rotation"), "PLACE_TILE, rotation: is missing"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_saved_game_that_is_not_supported_is_refused_in_one_line(what):
    spoilt, said = REFUSED[what]
    saved = json.loads(json.dumps(saved_game(*FARM)))
    spoilt(saved)
    with pytest.raises(ImportedGameError, match=said) as raised:
        take(saved)
    assert "\n" not in str(raised.value)


# --- anything else ---


@pytest.mark.parametrize("seed", range(few(60, 6)))
def test_a_damaged_file_is_refused_in_one_line_or_gives_a_game(seed):
    rng = np.random.default_rng(seed)
    archive = write_archive(PEOPLE[seed % len(PEOPLE)])
    value = [archive, flatten(archive), saved_game(*FARM)][seed % 3]
    try:
        taken = import_games(as_bytes(spoil(value, rng)), partial=bool(seed % 2))
    except ImportedGameError as error:
        assert str(error) and "\n" not in str(error)
        return
    for each in taken:
        assert Game.replay(each.game.record()).scores is not None


def test_records_are_checked_one_a_line():
    records = [finish(Game("carcassonne", seed=seed), seed).record(players=("Ann", "Bob")) for seed in (1, 2)]
    lines = b"\n".join(map(as_bytes, records))
    taken = import_games(lines)
    assert [each.game.record(each.names) for each in taken] == records
    records[1]["turns"][3]["rotation"] = 9
    lines = b"\n".join(map(as_bytes, records))
    with pytest.raises(ImportedGameError, match=r"^line 2: turns\[3\], "):
        import_games(lines)
    whole, broken = import_games(lines, partial=True)
    assert whole.game.is_terminal and broken.problem.startswith("line 2: turns[3], rotation: ")
    assert broken.game.record()["turns"] == records[1]["turns"][:3] and broken.compared.placements == 3
    records[1]["turns"][2]["rotation"] = "9"
    with pytest.raises(ImportedGameError, match=r"^line 2: turns\[2\], rotation: must be "):
        import_games(b"\n".join(map(as_bytes, records)), partial=True)


# --- the commands ---


def run(capsys, *arguments):
    """Run `zamek`; return (exit code, what it printed, what it said)."""
    try:
        code = cli.run([str(argument) for argument in arguments])
    except SystemExit as ended:
        code = ended.code
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.fixture
def files(tmp_path):
    """An archive, a flat list and a saved game."""
    archive = write_archive(PEOPLE[0])
    values = {
        "archive.json": archive, "flat.json": flatten(write_archive(PEOPLE[WITH_DISCARD])),
        "saved.jcz": to_jcz(take(archive).game.record(("Ann", "Bob"))),
    }  # fmt: skip
    for name, value in values.items():
        (tmp_path / name).write_bytes(as_bytes(value))
    return tmp_path


def test_zamek_import_writes_records_without_names(files, capsys):
    out = files / "games.jsonl"
    code, printed, _ = run(capsys, "import", *sorted(files.iterdir()), "-o", out)
    assert code == 0 and printed.endswith(f"3 games: {out}\n")
    assert "96:70, as the rules have it: 71 placements, 71 spot lists, 24 payments, 2 final scores" in printed
    text = out.read_text()
    assert "name 0" not in text and "Ann" not in text and "9001" not in text
    records = [json.loads(line) for line in text.splitlines()]
    assert [record["players"] for record in records] == [["player 0", "player 1"]] * 3
    assert [Game.replay(record).scores for record in records] == [(96, 70), (91, 87), (96, 70)]
    code, _, said = run(capsys, "import", files / "saved.jcz", "-o", out)
    assert code == 2 and "--overwrite" in said and out.read_text() == text
    assert run(capsys, "import", files / "saved.jcz", "-o", out, "--overwrite", "--names")[0] == 0
    assert json.loads(out.read_text())["players"] == ["Ann", "Bob"]


def test_zamek_import_writes_nothing_where_one_game_is_refused(files, capsys):
    (files / "wrong.json").write_bytes(b"{}")
    out = files / "games.jsonl"
    code, _, said = run(capsys, "import", files / "archive.json", files / "wrong.json", "-o", out)
    assert code == 2 and not out.exists()
    assert said.splitlines()[-1].startswith(f"import: {files / 'wrong.json'}: it is no archive")
    assert run(capsys, "import", "-o", out)[0] == 2
    assert run(capsys, "import", files / "missing.json", "-o", out)[0] == 2 and not out.exists()


def test_zamek_convert_writes_a_file_for_each_game(files, capsys, monkeypatch):
    records = files / "games.jsonl"
    run(capsys, "import", files / "archive.json", files / "flat.json", "-o", records)
    code, printed, _ = run(capsys, "convert", records, "--to", "jcz")
    paths = [files / "games-1.jcz", files / "games-2.jcz"]
    assert code == 0 and printed == f"2 games: {paths[0]} to {paths[1]}\n"
    again = files / "again.jsonl"
    run(capsys, "import", *paths, "-o", again)
    assert again.read_text() == records.read_text()
    paths[0].unlink()
    with monkeypatch.context() as replaying_nothing:
        replaying_nothing.setattr(convert, "to_jcz", None)
        code, _, said = run(capsys, "convert", records, "--to", "jcz")
    assert code == 2 and str(paths[1]) in said and not paths[0].exists()
    records.write_text(json.dumps(finish(Game("zamek", seed=1), 1).record()))
    code, _, said = run(capsys, "convert", records, "--to", "jcz", "-o", files / "one.jcz")
    assert code == 2 and f"convert: {records}: line 1: JCloisterZone has the rules of carcassonne" in said
    records.write_text("")
    assert run(capsys, "convert", records, "--to", "jcz")[0] == 2
