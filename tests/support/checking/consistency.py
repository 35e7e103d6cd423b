"""Rebuilds every derived field of a state record from the board, and reports where the two disagree.

The engine updates areas, frontier and placements step by step; here they are found again, slowly and plainly, from the
faces on the board alone. No kernel is called.
"""

from collections import Counter
from math import prod

import numpy as np

from tests.support.checking.board import Board
from tests.support.checking.disagreement import require
from zamek_env.base.records import NONE
from zamek_env.components.bitset import WORD_BITS
from zamek_env.components.house_rules import CITY
from zamek_env.components.model import NUM_ROTATIONS, NUM_SIDES, TOKEN_USES
from zamek_env.core.scoring import SMALL
from zamek_env.core.tables import COMPLETED_AREA, EXTRA_TURN
from zamek_env.layout.actions import CHOOSE, EXTRA, OVER, PHASE_NAMES, PLACE, SCORE, SEND
from zamek_env.notation.position import find_tiles, name_location


def check_consistency(game):
    """Check every field of the state record of `game`.

    Raises `ConsistencyError`, which names the field and place that disagree, the value there and the right one.
    """
    state, ruleset = game.state[0], game.ruleset
    _check_turn(ruleset, state)
    _check_deal(ruleset, state)
    _check_hands(ruleset, state)
    _check_faces(ruleset, state)
    board = Board(ruleset, state)
    _check_edges(board)
    _check_cell(board)
    _check_areas(board)
    _check_cells(board)
    _check_placements(board)
    _check_followers(board)
    _check_completed(board)
    _check_to_score(board)
    _check_tokens(board)
    _check_players(board)
    _check_nests(board)
    _check_choice(board)


# --- how a disagreement is described ---


def _compare(field, stored, rebuilt):
    """Compare an array of the record with the rebuilt one."""
    for found in np.argwhere(stored != rebuilt):
        index = tuple(found.tolist())
        require(False, f"{field}{list(index)}", stored[index], f"rebuilt from the board it is {rebuilt[index]}")


def _bit_set(numbers, words):
    total = sum(1 << int(number) for number in numbers)
    return np.array([total >> (WORD_BITS * word) & 0xFFFFFFFF for word in range(words)], np.uint32)


# --- one check for each group of fields ---


def _check_turn(ruleset, state):
    last = CHOOSE if ruleset.sizes.hand_size > 1 else OVER
    require(state.phase <= last, "phase", state.phase, f"the last one is {last}")
    asked = ruleset.sizes.fields > 0 or state.phase not in (SCORE, EXTRA)
    require(asked, "phase", PHASE_NAMES[state.phase], "there is no track, and so nobody is asked for that")
    players = {1: "0", 2: "0 and 1"}.get(ruleset.players, f"0 to {ruleset.players - 1}")
    for field in ("player", "scorer"):
        require(state[field] < ruleset.players, field, state[field], f"the players are {players}")
    if state.phase != SCORE:
        require(state.scorer == state.player, "scorer", state.scorer, f"it is player {state.player}'s turn")
    tiles = ruleset.sizes.tiles
    least = 0 if state.phase == CHOOSE else 1
    require(least <= state.drawn <= tiles, "drawn", state.drawn, f"a game draws {least} to {tiles} tiles")
    if state.phase == OVER and not ruleset.sizes.draws_back:
        require(state.drawn == tiles, "drawn", state.drawn, f"the game is over, so all {tiles} tiles were drawn")
    if "padding" in state.dtype.names:
        require(not state.padding.any(), "padding", state.padding, "nothing stands there")


def _check_deal(ruleset, state):
    for field, due in (("deck", range(ruleset.sizes.tiles)), ("token_deal", ruleset.tables[0].token_pool)):
        extra = Counter(state[field].tolist()) - Counter(list(due))
        require(not extra, field, state[field].tolist(), f"it holds too many of {sorted(extra)}")


def _check_hands(ruleset, state):
    """Check that tiles in hands were drawn, lie nowhere else, and are of the right number (rules H1, H2)."""
    held = state.hand[state.hand != NONE].tolist()
    for number in state.held.tolist():
        require(number == len(held), "held", number, f"the players hold {len(held)} tiles")
    begin, end = int(state.drawn), int(state.drawn) + len(held)
    due = sorted(state.deck[begin:end].tolist())
    require(sorted(held) == due, "hand", state.hand.tolist(), f"the deck says that the tiles {due} are in hands")
    require(not state.hides_hands.any(), "hides_hands", state.hides_hands.tolist(), "nothing stands there")
    for player, hand in enumerate(state.hand.tolist()):
        played = player == state.player and state.phase in (PLACE, SEND)
        empty, most = hand.count(NONE), 1 if played else 0
        problem = f"{most} of player {player} can be empty, with {state.deck.size - end} tiles in the bag"
        full = empty <= most or end == state.deck.size or state.phase == OVER
        require(full and (empty > 0 or not played), f"hand[{player}]", hand, problem)
    require(state.bag.all(), "bag", state.bag.tolist(), "a generator never stands at 0 (H3)")


