"""Sets up a game at a position line: everything public as it says, everything hidden dealt by a number.

Tiles are laid by the rules, one after another, so that areas and frontier are the engine's own. Then pieces, points and
tokens are put where the line says. A position need not be reachable, but it must be one from which play can go on.
"""

from collections import Counter
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from zamek_env.base.records import NONE, copy_records
from zamek_env.common.messages import show_count, show_name, show_names
from zamek_env.components.highest_score import bound_score
from zamek_env.components.model import STEP, TOKEN_USES
from zamek_env.core import engine
from zamek_env.core.placement import OTHERS, OWN, find_cell_code, fits_anywhere, write_placements
from zamek_env.core.scoring import list_completed
from zamek_env.core.state import find_tile
from zamek_env.core.tables import COMPLETED_AREA, EXTRA_TURN
from zamek_env.errors import IllegalActionError
from zamek_env.layout.actions import CHOOSE, EXTRA, OVER, PLACE, SCORE, SEND
from zamek_env.load import MAX_SCORE, AnyComponents
from zamek_env.notation.action_line import NOTHING, word
from zamek_env.notation.position import name_pieces
from zamek_env.notation.position_line import HIDDEN, PHASE_WORDS, fail, list_usual_hands, read_head, read_line
from zamek_env.ruleset import Ruleset, get_ruleset
from zamek_env.tile_game import TileGame

MAX_POINTS = 500  # that a position may begin with, where the box does not bring more


def set_up(text: str, components: AnyComponents, number: int) -> tuple[Ruleset, npt.NDArray[np.record]]:
    """Return (ruleset, states) of the position that `text` describes, with what is hidden dealt by `number`.

    `states` is an array of shape `(1,)`. Raises `ValueError` naming section and word where the line is malformed or
    play could not go on from there.
    """
    head = read_head(text)
    ruleset = get_ruleset(unquote(head.ruleset), components, head.players, head.rules)
    if not ruleset.components.digest.startswith(head.digest):
        given = ruleset.components.digest[: len(head.digest)]
        fail("line", f"is of other components of {head.ruleset}: their digest is {head.digest}, here it is {given}")
    phases = PHASE_WORDS if ruleset.sizes.hand_size > 1 else PHASE_WORDS[:CHOOSE]
    line = read_line(head, ruleset.players, phases)
    _check_lacking(line, ruleset)
    tiles = _Tiles(line, ruleset)
    game = TileGame.from_deal(ruleset, tiles.deal(), _deal_tokens(line, ruleset))
    _lay(game, line, tiles)
    states = copy_records(game.raw_states)
    state = states[0]
    _put_turn(ruleset, state, line, tiles)
    _put_hands(ruleset, state, line, tiles)
    _put_holdings(ruleset, state, line)
    _put_pieces(ruleset, state, line)
    _put_waiting(ruleset, state, line)
    viewer = _find_viewer(ruleset, tiles.told)
    _check_choice(ruleset, states, line, viewer)
    engine.conceal(ruleset.tables, states, 0, number, viewer)
    return ruleset, states


def _check_lacking(line, ruleset):
    """Fail where the line holds something that the ruleset does not have."""
    sizes = ruleset.sizes
    sections = {
        "house": (sizes.has_family_house, any(line.numbers["house"])),
        "nests": (sizes.nests, any(line.numbers["nests"])),
        "gate": (sizes.halts, line.gate),
        "taken": (sizes.towers, line.taken),
        "waiting": (sizes.fields, any(line.waiting)),
        "turn": (sizes.fields, line.phase in (SCORE, EXTRA)),
        "hands": (sizes.hand_size, line.hands),
    }
    for section, (has, is_given) in sections.items():
        if is_given and not has:
            fail(section, f"there is no such thing in {line.ruleset}")


# --- tiles ---


