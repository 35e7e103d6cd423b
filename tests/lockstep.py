"""Plays the fast engine and the reference engine side by side and compares everything at every decision."""

import json

from tests.reference import ReferenceGame
from zamek_env.core.components import NUM_ROTATIONS
from zamek_env.core.transcription import DATA

WALL = json.loads((DATA / "zamek_wall.json").read_text())
TILES = json.loads((DATA / "zamek_tiles.json").read_text())


def twin_of(game):
    """Return a reference game with the same deal as the new `game`."""
    state, ruleset = game.state[0], game.ruleset
    deck = [ruleset.tile(tile).id for tile in state.deck]
    towers = ruleset.components.wall.token_towers
    tokens = {tower[0]: int(kind) for tower, kind in zip(towers, state.token_deal, strict=False)}
    return ReferenceGame(WALL, TILES, deck, tokens)


def as_decision(game, action):
    """Return a legal `action` in the words of the reference engine."""
    ruleset, state = game.ruleset, game.state[0]
    actions = ruleset.actions
    if game.phase == "place":
        cell, rotation = actions.parse_place(action)
        return "place", ruleset.place_name(cell), rotation
    if game.phase == "send":
        segment = actions.parse_send(action)
        tile = ruleset.tile(int(state.deck[state.drawn - 1]))
        return "send", None if segment is None else tile.segments[segment].name
    if game.phase == "score":
        slot, with_token = actions.parse_score(action)
        area = int(state.to_score[state.scorer, slot])
        token = int(ruleset.tables[0].feature_token[ruleset.tables[0].node_feature[area]]) if with_token else None
        return "score", find_segments(game, area), token
    return "extra turn", actions.parse_extra_turn(action)


def find_segments(game, area):
    """Return the segments of an engine's area as the reference engine names them."""
    state, ruleset = game.state[0], game.ruleset
    nodes = [node for node in range(ruleset.sizes.nodes) if state.area[node] == area]
    places = {}
    for place in range(ruleset.sizes.places):
        face = int(state.face[place])
        if place < ruleset.sizes.cells:
            places[face // NUM_ROTATIONS] = place
        else:
            places[ruleset.sizes.tiles + place - ruleset.sizes.cells] = place
    tiles = [int(ruleset.tables[0].node_tile[node]) for node in nodes]
    return frozenset(
        (ruleset.place_name(places[tile]), ruleset.segment_of_node(node).name)
        for node, tile in zip(nodes, tiles, strict=True)
    )


def compare(game, twin):
    """Assert that both engines show the same game, and return {decision: action}."""
    position = game.position()
    assert position.phase == twin.phase
    assert position.player == twin.player
    assert position.scores == tuple(twin.scores)
    assert position.supplies == tuple(twin.supplies)
    assert position.family_houses == tuple(twin.family_houses)
    assert position.tokens == tuple({kind: n for kind, n in held.items() if n} for held in twin.tokens_usable)
    assert position.fresh_tokens == tuple({kind: n for kind, n in held.items() if n} for held in twin.tokens_fresh)
    assert position.towers == frozenset(twin.tower_tokens)
    assert position.tile == twin.tile
    assert position.board == twin.board
    assert position.followers == tuple(sorted(twin.followers))
    assert position.remaining == frozenset(twin.remaining)
    assert position.discarded == frozenset(twin.discarded)
    assert areas_of(game) == areas_of(twin)
    legal = game.legal_actions()
    decisions = {as_decision(game, action): action for action in legal}
    assert len(decisions) == len(legal)
    assert set(decisions) == set(twin.decisions())
    return decisions


def areas_of(game):
    """Return {segments: (feature, tiles, open ports, followers, marks)} of either engine's areas."""
    return {
        area.segments: (
            area.feature,
            area.tiles,
            area.open_ports,
            tuple(area.followers),
            area.marks if hasattr(area, "marks") else area.shrines + area.stocks,
        )
        for area in (game.areas() if callable(game.areas) else game.areas)
    }


def play_in_lockstep(game, choose):
    """Play `game`, new, to its end against the reference, choosing by `choose(game, legal actions)`."""
    twin = twin_of(game)
    while True:
        decisions = compare(game, twin)
        if game.is_terminal:
            return twin
        action = choose(game, sorted(decisions.values()))
        decision = next(decision for decision, number in decisions.items() if number == action)
        game.step(action)
        twin.play(decision)
