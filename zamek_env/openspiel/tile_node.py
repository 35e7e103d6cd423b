"""Nodes of the games of tiles: chance draws tiles and tokens one by one.

`Game` deals all tiles and tokens at the beginning. Here the order of those that nobody has seen means nothing. A
decision is tried out on a copy. If the engine draws a tile or takes a token there that chance has not drawn yet, the
result is a chance node; its outcome is put where the engine finds it, and the decision is tried again.

The engine draws from the front of the bag, one tile after another, into hands too (rules H1, H2), and tries tiles in
that order where they may go back (H3). How the bag is shaken then does not matter: chance draws its tiles.
"""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_env.base.chance import draw_deal, seed_generator
from zamek_env.base.records import NONE, copy_records
from zamek_env.base.rewards import find_result
from zamek_env.core import engine
from zamek_env.core.dealing import find_bag
from zamek_env.core.log import LOGGED_EVENT, LOGGED_SUBJECT, PUT_BACK
from zamek_env.game import Game
from zamek_env.layout.actions import CHOOSE
from zamek_env.layout.observation import PARTS
from zamek_env.notation.action_line import format_action
from zamek_env.notation.position_line import format_position, format_seen
from zamek_env.observer import Observer
from zamek_env.openspiel.node import (
    TERMINAL,
    ChanceNode,
    InfoState,
    InitialInfoState,
    NextInfoState,
    Node,
    Outcomes,
    States,
    Tensors,
    refuse,
)
from zamek_env.ruleset import Ruleset


class TileInfoState(NextInfoState):
    """A decision, the tiles that came with it, and what was `before`.

    Args:
        before: the information state until then.
        kinds: what outcome of chance a tile is, by its number.
        states: the game before the decision, with the tiles drawn at the front of the bag.
        action: what was decided; None for the set-up.
        later: the game after it.
        drawn: how many tiles were drawn.
        back: tiles that were shown and went back into the bag (rule H3).
    """

    def __init__(
        self,
        before: InfoState,
        kinds: npt.NDArray[Any],
        states: States,
        action: int | None,
        later: States,
        drawn: int,
        back: Sequence[int],
    ) -> None:
        self.before, self._action = before, action
        state, end = states[0], later[0]
        self._mover, self._is_choice = int(state.player), action is not None and int(state.phase) == CHOOSE
        bag = int(find_bag(state))
        holders = {tile: player for player, hand in enumerate(end.hand.tolist()) for tile in hand}
        tiles = state.deck[bag : bag + drawn].tolist()
        self._drawn = [(int(kinds[tile]), holders.get(tile)) for tile in tiles]  # whom nobody holds, all have seen
        out = end.deck[int(state.drawn) : int(end.drawn)].tolist()
        self._shown = [int(kinds[tile]) for tile in (*back, *out)]
        self._decider = f"{int(end.phase)} {int(end.player)}"

    def describe_news(self, player: int) -> list[str]:
        """Return in one line who decided what, what was drawn, what was shown, and who decides next."""
        hides = self._is_choice and player != self._mover  # all see which tile it is, but not in which slot it was
        action = "choose" if hides else "begin" if self._action is None else str(self._action)
        drawn = (str(kind) if holder in (None, player) else "?" for kind, holder in self._drawn)
        return [" ".join([action, "draw", *drawn, "show", *map(str, self._shown), "then", self._decider])]


_BEGIN = -1  # in `pending`: set up the game


