"""One pass over a replayed game: everything of it that an analysis counts."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_agents.analysis.reading import ReplayedGame
from zamek_agents.analysis.regret import Judge
from zamek_agents.arena.sets import Tally, share_victory, tally
from zamek_env import Game
from zamek_env.core.rewards import find_lead
from zamek_env.layout.actions import CHOOSE, PHASE_NAMES, PLACE
from zamek_env.records.write import deal_again

PLACING, CHOOSING = PHASE_NAMES[PLACE], PHASE_NAMES[CHOOSE]
Cell = tuple[int, int]  # (row, column)

DECISION = np.dtype(
    [
        ("regret", np.float64),  # NaN where nobody looked; 0 where there was nothing to choose from
        ("turn", np.int32),  # tiles placed by then, with the one of this turn: from 1
        ("legal", np.int32),  # how many actions were legal
        ("player", np.int8),
        ("phase", np.int8),  # index into `PHASE_NAMES`
    ]
)


@dataclass(frozen=True)
class GameFacts:
    """What an analysis counts of one finished game."""

    names: tuple[str, ...]  # of the players; player 0 began
    deal: Hashable  # the same for games of the same deal
    scores: tuple[int, ...]
    tallies: tuple[Tally, ...]  # of each player
    turns: int  # in which a tile was placed
    decisions: npt.NDArray[np.void]  # of dtype `DECISION`, shape `(decisions,)`
    towers: dict[int, tuple[int, int]]  # the tower's first field -> (player, turn) of who took its token
    placed: tuple[tuple[int, Cell], ...]  # (player, cell) of each tile
    sent: tuple[tuple[int, Cell], ...]  # (player, cell) of each follower or special piece

    @property
    def margin(self) -> int:
        """Points of player 0 more than the best other; alone, all there are (rule C12)."""
        return find_lead(self.scores, 0)

    @property
    def wins(self) -> tuple[float, ...]:
        """What each player won of the game: those who share the victory have equal parts of it (rules Z30, C11)."""
        return share_victory(self.scores)


def gather(replayed: ReplayedGame, number: int, decisions: npt.NDArray[np.void]) -> GameFacts:
    """Return the `GameFacts` of the finished game `replayed`, the `number`-th of the analysis, with its `decisions`."""
    record = replayed.record
    turns = [turn for turn in record["turns"] if turn["tile"] is not None]
    seed = record.get("seed")
    return GameFacts(
        names=replayed.names,
        deal=("game", number) if seed is None else seed,
        scores=tuple(record["scores"]),
        tallies=tally(record),
        turns=len(turns),
        decisions=decisions,
        towers=_find_towers(replayed.game.ruleset.components.board, turns),
        placed=tuple((turn["player"], tuple(turn["cell"])) for turn in turns),
        sent=tuple((turn["player"], tuple(turn["cell"])) for turn in turns if turn["follower"] is not None),
    )


def list_decisions(finished: Game, number: int, judge: Judge | None = None) -> npt.NDArray[np.void]:
    """Play a finished game, the `number`-th of the analysis, again, and return its decisions of `DECISION`.

    `judge` says what each cost. None: nobody looks.
    """
    game = deal_again(finished)
    rows: list[tuple[float, int, int, int, int]] = []
    placed = 0
    for action in finished.history:
        legal = int(game.legal_action_mask().sum())
        turn = placed + (game.phase in (PLACING, CHOOSING))
        regret = 0.0 if legal == 1 else np.nan
        if judge and legal > 1:
            regret = judge.find_regret(game, action, (number, len(rows)))
        rows.append((regret, turn, legal, game.current_player, PHASE_NAMES.index(game.phase)))
        placed += game.phase == PLACING
        game.step(action)
    return np.array(rows, DECISION)


def _find_towers(board: Any, turns: list[dict[str, Any]]) -> dict[int, tuple[int, int]]:
    """Return by whom and in which turn, from 1, the token of each tower was taken (rule Z22)."""
    tower_of = {field: tower[0] for tower in board.token_towers for field in tower}
    return {
        tower_of[area["score"] % len(board.track)]: (area["player"], number)
        for number, turn in enumerate(turns, 1)
        for area in turn["scored"]
        if area["took"] is not None
    }
