"""The score track on top of the wall: markers, towers and the tokens on them, gates (rules Z19, Z22, S12)."""

from zamek_env.base.records import NONE
from zamek_env.compiler.jit import kernel


@kernel
def move_marker(t, s, player, points):
    """Move `player`'s marker by the points of one area; return the kind of token taken there, 0 for none (rule Z22).

    The track is a ring; scores count on past its end. A marker that does not move takes nothing.
    Writes `score`, `at_gate`, `tower_taken`, `fresh_tokens`.
    """
    if t.field_tower.size == 0:
        s.score[player] += points
        return 0
    if points == 0:
        return 0
    if s.at_gate.size == 0:
        s.score[player] += points
    elif _move_until_halted(t, s, player, points):
        return 0
    tower = t.field_tower[s.score[player] % t.field_tower.size]
    if tower <= NONE or s.tower_taken[tower]:
        return 0
    s.tower_taken[tower] = 1
    kind = int(s.token_deal[tower])
    s.fresh_tokens[player, kind] += 1
    return kind


@kernel
def _move_until_halted(t, s, player, points):
    """Move `player`'s marker point by point; return whether a gate stops it (rule S12). Writes `score`, `at_gate`."""
    for _ in range(points):
        if t.field_halts[s.score[player] % t.field_halts.size] and not s.at_gate[player]:
            s.at_gate[player] = 1
            return True
        s.at_gate[player] = 0
        s.score[player] += 1
    return False


@kernel
def finds_token(t, s, player, points):
    """Return whether `player`'s marker would take a token if it moved by the points of one area (rules Z22, S12)."""
    if t.field_tower.size == 0 or points == 0:
        return False
    end = int(s.score[player]) + int(points)
    if s.at_gate.size > 0:
        for score in range(s.score[player], end):
            is_at_gate = score == s.score[player] and s.at_gate[player]
            if t.field_halts[score % t.field_halts.size] and not is_at_gate:
                return False
    tower = t.field_tower[end % t.field_tower.size]
    return tower > NONE and not s.tower_taken[tower]


@kernel
def ripen_tokens(s):
    """Make tokens taken in the turn that ends usable (rule Z23). Writes `tokens`, `fresh_tokens`."""
    taken = 0
    for player in range(s.tokens.shape[0]):
        for kind in range(s.tokens.shape[1]):
            taken |= s.fresh_tokens[player, kind]
    if taken == 0:
        return
    for player in range(s.tokens.shape[0]):
        for kind in range(s.tokens.shape[1]):
            s.tokens[player, kind] += s.fresh_tokens[player, kind]
            s.fresh_tokens[player, kind] = 0
