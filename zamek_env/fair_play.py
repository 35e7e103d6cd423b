"""Fair play: the game that an agent decides in shows it nothing hidden, and changes made there do not count.

An agent gets a copy of the game in which all that is hidden from it is redealt, and a generator from which none of ours
can be derived. An agent that is known to look at nothing hidden and to change nothing gets the game itself, which saves
the copy. This stops agents that peek by mistake or on purpose. Code that searches the interpreter for other games
cannot be stopped within one process.
"""

import hashlib
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from zamek_env.base.chance import draw_deal
from zamek_env.common.messages import show
from zamek_env.errors import AnswerError, IllegalActionError
from zamek_env.evaluation import Evaluation
from zamek_env.game_protocol import GameProtocol

AnyGame = TypeVar("AnyGame", bound=GameProtocol)
AgentClass = TypeVar("AgentClass", bound=type)

_PROVEN: set[type] = set()


def proven_fair(agent_class: AgentClass) -> AgentClass:
    """Mark a class of agents, as a decorator: its own `act` and `evaluate` read nothing hidden and change no game.

    Subclasses are not marked. `tests/libraries/test_fair_play.py` checks every marked class. Raises `TypeError` for
    anything but a class, such as an agent or its `act`.
    """
    if not isinstance(agent_class, type):
        raise TypeError(f"proven_fair must mark a class of agents, not {show(agent_class)}")
    _PROVEN.add(agent_class)
    return agent_class


def list_proven() -> dict[str, type]:
    """Return the classes that are marked, by name."""
    return {agent_class.__name__: agent_class for agent_class in _PROVEN}


def ask(act: Callable[[AnyGame, np.random.Generator], int], game: AnyGame, rng: np.random.Generator) -> int:
    """Return the action that `act(game, rng)`, any callable, chooses, without access to `game` or `rng` itself.

    It decides for the player whose turn it is in `game`, a `GameProtocol`, and sees what that player sees. The same
    `rng` gives the same choice. Raises what `act` raises, `RuntimeError` in place of `SystemExit`.
    """
    return _ask_fairly(act, "act", game, rng)


def play_answer(game: GameProtocol, action: int, who: str) -> None:
    """Play the `action` that was chosen by `who`, a name for messages.

    Raises `AnswerError`, naming `who`, where it is no legal action; the game is then unchanged.
    """
    try:
        game.step(action)
    except (IllegalActionError, TypeError) as error:
        raise AnswerError(f"{who}: {error}") from error


def ask_evaluation(
    evaluate: Callable[[AnyGame, np.random.Generator], Evaluation], game: AnyGame, rng: np.random.Generator
) -> Evaluation:
    """Return what `evaluate(game, rng)`, any callable, thinks of each choice; it is asked as fairly as by `ask`.

    Raises what `evaluate` raises, `RuntimeError` in place of `SystemExit`, and `AnswerError`, naming the agent, where
    it returns no `Evaluation` or not one of the legal actions.
    """
    evaluation, legal = _ask_fairly(evaluate, "evaluate", game, rng), game.legal_actions()
    if isinstance(evaluation, Evaluation) and evaluation.actions == legal:
        return evaluation
    who = getattr(getattr(evaluate, "__self__", None), "name", show(evaluate))
    if not isinstance(evaluation, Evaluation):
        raise AnswerError(f"{who}: evaluate must return an Evaluation, not {show(evaluation)}")
    raise AnswerError(f"{who}: evaluate must be of the legal actions {show(legal)}, not {show(evaluation.actions)}")


def _ask_fairly(method: Callable[[AnyGame, np.random.Generator], Any], name: str, game: AnyGame, rng: Any) -> Any:
    """Return `method(game, rng)`, asked about the game itself where it is the `name` of an agent of a marked class."""
    owner: Any = type(getattr(method, "__self__", None))
    if owner in _PROVEN and getattr(method, "__func__", None) is getattr(owner, name, None):  # and no replacement
        return method(game, rng)
    seed = hashlib.sha256(draw_deal(rng).to_bytes(8)).digest()  # from which `rng` cannot be derived
    own = np.random.default_rng(np.frombuffer(seed, np.uint32))
    try:
        return method(game.concealed(own, game.current_player), own)
    except SystemExit as error:  # else the program would end silently, and perhaps with exit code 0
        raise RuntimeError(f"an agent must decide, not end the program by {error!r}") from error
