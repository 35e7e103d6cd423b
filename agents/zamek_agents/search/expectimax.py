"""The agent `expectimax`: looks one round ahead, over its turn, the tile drawn next and the best reply.

My turn is searched decision by decision, depth first: the most promising actions of each. A way to end it is valued by
the mean, over the same sample of tiles for all, of the value of the position after the reply, or after some more turns
that are played greedily one decision ahead. Where players hold several tiles, it is a sample of hands. A way that falls
behind the best one is dropped before all of the sample is looked at.

    states[ROOT]            the game to decide in, hidden part reshuffled
    states[NEXT]            an action of my turn being tried
    states[REPLY]           what may follow my turn
    states[FIRST + level]   my turn after `level` decisions
    states[search.trials:]  where actions are tried
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.options import ANY
from zamek_agents.search.base import ENDGAME, ENDGAME_NODES, ENDGAME_RANGES, SearchingAgent
from zamek_agents.search.evaluation import AUTO, EVALUATIONS, deal_next_tile, evaluate, look_ahead, set_up_evaluation
from zamek_agents.search.star_search import count_levels
from zamek_agents.value.choice import count_begun, count_trials, goes_on, is_turn_over
from zamek_agents.value.evaluator import evaluator_dtype
from zamek_env.base.chance import seed_generator
from zamek_env.base.records import record_dtype
from zamek_env.compiler.jit import kernel
from zamek_env.core.dealing import forget_hidden, redeal
from zamek_env.core.rules import step
from zamek_env.core.state import copy_state
from zamek_env.core.tables import find_kind
from zamek_env.fair_play import proven_fair
from zamek_env.layout.actions import OVER, PLACE
from zamek_env.ruleset import Ruleset

ROOT, NEXT, REPLY, FIRST = range(4)
NARROW = 4  # actions looked at in phases other than placing
MAX_WIDTH = 64


def search_dtype(ruleset: Ruleset) -> np.dtype[np.record]:
    """Return the dtype of the settings of a search, and of its memory besides games."""
    levels, tiles = count_levels(ruleset), ruleset.sizes.tiles
    return record_dtype(
        [
            ("generator", np.uint64, (1,)),
            ("number", np.int64),  # from which all chance follows
            ("values", np.float64, (ruleset.num_actions,)),
            ("behind", np.float64),  # points a tile by which a way may fall behind the best before it is dropped
            ("best_value", np.float64),
            ("way_value", np.float64),  # what the way tried last is worth
            ("first_values", np.float64, (MAX_WIDTH,)),  # of each action of `open[0]`: its best way, NaN before one
            ("best_sums", np.float64, (tiles,)),  # of the best way so far, over the first tiles
            ("sums", np.float64, (tiles,)),
            ("shares", np.float64, (tiles,)),  # of each tile in the sample: how many there are of its kind
            ("evaluator", evaluator_dtype(ruleset)),
            ("is_learned", np.int32),  # the evaluator values positions; else they are valued by hand
            ("actions", np.int32, (ruleset.num_actions,)),
            ("open", np.int32, (levels, MAX_WIDTH)),  # actions still to be looked at, by level
            ("num_open", np.int32, (levels,)),
            ("best", np.int32),  # the action that the best way begins with
            ("width", np.int32),
            ("turns", np.int32),
            ("trials", np.int32),  # the first of the games where actions are tried
            ("tiles", np.int32, (tiles,)),  # deck indices of those that may be drawn next
            ("num_tiles", np.int32),
            ("sample", np.int32),  # size of the sample that they are taken from
        ]
    )


@kernel
def choose(tables, states, logs, searches):
    """Return the best action of `states[ROOT]`, whose hidden part is reshuffled; chance follows from `number`."""
    t, search = tables[0], searches[0]
    seed_generator(search.generator, search.number)
    forget_hidden(states[ROOT], states[ROOT].player)
    redeal(states[ROOT], search.generator, states[ROOT].player)
    _sample_tiles(t, states[ROOT], search)
    search.best_value = -np.inf
    copy_state(states, ROOT, states, FIRST)
    search.first_values.fill(np.nan)
    level = 0
    _list_open(t, states, logs[0], search, level)
    search.best = search.open[0, search.num_open[0] - 1]  # in case no way has a value, as with NaN
    while level >= 0:
        if search.num_open[level] == 0:
            level -= 1
            continue
        search.num_open[level] -= 1
        action = search.open[level, search.num_open[level]]
        first = action if level == 0 else search.open[0, search.num_open[0]]
        copy_state(states, FIRST + level, states, NEXT)
        step(t, states[NEXT], logs[0], action)
        if goes_on(states[FIRST + level], states[NEXT]):
            level += 1
            copy_state(states, NEXT, states, FIRST + level)
            _list_open(t, states, logs[0], search, level)
        else:
            if _is_best_way(t, states, logs[0], search, level):
                search.best = first
            known = search.first_values[search.num_open[0]]
            if not known >= search.way_value:  # true for NaN: no way is known yet
                search.first_values[search.num_open[0]] = search.way_value
    return int(search.best)


@kernel
def _sample_tiles(t, root, search):
    """Choose the tiles that may be laid next: those that come first in the deck, each kind once with its weight.

    Where players hold several tiles, choose only the number of deals of their hands: few, as each shows several tiles.
    Writes `tiles`, `shares`, `num_tiles`.
    """
    count = 0
    if root.hand.size > 0 and root.hand.shape[1] > 1:
        deals = max(1, min(search.sample, search.tiles.size) // root.hand.shape[1])
        search.num_tiles = deals if root.hides_hands.size > 0 else 0
        search.shares.fill(1.0)
        return
    first = int(root.drawn)
    for deck_index in range(first, min(first + search.sample, root.deck.size)):
        known, kind = 0, find_kind(t, root.deck[deck_index])
        while known < count and find_kind(t, root.deck[search.tiles[known]]) != kind:
            known += 1
        if known == count:
            search.tiles[count] = deck_index
            search.shares[count] = 0.0
            count += 1
        search.shares[known] += 1.0
    search.num_tiles = count


@kernel
def _list_open(t, states, log, search, level):
    """List the most promising actions of a decision in my turn, the best last. Writes `open`, `num_open`."""
    count = look_ahead(t, states, FIRST + level, log, search)
    width = min(count, search.width if states[FIRST + level].phase == PLACE else NARROW)
    search.num_open[level] = width
    for rank in range(width):
        best = _find_best(search, count)
        search.values[best] = -np.inf
        search.open[level, width - 1 - rank] = search.actions[best]


@kernel
def _is_best_way(t, states, log, search, level):
    """Return whether ending my turn by the action just taken from `open` is better than all before it.

    A way that is dropped counts as worse than the best one by as much as it was on the tiles looked at. Writes
    `way_value`, `best_value`, `best_sums`.
    """
    action = search.open[level, search.num_open[level]]
    total, weight = 0.0, 0.0
    for number in range(max(1, search.num_tiles)):
        copy_state(states, FIRST + level, states, REPLY)
        if search.num_tiles > 0:
            _deal_next(states, search, number)
            weight += search.shares[number]
            total += search.shares[number] * _value_after(t, states, log, search, action)
            search.sums[number] = total
            if total < search.best_sums[number] - search.behind * weight and search.best_value > -np.inf:
                search.way_value = search.best_value - (search.best_sums[number] - total) / weight
                return False
        else:
            weight = 1.0
            total = _value_after(t, states, log, search, action)
    search.way_value = total / weight
    if not total / weight > search.best_value:  # true for NaN
        return False
    search.best_value = total / weight
    for number in range(search.num_tiles):
        search.best_sums[number] = search.sums[number]
    return True


@kernel
def _deal_next(states, search, number):
    """Give the next player that entry of the sample, in `states[REPLY]`. Writes `generator`."""
    s = states[REPLY]
    if s.hand.size > 0 and s.hand.shape[1] > 1:
        seed_generator(search.generator, search.number ^ (number + 1))
        redeal(s, search.generator, states[ROOT].player)
    else:
        deal_next_tile(s, s.deck[search.tiles[number]])


@kernel
def _value_after(t, states, log, search, action):
    """Return what `states[REPLY]` is worth to the player of `states[ROOT]` after `action` and the best reply to it.

    Before that, `turns` more turns are played greedily, one decision ahead. With two players, the one who replies
    values the reply; with more, it is played and then valued.
    """
    player = states[ROOT].player
    s = states[REPLY]
    step(t, s, log, action)
    last = count_begun(s) + search.turns
    while s.phase != OVER and not (s.score.size != 2 and is_turn_over(s) and count_begun(s) > last):
        best = _find_best(search, look_ahead(t, states, REPLY, log, search))
        if s.score.size == 2 and is_turn_over(s) and count_begun(s) >= last:
            return search.values[best] if s.player == player else -search.values[best]
        step(t, s, log, search.actions[best])
    return evaluate(t, s, player, search)


@kernel
def _find_best(search, count):
    """Return the number of the best of the `count` actions listed in `search`."""
    best = 0
    for number in range(1, count):
        if search.values[number] > search.values[best]:
            best = number
    return best


class Options(NamedTuple):
    """The options of the agent, with their defaults."""

    width: int = 12  # placements looked at, those that promise most one decision ahead
    tiles: int = 24  # tiles looked at of those that may be drawn next
    behind: float = 3.0  # points a tile by which a way to play my turn may fall behind the best before it is dropped
    turns: int = 0  # played on after the reply, greedily one decision ahead, before evaluating
    evaluation: str = AUTO
    weights: str = ""  # file, or folder with a model, of those of `value`, in place of those shipped
    endgame: int = ENDGAME  # last tiles that are played exactly, the one in hand included; 0: none
    endgame_nodes: int = ENDGAME_NODES  # most positions looked at for that; if more are needed, it searches


BY_HAND = Options(turns=1)  # the defaults where the evaluation is not learned
RANGES = {
    "width": (1, MAX_WIDTH),
    "tiles": (1, 1000),
    "behind": (0.0, 1e6),
    "turns": (0, 1000),
    "evaluation": EVALUATIONS,
    "weights": ANY,
    **ENDGAME_RANGES,
}


@proven_fair
class ExpectimaxAgent(SearchingAgent):
    """Plays the action with the highest mean value after the opponent's best reply, over a sample of draws.

    `ExpectimaxAgent(width=6, tiles=12)` and `ExpectimaxAgent("width=6,tiles=12")` are the same; `Options` lists all
    options and their defaults. Raises `ValueError` or `TypeError` for anything else, and `FileNotFoundError` if there
    are no weights of that path. `act` raises `ValueError` if there are no weights for the game's ruleset.
    """

    kind, defaults, by_hand, ranges = "expectimax", Options(), BY_HAND, RANGES

    def _make_room(self, ruleset: Ruleset, weights: npt.NDArray[np.float32]) -> None:
        trials = FIRST + count_levels(ruleset)
        self._rules = ruleset
        self._states = ruleset.new_states(trials + count_trials(ruleset.sizes))
        self._logs = ruleset.new_log()
        self.searches = np.zeros(1, search_dtype(ruleset))
        set_up_evaluation(self.searches, ruleset, weights)
        self.searches["trials"] = trials
        for field in ("width", "behind", "turns"):
            self.searches[field] = getattr(self.options, field)
        self.searches["sample"] = self.options.tiles

    def _warm_up(self) -> None:
        self._search(0)

    def _search(self, number: int) -> int:
        self.searches["number"] = number
        return choose(self._rules.tables, self._states, self._logs, self.searches)

    def _rate(self, number: int) -> dict[int, float]:
        self._search(number)
        search = self.searches[0]
        rated = ~np.isnan(search["first_values"])
        return dict(zip(search["open"][0][rated].tolist(), search["first_values"][rated].tolist(), strict=True))
