"""What the network is given of placements: the areas that the engine has when the tile lies, by the planes alone."""

from collections import Counter
from itertools import islice

import numpy as np
import pytest

from tests.support.box import FILES, RULES, WALL, packaged_files, write_box
from tests.support.expected_areas import ExpectedAreas, expect_placement
from tests.support.games import few, play_greedily, play_many, play_randomly
from zamek_agents.ppo.area_rows import (
    COMPLETE,
    CONTINUED,
    CROWDED,
    FITTED,
    OWN,
    POINT_SCALE,
    POINTS,
    ROLES,
    STOPPED,
    TOKEN,
)
from zamek_agents.ppo.board_map import FITS, ROTATION, TILE, make_map
from zamek_agents.ppo.farming import FARM_SCALE
from zamek_agents.ppo.openings import FITTING_SCALE, NEAR_SCALE, SQUARES_SCALE
from zamek_agents.ppo.policy import MOST_AHEAD, Track
from zamek_agents.ppo.surroundings import TILES
from zamek_agents.ppo.touching import describe_placements, describe_segments, new_scene
from zamek_env import Game, load_components
from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.core.tables import NONE
from zamek_env.core.track import move_marker
from zamek_env.observer import Observer
from zamek_env.ruleset import get_ruleset

DIFFERENT = ("zamek", "sokol", "carcassonne")
STEP = 5  # from one placement of a position to the next that is looked at


def look(game):
    """Return what `describe_placements` and `describe_segments` take of a game but for the tile, by what is seen."""
    ruleset = game.ruleset
    seen = Observer(ruleset).look(game)[0]
    vector = seen["vector"][None]
    remaining = ruleset.vector["remaining"]
    left = np.rint(vector[:, remaining] / ruleset.vector.scale[remaining]).astype(np.int16)
    tiles = vector[:, ruleset.vector["tile"]].argmax(axis=1)
    return seen["planes"][None], tiles, left, Track(ruleset).look_ahead(vector)


def list_placements(game):
    """Return the `Placements` of a game, by what is seen of it."""
    board_map = make_map(game.ruleset)
    return describe_placements(board_map, new_scene(board_map), *look(game))


def read(board_map, row):
    """Return (role, feature, columns, openings, farms, fitted, paid) of one area given to the network.

    `fitted` is how many tiles fit before a crowded area is crowded; of what is paid is given whether it is complete,
    points and token.
    """
    features = board_map.completes.size
    columns = row[len(ROLES) + features :][: len(board_map.scales)] / board_map.scales
    rest = row[len(ROLES) + features + len(board_map.scales) : FITTED]
    squares, fitting, stuck, mine, theirs, *farms = rest
    near = (mine / NEAR_SCALE, theirs / NEAR_SCALE)
    openings = (squares / SQUARES_SCALE, 2 ** (fitting / FITTING_SCALE) - 1, stuck, *near)
    role, feature = row[: len(ROLES)], row[len(ROLES) :][:features]
    assert role.sum() == feature.sum() == 1
    if not board_map.completes[feature.argmax()]:
        columns[TILES] = 0  # no rule asks for them
    fitted = round(2 ** (float(row[FITTED]) / FITTING_SCALE) - 1)
    paid = (int(row[COMPLETE]), round(float(row[POINTS] / POINT_SCALE)), int(row[TOKEN]))
    counts = np.rint([*columns, *openings, *(np.array(farms) / FARM_SCALE)]).astype(int).tolist()
    return (int(role.argmax()), int(feature.argmax()), *counts, fitted, *paid)


def list_positions(ruleset, phase="place"):
    """Yield games in a phase, each played on a little further than the one before."""
    for seed in range(few(60, 2)):
        player = play_greedily if seed % 2 else play_randomly
        for number, game in enumerate(player(Game(ruleset, seed=seed), seed)):
            if number >= 20 + seed and game.phase == phase:
                yield game
                break


def compare_placements(game):
    """Check some placements of a position; return how many areas there were by role and completeness, a `Counter`."""
    compared, found, board_map = Counter(), list_placements(game), make_map(game.ruleset)
    window = (board_map.cell.max() + 1) * NUM_ROTATIONS
    assert sorted(found.actions) == [action for action in game.legal_actions() if action < window]
    areas = ExpectedAreas(game.ruleset.tables[0], game.state[0])
    for number, action in list(enumerate(found.actions.tolist()))[::STEP]:
        read_areas = sorted(read(board_map, row) for row in found.areas[found.owners == number])
        assert read_areas == expect_placement(areas, *divmod(action, NUM_ROTATIONS)), (game.record(), action)
        compared.update((role, bool(paid)) for role, *_, paid, _, _ in read_areas)
    return compared


