"""What the network is told of placements: the areas that the engine has when the tile lies, by the planes alone."""

from collections import Counter
from itertools import islice

import numpy as np
import pytest

from tests.support.games import few, play_greedily, play_many, play_randomly
from zamek_agents.ppo.board_map import FITS, ROTATION, TILE, make_map
from zamek_agents.ppo.surroundings import TILES
from zamek_agents.ppo.touching import (
    AREA_SCALES,
    COMPLETE,
    CONTINUED,
    OWN,
    PAID_COLUMNS,
    POINT_SCALE,
    POINTS,
    ROLES,
    STOPPED,
    TOKEN,
    describe_placements,
)
from zamek_agents.ppo.track import MOST_AHEAD, Track
from zamek_env import Game
from zamek_env.components.model import NUM_AROUND, NUM_ROTATIONS, NUM_SIDES, PORTS_PER_SIDE, opposite_side
from zamek_env.core.areas import count_followers, count_tiles
from zamek_env.core.placement import find_around, lay_tile
from zamek_env.core.scoring import count_points
from zamek_env.core.tables import NONE
from zamek_env.core.track import move_marker
from zamek_env.ruleset import get_ruleset
from zamek_env.spaces import Observer

DIFFERENT = ("zamek", "sokol", "carcassonne")
STEP = 5  # from one placement of a position to the next that is looked at


def look(game):
    """Return the `Placements` of a game, by what is seen of it."""
    ruleset = game.ruleset
    seen = Observer(ruleset).look(game)[0]
    vector = seen["vector"][None]
    ahead = Track(ruleset).look_ahead(vector)
    tiles = vector[:, ruleset.vector["tile"]].argmax(axis=1)
    return describe_placements(make_map(ruleset), seen["planes"][None], tiles, ahead)


def read(board_map, row):
    """Return (role, feature, columns, complete, points, token) of one area told to the network."""
    features = board_map.completes.size
    columns = row[len(ROLES) + features : -len(PAID_COLUMNS)] / AREA_SCALES
    role, feature = row[: len(ROLES)], row[len(ROLES) :][:features]
    assert role.sum() == feature.sum() == 1
    if not board_map.completes[feature.argmax()]:
        columns[TILES] = 0  # no rule asks for them
    paid = (int(row[COMPLETE]), round(float(row[POINTS] / POINT_SCALE)), int(row[TOKEN]))
    return (int(role.argmax()), int(feature.argmax()), *columns.round().astype(int).tolist(), *paid)


def list_sides(t):
    """Yield (location, side, what lies there) of all cells and start spaces."""
    for cell, sides in enumerate(t.neighbor):
        for side, beside in enumerate(sides):
            yield cell, side, beside
            if beside >= len(t.neighbor):  # a start space, which has no neighbours of its own
                yield beside, opposite_side(side), cell


def count_open_sides(t, s, area):
    """Return at how many sides of its tiles an area is open to an empty space."""
    many = 0
    for location, side, beside in list_sides(t):
        if beside > NONE and s["face"][location] > NONE and s["face"][beside] <= NONE:
            nodes = t.face_node[s["face"][location], PORTS_PER_SIDE * side :][:PORTS_PER_SIDE]
            many += (s["area"][nodes[nodes > NONE]] == area).any()
    return int(many)


def tell(t, s, area, role):
    """Return of an area of the engine what `read` returns."""
    feature, me = int(t.node_feature[area]), s["player"]
    is_surrounded, is_open = bool(t.feature_surrounded[feature]), int(s["open_ports"][area])
    sides = is_open if is_surrounded else count_open_sides(t, s, area)
    mine, theirs = (count_followers(s, area, player) for player in (me, 1 - me))
    tiles = count_tiles(s, area) if t.feature_completes[feature] else 0
    told = (role, feature, tiles, is_open, sides, mine, theirs, int(s["area_marks"][area]))
    if role == CONTINUED or is_open or not t.feature_completes[feature]:
        return (*told, 0, 0, 0)
    if mine == theirs:
        return (*told, 1, 0, 0)
    sign, points = (1 if mine > theirs else -1), count_points(t, s, area, 0)
    after = np.array([s])[0]
    took = move_marker(t, after, me if mine > theirs else 1 - me, points) != 0
    return (*told, 1, sign * points, sign * took)


