"""Summarises records of games of Castle, the card game."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zamek_agents.analysis.judging import Decisions, Judge, RegretSummary, summarise_regrets
from zamek_agents.analysis.reading import ReplayedGame, make_printable
from zamek_agents.analysis.summary import BranchingRow, Cell
from zamek_agents.arena.intervals import Estimate, estimate_mean, estimate_rate
from zamek_env import RecordError
from zamek_env.castle_cards.components.box import NUM_CARDS
from zamek_env.castle_cards.game import CastleCards
from zamek_env.castle_cards.layout.board import WIDTH
from zamek_env.castle_cards.ruleset import CardsRuleset

CELLS = tuple((row, column) for row in range(WIDTH) for column in range(WIDTH))  # of the castle, rule K1


class CastleFacts(NamedTuple):
    """The statistics of one finished game."""

    deal: Hashable  # the same for games of the same deal
    names: tuple[str, ...]  # of the players
    wins: tuple[float, ...]  # of each player; a shared victory is shared out
    left: tuple[int, ...]  # cards in hand and deck of each player
    end: str  # how it ended, as records name it
    turns: tuple[tuple[int, tuple[int, ...]], ...]  # the player of each turn, and how many actions were legal
    plays: tuple[tuple[int, str, Cell | None], ...]  # player, card, and the cell of the castle where it was placed
    decisions: Decisions  # of dtype `CASTLE_DECISION`; none where nobody judged them


@dataclass(frozen=True)
class CastleAgent:
    """The statistics of one agent, in all its seats."""

    name: str
    games: int  # counted once a seat
    win_rate: Estimate
    left: Estimate  # cards in hand and deck at the end
    played: Estimate  # cards in a game
    cards: dict[str, float]  # how often it played each card in a game


@dataclass(frozen=True)
class CastleAnalysis:
    """The summary of records of games of Castle; `agents` are in descending order of win rate."""

    ruleset: str
    players: int
    games: int
    deals: int
    unfinished: int  # games that are not over, which are left out
    agents: tuple[CastleAgent, ...]
    seats: tuple[Estimate, ...]  # win rate of each player
    turns: Estimate  # of a game
    ends: dict[str, int]  # how games ended -> how many
    branching: tuple[BranchingRow, ...]  # legal actions
    placed: dict[Cell, float]  # share of the games in which a card was placed there
    regrets: RegretSummary | None  # where an agent was asked

    @property
    def played(self) -> str:
        """The name of the game in the report."""
        return self.ruleset


def replay_all(records: Iterable[tuple[str, Any]]) -> Iterator[ReplayedGame]:
    """Yield each of `records`, pairs (where, record), as a `ReplayedGame`.

    Raises `RecordError`, naming the place, where a record is malformed or breaks a rule, and where it is of another
    number of players than the first.
    """
    players = 0
    for where, record in records:
        try:
            game = CastleCards.replay(record)
        except RecordError as error:
            raise RecordError(f"{where}: {error}") from error
        if players not in (0, game.num_players):
            raise RecordError(f"{where}: record, players: must be {players} as before, not {game.num_players}")
        players = game.num_players
        names = record.get("agents") or [f"player {player}" for player in range(players)]
        yield ReplayedGame(record, game, tuple(map(make_printable, names)))


def gather(replayed: ReplayedGame, number: int, decisions: Decisions) -> CastleFacts:
    """Return the `CastleFacts` of the finished game `replayed`, as `summary.gather` does of a game of tiles."""
    record, names = replayed.record, replayed.names
    seed, winners = record.get("seed"), record["winners"]
    turns, plays = [], []
    for turn in record["turns"]:
        turns.append((turn["player"], tuple(step["legal"] for step in turn["steps"] if "legal" in step)))
        for step in turn["steps"]:
            if step["do"] == "play":
                at = step["at"]
                cell = (at[0], at[1]) if isinstance(at[0], int) else None
                plays.append((turn["player"], step["card"], cell))
    return CastleFacts(
        deal=("game", number) if seed is None else seed,
        names=names,
        wins=tuple((player in winners) / len(winners) for player in range(len(names))),
        left=tuple(map(sum, zip(record["hands_left"], record["decks_left"], strict=True))),
        end=record["end"],
        turns=tuple(turns),
        plays=tuple(plays),
        decisions=decisions,
    )


def summarise(
    facts: list[CastleFacts], ruleset: CardsRuleset, unfinished: int = 0, judge: Judge | None = None
) -> CastleAnalysis:
    """Return the `CastleAnalysis` of one or more finished games; `judge` has found their regrets."""
    names = dict.fromkeys(name for game in facts for name in game.names)
    agents = sorted((_summarise_agent(name, facts) for name in names), key=lambda agent: -agent.win_rate.mean)
    placed = Counter(cell for game in facts for cell in {cell for _, _, cell in game.plays if cell})
    often = Counter(phase for game in facts for phase in game.decisions["phase"].tolist()).most_common()
    players = len(facts[0].names)
    return CastleAnalysis(
        ruleset=ruleset.name,
        players=players,
        games=len(facts),
        deals=len({game.deal for game in facts}),
        unfinished=unfinished,
        agents=tuple(agents),
        seats=tuple(estimate_rate((game.deal, game.wins[seat]) for game in facts) for seat in range(players)),
        turns=estimate_mean((game.deal, len(game.turns)) for game in facts),
        ends=dict(Counter(game.end for game in facts).most_common()),
        branching=_summarise_branching(facts),
        placed={cell: count / len(facts) for cell, count in placed.items()},
        regrets=summarise_regrets(facts, list(names), judge, {phase: phase for phase, _ in often}) if judge else None,
    )


def _summarise_agent(name: str, facts: list[CastleFacts]) -> CastleAgent:
    seats = [(game, seat) for game in facts for seat, other in enumerate(game.names) if other == name]
    played = [[card for player, card, _ in game.plays if player == seat] for game, seat in seats]
    cards = Counter(card for found in played for card in found)
    return CastleAgent(
        name=name,
        games=len(seats),
        win_rate=estimate_rate((game.deal, game.wins[seat]) for game, seat in seats),
        left=estimate_mean(((game.deal, game.left[seat]) for game, seat in seats), most=NUM_CARDS),
        played=estimate_mean((game.deal, len(found)) for (game, _), found in zip(seats, played, strict=True)),
        cards={card: count / len(seats) for card, count in cards.most_common()},
    )


def _summarise_branching(facts: list[CastleFacts]) -> tuple[BranchingRow, ...]:
    """Return how many actions were legal in the turns of one player, counted from 1."""
    legal: defaultdict[int, list[int]] = defaultdict(list)
    games: Counter[int] = Counter()
    for game in facts:
        count: Counter[int] = Counter()
        for player, counts in game.turns:
            count[player] += 1
            legal[count[player]].extend(counts)
        games.update(range(1, max(count.values()) + 1))
    return tuple(BranchingRow.of(turn, games[turn], found) for turn, found in sorted(legal.items()) if found)