class _Tiles:
    """The places of the tiles of the deck, by number; copies are in the order of the deck."""

    def __init__(self, line, ruleset):
        self._left: dict[str, list[int]] = {}  # word -> numbers
        for number, tile in enumerate(ruleset.components.tiles):
            self._left.setdefault(word(tile.id), []).append(number)
        self.order = _order_cells(line, ruleset.components)
        self.laid = [self._take("board", line.board[cell][0]) for cell in self.order]
        self.out = [self._take("out", tile) for tile in line.out]
        self.to_place = [self._take("turn", line.tile)] if line.phase == PLACE else []
        self.told = line.hands or _guess_hands(line, ruleset)  # the hands, as words
        known = [
            [self._take("hands", each) if each not in (NOTHING, HIDDEN) else each for each in hand]
            for hand in self.told
        ]
        self.hands = [[NONE if each == NOTHING else self._hold(each) for each in hand] for hand in known]
        self.rest = sorted(number for numbers in self._left.values() for number in numbers)

    def _hold(self, tile):
        """Return the number of a tile in a hand; a hidden one is any that is left."""
        if tile != HIDDEN:
            return tile
        numbers = next((numbers for numbers in reversed(self._left.values()) if numbers), None)
        if numbers is None:
            fail("hands", "there are more tiles than are left")
        return numbers.pop()

    def _take(self, section, tile):
        if tile not in self._left:
            fail(section, f"there is no tile {show_name(tile)}; there are {show_names(self._left)}")
        if not self._left[tile]:
            fail(section, f"there are more tiles {show_name(tile)} than the game has")
        return self._left[tile].pop(0)

    def deal(self):
        """Return the deck that lets the tiles be laid one after another."""
        held = [tile for hand in self.hands for tile in hand if tile != NONE]
        return [*self.laid, *self.to_place, *held, *self.rest, *self.out]

    def drawn(self):
        """Return the tiles drawn so far, that of this turn last."""
        if self.to_place:
            return [*self.laid, *self.out, *self.to_place]
        return [*self.laid[:-1], *self.out, *self.laid[-1:]]


def _guess_hands(line, ruleset):
    """Return the hands that a line leaves out: hidden ones as they usually are. Fails for open ones."""
    if ruleset.sizes.hand_size and not ruleset.sizes.hides_hands:
        fail("hands", "is missing: all see what the players hold")
    return list_usual_hands(ruleset, line.player, line.phase) if ruleset.sizes.hand_size else []


def _find_viewer(ruleset, hands):
    """Return the player whose hidden hand a line shows, NONE where it shows none. Fails where it shows several."""
    if not ruleset.sizes.hides_hands:
        return NONE
    told = [player for player, hand in enumerate(hands) if {*hand} - {HIDDEN, NOTHING}]
    if len(told) > 1 or any(HIDDEN in hands[player] for player in told):
        fail("hands", "may tell one hand, and all of it: no player sees more")
    return told[0] if told else NONE


def _order_cells(line, components):
    """Return the cells of the board, each next to something that lay there before it, that of this turn last."""
    board, has_wall, is_drawn = components.board, components.start_tile is None, components.house.start_in_bag
    if line.cell is not None and line.board.get(line.cell, (None,))[0] != line.tile:
        fail("turn", f"{show_name(line.tile)} does not lie on {line.cell}, as section board says")
    for cell in line.board:
        if has_wall and board.find_number(cell) is None:
            fail("board", f"{cell} is not a space inside the wall")
        if not has_wall and cell == (0, 0) and not is_drawn:
            fail("board", "the start tile lies on (0, 0); leave it out")
        if not has_wall and board.find_number(cell) is None:
            fail("board", f"{cell} lies beyond the edge of the table")
    if is_drawn and line.board.get((0, 0), (None, NONE))[1] != 0:
        fail("board", "the tile that was drawn first must lie on (0, 0), turned N")
    if len(line.board) > len(components.tiles):
        fail("board", f"there are only {len(components.tiles)} tiles")
    touched = {start.cell for start in board.starts} if has_wall else {*STEP}
    order = [(0, 0)] if is_drawn else []
    waiting = sorted(line.board.keys() - {line.cell, *order})
    while waiting:
        cell = next((cell for cell in waiting if cell in touched), None)
        if cell is None:
            fail("board", f"the tile on {waiting[0]} touches nothing that lay there before")
        waiting.remove(cell)
        order.append(cell)
        touched |= {(cell[0] + down, cell[1] + right) for down, right in STEP}
    if line.cell is not None and line.cell not in touched:
        fail("board", f"the tile on {line.cell} touches nothing that lay there before")
    return order + ([] if line.cell is None else [line.cell])


def _lay(game, line, tiles):
    """Lay the tiles of the board in the new `game`, without sending anybody."""
    actions, board = game.ruleset.actions, game.ruleset.components.board
    start = 1 if game.ruleset.sizes.starts_in_bag else 0
    for cell, tile in zip(tiles.order[start:], tiles.laid[start:], strict=True):
        name, rotation = line.board[cell]
        _offer(game, tile, "board", f"{name}, laid on {cell}, fits nowhere beside what lies there before")
        code = int(find_cell_code(game.ruleset.tables[0], game.state[0], board.find_number(cell)))
        try:
            game.step(actions.place(code, rotation))
        except IllegalActionError as error:
            fail("board", str(error))
    for tile in tiles.to_place:
        _offer(game, tile, "turn", f"{line.tile} fits nowhere, so it cannot be the tile to place")


