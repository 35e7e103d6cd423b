"""The rules as a state machine: set up, step, end. Start reading here.

    begin_turn ── nothing left to draw ─────────────────────────────────────────────▶ over
        │
     (CHOOSE) ──▶ PLACE ──▶ SEND ──▶ SCORE (own areas, then the others') ──▶ EXTRA ──▶ begin_turn

PLACE always asks for a decision. CHOOSE asks for a tile of the player's hand, by a house rule (H2). The other phases
are skipped where only one action would be legal, and SCORE where nothing depends on the order, as on an open table.
Which actions are legal is found in `legality.py`.

Kernels trust their arguments; `zamek_env.game` and the environments check what comes from outside. Only `reset` draws
at random: all chance of a game lies in its deal.

Everywhere `t` is a record of `tables_dtype`, `s` of `state_dtype`, `log` of `log_dtype`.
"""

from zamek_env.base.records import NONE
from zamek_env.compiler.bits import lowest_bit
from zamek_env.compiler.jit import kernel
from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.core.dealing import deal, find_bag
from zamek_env.core.end_scoring import score_end
from zamek_env.core.hands import (
    fill_hand,
    find_first_in_bag,
    find_layable,
    is_empty_handed,
    put_into_bag,
    shake,
    take_from_hand,
)
from zamek_env.core.legality import find_sendings
from zamek_env.core.log import DISCARDED, PUT_BACK, write_event
from zamek_env.core.pieces import find_free_piece
from zamek_env.core.placement import clear_placements, fills_hole, find_cell, lay_starts, lay_tile, write_placements
from zamek_env.core.scoring import count_score_choices, list_completed, score_area, sort_completed
from zamek_env.core.track import ripen_tokens
from zamek_env.layout.actions import CHOOSE, EXTRA, NOBODY, OVER, PLACE, SCORE, SEND, TOKEN_CHOICES

# --- set-up ---


@kernel
def reset(t, s, log, generator):
    """Set up a game with a deal from `generator` and begin the first turn (rules Z1–Z5).

    Writes all of `s` and `log`, and `generator`.
    """
    deal(t, s, generator)
    set_up(t, s, log)


@kernel
def set_up(t, s, log):
    """Set up everything but the deal, which is in `deck` and `token_deal`, and begin the first turn.

    Writes all else of `s`, and all of `log`.
    """
    s.area_tiles.fill(0)
    s.area_touched.fill(0)
    s.closed.fill(0)
    s.forbidden.fill(0)
    s.spot_cell.fill(NONE)
    s.tile_at.fill(0)
    s.tile_location.fill(NONE)
    s.tile_rotation.fill(0)
    s.placements.fill(0)
    s.open_ports.fill(0)
    s.area_marks.fill(0)
    s.area_followers.fill(0)
    s.area_nests.fill(0)
    s.nests.fill(0)
    s.at_gate.fill(0)
    s.follower_node.fill(NONE)
    s.follower_area.fill(NONE)
    s.completed.fill(NONE)
    s.to_score.fill(NONE)
    s.score.fill(0)
    s.family_house.fill(0)
    s.tokens.fill(0)
    s.fresh_tokens.fill(0)
    s.tower_taken.fill(0)
    s.drawn = 0
    s.held.fill(0)
    s.hand.fill(NONE)
    s.hides_hands.fill(0)
    s.player = 0
    s.scorer = 0
    lay_starts(t, s)
    if t.start_in_bag.size > 0:
        lay_tile(t, s, t.start_in_bag[0], s.deck[0] * NUM_ROTATIONS)
        s.drawn = 1
    log.count = 0
    for player in range(s.hand.shape[0]):
        fill_hand(s, player)
    begin_turn(t, s, log)


# --- the turn ---


@kernel
def is_terminal(s):
    """Return whether the game is over."""
    return s.phase == OVER


