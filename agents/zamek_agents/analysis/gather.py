"""One pass over a replayed game: everything of it that an analysis counts."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from zamek_agents.analysis.judging import Decisions
from zamek_agents.analysis.reading import ReplayedGame
from zamek_agents.arena.sets import Tally, share_victory, tally
from zamek_env.core.rewards import find_lead

Cell = tuple[int, int]  # (row, column)


@dataclass(frozen=True)
class GameFacts:
    """What an analysis counts of one finished game."""

    names: tuple[str, ...]  # of the players; player 0 began
    deal: Hashable  # the same for games of the same deal
    scores: tuple[int, ...]
    tallies: tuple[Tally, ...]  # of each player
    turns: int  # in which a tile was placed
    decisions: Decisions  # of dtype `DECISION`
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


def gather(replayed: ReplayedGame, number: int, decisions: Decisions) -> GameFacts:
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


def _find_towers(board: Any, turns: list[dict[str, Any]]) -> dict[int, tuple[int, int]]:
    """Return by whom and in which turn, from 1, the token of each tower was taken (rule Z22)."""
    tower_of = {field: tower[0] for tower in board.token_towers for field in tower}
    return {
        tower_of[area["score"] % len(board.track)]: (area["player"], number)
        for number, turn in enumerate(turns, 1)
        for area in turn["scored"]
        if area["took"] is not None
    }