def expect(t, s, cell, rotation):
    """Return the areas that the tile to be placed would touch, as the engine has them before and after."""
    tile, after = int(s["deck"][s["drawn"] - 1]), np.array([s])[0]
    lay_tile(t, after, cell, tile * NUM_ROTATIONS + rotation)
    own = {int(after["area"][node]) for node in t.tile_node[tile] if node > NONE}
    areas = [tell(t, after, area, OWN) for area in own]
    faced = set()
    for side in range(NUM_SIDES):
        beside = t.neighbor[cell, side]
        if beside > NONE and s["face"][beside] > NONE:
            first = opposite_side(side) * PORTS_PER_SIDE
            faced.update(t.face_node[s["face"][beside], first : first + PORTS_PER_SIDE].tolist())
    if t.tile_middle.size:
        for number in range(NUM_AROUND):
            around = s["face"][find_around(t, cell, number)]
            faced.add(int(t.tile_middle[around // NUM_ROTATIONS]) if around > NONE else NONE)
    for area in {int(s["area"][node]) for node in faced - {NONE}}:
        is_continued = int(after["area"][area]) in own
        areas.append(tell(t, s, area, CONTINUED) if is_continued else tell(t, after, int(after["area"][area]), STOPPED))
    return sorted(areas)


def is_alike(told, expected):
    """Return whether an area is told as expected, but for what two areas share that are joined, which counts twice."""
    (*head, tiles, ports, sides), (*same, fewer, same_ports, fewer_sides) = told[:5], expected[:5]
    is_exact = tiles == fewer or (told[0] == OWN and tiles > fewer)
    paid = told[5:] == expected[5:] or (tiles > fewer and told[5:-2] == expected[5:-2])
    return (head, ports) == (same, same_ports) and is_exact and paid and sides >= fewer_sides


def list_positions(ruleset):
    """Yield games with a tile to place, each played on a little further than the one before."""
    for seed in range(few(60, 2)):
        player = play_greedily if seed % 2 else play_randomly
        for number, game in enumerate(player(Game(ruleset, seed=seed), seed)):
            if number >= 20 + seed and game.phase == "place":
                yield game
                break


@pytest.mark.parametrize("ruleset", DIFFERENT)
def test_areas_are_those_of_the_engine(ruleset):
    compared = Counter()
    for game in list_positions(ruleset):
        t, s = game.ruleset.tables[0], game.state[0]
        found, board_map = look(game), make_map(game.ruleset)
        window = (board_map.cell.max() + 1) * NUM_ROTATIONS
        assert sorted(found.actions) == [action for action in game.legal_actions() if action < window]
        for number, action in list(enumerate(found.actions.tolist()))[::STEP]:
            cell, rotation = divmod(action, NUM_ROTATIONS)
            told = sorted(read(board_map, row) for row in found.areas[found.owners == number])
            expected = expect(t, s, cell, rotation)
            assert len(told) == len(expected) and all(map(is_alike, told, expected)), (game.record(), action)
            compared[told == expected] += 1
            compared.update((role, bool(paid)) for role, *_, paid, _, _ in told)
    assert compared[False] <= 1 + 0.05 * compared[True]
    assert min(compared[role, False] for role in (OWN, CONTINUED, STOPPED)) >= few(20, 0)
    assert compared[OWN, True] >= few(20, 0)


def test_placements_are_told_where_a_tile_is_to_be_placed_only():
    for game in islice(play_greedily(Game("zamek", seed=0)), few(200, 20)):
        assert (game.phase == "place") == (look(game).actions.size > 0)


def test_a_token_lies_ahead_where_a_marker_would_take_it():
    found = Counter()
    for game in list_positions("zamek"):
        t, s = game.ruleset.tables[0], game.state[0]
        ahead = Track(game.ruleset).look_ahead(Observer(game.ruleset).look(game)[0]["vector"][None])[0]
        for player, points in np.ndindex(2, MOST_AHEAD - 1):
            after = np.array([s])[0]
            took = move_marker(t, after, player ^ int(s["player"]), points) != 0
            assert bool(ahead[player, points]) == took
            found[took] += 1
    assert min(found[True], found[False]) > 0


def test_no_token_lies_ahead_where_there_is_no_track():
    ruleset = get_ruleset("carcassonne")
    assert not Track(ruleset).look_ahead(np.ones((2, len(ruleset.vector)), np.float32)).any()


@pytest.mark.plays("carcassonne")
def test_a_placement_is_described_alike_whatever_the_rotation():
    """The start tile of Carcassonne alone: a placement beside it, and the same turned with it, touch the same."""
    games, seen, _ = play_many("carcassonne", 0, 16)
    board_map = make_map(games.ruleset)
    planes = seen["planes"][:1]
    turned = np.rot90(planes, axes=(1, 2)).copy()  # counterclockwise
    tile, rotation, fits = board_map.planes[[TILE, ROTATION, FITS]]
    turned[..., rotation] = np.where(turned[..., tile] > 0, (turned[..., rotation] + 3) % NUM_ROTATIONS, 0)
    turned[..., fits : fits + NUM_ROTATIONS] = np.roll(turned[..., fits : fits + NUM_ROTATIONS], -1, axis=-1)
    vector = seen["vector"][:1]
    tiles, ahead = vector[:, games.ruleset.vector["tile"]].argmax(axis=1), Track(games.ruleset).look_ahead(vector)
    first, second = (describe_placements(board_map, each, tiles, ahead) for each in (planes, turned))
    assert len(first.actions) > 4
    assert list_all(first) == list_all(second)


def list_all(found):
    """Return what each placement touches, in an order of its own."""
    touched = [sorted(found.areas[found.owners == number].tolist()) for number in range(len(found.actions))]
    return sorted(zip(found.sides.tolist(), touched, strict=True))
