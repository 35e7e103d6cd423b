"""Actions in words: what a legal one would do, and why another is illegal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zamek_env.common.messages import show_beyond, show_count
from zamek_env.common.player_names import name_player
from zamek_env.components.model import NUM_ROTATIONS, NUM_SIDES, opposite_side
from zamek_env.components.token_text import name_token
from zamek_env.core.areas import has_followers
from zamek_env.core.bits import count_bits, has_bit
from zamek_env.core.pieces import can_stand, find_factor, find_free_piece
from zamek_env.core.placement import find_cell
from zamek_env.core.scoring import count_points, find_usable_token
from zamek_env.core.state import EMPTY
from zamek_env.core.tables import NONE
from zamek_env.layout.actions import CHOOSE, EXTRA, OVER, PHASE_NAMES, PLACE, SCORE, SEND
from zamek_env.records.locations import find_locations, name_location
from zamek_env.records.notation import name_action

if TYPE_CHECKING:
    from zamek_env.game import Game

SIDE_NAMES = ("north", "east", "south", "west")
_WALL_RULES = {"lay": "Z9", "match": "Z10", "send": "Z12", "supply": "Z12, S4"}  # by what an action breaks
_TABLE_RULES = {"lay": "C1", "match": "C1", "send": "C3", "supply": "C2", "farmers": "C8"}
_TURNS = ("as it is", "turned a quarter clockwise", "turned halfway round", "turned three quarters clockwise")


def describe(game: "Game", action: int, names: Sequence[str] = ()) -> str:
    """Return what the legal `action` does, in words, with the players' `names`, if they have some."""
    if _phase(game) == SCORE:
        return _describe_score(game, action, names)
    return _DESCRIBE[_phase(game)](game, action)


def why_illegal(game: "Game", action: int) -> str:
    """Return a sentence that says why `action`, which is not legal, is not."""
    actions = game.ruleset.actions
    if _phase(game) == OVER:
        return f"{_name_action(game, action)} is illegal: the game is over"
    if not 0 <= action < actions.num_actions:
        return show_beyond(action, actions.num_actions)
    asked, given = _phase(game), actions.phase_of(action)
    if asked != given:
        return (
            f"{_name_action(game, action)} is illegal: it answers {PHASE_NAMES[given]!r}, "
            f"but player {game.current_player} is to decide {PHASE_NAMES[asked]!r}"
        )
    reason = _WHY_NOT[asked](game, action)
    return f"{_name_action(game, action)} is illegal: {reason}"


def _name_action(game, action):
    return name_action(game.ruleset, game.state[0], action)


def _phase(game):
    return int(game.state[0].phase)


def _tile(game):
    state = game.state[0]
    return game.ruleset.tile(int(state.deck[state.drawn - 1]))


def _rule(game, broken):
    """Return the number of the rule that is `broken`, in the rules of what is played."""
    return (_WALL_RULES if game.ruleset.components.start_tile is None else _TABLE_RULES)[broken]


# --- place ---


def _describe_place(game, action):
    state, ruleset = game.state[0], game.ruleset
    cell_code, rotation = ruleset.actions.parse_place(action)
    name = name_location(ruleset, state, find_cell(ruleset.tables[0], state, cell_code))
    return f"place {_tile(game).id} on {name}, {_TURNS[rotation]}"


def _why_not_place(game, action):
    state, ruleset = game.state[0], game.ruleset
    cell_code, rotation = ruleset.actions.parse_place(action)
    cell = find_cell(ruleset.tables[0], state, cell_code)
    if cell == NONE:
        spot = cell_code - ruleset.sizes.window_cells
        there = f"where {_count_beyond(game)} empty cells touch a tile"
        return f"it names spot {spot} beyond the window, {there} ({_rule(game, 'lay')})"
    name = name_location(ruleset, state, cell)
    if state.face[cell] != EMPTY:
        return f"a tile lies on {name} already ({_rule(game, 'lay')})"
    if not has_bit(state.frontier, cell):
        touched = "touches neither a tile nor a start space" if ruleset.components.board.starts else "touches no tile"
        return f"{name} {touched} ({_rule(game, 'lay')})"
    return _why_not_match(game, cell, rotation)


def _count_beyond(game):
    """Return how many empty cells beyond the window of an open table touch a tile."""
    state, ruleset = game.state[0], game.ruleset
    locations = find_locations(ruleset, state)
    return sum(number >= ruleset.sizes.window_cells and state.face[number] == EMPTY for number in locations)


def _why_not_match(game, cell, rotation):
    """Say where the sides of the tile do not match what lies around `cell`."""
    state, tables = game.state[0], game.ruleset.tables[0]
    name = name_location(game.ruleset, state, cell)
    face = int(state.deck[state.drawn - 1]) * NUM_ROTATIONS + rotation
    edges = game.ruleset.components.edges
    for side in range(NUM_SIDES):
        beside = tables.neighbor[cell, side]
        if beside == NONE or state.face[beside] == EMPTY:
            continue
        shown, met = tables.face_edge[face, side], tables.face_edge[state.face[beside], opposite_side(side)]
        if shown != met:
            return (
                f"on {name}, {_TURNS[rotation]}, the {SIDE_NAMES[side]} side of {_tile(game).id} is {edges[shown]}, "
                f"but {name_location(game.ruleset, state, beside)} shows {edges[met]} there ({_rule(game, 'match')})"
            )
    raise AssertionError(f"the tile may be placed on {name}, {_TURNS[rotation]}")


