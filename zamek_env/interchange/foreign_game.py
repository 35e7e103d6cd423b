"""The game that a file of another program tells, and its comparison with the rules, turn by turn."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zamek_env.common.messages import show_count
from zamek_env.components.model import SIDES
from zamek_env.errors import IllegalActionError
from zamek_env.game import Game
from zamek_env.layout.actions import PHASE_NAMES, SEND
from zamek_env.notation.action_line import NOTHING
from zamek_env.records.deal_from_moves import TilesLeft
from zamek_env.records.write import Recorder
from zamek_env.ruleset import get_ruleset

Cell = tuple[int, int]
_WHOLE = ("city", "road")  # features of which a payment names all tiles; of other features it names any one


class ImportedGameError(ValueError):
    """The contents of a file cannot be imported; the message says why."""


@dataclass(frozen=True)
class Payment:
    """Points for one area."""

    feature: str
    points: int  # for each player who is paid
    players: frozenset[int]
    cells: frozenset[Cell]  # none where the file does not tell

    def __str__(self) -> str:
        at = " ".join(f"{row},{column}" for row, column in sorted(self.cells))
        players = " and ".join(f"player {player}" for player in sorted(self.players)) or "nobody"
        return f"{show_count(self.points, 'point')} to {players} for the {self.feature}{at and f' at {at}'}"


@dataclass
class Turn:
    """One turn as the file tells it; tiles, segments and cells are ours."""

    player: int
    tile: str
    cell: Cell
    rotation: int
    discarded: tuple[str, ...] = ()  # before it
    follower: str | None = None  # segment
    spots: frozenset[str] | None = None  # segments to which a follower may go; None: not told
    payments: list[Payment] = field(default_factory=list)  # in the last turn also those of the end
    scores: dict[int, int] = field(default_factory=dict)  # of players after it, as far as they are told


@dataclass
class ToldGame:
    """A game as a file tells it."""

    ruleset: str
    players: int = 2
    rules: dict[str, Any] = field(default_factory=dict)  # house rules
    names: tuple[str, ...] = ()  # of the players, in their order; empty where the file has none
    turns: list[Turn] = field(default_factory=list)
    rest: tuple[str, ...] = ()  # tiles that were drawn after the last turn, as far as they are known
    tells_payments: bool = False
    results: dict[int, int] = field(default_factory=dict)  # points of players in the end, as far as they are told
    settled: bool | None = None  # whether `results` count areas that are not complete; None: where the game is over
    problem: str | None = None  # what comes after the turns, and is not supported


@dataclass
class Compared:
    """The amounts of data in a file that were compared with the rules, and agree."""

    placements: int = 0
    lists: int = 0  # of segments to which a follower may go
    payments: int = 0
    results: int = 0  # final scores


@dataclass(frozen=True)
class Import:
    """A game that was imported from a file."""

    game: Game
    names: tuple[str, ...]  # of the players as the file has them; empty where it has none
    compared: Compared
    problem: str | None  # why it goes no further; None for a game that was played to its end


def list_names(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the players of one of our records, if it has any."""
    names = record.get("players")
    return tuple(map(str, names)) if isinstance(names, list | tuple) else ()


def play_told(told: ToldGame) -> Import:
    """Play a told game by the rules, compare what the file says with them, and stop where they disagree.

    Raises `ImportedGameError` where the file draws tiles that the game does not have.
    """
    ruleset = get_ruleset(told.ruleset, players=told.players, rules=told.rules)
    recorder, compared = Recorder(Game.from_deal(ruleset, _number_tiles(told))), Compared()
    for number, turn in enumerate(told.turns, 1):
        before = recorder.game.copy()
        try:
            _play_turn(recorder, turn, compared)
            if told.tells_payments and (number < len(told.turns) or recorder.game.is_terminal):
                _compare_payments(recorder, turn, compared)
            if number < len(told.turns):
                _compare_scores(turn.scores, recorder.game.scores)
        except ValueError as error:
            return Import(before, told.names, compared, f"turn {number}: {error}")
    try:
        _compare_end(recorder, told, compared)
    except ValueError as error:
        return Import(recorder.game, told.names, compared, str(error))
    return Import(recorder.game, told.names, compared, None)


def _number_tiles(told):
    """Return the numbers of the tiles in the file, in the order of drawing."""
    left = TilesLeft(get_ruleset(told.ruleset))
    try:
        return [
            left.take(tile)
            for tile in [*(tile for turn in told.turns for tile in (*turn.discarded, turn.tile)), *told.rest]
        ]
    except ValueError as error:
        raise ImportedGameError(f"the file draws tiles that the game does not have: {error}") from error


def _differ(said, due):
    """Raise `ValueError` that names what the file says and what the rules say."""
    raise ValueError(f"the file says {said}, the rules say {due}")


