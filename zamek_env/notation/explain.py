"""Actions in words: what a legal one would do, and why another is illegal."""

from collections.abc import Sequence

import numpy as np

from zamek_env.base.records import NONE
from zamek_env.common.messages import show_beyond, show_count
from zamek_env.common.player_names import name_player
from zamek_env.compiler.bits import count_bits, has_bit
from zamek_env.components.model import NUM_ROTATIONS, NUM_SIDES, opposite_side
from zamek_env.components.token_text import name_token
from zamek_env.core.areas import has_followers
from zamek_env.core.legality import is_legal
from zamek_env.core.pieces import can_stand, find_factor, find_free_piece
from zamek_env.core.placement import find_cell
from zamek_env.core.scoring import count_points, find_usable_token
from zamek_env.layout.actions import CHOOSE, OVER, PHASE_NAMES, PLACE, SCORE, SEND
from zamek_env.notation.action_line import name_action
from zamek_env.notation.position import find_faces, name_location
from zamek_env.ruleset import Ruleset

SIDE_NAMES = ("north", "east", "south", "west")
_WALL_RULES = {"lay": "Z9", "match": "Z10", "send": "Z12", "supply": "Z12, S4"}  # by what an action breaks
_TABLE_RULES = {"lay": "C1", "match": "C1", "send": "C3", "supply": "C2", "farmers": "C8"}
_TURNS = ("as it is", "turned a quarter clockwise", "turned halfway round", "turned three quarters clockwise")


def describe(ruleset: Ruleset, state: np.record, action: int, names: Sequence[str] = ()) -> str:
    """Describe `action`, legal in this `state` of a game of `ruleset`, in words.

    `names` are those of the players, if they have some.
    """
    actions = ruleset.actions
    if state.phase == PLACE:
        cell_code, rotation = actions.parse_place(action)
        name = name_location(ruleset, state, find_cell(ruleset.tables[0], state, cell_code))
        return f"place {_tile(ruleset, state).id} on {name}, {_TURNS[rotation]}"
    if state.phase == SEND:
        number, kind = actions.parse_send(action)
        if number is None:
            return "send nobody"
        segment, components = _tile(ruleset, state).segments[number], ruleset.components
        sent = f"the {components.pieces[kind].name}" if kind else f"a {components.feature(segment.feature).role}"
        return f"send {sent} to {segment.feature} {segment.name}"
    if state.phase == SCORE:
        return _describe_score(ruleset, state, action, names)
    if state.phase == CHOOSE:
        return f"lay {_find_chosen(ruleset, state, action).id} of the hand"
    token = name_token(ruleset.components, ruleset.tables[0].extra_turn_token)
    return f"use the token {token}" if actions.parse_extra_turn(action) else "end the turn without an extra turn"


def why_illegal(ruleset: Ruleset, state: np.record, action: int) -> str:
    """Return a sentence that says why `action`, which is not legal in this `state`, is not."""
    actions, named = ruleset.actions, name_action(ruleset, state, action)
    if state.phase == OVER:
        return f"{named} is illegal: the game is over"
    if not 0 <= action < actions.num_actions:
        return show_beyond(action, actions.num_actions)
    asked, given = int(state.phase), actions.phase_of(action)
    if asked != given:
        return (
            f"{named} is illegal: it answers {PHASE_NAMES[given]!r}, "
            f"but player {state.player} is to decide {PHASE_NAMES[asked]!r}"
        )
    reason = _WHY_NOT[asked](ruleset, state, action)
    return f"{named} is illegal: {reason}"


def _tile(ruleset, state):
    return ruleset.tile(int(state.deck[state.drawn - 1]))


def _rule(ruleset, broken):
    """Return the number of the rule that is `broken`, in the rules of the game played."""
    return (_WALL_RULES if ruleset.components.start_tile is None else _TABLE_RULES)[broken]


# --- place ---


def _why_not_place(ruleset, state, action):
    cell_code, rotation = ruleset.actions.parse_place(action)
    cell = find_cell(ruleset.tables[0], state, cell_code)
    if cell == NONE:
        spot = cell_code - ruleset.sizes.window_cells
        there = f"where {(state.spot_cell != NONE).sum()} empty cells touch a tile"
        return f"it names spot {spot} beyond the window, {there} ({_rule(ruleset, 'lay')})"
    name = name_location(ruleset, state, cell)
    if cell in find_faces(state):
        return f"a tile lies on {name} already ({_rule(ruleset, 'lay')})"
    if not has_bit(state.frontier, cell_code):
        touched = "touches neither a tile nor a start space" if ruleset.components.board.starts else "touches no tile"
        return f"{name} {touched} ({_rule(ruleset, 'lay')})"
    return _why_not_match(ruleset, state, cell, rotation)