def _offer(game, tile, section, problem):
    """Make `tile` the one to lay, whatever has been drawn."""
    state = game.raw_states[0]
    if not write_placements(game.ruleset.tables[0], state, tile):
        fail(section, problem)
    state["deck"][np.flatnonzero(state["deck"] == tile)[0]] = state["deck"][0]
    state["deck"][0] = tile
    state["drawn"], state["phase"], state["cell"] = 1, PLACE, NONE
    state["hand"], state["held"] = NONE, 0


# --- turn and holdings ---


def _put_turn(ruleset, state, line, tiles):
    """Write whose turn it is, the decision to make, and what was drawn."""
    drawn = tiles.drawn()
    if line.phase == OVER:
        _check_over(ruleset, state, line, tiles)
    state["deck"][:] = drawn + [tile for hand in tiles.hands for tile in hand if tile != NONE] + tiles.rest
    state["drawn"] = len(drawn)
    state["phase"] = line.phase
    state["player"] = state["scorer"] = line.player
    state["cell"] = NONE if line.cell is None else ruleset.components.board.find_number(line.cell)
    if line.phase == OVER and line.cell is None and not ruleset.sizes.draws_back:
        state["deck"][:] = [*tiles.laid, *tiles.out]
    if line.phase != PLACE:
        state["placements"][:] = 0
    state["completed"][:] = NONE
    if line.phase in (SEND, SCORE):
        list_completed(ruleset.tables[0], state, int(state["cell"]), OWN | OTHERS)


def _check_over(ruleset, state, line, tiles):
    """Fail where the game goes on: with tiles that are left, or since nothing says how the last turn was passed."""
    left = len(tiles.rest) + sum(tile != NONE for hand in tiles.hands for tile in hand)
    if not ruleset.sizes.draws_back or not left:
        if left or (line.cell is None and not tiles.out):
            problem = f"{show_count(left, 'tile')} are left" if left else "it must be said which tile was laid last"
            fail("turn", f"the game is not over: {problem}")
    elif any(fits_anywhere(ruleset.tables[0], state, tile) for tile in tiles.rest):
        fail("turn", "the game is not over: some tile of the bag can be laid")


def _put_hands(ruleset, state, line, tiles):
    """Write what the players hold, which must be full hands as long as there are tiles in the bag (rules H1, H2)."""
    size = ruleset.sizes.hand_size
    for player, hand in enumerate(tiles.hands):
        if len(hand) != size:
            fail("hands", f"player {player} has {show_count(size, 'slot')}, not {len(hand)}")
        due = 1 if player == line.player and line.phase in (PLACE, SEND) else 0
        empty = hand.count(NONE)
        if (empty > due and tiles.rest and line.phase != OVER) or empty < due:
            problem = "has played a tile, and draws at the end of the turn" if due else "draws from what is left"
            fail("hands", f"player {player} {problem}, so {due} must be empty, not {empty}")
        state["hand"][player] = hand
    if size:
        state["held"] = sum(tile != NONE for hand in tiles.hands for tile in hand)


def _put_holdings(ruleset, state, line):
    """Write scores, houses, nests, gates and tokens."""
    sizes, table = ruleset.sizes, ruleset.tables[0]
    to_come = bound_score(ruleset.components)
    limits = {
        "score": min(max(MAX_POINTS, to_come), MAX_SCORE - to_come),  # so that the last score can still be counted
        "nests": sizes.nests - min(line.numbers["nests"]),  # for the larger number: together there are not more
    }
    houses = _list_houses(ruleset, state)
    for number in line.numbers["house"]:
        if number not in houses:
            fail("house", f"must be the size of a completed house on the board, {sorted(houses)}, not {number}")
    for name, field in (("score", "score"), ("house", "family_house"), ("nests", "nests")):
        if name in limits and max(line.numbers[name]) > limits[name]:
            fail(name, f"must be at most {limits[name]}, not {max(line.numbers[name])}")
        state[field][:] = line.numbers[name][: state[field].size]
    for player in line.gate:
        if player >= ruleset.players or not (
            line.phase == OVER or table.field_halts[int(state["score"][player]) % sizes.fields]
        ):
            fail("gate", f"player {player} is no player whose marker stands on a field before a gate")
        state["at_gate"][player] = 1
    towers = [tower[0] for tower in ruleset.components.board.token_towers]
    for field in line.taken:
        state["tower_taken"][towers.index(field)] = 1
    for name, field in (("tokens", "tokens"), ("fresh", "fresh_tokens")):
        for player, kinds in enumerate(line.kinds[name]):
            for kind in kinds:
                state[field][player, kind] += 1