def _play_turn(recorder, turn, compared):
    """Play a turn. Raises `ValueError` where the rules do not allow it, or the file lists other spots."""
    game, placement = recorder.game, f"{turn.tile}@{turn.cell[0]},{turn.cell[1]}{SIDES[turn.rotation]}"
    for tile in turn.discarded:
        if tile not in recorder.discarded:
            _differ(f"{tile} is discarded", "it fits somewhere (C1)")
    if turn.tile in recorder.discarded and turn.tile not in turn.discarded:
        _differ(placement, f"{turn.tile} fits nowhere (C1)")
    if game.is_terminal:
        _differ(placement, "the game is over")
    if game.current_player != turn.player:
        _differ(f"player {turn.player} places {turn.tile}", f"it is the turn of player {game.current_player}")
    _step(recorder, placement, placement, "the tile cannot be placed there (C1)")
    compared.placements += 1
    may_send = game.phase == PHASE_NAMES[SEND]
    if turn.spots is not None:
        spots = _list_spots(game) if may_send else set()
        if spots != turn.spots:
            _differ(f"a follower may go to {_join(turn.spots)}", _join(spots))
        compared.lists += 1
    if may_send:
        _step(recorder, turn.follower or NOTHING, f"a follower goes to {turn.follower}")
    elif turn.follower:
        _differ(f"a follower goes to {turn.follower}", "nobody can be sent (C3)")


def _step(recorder, text, said, if_none=None):
    """Play an action in notation. Raises `ValueError` where it is illegal, or no action: `if_none` names the rule."""
    try:
        recorder.step(recorder.game.parse_action(text))
    except IllegalActionError as error:
        _differ(said, str(error))
    except ValueError as error:  # such as a placement too far off
        _differ(said, if_none or str(error))


def _list_spots(game):
    """Return the segments to which the player to decide may send a follower."""
    words = (game.format_action(action).split()[-1] for action in game.legal_actions())
    return {segment for segment in words if segment != NOTHING}


def _join(segments):
    return ", ".join(sorted(segments)) or "no segment"


def _compare_payments(recorder, turn, compared):
    """Compare the payments of a turn, in the last one those of the end too, with the rules."""
    game = recorder.game
    entries = [*next(other for other in reversed(recorder.turns) if other["tile"])["scored"], *recorder.end]
    due = _list_payments(game, entries)
    for said in turn.payments:
        same = next((payment for payment in due if _is_same(said, payment)), None)
        if same is not None:
            due.remove(same)
            compared.payments += 1
        elif said.points and said.players:
            _differ(said, "; ".join(map(str, due)) or "nobody is paid")
    if due:
        _differ("nothing of it", due[0])


def _list_payments(game, entries):
    """Return entries of a record, of turns or of the end, as a `Payment` for each area."""
    found = game.areas() if entries else ()  # in most turns nobody is paid
    areas = {segment: area for area in found for segment in area.segments}
    paid: dict[tuple[Any, int], set[int]] = {}  # (area, points) -> players
    for entry in entries:
        row, column, segment = entry["at"]
        paid.setdefault((areas[(row, column), segment], entry["points"]), set()).add(entry["player"])
    return [
        Payment(area.feature, points, frozenset(players), frozenset(cell for cell, _ in area.segments))
        for (area, points), players in paid.items()
    ]


def _is_same(said, due):
    """Return whether a payment in a file is the one that is `due`."""
    is_there = said.cells == due.cells if said.feature in _WHOLE and said.cells else said.cells <= due.cells
    return is_there and (said.feature, said.points, said.players) == (due.feature, due.points, due.players)


def _compare_scores(said, scores):
    for player, score in said.items():
        if score != scores[player]:
            _differ(f"player {player} has {show_count(score, 'point')} then", scores[player])


def _compare_end(recorder, told, compared):
    """Compare the results. Raises `ValueError` where they differ, or the game breaks off."""
    game = recorder.game
    if game.is_terminal or told.settled is not None:
        _compare_scores(told.results, _count(game, told.settled and not game.is_terminal))
        compared.results += len(told.results)
    if told.problem:
        raise ValueError(told.problem)
    if not game.is_terminal:
        unknown = game.position().remaining + Counter({game.position().tile: 1})
        tiles = ", ".join(sorted(unknown.elements())) if unknown.total() <= 3 else show_count(unknown.total(), "tile")
        raise ValueError(f"the game breaks off after turn {len(told.turns)}: nothing is told of {tiles}")


def _count(game, settles):
    """Return the scores, including what incomplete areas would pay at the end if that `settles` the game."""
    areas = game.areas() if settles else ()
    return [
        score + sum(area.end_points[player] for area in areas if player in area.owners)
        for player, score in enumerate(game.scores)
    ]
