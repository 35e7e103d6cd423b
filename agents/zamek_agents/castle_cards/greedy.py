"""Greedy play of Castle: the best option by worths of cards and by cards taken back, one decision ahead.

It reads only what the player to decide knows: the board, the exchange, the own hand, how many cards others have.
"""

import numpy as np

from zamek_agents.base import OtherGameError, name_ruleset
from zamek_agents.castle_cards.gains import OWN, SURVEY, find_gain, find_gain_at, find_worst, survey_board
from zamek_agents.castle_cards.worths import make_worths
from zamek_env.base.chance import draw_deal, draw_random, seed_generator
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.components import box
from zamek_env.castle_cards.components.box import FIRST_OUTSIDE
from zamek_env.castle_cards.core.fitting import find_playable
from zamek_env.castle_cards.core.rules import draw_action, find_option
from zamek_env.castle_cards.layout import actions
from zamek_env.castle_cards.layout.board import COURT, TOWERS
from zamek_env.common.pickling import WritableArrays
from zamek_env.compiler.bits import as_index, count_word, lowest_bit
from zamek_env.compiler.jit import kernel
from zamek_env.game_protocol import GameProtocol

# Players who take back each other's cards could go on for ever. After this number of turns our players play at random.
PATIENCE = 120
_LEAST = -1e300
_NOISE = 1e-4 / 2**32  # ties are broken at random


@kernel
def choose_greedily(s, worth, seen, generator):
    """Return the legal action that is worth most to the player to decide. Writes `seen`, `generator`."""
    if s.turns > PATIENCE:
        return draw_action(s, generator)
    phase = np.int64(s.phase)
    fitting, offer = _prepare(s, worth, seen, phase)
    best, best_value = -1, _LEAST
    for number in range(np.int64(s.num_options)):
        action = find_option(s, number)
        value = _value(s, worth, seen, phase, action, fitting, offer) + draw_random(generator) * _NOISE
        if value > best_value:
            best, best_value = action, value
    return best


@kernel
def value_options(s, worth, seen, generator, out):
    """Write into `out` what each option is worth to the player to decide. Writes `seen`, `generator`, too."""
    phase = np.int64(s.phase)
    fitting, offer = _prepare(s, worth, seen, phase)
    for number in range(np.int64(s.num_options)):
        value = _value(s, worth, seen, phase, find_option(s, number), fitting, offer)
        out[as_index(number)] = value + draw_random(generator) * _NOISE


@kernel
def _prepare(s, worth, seen, phase):
    """Survey the board; return the kinds that fit, and what the best card of the exchange is worth in hand."""
    survey_board(s, np.int64(s.decider), seen)
    fitting = _find_fitting(s, phase)
    return fitting, _find_best_offer(s, worth, fitting) if phase == actions.ACTION else 0.0


@kernel
def _find_fitting(s, phase):
    """Return the kinds of the own hand and the exchange that fit somewhere now, in phases where that matters."""
    if phase in (
        actions.ACTION,
        actions.TAKE,
        actions.SWAP_GIVE,
        actions.SWAP_TAKE,
        actions.AWARD,
        actions.STEAL_GIVE,
        actions.PASS_ON,
    ):
        return find_playable(s, np.int64(s.hand_kinds[as_index(s.decider)]) | np.int64(s.exchange_kinds))[0]
    return 0


@kernel
def _hold(worth, kind, fitting):
    """Return the worth of a card of that kind in hand."""
    value = np.float64(worth.hold[as_index(kind)])
    return value if fitting >> kind & 1 else value + worth.stuck


@kernel
def _find_best_offer(s, worth, fitting):
    """Return what the best card of the exchange is worth in hand."""
    best, left = _LEAST, np.int64(s.exchange_kinds)
    while left != 0:
        best = max(best, _hold(worth, lowest_bit(left), fitting))
        left &= left - 1
    return best