def _why_not_match(ruleset, state, cell, rotation):
    """Say where the sides of the tile do not match what lies around `cell`."""
    tables = ruleset.tables[0]
    name = name_location(ruleset, state, cell)
    face = int(state.deck[state.drawn - 1]) * NUM_ROTATIONS + rotation
    edges, faces = ruleset.components.edges, find_faces(state)
    for side in range(NUM_SIDES):
        neighbor = tables.neighbor[cell, side]
        if neighbor not in faces:
            continue
        shown, met = tables.face_edge[face, side], tables.face_edge[faces[neighbor], opposite_side(side)]
        if shown != met:
            return (
                f"on {name}, {_TURNS[rotation]}, the {SIDE_NAMES[side]} side of {_tile(ruleset, state).id} is "
                f"{edges[shown]}, but {name_location(ruleset, state, neighbor)} shows {edges[met]} there "
                f"({_rule(ruleset, 'match')})"
            )
    raise AssertionError(f"the tile may be placed on {name}, {_TURNS[rotation]}")


# --- send ---


def _why_not_send(ruleset, state, action):
    tables = ruleset.tables[0]
    number, kind = ruleset.actions.parse_send(action)
    tile = _tile(ruleset, state)
    if number >= len(tile.segments):
        return f"{tile.id} has only {show_count(len(tile.segments), 'segment')} ({_rule(ruleset, 'send')})"
    area = state.area[tables.tile_node[state.deck[state.drawn - 1], number]]
    segment, piece = tile.segments[number], ruleset.components.pieces[kind].name
    if not tables.tile_holds[state.deck[state.drawn - 1]] >> number & 1:
        role = ruleset.components.feature(segment.feature).role
        return f"{segment.name} is a {segment.feature}, and there are no {role}s ({_rule(ruleset, 'farmers')})"
    if has_followers(state, area):
        return f"a follower stands in the {segment.feature} of {segment.name} already ({_rule(ruleset, 'send')})"
    if find_free_piece(tables, state, state.player, kind) == NONE:
        return f"player {state.player} has no {piece} in supply ({_rule(ruleset, 'supply')})"
    assert not can_stand(tables, state, kind, area)
    return f"the {segment.feature} of {segment.name} is complete, and so the {piece} may not go there (S4)"


# --- score ---


def _describe_score(ruleset, state, action, names):
    tables = ruleset.tables[0]
    slot, with_token = ruleset.actions.parse_score(action)
    area = state.to_score[state.scorer, slot]
    kind = find_usable_token(tables, state, area) if with_token else 0
    points = count_points(tables, state, area, kind) * find_factor(tables, state, area, state.scorer)
    tiles = show_count(count_bits(state.area_tiles[area]), "tile")
    text = (
        f"score the {ruleset.segment_of_node(area).feature} of {tiles} for {name_player(state.scorer, names)}: "
        f"{show_count(points, 'point')}"
    )
    return f"{text} with the token {name_token(ruleset.components, kind)}" if with_token else text


def _why_not_score(ruleset, state, action):
    tables = ruleset.tables[0]
    slot, with_token = ruleset.actions.parse_score(action)
    area = state.to_score[state.scorer, slot]
    if area == NONE:
        return f"no area waits to be scored in slot {slot} (Z19)"
    assert with_token
    feature = ruleset.segment_of_node(area).feature
    if not tables.feature_token[tables.node_feature[area]]:
        return f"no token is used on a {feature} (Z23)"
    if state.scorer != state.player:
        return f"a token is used only on one's own areas in one's own turn (Z23), and this {feature} is the opponent's"
    if find_factor(tables, state, area, state.player) > 1:
        return f"an area is doubled only once, and the prince of player {state.player} doubles this {feature} (S7)"
    return f"player {state.player} holds no token that may be used on a {feature} now (Z23)"


# --- choose ---


def _find_chosen(ruleset, state, action):
    """Return the tile in the slot that `action` chooses, None where it is empty."""
    tile = int(state.hand[state.player, ruleset.actions.parse_choose(action)])
    return None if tile == NONE else ruleset.tile(tile)


def _why_not_choose(ruleset, state, action):
    tile, slot = _find_chosen(ruleset, state, action), ruleset.actions.parse_choose(action)
    if tile is None:
        return f"slot {slot} of the hand is empty (H2)"
    for other in range(ruleset.sizes.hand_size):
        choice = ruleset.actions.choose(other)
        if _find_chosen(ruleset, state, choice) is tile and is_legal(ruleset.tables[0], state, choice):
            return f"slot {other} holds the same tile, {tile.id} (H2)"
    return f"{tile.id} cannot be laid anywhere now (H2)"


_WHY_NOT = {PLACE: _why_not_place, SEND: _why_not_send, SCORE: _why_not_score, CHOOSE: _why_not_choose}