@pytest.mark.parametrize("ruleset", DIFFERENT)
def test_areas_are_those_of_the_engine(ruleset):
    compared = sum(map(compare_placements, list_positions(ruleset)), Counter())
    assert min(compared[role, False] for role in (OWN, CONTINUED, STOPPED, CROWDED)) >= few(20, 0)
    assert compared[OWN, True] >= few(20, 0)


EDGES = {"plain": "last", "road": "last but one"}
LARGE_WALL = WALL | {
    "interior": [*["#" + 73 * "."] * 73, 74 * "#"],
    "starts": [{"id": "south", "cell": [73, 73], "side": "S", "face": "h1|m1"}],
}
MANY_EDGES = RULES | {
    "edges": [*map(str, range(12)), *EDGES.values()],
    "features": [feature | {"edge": EDGES[feature["edge"]]} for feature in RULES["features"]],
}


@pytest.mark.plays("carcassonne")  # as plain Python, for which it is made
@pytest.mark.parametrize("changed", [{"wall.json": LARGE_WALL}, {"zamek.json": MANY_EDGES}], ids=["wall", "edges"])
def test_areas_are_those_of_the_engine_in_a_box_of_large_numbers(changed, tmp_path):
    """More than 32,767 segments that may lie on the board, or as many ways in which the sides beside a space differ."""
    components = load_components(write_box(tmp_path / "box", FILES | changed))
    for game in play_randomly(Game("zamek", 1, components), 1):
        if game.phase == "place":
            assert compare_placements(game)


@pytest.mark.plays("carcassonne")
@pytest.mark.parametrize("copies", [{"E": 3, "U": 3, "B": 2}, dict.fromkeys("EUWBVLK", 1)], ids=["copies", "no copies"])
def test_areas_are_those_of_the_engine_with_a_start_tile_of_its_own(copies, tmp_path):
    rules = packaged_files()["carcassonne.json"] | {"copies": {"D": 1} | copies, "table": {"start": "D", "window": 5}}
    components = load_components(write_box(tmp_path / "box", {"carcassonne.json": rules}), "carcassonne")
    for game in play_randomly(Game("carcassonne", 1, components), 1):
        if game.phase == "place" and len(game.history) < 4:  # all lies within the window
            assert compare_placements(game)


@pytest.mark.parametrize("ruleset", DIFFERENT)
def test_segments_of_the_tile_just_placed_are_told_as_the_engine_has_them(ruleset):
    compared = 0
    for game in list_positions(ruleset, "send"):
        planes, _, left, ahead = look(game)
        board_map, t, s = make_map(game.ruleset), game.ruleset.tables[0], game.state[0]
        rows, areas = describe_segments(board_map, new_scene(board_map), planes, left, ahead)[0], ExpectedAreas(t, s)
        nodes = t.tile_node[s["deck"][s["drawn"] - 1]]
        for row, node in zip(rows, nodes.tolist(), strict=True):
            if node > NONE:
                area = int(s["area"][node])
                assert read(board_map, row) == areas.describe(area, CONTINUED, areas.find_paid(area)), area
                compared += 1
            else:
                assert not row.any()
    assert compared >= few(100, 4)


def test_no_segments_are_told_where_no_tile_has_been_placed():
    game = Game("zamek", seed=0)
    planes, _, left, ahead = look(game)
    board_map = make_map(game.ruleset)
    assert not describe_segments(board_map, new_scene(board_map), planes, left, ahead).any()


def test_placements_are_told_where_a_tile_is_to_be_placed_only():
    for game in islice(play_greedily(Game("zamek", seed=0)), few(200, 20)):
        assert (game.phase == "place") == (list_placements(game).actions.size > 0)


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
    left = np.ones((1, games.ruleset.sizes.tile_kinds), np.int16)
    scene = new_scene(board_map)
    first, second = (describe_placements(board_map, scene, each, tiles, left, ahead) for each in (planes, turned))
    assert len(first.actions) > 4
    assert list_all(first) == list_all(second)


def list_all(found):
    """Return what each placement touches, in an order of its own."""
    touched = [sorted(found.areas[found.owners == number].tolist()) for number in range(len(found.actions))]
    return sorted(zip(found.sides.tolist(), touched, strict=True))
