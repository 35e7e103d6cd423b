"""What the network is told of placements: the same areas that the engine knows, though only the planes were read."""

import numpy as np
import pytest

from tests.support.games import play_many
from zamek_agents.ppo.surroundings import (
    AREA_COLUMNS,
    AREA_SCALES,
    FITS,
    ROTATION,
    TILE,
    describe_placements,
    make_map,
)
from zamek_env.components.model import NUM_PORTS, NUM_ROTATIONS, NUM_SIDES, PORTS_PER_SIDE
from zamek_env.core.tables import NONE
from zamek_env.layout.actions import PLACE


def describe_by_engine(t, s, cell, port):
    """Return (feature, open ports, my and their followers, marks) of the area facing a port of a cell, or None."""
    side, offset = divmod(port, PORTS_PER_SIDE)
    neighbour = t.neighbor[cell, side]
    if neighbour == NONE or s.face[neighbour] == NONE:
        return None
    facing = (side + 2) % NUM_SIDES * PORTS_PER_SIDE + PORTS_PER_SIDE - 1 - offset
    node = t.face_node[s.face[neighbour], facing]
    if node == NONE:
        return None
    area = s.area[node]
    followers = [int((s.follower_area[player] == area).sum()) for player in (s.player, 1 - s.player)]
    return (int(t.node_feature[node]), int(s.open_ports[area]), *followers, int(s.area_marks[area]))


def check_rows(games, seen, masks):
    """Check all rows of these games, and return how many ports face something."""
    t, board_map = games.ruleset.tables[0], make_map(games.ruleset)
    samples, actions, rows = describe_placements(board_map, seen["planes"])
    in_window = masks[:, : (board_map.cell.max() + 1) * NUM_ROTATIONS] * (games.states["phase"] == PLACE)[:, None]
    assert sorted(zip(samples, actions, strict=True)) == list(zip(*np.nonzero(in_window), strict=True))
    features, facing = int(board_map.feature.max()) + 1, 0
    width = features + len(AREA_COLUMNS)
    for sample, action, row in zip(samples, actions, rows, strict=True):
        cell, rotation = divmod(action, NUM_ROTATIONS)
        for port in range(NUM_PORTS):
            turned = (port + PORTS_PER_SIDE * rotation) % NUM_PORTS
            expected = describe_by_engine(t, games.raw_states[sample], cell, turned)
            told = row[port * width :][:width]
            if expected is None:
                assert not told.any()
                continue
            facing += 1
            columns = told[features:] / AREA_SCALES
            assert told[:features].argmax() == expected[0] and told[:features].sum() == 1
            assert columns[1:].round().astype(int).tolist() == list(expected[1:])
    return facing


@pytest.mark.parametrize("ruleset", ["zamek", "sokol", "carcassonne"])
def test_areas_are_those_of_the_engine(ruleset):
    facing = sum(check_rows(*play_many(ruleset, steps, 16)) for steps in (0, 30, 31, 70, 71))
    assert facing > 1000


@pytest.mark.plays("carcassonne")
def test_a_placement_is_described_alike_whatever_the_rotation():
    """The start tile of Carcassonne alone: a placement beside it, and the same turned with it, have one row."""
    games, seen, _ = play_many("carcassonne", 0, 16)
    board_map = make_map(games.ruleset)
    planes = seen["planes"][:1]
    turned = np.rot90(planes, axes=(1, 2)).copy()  # counterclockwise
    tile, rotation, fits = board_map.planes[[TILE, ROTATION, FITS]]
    turned[..., rotation] = np.where(turned[..., tile] > 0, (turned[..., rotation] + 3) % NUM_ROTATIONS, 0)
    turned[..., fits : fits + NUM_ROTATIONS] = np.roll(turned[..., fits : fits + NUM_ROTATIONS], -1, axis=-1)
    rows, turned_rows = (describe_placements(board_map, each)[2] for each in (planes, turned))
    assert len(rows) > 4 and rows[:, : -2 * NUM_SIDES].any()
    assert sorted(rows.tolist()) == sorted(turned_rows.tolist())