@kernel
def _value(s, worth, seen, phase, action, fitting, offer):
    if phase == actions.ACTION:
        if action == actions.DRAW:
            return np.float64(worth.draw)
        if action < actions.PLAY_BASE:
            return worth.give + offer - _hold(worth, action - actions.GIVE_BASE, fitting)
        return _value_play(s, worth, seen, action - actions.PLAY_BASE)
    if phase == actions.PLACE:
        return _value_space(s, worth, seen, action - actions.SPACE_BASE)
    if phase == actions.TARGET:
        return _value_target(s, worth, seen, action - actions.SPACE_BASE)
    if phase in (actions.TAKE, actions.SWAP_TAKE):
        return _hold(worth, action - actions.CARD_BASE, fitting)
    if phase in (actions.AWARD, actions.STEAL_GIVE, actions.PASS_ON, actions.SWAP_GIVE):
        return -_hold(worth, action - actions.CARD_BASE, fitting)  # it leaves the hand, or comes to another's
    if phase == actions.COUNSEL:
        kind = action - actions.CARD_BASE
        return worth.play[as_index(kind)] + find_gain(s, worth, seen, kind)
    if phase == actions.PLAYER:
        player = action - actions.PLAYER_BASE
        return 1.0 if player == seen.leader else -1.0 if player == seen.player else 0.0
    if phase == actions.PILE:
        return _value_pile(s, worth, seen, action - actions.SPACE_BASE)
    return 0.0


@kernel
def _value_play(s, worth, seen, kind):
    player = as_index(seen.player)
    gain = find_gain(s, worth, seen, kind)
    value = worth.play[as_index(kind)] + gain
    if s.hand_size[player] == 1 and s.deck_size[player] == 0:
        return value + worth.last
    if box.TOWER_KINDS >> kind & 1:
        value += worth.tower_rush / (1 + count_word(TOWERS & ~s.occupied))
    elif box.COURT_KINDS >> kind & 1:
        value += worth.court_rush / (1 + count_word(COURT & ~s.occupied))
    return value


@kernel
def _split_bit(space):
    """Return the bits of a space in the sets of those that are near, on the board, and far, outside it."""
    return (1 << space, 0) if space < FIRST_OUTSIDE else (0, 1 << (space - FIRST_OUTSIDE))


@kernel
def _value_space(s, worth, seen, space):
    kind = np.int64(s.card)
    if kind == box.KNIGHT:
        near, far = _split_bit(space)
        return 1.0 if near & seen.near[OWN] or far & seen.far[OWN] else 0.0
    if space >= FIRST_OUTSIDE or kind == box.SIEGE_ENGINE:
        return 0.0
    return find_gain_at(s, worth, seen, kind, space)


@kernel
def _value_target(s, worth, seen, space):
    near, far = _split_bit(space)
    gain = find_worst(worth, seen, near, far)
    if s.effect in (box.MAGICIAN, box.ASSASSIN):
        return -gain
    return gain


@kernel
def _value_pile(s, worth, seen, space):
    near, far = _split_bit(space)
    gain = find_worst(worth, seen, near, far)
    return -abs(gain) if s.effect == box.MERCHANT else -gain


class CastleCardsGreedy(WritableArrays):
    """Chooses greedily by the packaged table of worths."""

    def __init__(self) -> None:
        self._worths, self._seen = make_worths(), np.zeros(1, SURVEY)
        self._generator = np.zeros(1, np.uint64)

    def check_game(self, game: GameProtocol) -> None:
        """Raise `OtherGameError`, a `TypeError`, where `game` is no `CastleCards`."""
        if not isinstance(game, CastleCards):
            played = name_ruleset(game)
            raise OtherGameError(f"the agent 'greedy' plays games of tiles and castle-cards only, not {played}")

    def choose(self, game: CastleCards, rng: np.random.Generator) -> int:
        """Return the action that is worth most; ties are broken by `rng`."""
        return int(choose_by_number(game.raw_states, self._worths, self._seen, self._generator, draw_deal(rng)))


@kernel
def choose_by_number(states, worths, seen, generator, number):
    """Return the action chosen in `states[0]`; ties are broken as follows from `number`. Writes `seen`, `generator`."""
    seed_generator(generator, number)
    return choose_greedily(states[0], worths[0], seen[0], generator)
