"""What a turn changes on the board: areas near its tile, and others that depend on these.

The base is the board from which ways to finish a turn are tried. Its tile may be placed or not. An end of the turn
differs from it by that tile, by pieces sent to it, and by what it completes. So this may have changed of an area:

    OPENINGS    where it opens to: it is one of those of the tile, or was, or opens to a cell beside it
    WORTH       what it is worth alone: another area of its feature is among those, and opens to the same cell
    SAME        nothing, but for a few that `incremental_worth.py` names
"""

from zamek_agents.value.survey import OPENINGS, forget_changes, mark, note_cell, survey_areas
from zamek_env.components.model import NUM_SIDES
from zamek_env.core.bits import as_index
from zamek_env.core.jit import kernel
from zamek_env.core.state import EMPTY
from zamek_env.core.tables import NONE


@kernel
def survey_base(t, s, evaluator):
    """Survey the board of `s`, in the midst of a turn, as the base; its cells have been noted already."""
    forget_changes(evaluator)
    survey_areas(t, s, evaluator)
    evaluator.base_area[:] = s.area
    evaluator.base_tile = s.deck[as_index(s.drawn - 1)]


@kernel
def survey_end(t, s, evaluator, cell):
    """Survey the board of `s`, an end of the turn, whose tile was placed on `cell`; NONE: it lay there before.

    Writes what `survey_areas` writes, and of the cells beside the tile what `note_cell` writes.
    """
    forget_changes(evaluator)
    _restore_cells(evaluator)
    for side in range(NUM_SIDES if cell > NONE else 0):
        beside = t.neighbor[as_index(cell), side]
        if beside > NONE and s.face[beside] <= EMPTY:
            _keep_cell(evaluator, beside)
            note_cell(t, s, evaluator, beside)
            _change_entries(s, evaluator, beside)
    if cell > NONE:
        _change_entries(s, evaluator, cell)
    for segment in range(t.tile_node.shape[1]):
        node = t.tile_node[as_index(evaluator.base_tile), segment]
        if node > NONE:
            _change_node(s, evaluator, as_index(node))
    survey_areas(t, s, evaluator)


@kernel
def _change_entries(s, evaluator, cell):
    """Note that areas that come in at `cell`, as it was noted last, may open elsewhere."""
    for number in range(evaluator.first_entry[as_index(cell)], evaluator.end_entry[as_index(cell)]):
        _change_node(s, evaluator, as_index(evaluator.entries[as_index(number), 2]))


@kernel
def _change_node(s, evaluator, node):
    """Note that the area of `node`, and the one that it was of on the base, may open elsewhere."""
    mark(evaluator, as_index(s.area[node]), OPENINGS)
    if evaluator.base_area[node] > NONE:
        mark(evaluator, as_index(evaluator.base_area[node]), OPENINGS)


# --- the cells beside the tile ---


@kernel
def _keep_cell(evaluator, cell):
    """Remember what is noted of `cell`, to restore it."""
    kept, cell_index = evaluator.kept[as_index(evaluator.num_kept)], as_index(cell)
    kept[0] = cell
    kept[1] = evaluator.first_entry[cell_index]
    kept[2] = evaluator.end_entry[cell_index]
    kept[3] = evaluator.pattern[cell_index]
    kept[4] = evaluator.closed[cell_index]
    kept[5] = evaluator.cell_fits[cell_index]
    evaluator.num_kept += 1


@kernel
def _restore_cells(evaluator):
    """Restore what was noted of the cells kept, and forget the entries of what was noted of them since."""
    for number in range(evaluator.num_kept):
        kept = evaluator.kept[as_index(number)]
        cell = as_index(kept[0])
        if number == 0:
            evaluator.num_entries = evaluator.first_entry[cell]
        evaluator.first_entry[cell] = kept[1]
        evaluator.end_entry[cell] = kept[2]
        evaluator.pattern[cell] = kept[3]
        evaluator.closed[cell] = kept[4]
        evaluator.cell_fits[cell] = kept[5]
    evaluator.num_kept = 0
