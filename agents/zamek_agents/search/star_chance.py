"""What an action reveals: which tile is drawn next, and which tokens lie on the towers that it reaches (rule Z31)."""

from zamek_env.core.jit import kernel
from zamek_env.core.tables import NONE, find_kind


@kernel
def list_taken(before, s, towers):
    """Write the towers whose tokens were taken between two states into `towers`; return how many there are."""
    count = 0
    for tower in range(s.tower_taken.size):
        if s.tower_taken[tower] and not before.tower_taken[tower]:
            towers[count] = tower
            count += 1
    return count


@kernel
def count_hidden(s):
    """Return how many tokens nobody has seen."""
    hidden = int(s.token_deal.size)
    for tower in range(s.tower_taken.size):
        hidden -= s.tower_taken[tower] != 0
    return hidden


@kernel
def reveal(t, s, towers, tiles, outcome):
    """Let the outcome of that number be what is drawn next and what lies on `towers`; return its share.

    The share is 0 where an outcome of a lower number looks the same. Writes `deck` and `token_deal`.
    """
    share = _draw_tile(t, s, int(s.drawn), outcome % tiles) if tiles > 1 else 1.0
    number, hidden = outcome // tiles, count_hidden(s)
    for place in range(towers.size):
        share *= _draw_token(s, towers, place, number % hidden)
        number //= hidden
    return share


@kernel
def reveal_second(t, s, second):
    """Let the tile of that number, of those left after the next, be drawn after it; return its share as `reveal` does.

    Writes `deck`.
    """
    return _draw_tile(t, s, int(s.drawn) + 1, second)


@kernel
def _draw_tile(t, s, first, choice):
    """Put one of the tiles of the deck from `first` on there; return the share of its kind among them.

    The share is 0 if another was the first of that kind.
    """
    chosen = first + choice
    kind, same = find_kind(t, s.deck[chosen]), 0
    for number in range(first, s.deck.size):
        if find_kind(t, s.deck[number]) == kind:
            if number < chosen:
                return 0.0
            same += 1
    tile = int(s.deck[first])
    s.deck[first] = s.deck[chosen]
    s.deck[chosen] = tile
    return same / (s.deck.size - first)


@kernel
def _draw_token(s, towers, place, choice):
    """Put that one of the hidden tokens on `towers[place]`; return the share of its kind, 0 as in `_draw_tile`.

    Those on the towers before `place` have been drawn.
    """
    chosen, count, same = NONE, 0, 0
    for number in range(s.token_deal.size):
        if _is_left(s, towers, place, number):
            if count == choice:
                chosen = number
            count += 1
    if chosen == NONE:
        return 0.0
    kind = int(s.token_deal[chosen])
    for number in range(s.token_deal.size):
        if _is_left(s, towers, place, number) and s.token_deal[number] == kind:
            if number < chosen:
                return 0.0
            same += 1
    s.token_deal[chosen] = s.token_deal[towers[place]]
    s.token_deal[towers[place]] = kind
    return same / count


@kernel
def _is_left(s, towers, place, number):
    """Return whether nobody has seen the token of that number in the deal, and it is not one drawn before `place`."""
    for earlier in range(place):
        if towers[earlier] == number:
            return False
    return number >= s.tower_taken.size or not s.tower_taken[number]