def _list_houses(ruleset, state):
    """Return the sizes of completed family houses, and 0 for no house."""
    complete = {int(area) for area in state["area"] if area > NONE and state["open_ports"][area] == 0}
    features, of_node = ruleset.components.features, ruleset.tables[0].node_feature
    houses = [area for area in complete if features[of_node[area]].family_house]
    return {0, *(int(np.bitwise_count(state["area_tiles"][area]).sum()) for area in houses)}


def _deal_tokens(line, ruleset):
    """Return the kinds on the towers and in the box: those seen lie where they were taken."""
    towers = [tower[0] for tower in ruleset.components.board.token_towers]
    for field in line.taken:
        if field not in towers or line.taken.count(field) > 1:
            fail("taken", f"{field} must be one of the towers {', '.join(map(str, towers))}, each named once")
    pool = Counter(ruleset.tables[0].token_pool.tolist())
    held = [kind for name in ("tokens", "fresh") for kinds in line.kinds[name] for kind in kinds]
    seen = Counter(held + line.used)
    for kind, count in seen.items():
        if count > pool[kind]:
            fail("tokens", f"there are {pool[kind]} tokens of kind {kind}, not {count}")
    if seen.total() != len(line.taken):
        fail("taken", f"{seen.total()} tokens were taken, from {len(line.taken)} towers")
    uses = {token.kind: token.use for token in ruleset.components.tokens}
    for kind in line.used:
        if uses[kind] not in (TOKEN_USES[EXTRA_TURN], TOKEN_USES[COMPLETED_AREA]):
            fail("used", f"tokens of kind {kind} are kept to the end of the game")
    if any(line.kinds["fresh"]) and line.phase not in (SCORE, EXTRA):
        fail("fresh", f"no token has been taken in this turn before {PHASE_WORDS[line.phase]!r}")
    taken, left = sorted(seen.elements()), sorted((pool - seen).elements())
    return [taken.pop() if field in line.taken else left.pop() for field in towers] + left


# --- pieces, and areas that wait to be scored ---


def _put_pieces(ruleset, state, line):
    """Write where the pieces stand. Writes `follower_node`, `follower_area`, `area_followers`."""
    supplies: list[list[str | None]]  # words of a player's pieces, by number; None for those that stand
    supplies = [[word(name) for name in name_pieces(ruleset)] for _ in range(ruleset.players)]
    for player, pieces in enumerate(line.pieces):
        for piece, cell, segment in pieces:
            node = _find_node(ruleset, state, line, "pieces", (cell, segment))
            name = piece or word(ruleset.components.pieces[0].name)
            if name not in supplies[player]:
                fail("pieces", f"player {player} has fewer pieces {show_name(name)}")
            number = supplies[player].index(name)
            supplies[player][number] = None
            _check_standing(
                ruleset, state, line, node, f"{piece + '@' if piece else ''}{_format_segment(cell, segment)}"
            )
            state["follower_node"][player, number] = node
            state["follower_area"][player, number] = state["area"][node]
            state["area_followers"][state["area"][node], player] += 1


def _put_waiting(ruleset, state, line):
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


def _format_segment(cell, segment):
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
    """Fail where no piece can be on that segment now."""
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


# --- the decision to make ---


def _check_choice(ruleset, states, line, viewer):
    """Fail unless there is something to decide: without a choice, phases other than placing are skipped."""
    state = states[0]
    if line.phase == EXTRA:
        holds = state["tokens"][line.player, ruleset.tables[0].extra_turn_token] > 0
        if not holds or state["drawn"] == state["deck"].size:
            fail("turn", f"player {line.player} can take no extra turn: no token for it, or no tile left")
    if line.phase == CHOOSE:  # among two tiles, or for one of a hidden hand (rule H2)
        player, hides = int(state["player"]), ruleset.sizes.hides_hands
        unknown = state["deck"][int(state["drawn"]) :].tolist()
        held = unknown if hides and line.player != viewer else state["hand"][player].tolist()
        kinds = {ruleset.tile(tile).id: tile for tile in held if tile != NONE}
        can = sum(fits_anywhere(ruleset.tables[0], state, tile) for tile in kinds.values())
        if can < (1 if hides else 2):
            fail("turn", f"choose leaves player {player} no choice, so it is not asked for")
    if line.phase in (SEND, SCORE):
        mask = np.empty(ruleset.num_actions, np.bool_)
        engine.write_mask(ruleset.tables, states, 0, mask)
        if mask.sum() < 2:
            fail("turn", f"{PHASE_WORDS[line.phase]} leaves player {line.player} no choice, so it is not asked for")
