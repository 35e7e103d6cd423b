"""Puts the pieces where a position line says, and the areas that wait to be scored into their slots."""

import numpy as np

from zamek_env.common.messages import show_name, show_names
from zamek_env.core.state import find_tile
from zamek_env.core.tables import NONE
from zamek_env.layout.actions import SCORE, SEND
from zamek_env.records.notation import word
from zamek_env.records.position import name_pieces
from zamek_env.records.position_text import Line, fail
from zamek_env.ruleset import Ruleset


def put_pieces(ruleset: Ruleset, state: np.record, line: Line) -> None:
    """Write where the pieces stand. Writes `follower_node`, `follower_area`, `area_followers`."""
    supplies: list[list[str | None]]  # words of a player's pieces, by number; None for those that stand
    supplies = [[word(name) for name in name_pieces(ruleset)] for _ in range(ruleset.players)]
    for player, pieces in enumerate(line.pieces):
        for piece, cell, segment in pieces:
            node = _find_node(ruleset, state, line, "pieces", (cell, segment))
            name = piece or word(ruleset.components.pieces[0].name)
            if name not in supplies[player]:
                fail("pieces", f"player {player} has not so many pieces {show_name(name)}")
            number = supplies[player].index(name)
            supplies[player][number] = None
            _check_standing(
                ruleset, state, line, node, f"{piece + '@' if piece else ''}{_format_segment(cell, segment)}"
            )
            state["follower_node"][player, number] = node
            state["follower_area"][player, number] = state["area"][node]
            state["area_followers"][state["area"][node], player] += 1


def put_waiting(ruleset: Ruleset, state: np.record, line: Line) -> None:
    """Write which areas wait to be scored, and who scores. Writes `to_score`, `scorer`."""
    state["to_score"][:] = NONE
    if any(line.waiting) and line.phase != SCORE:
        fail("waiting", "areas wait only while areas are scored")
    for player, slots in enumerate(line.waiting):
        if len(slots) > state["to_score"].shape[1]:
            fail("waiting", f"player {player} has {state['to_score'].shape[1]} slots, not {len(slots)}")
        for slot, where in enumerate(slots):
            if where is not None:
                area = int(state["area"][_find_node(ruleset, state, line, "waiting", where)])
                name, counts = _format_segment(*where), (state["follower_area"] == area).sum(axis=1).tolist()
                if area not in state["completed"].tolist():
                    fail("waiting", f"{name}: the tile of this turn did not complete that area")
                if area in state["to_score"]:
                    fail("waiting", f"{name}: that area is given twice")
                if counts[player] != max(counts) or counts.count(max(counts)) > 1:
                    fail("waiting", f"{name}: player {player} has not most pieces in that area")
                state["to_score"][player, slot] = area
    if line.phase == SCORE:
        waiting = [(line.player + seat) % ruleset.players for seat in range(ruleset.players)]
        state["scorer"] = next((who for who in waiting if (state["to_score"][who] != NONE).any()), waiting[-1])
    for area in state["completed"].tolist() if line.phase == SCORE else ():
        if area != NONE and (state["follower_area"] == area).any() and area not in state["to_score"]:
            fail("waiting", "misses a completed area in which pieces stand")


def _format_segment(cell: tuple[int, int], segment: str) -> str:
    """Return a segment as the line writes it."""
    return f"{cell[0]},{cell[1]}.{segment}"


def _find_node(ruleset, state, line, section, where):
    """Return the node of a segment on a tile of the board, given as (cell, word)."""
    cell, segment = where
    if cell not in line.board:
        fail(section, f"{show_name(_format_segment(*where))}: no tile lies on {cell}")
    tile = find_tile(state, ruleset.components.board.find_number(cell))
    segments = [word(other.name) for other in ruleset.tile(tile).segments]
    if segment not in segments:
        fail(
            section,
            f"{show_name(_format_segment(*where))}: {line.board[cell][0]} has the segments {show_names(segments)}",
        )
    return int(ruleset.tables[0].tile_node[tile, segments.index(segment)])


def _check_standing(ruleset, state, line, node, name):
    """Fail where no piece can stand on that segment now."""
    table = ruleset.tables[0]
    tile, area = int(table.node_tile[node]), int(state["area"][node])
    if not table.tile_holds[tile] >> int(table.node_segment[node]) & 1:
        fail("pieces", f"{name}: nobody is sent to such a segment")
    if (state["follower_node"] == node).any():
        fail("pieces", f"{name}: a piece stands there already")
    if line.phase == SEND and tile == state["deck"][state["drawn"] - 1]:
        fail("pieces", f"{name}: nobody has been sent to the tile of this turn yet")
    is_complete = table.feature_completes[table.node_feature[area]] and state["open_ports"][area] == 0
    if is_complete and area not in state["completed"].tolist():
        fail("pieces", f"{name}: that area is complete, so its pieces went back to their owners")