@kernel
def step(t, s, log, action):
    """Play `action`, which must be legal, and go on to the next decision. Writes all of `s` and `log`."""
    log.count = 0
    phase = s.phase
    if phase == PLACE:
        place_tile(t, s, log, action)
    elif phase == SEND:
        send_follower(t, s, action - t.send_base)
        begin_scoring(t, s, log)
    elif phase == SCORE:
        choice = action - t.score_base
        score_area(t, s, log, choice // TOKEN_CHOICES, choice % TOKEN_CHOICES == 1)
        go_on_scoring(t, s, log)
    elif s.hand.size > 0 and phase == CHOOSE:
        choose_tile(t, s, action - t.choose_base)
    else:
        end_turn(t, s, log, action - t.extra_base == 1)


@kernel
def begin_turn(t, s, log):
    """Draw until a tile fits; if none is left, the game ends (rules Z9, Z11)."""
    s.cell = NONE
    if s.hand.size > 0:
        _begin_with_hand(t, s, log)
        return
    if s.bag.size > 0:
        if _find_in_bag(t, s, log):
            s.drawn += 1
            write_placements(t, s, s.deck[s.drawn - 1])
            s.phase = PLACE
        else:
            end_game(t, s, log)
        return
    while s.drawn < s.deck.size:
        tile = s.deck[s.drawn]
        s.drawn += 1
        if write_placements(t, s, tile):
            s.phase = PLACE
            return
        write_event(log, DISCARDED, s.player, tile, 0)
    end_game(t, s, log)


@kernel
def _find_in_bag(t, s, log):
    """Make the first tile that can be laid the first of the bag; earlier ones go back; return whether there is one.

    (Rule H3.) Writes `deck`, `bag`, `log`.
    """
    first, found = find_bag(s), find_first_in_bag(t, s)
    if found <= NONE:
        return False
    tile = s.deck[found]
    for number in range(first, found):
        write_event(log, PUT_BACK, s.player, s.deck[number], 0)
    for number in range(found, first, -1):
        s.deck[number] = s.deck[number - 1]
    s.deck[first] = tile
    if found > first:
        shake(s, first + 1)
    return True


@kernel
def _begin_with_hand(t, s, log):
    """Let the player choose from the hand, or pass on to the next who holds a tile that can be laid (rules H1, H2)."""
    while s.drawn < s.deck.size:
        fill_hand(s, s.player)
        if is_empty_handed(s, s.player):
            s.player = (s.player + 1) % s.score.size
            s.scorer = s.player
            continue
        slots = find_layable(t, s, s.player)
        if slots == 0 and s.bag.size == 0:
            for slot in range(s.hand.shape[1]):
                if s.hand[s.player, slot] > NONE:
                    write_event(log, DISCARDED, s.player, s.hand[s.player, slot], 0)
                    take_from_hand(s, s.player, slot)
            continue
        if slots == 0:
            slots = _exchange_hand(t, s, log)
        if slots == 0:
            break
        if slots & (slots - 1) == 0:
            choose_tile(t, s, lowest_bit(slots))
        else:
            s.phase = CHOOSE
        return
    end_game(t, s, log)


@kernel
def _exchange_hand(t, s, log):
    """Put the hand back into the bag and redraw until something can be laid (rule H3 with H1 or H2).

    Returns in which slots, as a bit set: none where nothing in the bag can be laid, which ends the game without a turn.
    Writes `hand`, `held`, `deck`, `bag`, `log`.
    """
    player, is_first, told = int(s.player), True, log.count
    while True:
        for slot in range(s.hand.shape[1]):
            tile = s.hand[player, slot]
            if tile > NONE:
                put_into_bag(s, player, slot)
                if is_first and s.hand.shape[1] > 1:
                    write_event(log, PUT_BACK, player, tile, 0)
        if s.hand.shape[1] > 1:
            if find_first_in_bag(t, s) <= NONE:
                log.count = told
                return 0
            shake(s, find_bag(s))
        elif not _find_in_bag(t, s, log):
            return 0
        is_first = False
        fill_hand(s, player)
        slots = find_layable(t, s, player)
        if slots != 0:
            return slots


@kernel
def choose_tile(t, s, slot):
    """Take the tile to be laid out of the hand (rules H1, H2)."""
    take_from_hand(s, s.player, slot)
    write_placements(t, s, s.deck[s.drawn - 1])
    s.phase = PLACE


@kernel
def place_tile(t, s, log, action):
    """Action 1: lay the drawn tile; then ask for a follower if one can be sent (rules Z9, Z12, S4, C3)."""
    cell, rotation = find_cell(t, s, action // NUM_ROTATIONS), action % NUM_ROTATIONS
    tile = int(s.deck[s.drawn - 1])
    clear_placements(s)
    s.cell = cell
    completes = lay_tile(t, s, cell, tile * NUM_ROTATIONS + rotation)
    if completes != 0:
        list_completed(t, s, cell, completes)
    if find_sendings(t, s) != 1 << NOBODY:
        s.phase = SEND
    else:
        begin_scoring(t, s, log)


@kernel
def parse_send(t, choice):
    """Return (kind of piece, segment) of a choice that is not `NOBODY`."""
    if t.kind_factor.size == 1:
        return 0, choice - 1
    return (choice - 1) // t.tile_node.shape[1], (choice - 1) % t.tile_node.shape[1]


@kernel
def send_follower(t, s, choice):
    """Action 2: put one piece on a segment of the tile just placed, or nobody (rules Z12, Z13, S4).

    Writes `follower_node`, `follower_area`, `area_followers`.
    """
    if choice == NOBODY:
        return
    player = s.player
    kind, segment = parse_send(t, choice)
    follower = find_free_piece(t, s, player, kind)
    node = t.tile_node[s.deck[s.drawn - 1], segment]
    s.follower_node[player, follower] = node
    s.follower_area[player, follower] = s.area[node]
    s.area_followers[s.area[node], player] += 1


@kernel
def begin_scoring(t, s, log):
    """Action 3: the active player's completed areas first, then the others' (rule Z19)."""
    s.scorer = s.player
    if s.completed[0] <= NONE:
        finish_scoring(t, s, log)
        return
    sort_completed(t, s)
    go_on_scoring(t, s, log)


@kernel
def go_on_scoring(t, s, log):
    """Score areas until a choice is left to the active player or all are scored."""
    groups_left = s.score.size - (s.scorer + s.score.size - s.player) % s.score.size
    while groups_left > 0:
        choices, slot = count_score_choices(t, s)
        if choices > 1 and t.extra_base > t.score_base:
            s.phase = SCORE
            return
        if choices > 0:
            score_area(t, s, log, slot, False)
        else:
            groups_left -= 1
            s.scorer = (s.scorer + 1) % s.score.size
    finish_scoring(t, s, log)


@kernel
def finish_scoring(t, s, log):
    """Ask for an extra turn where that is possible, else end the turn (rule Z25)."""
    s.completed.fill(NONE)
    s.scorer = s.player
    if s.drawn < s.deck.size and s.tokens[s.player, t.extra_turn_token] > 0:
        s.phase = EXTRA
    else:
        end_turn(t, s, log, False)


@kernel
def end_turn(t, s, log, extra_turn):
    """Spend the token for an extra turn or pass the turn on; the last tile ends the game (rules Z25, Z26)."""
    if extra_turn:
        s.tokens[s.player, t.extra_turn_token] -= 1
    ripen_tokens(s)
    if s.drawn == s.deck.size:
        end_game(t, s, log)
        return
    if s.hand.size > 0:
        fill_hand(s, s.player)
    if not extra_turn and not (t.hole_plays_again.size > 0 and fills_hole(t, s)):
        s.player = (s.player + 1) % s.score.size
    s.scorer = s.player
    begin_turn(t, s, log)


@kernel
def end_game(t, s, log):
    """Score the end of the game (rules Z26–Z30)."""
    s.phase = OVER
    clear_placements(s)
    score_end(t, s, log)