class _Room(threading.local):
    """Scratch memory, separate for each thread: compiled code runs without the GIL."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.log = ruleset.new_log()
        self.generator = np.zeros(1, np.uint64)
        self._ruleset = ruleset
        self._observers: dict[tuple[str, ...], Observer] = {}

    def find_observer(self, parts: tuple[str, ...]) -> Observer:
        """Return an observer that sees those parts."""
        if parts not in self._observers:
            self._observers[parts] = Observer(self._ruleset, parts)
        return self._observers[parts]


class TileRules:
    """Data that all nodes of a tree share: the ruleset, the names of tiles and tokens, and scratch memory.

    Outcomes of chance are numbered: the kinds of tiles as `Components.kinds` has them, then the kinds of tokens from
    `first_token` on. `by_margin` says that a game pays in points what it pays by the result elsewhere.
    """

    def __init__(self, ruleset: Ruleset, by_margin: bool) -> None:
        components = ruleset.components
        self.ruleset, self.by_margin = ruleset, by_margin
        names = [tile.id for tile in components.kinds]
        self.kind_of_tile = np.array([names.index(tile.id) for tile in components.tiles])
        self.first_token = len(names) - 1  # kinds of tokens are numbered from 1 on
        self.outcome_names = [f"tile {name}" for name in names]
        self.outcome_names += [f"token {token.kind}" for token in components.tokens]
        self.room = _Room(ruleset)
        self.hides_hands = ruleset.sizes.hides_hands

    def make_root(self) -> Node:
        """Return the node before anything has been drawn."""
        states = self.ruleset.new_states(1)
        states["deck"][0] = np.arange(self.ruleset.sizes.tiles)
        states["token_deal"][0] = self.ruleset.tables["token_pool"][0]
        return find_node(self, states, InitialInfoState(("",) * self.ruleset.players), _BEGIN)

    def make_root_at(self, game: Game, keeps_hands: bool) -> "TileNode":
        """Return the node of the position of a `game` of the ruleset, without what is hidden in it.

        With `keeps_hands` hidden hands are those of the game; without, such hands raise `ValueError`.
        """
        if not self.hides_hands:
            return TileNode(self, game.concealed(np.random.default_rng(0)).raw_states, InitialInfoState(()))
        if not keeps_hands:
            raise ValueError("deals_hands must be False where hands of tiles are hidden: hand over a concealed game")
        states = game.state
        bag = find_bag(states[0])
        states["deck"][0, bag:] = np.sort(states["deck"][0, bag:])
        return make_node(self, states)

    def list_legal(self, states: States) -> list[int]:
        """Return the legal actions in ascending order."""
        mask = np.empty(self.ruleset.num_actions, np.bool_)
        engine.write_mask(self.ruleset.tables, states, 0, mask)
        return np.flatnonzero(mask).tolist()

    def play(self, states: States, action: int) -> None:
        """Carry out an `action`, or set up the game. Writes `states`. Raises `ValueError` where it is not legal."""
        if action == _BEGIN:
            engine.start_dealt(self.ruleset.tables, states, self.room.log, 0, 0)
        elif not engine.try_to_play(self.ruleset.tables, states, self.room.log, 0, action):
            raise refuse(action, self.list_legal(states))

    def find_returns(self, states: States) -> tuple[float, ...]:
        """Return each player's payoff in a finished game: the result, or the points above the others' mean."""
        _, _, *scores = engine.read_status(states, 0)
        if not self.by_margin:
            return tuple(find_result(scores, player) for player in range(len(scores)))
        others = max(len(scores) - 1, 1)
        return tuple(score - (sum(scores) - score) / others for score in scores)

    def play_out(self, states: States, rng: np.random.Generator) -> tuple[float, ...]:
        """Deal what nobody has seen by `rng`, play on at random, and return the payoffs. Writes `states`."""
        if self.hides_hands:
            bag = find_bag(states[0])
            states["deck"][0, bag:] = rng.permutation(states["deck"][0, bag:])
        else:
            engine.conceal(self.ruleset.tables, states, 0, draw_deal(rng), NONE)
        room = self.room
        seed_generator(room.generator, draw_deal(rng))
        engine.play_randomly(self.ruleset.tables, states, room.log, 0, room.generator)
        return self.find_returns(states)


class TileNode(Node):
    """A decision node or a terminal node, with the game in `states` after `info_state`."""

    def __init__(self, rules: TileRules, states: States, info_state: InfoState) -> None:
        self.rules, self.states, self.info_state = rules, states, info_state
        self.num_players = rules.ruleset.players
        player = engine.read_status(states, 0)[1]
        self.player = TERMINAL if player == NONE else player

    @property
    def game(self) -> Game:
        """A game that stands here, without history."""
        return Game.from_state(self.rules.ruleset, self.states)

    def legal_actions(self) -> list[int]:
        return self.rules.list_legal(self.states)

    def after(self, action: int) -> Node:
        return self._go_to(action)  # which refuses an illegal one

    def _go_to(self, action: int) -> Node:
        return find_node(self.rules, self.states, self.info_state, action)

    def format_action(self, action: int) -> str:
        return format_action(self.rules.ruleset, self.states[0], action)

    def returns(self) -> Sequence[float]:
        return self.rules.find_returns(self.states) if self.player == TERMINAL else (0.0,) * self.num_players

    def observe(self, player: int, out: Tensors) -> None:
        observer = self.rules.room.find_observer(tuple(part for part in PARTS if part in out))
        seen: Any = observer.look(self.game, player)[0]
        for name, part in out.items():
            part[:] = seen[name]

    def describe_seen(self, player: int) -> str:
        return format_seen(self.rules.ruleset, self.states[0], player)

    def describe_known(self, player: int, history: Sequence[int]) -> str:
        if self.rules.hides_hands:
            return self.info_state.describe(player)
        return " ".join(map(str, history))  # nothing that happens is hidden from anybody

    def play_out(self, rng: np.random.Generator) -> Sequence[float]:
        states = copy_records(self.states)
        return self.returns() if self.player == TERMINAL else self.rules.play_out(states, rng)

    def redealt(self, player: int, rng: np.random.Generator) -> "TileNode":
        if not self.rules.hides_hands:
            return self
        return make_node(
            self.rules, self.game.concealed(rng, player).raw_states, player, self.info_state.describe(player)
        )

    def __str__(self) -> str:
        line = format_position(self.rules.ruleset, self.states[0])
        if not self.rules.hides_hands:
            return line
        hands = [self.describe_seen(player).removeprefix(line) for player in range(self.num_players)]
        return line + "".join(hands)


class TileChanceNode(ChanceNode):
    """A chance node that draws a tile, or the token on a tower, because of the action `pending`.

    `states` holds what chance has drawn since then: a number of `tiles`, and the tokens on `towers`. Now it draws the
    token on `tower`, or a tile where that is None.
    """

    def __init__(
        self,
        rules: TileRules,
        states: States,
        info_state: InfoState,
        pending: int,
        drawn: tuple[int, tuple[int, ...]],
        tower: int | None,
    ) -> None:
        self.rules, self.states, self.pending, self.tower = rules, states, pending, tower
        self.num_players, self._info_state = rules.ruleset.players, info_state
        self.tiles, self.towers = drawn
        self.before = None if pending == _BEGIN else TileNode(rules, states, info_state)

    def chance_outcomes(self) -> Outcomes:
        kinds = self._list_kinds()[1]
        values, counts = np.unique(kinds, return_counts=True)
        return list(zip(values.tolist(), (counts / len(kinds)).tolist(), strict=True))

    def observe(self, player: int, out: Tensors) -> None:
        """Write what was seen before it; there are no rows, since no player may do anything."""
        super().observe(player, out)
        if "rows" in out:
            out["rows"].fill(0)
            out["row_actions"].fill(NONE)

    def _go_to(self, action: int) -> Node:
        places, kinds = self._list_kinds()
        place = int(places[np.flatnonzero(kinds == action)[0]])
        states = copy_records(self.states)
        if self.tower is None:
            _swap(states["deck"][0], self._deck_index, place)
            return find_node(self.rules, states, self._info_state, self.pending, (self.tiles + 1, self.towers))
        _swap(states["token_deal"][0], self.tower, place)
        return find_node(self.rules, states, self._info_state, self.pending, (self.tiles, (*self.towers, self.tower)))

    def _list_kinds(self):
        """Return (places in the deal, outcomes) of all that may be drawn, in the order of tiles' or tokens' numbers."""
        if self.tower is None:
            deck = self.states["deck"][0]
            places = np.arange(self._deck_index, deck.size)
            places = places[np.argsort(deck[places])]
            return places, self.rules.kind_of_tile[deck[places]]
        tokens = self.states["token_deal"][0]
        is_hidden = np.ones(tokens.size, np.bool_)
        is_hidden[np.flatnonzero(self.states["tower_taken"][0])] = False
        is_hidden[list(self.towers)] = False
        places = np.flatnonzero(is_hidden)
        return places, tokens[places].astype(np.int64) + self.rules.first_token

    @property
    def _deck_index(self):
        """Index in the deck of the tile that is drawn next."""
        return int(find_bag(self.states[0])) + self.tiles

    def redealt(self, player: int, rng: np.random.Generator) -> Node:
        return super().redealt(player, rng) if self.rules.hides_hands else self

    def _format_outcome(self, action: int) -> str:
        return self.rules.outcome_names[action]

    def __str__(self) -> str:
        played = "" if self.before is None else f"{self.before} > {self.before.format_action(self.pending)}; "
        drawn = "a tile" if self.tower is None else f"the token of tower {self.tower}"
        return f"{played}{self.tiles} tiles and {len(self.towers)} tokens came; {drawn} comes"


def make_node(rules: TileRules, states: States, player: int | None = None, known: str = "") -> TileNode:
    """Return the node of `states`, at which information states begin, with what each player sees there.

    That of `player` begins with what is `known`, as text.
    """
    ruleset = rules.ruleset
    texts = [format_seen(ruleset, states[0], each) for each in range(ruleset.players)]
    return TileNode(
        rules, states, InitialInfoState([known if each == player else text for each, text in enumerate(texts)])
    )


def find_node(
    rules: TileRules, states: States, info_state: InfoState, pending: int, drawn: tuple[int, tuple[int, ...]] = (0, ())
) -> Node:
    """Return the node after the legal action `pending` once chance has `drawn` (how many tiles, which towers).

    `states` holds the outcomes drawn so far.
    """
    trial = copy_records(states)
    rules.play(trial, pending)
    tiles, towers = drawn
    for tower in np.flatnonzero(trial["tower_taken"][0] > states["tower_taken"][0]).tolist():
        if tower not in towers:
            return TileChanceNode(rules, states, info_state, pending, drawn, tower)
    if _count_drawn(states, trial, _list_back(rules)) > tiles:
        return TileChanceNode(rules, states, info_state, pending, drawn, None)
    if not rules.hides_hands:
        return TileNode(rules, trial, info_state)
    action = None if pending == _BEGIN else pending
    return TileNode(
        rules, trial, TileInfoState(info_state, rules.kind_of_tile, states, action, trial, tiles, _list_back(rules))
    )


def _list_back(rules):
    """Return the tiles that went back into the bag in the last step (rule H3)."""
    log = rules.room.log[0]
    rows = log.rows[: log.count]
    return rows[rows[:, LOGGED_EVENT] == PUT_BACK, LOGGED_SUBJECT].tolist()


def _count_drawn(states, trial, back):
    """Return how many tiles came out of the bag between two states, those that went `back` among them."""
    before, after = int(find_bag(states[0])), int(find_bag(trial[0]))
    if not back and trial["bag"].size == 0:
        return after - before
    came = {*trial["deck"][0, :after].tolist(), *back}
    return len(came.intersection(states["deck"][0, before:].tolist()))


def _swap(values, first, second):
    values[first], values[second] = values[second], values[first]