def _check_faces(ruleset, state):
    sizes, locations, rotations = ruleset.sizes, state.tile_location.tolist(), state.tile_rotation.tolist()
    for tile, (location, rotation) in enumerate(zip(locations, rotations, strict=True)):
        there = location == NONE or 0 <= location < sizes.locations
        require(there, f"tile_location[{tile}]", location, "there is no such location")
        most = NUM_ROTATIONS - 1 if location != NONE and tile < sizes.tiles else 0
        require(rotation <= most, f"tile_rotation[{tile}]", rotation, f"it is {most} at most")
    for tile, location in _find_laid(ruleset, state).items():
        due = f"{ruleset.tile(tile).id} always lies on {name_location(ruleset, state, location)}, which is {location}"
        require(locations[tile] == location, f"tile_location[{tile}]", locations[tile], due)
        require(rotations[tile] == 0, f"tile_rotation[{tile}]", rotations[tile], "it lies there as it is printed")
    for location, count in Counter(location for location in locations if location != NONE).items():
        name = name_location(ruleset, state, location)
        require(count == 1, "tile_location", locations, f"{count} tiles lie on {name}")
    shown = np.zeros_like(state.tile_at)
    for tile, location in enumerate(locations):
        if NONE != location < sizes.window_locations:
            shown[location] = tile + 1
    _compare("tile_at", state.tile_at, shown)
    lying = {tile for tile in range(sizes.tiles) if locations[tile] != NONE}
    drawn = set(state.deck[: state.drawn].tolist())
    latest = int(state.deck[state.drawn - 1])
    for tile in lying:
        name = ruleset.tile(tile).id
        require(tile in drawn, "drawn", state.drawn, f"{name} lies on the board")
        require(tile != latest or state.phase != PLACE, "phase", "place", f"{name} lies on the board already")
    apart = sum(location != NONE for location in locations) - len(find_tiles(ruleset, state))
    require(apart == 0, "tile_location", locations, f"{apart} tiles do not hang together with the start tile (C1)")
    if state.phase in (SEND, SCORE, EXTRA):
        name = PHASE_NAMES[state.phase]
        require(latest in lying, "phase", name, f"{ruleset.tile(latest).id}, drawn last, does not lie on the board")


def _find_laid(ruleset, state):
    """Return {tile: location} of what lies on the board from the beginning (rules Z2, C1, H4)."""
    sizes, board = ruleset.sizes, ruleset.components.board
    if board.starts:
        return {sizes.tiles + number: sizes.cells + number for number in range(sizes.starts)}
    return {int(state.deck[0]) if sizes.starts_in_bag else sizes.tiles: board.find_number((0, 0))}


def _check_edges(board):
    for location in board.locations:
        for side in range(NUM_SIDES):
            shown, met = board.edge(*board.lying_at(location), side), board.edge_beside(location, side)
            if met is not None:
                tile, rotation = board.lying_at(location)
                problem = f"it shows {shown} on side {side}, where its neighbour shows {met} (Z10, C1)"
                require(shown == met, f"tile_rotation[{tile}]", rotation, problem)


def _check_cell(board):
    state = board.state
    due = next(
        (location for location in board.locations if board.lying_at(location)[0] == state.deck[state.drawn - 1]), NONE
    )
    if state.phase == CHOOSE or (state.phase == OVER and board.ruleset.sizes.draws_back and state.cell == NONE):
        due = NONE  # a turn has begun
    require(state.cell == due, "cell", state.cell, f"the tile drawn last lies on {due}")


