"""What the next player will have to lay: one of the tiles that the player to move has not seen."""

from zamek_env.core.chance import find_bag, put_next_tile, swap
from zamek_env.core.jit import kernel
from zamek_env.core.state import find_seat
from zamek_env.core.tables import NONE


@kernel
def deal_next_tile(s, tile):
    """Let `tile`, which the player to move has not seen, be what the next one lays.

    It is drawn next or, where players draw ahead (rule H1), was drawn by that player. Writes `deck`, `hand`.
    """
    if s.hand.size == 0:
        put_next_tile(s, tile)
        return
    player = find_seat(s, int(s.player), 1)
    held = s.hand[player, 0]
    if held <= NONE:
        return
    here = there = int(s.drawn)
    for number in range(s.drawn, s.deck.size):
        here = number if s.deck[number] == held else here
        there = number if s.deck[number] == tile else there
    for other in range(s.hand.shape[0]):
        if s.hand[other, 0] == tile:
            s.hand[other, 0] = held
    s.hand[player, 0] = tile
    if there >= find_bag(s):
        swap(s.deck, here, there)
