"""What `zamek evaluate` does otherwise for games that any number of players play: wins by agent and by seat."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console

from zamek_agents.arena import reports
from zamek_agents.arena.sets import SetResult
from zamek_agents.arena.standings import find_length, find_milliseconds, find_seats, find_shares
from zamek_env.make_game import make_game

FOR_TWO = ("sprt", "out", "plots")  # arguments that games of tiles for two players have
_FOR_TILES = (*FOR_TWO, "components", "rules")


class SetFindings:
    """What `results` say: of each agent, and of each seat."""

    def __init__(self, results: Sequence[SetResult]) -> None:
        self.shares = find_shares(results)
        self.seats = find_seats(results)
        self.decisions = find_length(results)
        self.milliseconds = find_milliseconds(results)

    def make_entries(self) -> dict[str, Any]:
        """Return them as JSON holds them."""
        return {
            "agents": [asdict(share) for share in self.shares],
            "seats": [asdict(seat) for seat in self.seats],
            "decisions_a_game": self.decisions,
        }


def check_sets(args: Any) -> None:
    """Raise `ValueError` where the arguments of `zamek evaluate` do not fit the ruleset, which is none of tiles."""
    for name in _FOR_TILES:
        if getattr(args, name):
            raise ValueError(f"--{name} is for games of tiles only, not for {args.ruleset}")
    try:
        make_game(args.ruleset, 0, None, args.players)
    except ValueError as error:
        raise ValueError(f"--{error}") from error


def print_sets(console: Console, findings: SetFindings) -> None:
    """Print everything, agents first."""
    console.print(reports.make_shares_table(findings.shares, findings.milliseconds))
    console.print(reports.describe_seats(findings.seats, findings.decisions), highlight=False)