def _check_areas(board):
    state, sizes = board.state, board.ruleset.sizes
    area = np.full(sizes.nodes, NONE)
    open_ports, marks, nests = np.zeros((3, sizes.nodes), int)
    tiles, touched = np.zeros_like(state.area_tiles), np.zeros_like(state.area_touched)
    for name, nodes in board.members.items():
        area[nodes] = name
        open_ports[name] = board.open_ports[name]
        marks[name] = sum(board.segments[node].marks for node in nodes)
        nests[name] = sum(board.segments[node].nests for node in nodes)
        if name < sizes.completing_nodes:
            tiles[name] = _bit_set({board.lying_at(location)[0] for location in board.tiles_of(name)}, sizes.tile_words)
        elif sizes.touching_nodes:
            names = {board.area_of[node] for node in board.touched_by(name)} & board.complete
            touching = {node for node in board.touched_by(name) if board.area_of[node] not in names}
            touched[name - sizes.completing_nodes] = _bit_set(touching | names, sizes.touched_words)
    _compare("area", state.area, area)
    _compare("open_ports", state.open_ports, open_ports)
    _compare("area_marks", state.area_marks, marks)
    _compare("area_nests", state.area_nests, nests[: sizes.nest_nodes])
    _compare("area_tiles", state.area_tiles, tiles)
    _compare("area_touched", state.area_touched, touched)
    closed = [name for name in board.complete if name < sizes.touched_nodes]
    _compare("closed", state.closed, _bit_set(closed, sizes.touched_words))


