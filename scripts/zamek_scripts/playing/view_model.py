"""What is shown of a `Session`, as it goes to the page: nothing in it is hidden from who sits at the screen."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from zamek_env.choices import format_value
from zamek_env.evaluation import Evaluation
from zamek_env.game_protocol import GameProtocol
from zamek_scripts.playing.kept_game import HUMAN
from zamek_scripts.playing.played_game import Move, PlayedGame
from zamek_scripts.playing.presenter import ViewRequest

if TYPE_CHECKING:
    from zamek_scripts.playing.session import Session

UNSEEN = "decides something that others do not see"


def make_view(session: "Session") -> dict[str, Any]:
    """Return all that is shown, for `json.dumps`."""
    game, presenter, moves = session.game, session.played.presenter, session.played.moves
    may_choose = session.is_persons_turn and not session.is_covered
    choices = presenter.list_choices(game) if may_choose else []
    beside = presenter.beside(game)
    evaluation = session.evaluation if may_choose else None
    recent = [(move.game, move.action) for move in _find_recent(session.played, session.viewer)]
    request = ViewRequest(session.viewer, may_choose, evaluation, session.played.actions, recent)
    return {
        "state": session.state,
        "revision": session.revision,
        "ruleset": session.deal.ruleset,
        "names": session.presenter.names,
        "colours": list(presenter.colours),
        "player": game.current_player,
        "scores": presenter.count(game),
        "measure": presenter.measure,
        "over": game.is_terminal,
        "winners": _find_winners(game),
        "task": presenter.task(game) if may_choose else "",
        "thinking": not game.is_terminal and not session.is_persons_turn and "agent" not in session.trouble,
        "covered": session.is_covered,
        "can_undo": session.played.can_undo,
        "choices": presenter.drop_alike(game, choices) if choices else [],
        "advice": None if evaluation is None else _make_advice(evaluation, [choice["action"] for choice in choices]),
        "adviser": "" if session.adviser is None else session.adviser.name,
        "advisers": list(presenter.advisers),
        "watched": HUMAN not in session.names,
        "pace": None if session.is_paused else session.pace,
        "played": len(moves),
        "moves": [_show_move(move, session.viewer) for move in moves],
        "pictures": presenter.pictures(game, request),
        "recent": presenter.sum_up(request),
        "beside": asdict(beside),
        "ending": _sum_up(moves, len(session.names)) if game.is_terminal else [],
        "spread": presenter.is_spread,
        "buttons": presenter.list_buttons(game, request),
        "trouble": dict(session.trouble),
        "kept": str(session.keeper.path) if session.keeper and "file" not in session.trouble else None,
    }


def _find_recent(played: PlayedGame, viewer: int | None) -> Sequence[Move]:
    """Return the moves from the last one on in a turn of `viewer` before others' turns; for None, of the last turn."""
    moves, turn_of = played.moves, played.presenter.turn_of
    number = len(moves)
    watched = turn_of(moves[-1].game) if moves and viewer is None else viewer
    while number and turn_of(moves[number - 1].game) == watched:
        number -= 1
    while viewer is not None and number and turn_of(moves[number - 1].game) != viewer:
        number -= 1
    return moves[max(0, number - (viewer is not None)) :]


def make_past(session: "Session", played: int) -> dict[str, Any]:
    """Return what is shown of the game as it stood after so many moves. Raises `ValueError` where there were fewer."""
    moves, presenter = session.played.moves, session.played.presenter
    if not 0 <= played <= len(moves):
        raise ValueError(f"played must lie in 0 to {len(moves)}, not {played}")
    game = moves[played].game if played < len(moves) else session.game
    recent = [(move.game, move.action) for move in moves[max(0, played - 1) : played]]
    request = ViewRequest(session.viewer, False, None, session.played.actions[:played], recent)
    return {
        "played": played,
        "player": game.current_player,
        "scores": presenter.count(game),
        "beside": asdict(presenter.beside(game)),
        "pictures": presenter.pictures(game, request),
    }


def _sum_up(moves: Sequence[Move], players: int) -> list[dict[str, Any]]:
    """Return where the points of the game came from: `source`, `points` of each player, and `at`, the areas."""
    sums: dict[str, dict[str, Any]] = {}
    for gain in (gain for move in moves for gain in move.gains):
        entry = {"source": gain["source"], "points": [0] * players, "at": []}
        entry = sums.setdefault(gain["source"], entry)
        entry["points"][gain["player"]] += gain["points"]
        if gain["at"]:
            entry["at"].append([gain["at"], gain["player"], gain["points"]])
    return list(sums.values())


def _find_winners(game: GameProtocol) -> list[int]:
    results = game.returns() if game.is_terminal else ()
    return [player for player, result in enumerate(results) if result == max(results)]


def _show_move(move: Move, viewer: int | None) -> dict[str, Any]:
    """Return what the viewer knows of a move: all, or that it was made, and of what it brought."""
    knows = move.is_open or move.player == viewer
    action, words = (move.action, move.words) if knows else ("", UNSEEN)
    news = [each.words_for(viewer) for each in move.news]
    return {"player": move.player, "action": action, "words": words, "news": news, "gains": list(move.gains)}


def _make_advice(evaluation: Evaluation, names: Sequence[str]) -> dict[str, Any]:
    """Return what an agent thinks of each choice, by numbers and in a few letters; `names` are all of them in order."""
    named = dict(zip(evaluation.actions, names, strict=True))
    seen = [action for action in named if np.isfinite(evaluation.value_of(action))]  # the agent looked at
    return {
        "unit": evaluation.unit,
        "values": {named[action]: evaluation.value_of(action) for action in seen},
        "marks": {named[action]: format_value(evaluation, action) for action in seen},
        "best": None if evaluation.best is None else named[evaluation.best],
    }