# --- send ---


def _describe_send(game, action):
    number, kind = game.ruleset.actions.parse_send(action)
    if number is None:
        return "send nobody"
    segment, components = _tile(game).segments[number], game.ruleset.components
    sent = f"the {components.pieces[kind].name}" if kind else f"a {components.feature(segment.feature).role}"
    return f"send {sent} to {segment.feature} {segment.name}"


def _why_not_send(game, action):
    state, tables = game.state[0], game.ruleset.tables[0]
    number, kind = game.ruleset.actions.parse_send(action)
    tile = _tile(game)
    if number >= len(tile.segments):
        return f"{tile.id} has only {len(tile.segments)} segments ({_rule(game, 'send')})"
    area = state.area[tables.tile_node[state.deck[state.drawn - 1], number]]
    segment, piece = tile.segments[number], game.ruleset.components.pieces[kind].name
    if not tables.tile_holds[state.deck[state.drawn - 1]] >> number & 1:
        role = game.ruleset.components.feature(segment.feature).role
        return f"{segment.name} is a {segment.feature}, and there are no {role}s ({_rule(game, 'farmers')})"
    if has_followers(state, area):
        return f"a follower stands in the {segment.feature} of {segment.name} already ({_rule(game, 'send')})"
    if find_free_piece(tables, state, state.player, kind) == NONE:
        return f"player {state.player} has no {piece} in supply ({_rule(game, 'supply')})"
    assert not can_stand(tables, state, kind, area)
    return f"the {segment.feature} of {segment.name} is complete, and so the {piece} may not go there (S4)"


# --- score ---


def _describe_score(game, action, names):
    state, tables = game.state[0], game.ruleset.tables[0]
    slot, with_token = game.ruleset.actions.parse_score(action)
    area = state.to_score[state.scorer, slot]
    kind = find_usable_token(tables, state, area) if with_token else 0
    points = count_points(tables, state, area, kind) * find_factor(tables, state, area, state.scorer)
    tiles = show_count(count_bits(state.area_tiles[area]), "tile")
    text = (
        f"score the {game.ruleset.segment_of_node(area).feature} of {tiles} for {name_player(state.scorer, names)}: "
        f"{show_count(points, 'point')}"
    )
    return f"{text} with the token {name_token(game.ruleset.components, kind)}" if with_token else text


def _why_not_score(game, action):
    state, tables = game.state[0], game.ruleset.tables[0]
    slot, with_token = game.ruleset.actions.parse_score(action)
    area = state.to_score[state.scorer, slot]
    if area == NONE:
        return f"no area waits to be scored in slot {slot} (Z19)"
    assert with_token
    feature = game.ruleset.segment_of_node(area).feature
    if not tables.feature_token[tables.node_feature[area]]:
        return f"no token is used on a {feature} (Z23)"
    if state.scorer != state.player:
        return f"a token is used only on one's own areas in one's own turn (Z23), and this {feature} is the opponent's"
    if find_factor(tables, state, area, state.player) > 1:
        return f"an area is doubled only once, and the prince of player {state.player} doubles this {feature} (S7)"
    return f"player {game.current_player} holds no token that may be used on a {feature} now (Z23)"


# --- extra turn ---


def _describe_extra_turn(game, action):
    used = game.ruleset.actions.parse_extra_turn(action)
    token = name_token(game.ruleset.components, game.ruleset.tables[0].extra_turn_token)
    return f"use the token {token}" if used else "end the turn without an extra turn"


# --- choose ---


def _find_chosen(game, action):
    """Return the tile in the slot that `action` chooses, None where it is empty."""
    slot, state = game.ruleset.actions.parse_choose(action), game.state[0]
    tile = int(state.hand[state.player, slot])
    return None if tile == NONE else game.ruleset.tile(tile)


def _describe_choose(game, action):
    return f"lay {_find_chosen(game, action).id} of the hand"


def _why_not_choose(game, action):
    tile, slot = _find_chosen(game, action), game.ruleset.actions.parse_choose(action)
    if tile is None:
        return f"slot {slot} of the hand is empty (H2)"
    alike = [other for other in game.legal_actions() if _find_chosen(game, other) is tile]
    if alike:
        return f"slot {game.ruleset.actions.parse_choose(alike[0])} holds the same tile, {tile.id} (H2)"
    return f"{tile.id} cannot be laid anywhere now (H2)"


_DESCRIBE = {
    PLACE: _describe_place, SEND: _describe_send, EXTRA: _describe_extra_turn, CHOOSE: _describe_choose,
}  # fmt: skip
_WHY_NOT = {PLACE: _why_not_place, SEND: _why_not_send, SCORE: _why_not_score, CHOOSE: _why_not_choose}