def _check_cells(board):
    state, sizes, codes = board.state, board.ruleset.sizes, _find_codes(board)
    cells = [cell for cell in codes if cell < sizes.window_cells]
    empty = [cell for cell in cells if not board.is_filled(cell)]
    filled = [cell for cell in cells if board.is_filled(cell)]
    spots = [cell for cell in codes if cell >= sizes.window_cells]
    _compare("empty", state.empty, _bit_set(empty, sizes.window_words))
    _compare("spot_cell", state.spot_cell, np.array(spots + [NONE] * (sizes.cells_beyond - len(spots)), int))
    _compare("frontier", state.frontier, _bit_set([codes[cell] for cell in board.frontier], sizes.cell_words))
    forbidden = np.zeros_like(state.forbidden)
    for side in range(NUM_SIDES):
        shown = {codes[cell]: board.edge_beside(cell, side) for cell in (*board.frontier, *filled)}
        for number, edge in enumerate(board.ruleset.components.edges):
            barred = [code for code in shown if shown[code] not in (edge, None)]
            forbidden[:, side, number] = _bit_set(barred, sizes.cell_words)
    # What was forbidden while a space was empty may stay when it is filled; nothing reads it then.
    was_empty = _bit_set(filled, sizes.cell_words)[:, np.newaxis, np.newaxis]
    _compare("forbidden", state.forbidden & ~was_empty, forbidden & ~was_empty)
    _compare("forbidden", state.forbidden & was_empty & ~forbidden, np.zeros_like(forbidden))
    if state.reach.size:
        used = {codes[cell] // WORD_BITS for cell in (*board.frontier, *filled)}
        is_within = max(*board.frontier, *board.locations) < sizes.window_cells
        due = [min(used), max(used) + 1 if is_within else sizes.cell_words]
        given = state.reach.tolist()
        require(given == due, "reach", given, f"the tiles and what is beside them take up the words {due}")


def _find_codes(board):
    """Return {cell: code} of the cells that actions can name: those of the window, and those beyond that are open."""
    window, cells = board.ruleset.sizes.window_cells, board.ruleset.components.board.cells
    codes = {cell: cell for cell in range(window) if cells[cell]}
    beyond = [cell for cell in board.frontier if cell >= window]
    return codes | {cell: window + spot for spot, cell in enumerate(beyond)}


def _check_placements(board):
    state, sizes, codes = board.state, board.ruleset.sizes, _find_codes(board)
    placements = np.zeros_like(state.placements)
    if state.phase == PLACE:
        tile = int(state.deck[state.drawn - 1])
        for rotation in range(NUM_ROTATIONS):
            fitting = [codes[cell] for cell in board.frontier if board.fits(tile, cell, rotation)]
            placements[:, rotation] = _bit_set(fitting, sizes.cell_words)
        require(placements.any(), "phase", "place", f"{board.ruleset.tile(tile).id} fits nowhere (Z11, C1)")
    _compare("placements", state.placements, placements)


def _check_followers(board):
    state, tiles = board.state, board.ruleset.sizes.tiles
    node_tile = board.ruleset.tables[0].node_tile
    for player in range(board.ruleset.players):
        for number, node in enumerate(state.follower_node[player].tolist()):
            field = f"follower_node[{player}, {number}]"
            on_tile = node in board.location_of and node_tile[node] < tiles
            require(node == NONE or on_tile, field, node, "no tile that was placed has that segment")
            held = node == NONE or board.is_held(node)
            require(held, field, node, "nobody is sent to such a segment (C8)")
            due = NONE if node == NONE else board.area_of[node]
            given = int(state.follower_area[player, number])
            require(given == due, f"follower_area[{player}, {number}]", given, f"that follower stands in area {due}")
    standing = Counter(state.follower_node[state.follower_node != NONE].tolist())
    for node, count in standing.items():
        require(count == 1, "follower_node", state.follower_node.tolist(), f"{count} of them stand on segment {node}")
        waits = state.phase in (SEND, SCORE) and board.area_of[node] in state.completed
        problem = (
            f"the area {board.area_of[node]} of segment {node} is complete, so they should have come back (Z20, C5)"
        )
        require(waits or board.area_of[node] not in board.complete, "follower_node", standing, problem)
    counts = np.zeros_like(state.area_followers)
    for area in board.members:
        counts[area] = board.count_followers(area)
    _compare("area_followers", state.area_followers, counts)


def _check_completed(board):
    state = board.state
    due = set()
    if state.phase in (SEND, SCORE):
        cell = int(state.cell)
        touched = board.nodes_at(cell) + board.facing(cell) + board.surrounded_near(cell)
        due = {board.area_of[node] for node in touched} & board.complete
    given = state.completed.tolist()
    listed = sorted(due) + [NONE] * (len(given) - len(due))
    problem = f"this turn completed {sorted(due)}"
    require(sorted(given[: len(due)]) + given[len(due) :] == listed, "completed", given, problem)


def _check_to_score(board):
    state, players = board.state, board.ruleset.players
    due: list[list[int]] = [[] for _ in range(players)]
    if state.phase == SCORE:
        for area in sorted(area for area in set(state.completed.tolist()) if area != NONE):
            counts = board.count_followers(area)
            most = [player for player in range(players) if counts[player] == max(counts)]
            if len(most) == 1:
                due[most[0]].append(area)
            scored = len(most) == 1 or max(counts) == 0
            require(scored, "follower_node", max(counts), f"nobody scores area {area} (Z17, Z20)")
    for player in range(players):
        given = state.to_score[player].tolist()
        problem = f"the followers in completed areas give {due[player]}"
        require(sorted(area for area in given if area != NONE) == due[player], f"to_score[{player}]", given, problem)
    if due[state.player]:
        require(state.scorer == state.player, "scorer", state.scorer, "the active player's areas come first (Z19)")


def _check_choice(board):
    """Check that phases in which only one action would be legal are skipped."""
    state, table = board.state, board.ruleset.tables[0]
    mine = state.tokens[state.player]
    if state.phase == SEND:
        areas = {board.area_of[node] for node in board.nodes_at(int(state.cell)) if board.is_held(node)}
        free = {area for area in areas if not any(board.count_followers(area))}
        first, supply = board.ruleset.sizes.followers, state.follower_node[state.player] == NONE
        can = bool(free and supply[:first].any()) or bool(free - board.complete and supply[first:].any())
        require(can, "phase", "send", "no follower can be sent (Z12, S4, C3)")
    if state.phase == CHOOSE:
        _check_hand_choice(board)
    if state.phase == SCORE:
        waiting = [area for area in state.to_score[state.scorer] if area != NONE]
        usable = state.scorer == state.player and any(
            mine[table.feature_token[table.node_feature[area]]] and not _is_multiplied(board, area) for area in waiting
        )
        require(len(waiting) > 1 or usable, "phase", "score", "there is nothing to choose (Z19)")
    if state.phase == EXTRA:
        can = mine[table.extra_turn_token] > 0 and state.drawn < state.deck.size
        require(can, "phase", "extra turn", "none can be played (Z25)")


def _check_hand_choice(board):
    """Check that some tile of the hand can be laid, and of an open hand several different ones (rule H2)."""
    state, ruleset = board.state, board.ruleset
    hand = {ruleset.tile(tile).id: tile for tile in state.hand[state.player].tolist() if tile != NONE}
    spots = [(cell, rotation) for cell in board.frontier for rotation in range(NUM_ROTATIONS)]
    can = [name for name, tile in hand.items() if any(board.fits(tile, *spot) for spot in spots)]
    least = 1 if ruleset.sizes.hides_hands else 2  # a hidden hand may have been redealt
    require(len(can) >= least, "phase", "choose", f"of the hand {sorted(hand)} only {can} can be laid (H2)")


def _is_multiplied(board, area):
    """Return whether a special piece of the scorer multiplies the points of `area` (rule S7)."""
    state, special = board.state, board.ruleset.components.special_pieces
    where = state.follower_area[state.scorer, board.ruleset.sizes.followers :].tolist()
    return any(at == area and piece.factor > 1 for at, piece in zip(where, special, strict=True))


# --- what the players have besides their pieces: tokens, points, family houses, nests ---


def _check_tokens(board: Board) -> None:
    """Check that tokens in hand came from towers, and that missing ones can have been used (rules Z22, Z23)."""
    state, table = board.state, board.ruleset.tables[0]
    towers = len(state.tower_taken)
    require(np.isin(state.tower_taken, (0, 1)).all(), "tower_taken", state.tower_taken.tolist(), "each is 0 or 1")
    if state.phase not in (SCORE, EXTRA):
        require(
            not state.fresh_tokens.any(), "fresh_tokens", state.fresh_tokens.tolist(), "no area was scored in this turn"
        )
    taken = Counter(state.token_deal[:towers][state.tower_taken == 1].tolist())
    for kind in range(table.token_use.size):
        tokens, fresh = (int(held[:, kind].sum()) for held in (state.tokens, state.fresh_tokens))
        used = taken[kind] - tokens - fresh
        problem = f"{taken[kind]} of kind {kind} were taken, and with {fresh} fresh_tokens {-used} too many are in hand"
        require(used >= 0, "tokens", state.tokens.tolist(), problem)
        problem = (
            f"{taken[kind]} of kind {kind} were taken, with {fresh} fresh_tokens {used} are missing, and none is used"
        )
        can_be_used = table.token_use[kind] in (EXTRA_TURN, COMPLETED_AREA)
        require(used == 0 or can_be_used, "tokens", state.tokens.tolist(), problem)


def _check_players(board: Board) -> None:
    """Check that scores, markers and family houses come from areas that are complete (rules Z18, Z21, Z22)."""
    state, table = board.state, board.ruleset.tables[0]
    houses = {board.count_tiles(area) for area in board.complete if board.feature(area).family_house}
    for player in range(board.ruleset.players):
        score = state.score[player]
        require(score >= 0, f"score[{player}]", score, "nobody loses points")
        for size in state.family_house[player : player + 1]:  # none where there are no family houses
            problem = f"the completed houses have {sorted(houses)} tiles"
            require(size in houses | {0}, f"family_house[{player}]", size, problem)
        if not table.field_tower.size:  # there is no track
            continue
        tower = table.field_tower[score % table.field_tower.size]
        at_gate = _is_at_gate(board, player)
        rests = score > 0 and state.phase != OVER and tower != NONE and not at_gate
        require(
            not rests or state.tower_taken[tower], f"tower_taken[{tower}]", 0, f"player {player}'s marker rests there"
        )
    if state.phase != OVER:
        most = sum(_most_points(board, area) for area in board.complete)
        most *= board.ruleset.players if board.ruleset.components.ties_pay else 1  # (rules C5, C10)
        require(state.score.sum() <= most, "score", state.score.tolist(), f"all that is complete pays {most} at most")


def _most_points(board, area):
    """Return what the completed `area` can have paid at most, with a token or with all pieces that multiply."""
    feature, components, tiles = board.feature(area), board.ruleset.components, board.count_tiles(area)
    tokens = [token for token in components.tokens if token.use == TOKEN_USES[COMPLETED_AREA]]
    with_token = [token.points * tiles for token in tokens if token.feature == feature.name]
    marks = sum(board.segments[node].marks for node in board.members[area])
    plain = max(feature.points, feature.marked_points) * tiles
    if feature.size_points:
        plain = feature.size_points[min(tiles, len(feature.size_points)) - 1]
    plain += feature.completed_mark_points * marks
    if components.house.small_city and feature.name == CITY and tiles == SMALL:
        plain = tiles + marks  # (rule H9)
    return max(prod(piece.factor for piece in components.pieces) * plain, *with_token, 0)


def _is_at_gate(board, player):
    """Return whether `player`'s marker is on a gate, which must then lie after its field (rule S12)."""
    state, table = board.state, board.ruleset.tables[0]
    if not state.at_gate.size:
        return False
    require(np.isin(state.at_gate, (0, 1)).all(), "at_gate", state.at_gate.tolist(), "each is 0 or 1")
    field = state.score[player] % table.field_halts.size
    stands = bool(state.at_gate[player])
    problem = f"no gate lies after field {field}"
    require(not stands or state.phase == OVER or table.field_halts[field], f"at_gate[{player}]", 1, problem)
    return stands


def _check_nests(board: Board) -> None:
    """Check that the nests that players hold came from the pool, by areas that are complete (rules S8–S10)."""
    state, components = board.state, board.ruleset.components
    held = int(state.nests.sum())
    require(held <= components.nests, "nests", state.nests.tolist(), f"there are only {components.nests}")
    more = sum(piece.nests for piece in components.special_pieces)
    nests = [board.segments[node].nests for area in board.complete for node in board.members[area]]
    most = more * len(board.complete) + sum(nests)
    require(held <= most, "nests", state.nests.tolist(), f"all that is complete brings {most} at most")
