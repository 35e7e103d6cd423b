"""Replays game records of castle-cards and compares what they say with what the rules say.

The actions in a record are played. A record of an older version or another program has none, and lists steps, each of
which may take several decisions. So for each decision the options that agree with the next entries of the record are
tried, until the engine's steps are those of the record. Where chance would draw otherwise, it is forced to draw what
the record says: a record with its own seed is repeated to the last bit.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from zamek_env.base.records import copy_records
from zamek_env.castle_cards.components.box import SPY
from zamek_env.castle_cards.components.cards import KIND_OF, NAMES
from zamek_env.castle_cards.core import engine
from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.core.state import BLANK, NONE, new_states
from zamek_env.castle_cards.layout import actions
from zamek_env.castle_cards.layout.actions import OVER
from zamek_env.castle_cards.layout.board import NEIGHBOURS
from zamek_env.castle_cards.notation.action_line import (
    Option,
    find_action,
    format_option,
    list_legal,
    list_piles,
    name_space,
)
from zamek_env.castle_cards.records.shape import ACTIONS, check_shape, is_finished, read_space
from zamek_env.castle_cards.records.write import (
    Draws,
    States,
    Turn,
    begin_turns,
    forced_draws,
    list_deal,
    make_deal,
    make_end,
    record_decision,
)
from zamek_env.common.messages import shorten, show
from zamek_env.errors import RecordError
from zamek_env.records.shape import expect, fail, read_json

_MAX_TRIALS = 20_000  # decisions tried for one step


def replay_record(record: Mapping[str, Any]) -> tuple[States, tuple[int, ...], int | None, Draws]:
    """Return the game of `record` as `CastleCards.from_history` takes it. Raises as `CastleCards.replay` does."""
    content = read_json(record)
    check_shape(content)
    start, seed = _deal(content)
    line = _Follower(content["turns"], content.get("actions")).follow(_Line(start, begin_turns(start), (), {}))
    state, last = line.states[0], len(content["turns"]) - 1
    if line.is_over and not is_finished(content):
        fail("record", "end", "is missing, and the game is over")
    if not line.is_over and is_finished(content):
        fail(f"turns[{last}]", "steps", f"the game is not over after them: player {state.decider} is to decide")
    for field, due in make_end(state).items() if line.is_over else ():
        given = content[field]
        expect([float(value) for value in given] if field == "returns" else given, due, "record", field)
    return start, line.actions, seed, line.draws


# --- the deal ---


def _deal(record: dict[str, Any]) -> tuple[States, int | None]:
    """Return the state at the first decision, and the seed where that deals these cards."""
    players, seed = record["players"], record["seed"]
    try:
        cards = list_deal(record["hands"], record["decks"], record["exchange"])
    except ValueError as error:
        raise RecordError(f"record: {error}") from error
    states, log = new_states(1), np.zeros(1, LOG)
    engine.start_deal(BLANK, states, log, 0, players, seed or 0)
    if seed is not None and _sort_hands(make_deal(states[0])) == _sort_hands(record):
        return states, seed
    engine.start_dealt(BLANK, states, log, 0, players, 0, cards)
    return states, None


def _sort_hands(record):
    return [sorted(hand) for hand in record["hands"]], record["decks"], sorted(record["exchange"])


# --- step by step ---


class _Line(NamedTuple):
    """A game, as far as it follows the record."""

    states: States  # shape (1,)
    turns: list[Turn]
    actions: tuple[int, ...]
    draws: Draws

    @property
    def place(self) -> tuple[int, int]:
        """The turn in progress, and how many steps it has so far."""
        return len(self.turns) - 1, len(self.turns[-1]["steps"])

    @property
    def is_over(self) -> bool:
        return int(self.states[0].phase) == OVER


class _Problem(NamedTuple):
    """The step at which a game departs from the record, and why."""

    turn: int
    step: int
    field: str
    words: str


class _Follower:
    """Follows the `turns` of a record by its `actions`, or where it has none by options that lead to these turns."""

    def __init__(self, turns: list[dict[str, Any]], actions: list[str] | None) -> None:
        self._turns, self._actions = turns, actions

    def follow(self, line: _Line) -> _Line:
        """Return the game after the whole record. Raises `RecordError` where the rules disagree."""
        reached = self._follow_turns(line)
        while self._actions is not None and len(reached.actions) < len(self._actions):
            reached = self._play_told(reached)  # of a step that has only begun
        return reached

    def _follow_turns(self, line: _Line) -> _Line:
        reached = line
        while True:
            turn, step = reached.place
            if turn >= len(self._turns):
                return reached
            given, is_last = self._turns[turn], turn == len(self._turns) - 1
            if given["player"] != reached.turns[turn]["player"]:
                expect(given["player"], reached.turns[turn]["player"], f"turns[{turn}]", "player")
            if step == len(given["steps"]) and is_last:
                return reached
            if reached.is_over:
                fail(f"turns[{turn}]", "steps", f"the game is over after {step} of them, and nothing may follow")
            if step == len(given["steps"]):
                fail(f"turns[{turn}]", "steps", f"the turn is not over after these {step}")
            reached = self._find_next(reached) if self._actions is None else self._play_told(reached)

    def _play_told(self, line: _Line) -> _Line:
        """Return the game after the next of the actions that the record holds."""
        number, state, (turn, step) = len(line.actions), line.states[0], line.place
        field = f"actions[{number}]"
        assert self._actions is not None
        if number == len(self._actions):
            fail(f"turns[{turn}], steps[{step}]", field, "is missing: the turns go on")
        if line.is_over:
            fail("record", field, "must be missing: the game is over")
        text = self._actions[number]
        legal = list_legal(state)
        option = next((option for option in legal if format_option(option) == text), None)
        if option is None:
            fail(f"turns[{turn}], steps[{step}]", field, f"{show(text)} is illegal: {_describe_choice(state, legal)}")
        played = self._try(line, option)
        if isinstance(played, _Problem):
            fail(f"turns[{played.turn}], steps[{played.step}]", played.field, played.words)
        return played

    def _find_next(self, line: _Line) -> _Line:
        """Return the game after the next decisions that lead to a step of the record."""
        waiting, problems = [line], []
        for _ in range(_MAX_TRIALS):
            if not waiting:
                break
            tried = waiting.pop()
            found = []
            for child in self._try_options(tried):
                if isinstance(child, _Problem):
                    problems.append(child)
                elif child.place != line.place:
                    return child
                else:
                    found.append(child)
            waiting += reversed(found)
        unclear = _Problem(*line.place, "do", "cannot be followed")
        worst = max(problems, key=lambda problem: problem[:2], default=unclear)
        fail(f"turns[{worst.turn}], steps[{worst.step}]", worst.field, worst.words)

    def _try_options(self, line: _Line) -> Iterator["_Line | _Problem"]:
        """Yield the game after each option that agrees with the record, or what is wrong with it."""
        state, steps = line.states[0], self._list_next(line)
        legal = list_legal(state)
        agreeing = find_agreeing(state, steps, legal)
        if not agreeing:
            words = f"{show(steps[0])} does not follow: {_describe_choice(state, legal)}"
            yield _Problem(*line.place, "do", words)
        for option in agreeing:
            yield self._try(line, option)

    def _try(self, line: _Line, option: Option) -> "_Line | _Problem":
        """Return the game after `option`; chance draws as the record says, where it says anything."""
        steps, child = self._list_next(line), self._play(line, option, {})
        drawn = {step["from"]: step["card"] for step in steps if step["do"] == "steal" or "chance" in step}
        stolen = NONE if isinstance(child, _Problem) else int(child.states[0].stolen)  # no step tells of it yet
        is_another = stolen != NONE and NAMES[stolen] not in drawn.values()
        if drawn and (is_another or isinstance(child, _Problem)):
            return _find_missing(line, steps, drawn) or self._play(line, option, drawn)
        return child

    def _list_next(self, line: _Line) -> list[dict[str, Any]]:
        """Return the next steps of the record, up to the next action."""
        turn, step = line.place
        steps = self._turns[turn]["steps"][step:] if turn < len(self._turns) else []
        cut = (n for n, step in enumerate(steps) if n and step["do"] in ACTIONS and "from" not in step)
        return steps[: next(cut, len(steps))]

    def _play(self, line: _Line, option: Option, drawn: Mapping[int, str]) -> "_Line | _Problem":
        """Return the game after `option`; chance takes the cards `drawn` from the hands of players."""
        states, action = copy_records(line.states), find_action(line.states[0], option)
        assert action is not None  # it is legal
        *over, last = line.turns  # of which the last may be changed
        turns: list[Turn] = [*over, {"player": last["player"], "steps": [*last["steps"]]}]
        with forced_draws(states, drawn):
            record_decision(states, np.zeros(1, LOG), action, turns)
        if problem := self._find_problem(turns, line.place):
            return problem
        draws = line.draws | ({len(line.actions): drawn} if drawn else {})
        return _Line(states, turns, (*line.actions, action), draws)

    def _find_problem(self, turns: list[Turn], place: tuple[int, int]) -> _Problem | None:
        """Return where the turns of the engine differ from those of the record, from `place` on."""
        first, first_step = place
        for turn, done in enumerate(turns[first:], first):
            given = self._turns[turn]["steps"] if turn < len(self._turns) else []
            for step in range(first_step if turn == first else 0, len(done["steps"])):
                if step >= len(given):
                    return _Problem(turn, step, "do", f"must follow: {show(done['steps'][step])}")
                if problem := _compare(given[step], done["steps"][step]):
                    return _Problem(turn, step, *problem)
            if turn < len(turns) - 1 and len(given) > len(done["steps"]):
                return _Problem(turn, len(done["steps"]), "do", "the turn is over before it")
        return None


def _describe_choice(state, legal):
    return f"player {state.decider} may choose {shorten(', '.join(map(format_option, legal)))}"


def _compare(given, due):
    """Return (field, words) where a step of the record is not the one that is due, or None."""
    found, wanted = sort_step(given), sort_step(due)
    for field in wanted:
        if field not in found:
            return field, f"is missing; it must be {show(wanted[field])}"
        if found[field] != wanted[field] or type(found[field]) is not type(wanted[field]):
            return field, f"must be {show(wanted[field])}, not {show(found[field])}"
    for field in found:
        if field not in wanted:
            return field, f"must not be there, as in {show(wanted)}"
    return None


def _find_missing(line, steps, drawn):
    """Return the problem of a card that chance cannot have drawn, because it is not in the hand, or None."""
    state, (turn, number) = line.states[0], line.place
    played = {step["card"] for step in steps if step["do"] == "play" and "from" not in step}
    for player, card in drawn.items():
        has_left = player == state.turn and card in played
        if not isinstance(player, int) or has_left or not state.hand[player, KIND_OF[card]]:
            return _Problem(turn, number, "card", f"{card} is not in the hand of player {player}")
    return None


Step = Mapping[str, Any]


def find_agreeing(state: np.record, steps: Sequence[Step], legal: Sequence[Option]) -> list[Option]:
    """Return those of the `legal` options that agree with `steps`, those of the record from here to the turn's end.

    `state` is the state of the game before the decision. The phase says what a decision asks for.
    """
    if not steps:
        return []
    try:
        wanted = _find_wanted(state, steps)
    except (KeyError, TypeError, ValueError):  # another kind of step, or fields or entries of another one
        return []
    if wanted is None:
        return list(legal)
    return [option for option in wanted if option in legal]


def sort_step(step: Step) -> dict[str, Any]:
    """Return a step with its unordered lists sorted, so that equivalent steps are equal."""
    free = {key for key in ("set", "give", "take") if isinstance(step.get(key), list)}
    return {key: sorted(value, key=repr) if key in free else value for key, value in step.items()}


def _find_wanted(state: np.record, steps: Sequence[Step]) -> list[Option] | None:
    """Return the options wanted, by the phase of `state`; None where all agree."""
    step = steps[0]
    match int(state.phase):
        case actions.ACTION if step["do"] == "exchange":
            return [("give", step["give"])]
        case actions.ACTION if step["do"] == "play" and "from" not in step:
            return [("play", step["card"])]
        case actions.ACTION if step["do"] == "draw":
            return [("draw",)]
        case actions.TAKE:
            return [("card", step["take"])]
        case actions.PLACE | actions.TARGET:
            return [("space", read_space(step["at"]))]
        case actions.MOVE_FROM:
            return [("decline",)] if step["do"] == "decline" else [("space", read_space(step["at"]))]
        case actions.MOVE_TO:
            return [("space", read_space(step["to"]))]
        case actions.PILE:
            left = _list_unchanged(state, step["set"])
            return None if left is None else [("space", space) for space, _ in left]
        case actions.LEVEL:
            left = _list_unchanged(state, step["set"])
            return None if left is None else [("level", level) for _, level in left]
        case actions.SWAP_GIVE | actions.SWAP_TAKE:  # of the Alchemist; the order of the record comes first
            cards = step["give" if state.phase == actions.SWAP_GIVE else "take"]
            done = int(state.progress) % len(cards) if cards else 0
            return [("card", card) for card in (*cards[done:], *cards[:done])]
        case actions.PLAYER:
            return [("player", step["from" if step["do"] == "steal" else "to"])]
        case actions.STEAL_GIVE:
            return [("card", step["give"])]
        case actions.AWARD | actions.COUNSEL:
            return [("card", step["card"])]
        case actions.PASS_ON:
            return [("card", one["card"]) for one in steps if one["do"] == "give" and one["from"] == state.decider][:1]
        case actions.ARRANGE:  # the card that the Minstrel puts on the next space, by row, then column
            laid = {tuple(where): card for where, card in step["set"]}
            return [("card", laid[space]) for space in sorted(laid)[state.progress : state.progress + 1]]
        case actions.PAWN:  # the one that the Spy puts on the next of the adjacent cards, by row, column and level
            pawns = {(read_space(where), level): pawn for where, level, _, pawn in step["set"]}
            around, piles = int(NEIGHBOURS[state.where[SPY]]), list_piles(state)
            spaces = [name_space(state, space) for space in range(len(NEIGHBOURS)) if around >> space & 1]
            places = [(space, level, pawn) for space in spaces for level, (_, pawn) in enumerate(piles.get(space, []))]
            return [("pawn", pawns.get((space, level), pawn)) for space, level, pawn in places[state.progress :][:1]]
    return []


def _list_unchanged(state, entries):
    """Return [(space, level), …] of the pawns in a `set` that have not changed yet; None where the set is empty."""
    piles, left = list_piles(state), []
    for where, level, _, pawn in entries:
        space = read_space(where)
        pile = piles.get(space, []) if space else []
        if level < len(pile) and pile[level][1] != pawn:
            left.append((space, level))
    return left if entries else None
