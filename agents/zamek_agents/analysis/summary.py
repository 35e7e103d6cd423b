"""Turns game records into an `Analysis`, or of Castle, the card game, a `CastleCardsAnalysis`."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations_with_replacement, islice
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from zamek_agents.analysis.judging import (
    PLACING,
    Decisions,
    Judge,
    Judging,
    RegretSummary,
    judge_all,
    summarise_regrets,
)
from zamek_agents.analysis.reading import ReplayedGame, is_castle_record, replay_all, replay_castle
from zamek_agents.arena.intervals import Estimate, estimate_mean, estimate_rate
from zamek_agents.arena.sets import Tally, rank_sources, share_victory, tally
from zamek_agents.base import Agent
from zamek_agents.named_ruleset import name_table
from zamek_agents.workers import Workers
from zamek_env import RecordError
from zamek_env.base.rewards import find_lead
from zamek_env.castle_cards.components.box import NUM_CARDS
from zamek_env.castle_cards.layout.board import WIDTH
from zamek_env.castle_cards.ruleset import CastleCardsRuleset
from zamek_env.common.checks import check_absent
from zamek_env.components.box_folder import CASTLE_CARDS
from zamek_env.components.model import Wall
from zamek_env.layout.actions import PHASE_NAMES
from zamek_env.load import AnyComponents
from zamek_env.ruleset import Ruleset

Cell = tuple[int, int]  # (row, column)
LOW, HIGH = 10, 90  # percent that lie below


@dataclass(frozen=True)
class GameFacts:
    """The statistics of one finished game."""

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
        """Points of player 0 above the best other; alone, all points (rule C12)."""
        return find_lead(self.scores, 0)

    @property
    def wins(self) -> tuple[float, ...]:
        """Each player's part of the win; a shared victory is split equally (rules Z30, C11)."""
        return share_victory(self.scores)


def gather(replayed: ReplayedGame, number: int, decisions: Decisions) -> GameFacts:
    """Return the `GameFacts` of the finished game `replayed`, the `number`-th of the analysis, with its `decisions`."""
    record = replayed.record
    turns = [turn for turn in record["turns"] if turn["tile"] is not None]
    board, seed = replayed.game.ruleset.components.board, record.get("seed")
    tower_of = {field: tower[0] for tower in board.token_towers for field in tower}
    return GameFacts(
        names=replayed.names,
        deal=("game", number) if seed is None else seed,
        scores=tuple(record["scores"]),
        tallies=tally(record),
        turns=len(turns),
        decisions=decisions,
        towers={
            tower_of[area["score"] % len(board.track)]: (area["player"], place)
            for place, turn in enumerate(turns, 1)
            for area in turn["scored"]
            if area["took"] is not None  # (rule Z22)
        },
        placed=tuple((turn["player"], tuple(turn["cell"])) for turn in turns),
        sent=tuple((turn["player"], tuple(turn["cell"])) for turn in turns if turn["follower"] is not None),
    )


# --- games together ---


class Part(NamedTuple):
    """The statistics of one player in one game."""

    facts: GameFacts
    player: int

    @property
    def win(self) -> float:
        """1, 0, or an equal part of a shared victory."""
        return self.facts.wins[self.player]

    @property
    def lead(self) -> int:
        """Points above the best other."""
        return find_lead(self.facts.scores, self.player)


@dataclass(frozen=True)
class AgentSummary:
    """The statistics of one agent over all its games; counts are per game."""

    name: str
    games: int
    win_rate: Estimate  # a shared victory is shared out; of who plays alone 1
    points: Estimate
    lead: Estimate  # points more than the best other
    win_rates: tuple[Estimate | None, ...]  # in each seat; None where it never sat
    sources: dict[str, Estimate]  # points by source, in the order of `Analysis.sources`
    tokens_taken: Estimate
    discards: Estimate
    followers_sent: Estimate
    placed: dict[Cell, float]  # cell -> share of the games in which the agent laid a tile there


@dataclass(frozen=True)
class PairingSummary:
    """Two agents that met, seen from the first; of an agent that met itself, from the player who began."""

    agents: tuple[str, str]
    games: int
    wins: int
    shared: int
    losses: int
    win_rate: Estimate
    margin: Estimate  # points of the first more than the second
    margins: tuple[int, ...]  # of each game

    @property
    def name(self) -> str:
        """The name of the pairing in the report."""
        first, second = self.agents
        return f"{first} − {second}" if first != second else f"{first}: who begins − who answers"


@dataclass(frozen=True)
class SeatSummary:
    """The results of two-player games that one agent began against another, seen from the one who began."""

    agents: tuple[str, str]
    games: int
    win_rate: Estimate
    margin: Estimate


@dataclass(frozen=True)
class SeatShare:
    """The results of a seat, over all players who sat there."""

    player: int
    win_rate: Estimate
    points: Estimate
    lead: Estimate  # points more than the best other


@dataclass(frozen=True)
class BranchingRow:
    """The numbers of legal placements in one turn, or of legal actions in Castle."""

    turn: int  # from 1
    games: int  # that got so far
    mean: float
    low: float  # in `LOW` % of the cases there were fewer
    median: float
    high: float  # in `HIGH` % of the cases there were fewer

    @classmethod
    def of(cls, turn: int, games: int, legal: list[int] | npt.NDArray[np.integer[Any]]) -> Self:
        """Return the row of a turn, from the numbers of `legal` placements, an entry for each case."""
        low, median, high = np.percentile(legal, [LOW, 50, HIGH]).tolist()
        return cls(turn, games, float(np.mean(legal)), low, median, high)


@dataclass(frozen=True)
class PhaseRow:
    """The frequency of one kind of decision, and its numbers of legal actions."""

    phase: str
    decisions: Estimate  # a game
    forced: float  # share of them with one legal action only
    legal: float  # legal actions, on average
    most: int


@dataclass(frozen=True)
class TowerRow:
    """The token of one tower."""

    field: int  # the tower's first
    taken: Estimate  # share of the games
    turn: Estimate | None  # in which it was taken, where it was
    by_agent: dict[str, float]  # share of each agent's games in which it took the token


@dataclass(frozen=True)
class Analysis:
    """The summary of records of games of one ruleset. Intervals are over deals, of the level `CONFIDENCE`."""

    ruleset: str
    played: str  # the ruleset with the number of players, where it is not two, and the house rules
    players: int
    games: int
    deals: int
    unfinished: int  # games left out, because they were not over
    agents: tuple[AgentSummary, ...]  # the highest win rate first; who plays alone, by points
    sources: tuple[str, ...]  # of points, as records name them, most points first
    pairings: tuple[PairingSummary, ...]  # of games of two, as are the next two
    first_player: SeatSummary | None  # of all games
    seats: tuple[SeatSummary, ...]
    seat_shares: tuple[SeatShare, ...]  # of each player
    is_balanced: bool  # whether all lineups began equally often with each of their agents
    turns: Estimate  # with a tile, a game
    decisions: Estimate
    discards: Estimate
    fewest_turns: int
    most_turns: int
    branching: tuple[BranchingRow, ...]
    phases: tuple[PhaseRow, ...]
    towers: tuple[TowerRow, ...]  # none where there is no track
    is_open: bool  # whether the board is an open table, on which cells count from the start tile
    cells: tuple[Cell, ...]  # of the board, or of an open table those that were used
    placed: dict[Cell, float]  # cell -> share of the games in which a tile was laid there
    sent: dict[Cell, float]  # cell -> share of the games in which a follower was sent there
    regrets: RegretSummary | None  # where an agent was asked


def summarise(
    facts: Sequence[GameFacts], ruleset: Ruleset, unfinished: int = 0, judge: Judge | None = None
) -> Analysis:
    """Return the `Analysis` of one or more finished games of a `Ruleset`; `judge` has found their regrets."""
    parts: defaultdict[str, list[Part]] = defaultdict(list)
    lineups: defaultdict[tuple[str, ...], list[GameFacts]] = defaultdict(list)
    for game in facts:
        lineups[game.names].append(game)
        for player, name in enumerate(game.names):
            parts[name].append(Part(game, player))
    sources = rank_sources(tally.sources for game in facts for tally in game.tallies)
    agents = [_summarise_agent(name, played, sources) for name, played in parts.items()]
    placed, sent = _share_cells(game.placed for game in facts), _share_cells(game.sent for game in facts)
    board, tiles = ruleset.components.board, len(ruleset.components.tiles)
    are_two = ruleset.players == 2
    return Analysis(
        ruleset=ruleset.name,
        played=name_table(ruleset),
        players=ruleset.players,
        games=len(facts),
        deals=len({game.deal for game in facts}),
        unfinished=unfinished,
        agents=tuple(sorted(agents, key=lambda agent: -(agent.win_rate if ruleset.players > 1 else agent.points).mean)),
        sources=sources,
        pairings=_summarise_pairings(parts, lineups) if are_two else (),
        first_player=_summarise_seats(("", ""), facts) if are_two else None,
        seats=tuple(_summarise_seats(names, games) for names, games in lineups.items()) if are_two else (),
        seat_shares=tuple(_summarise_seat(player, facts) for player in range(ruleset.players)),
        is_balanced=all(len(games) == len(lineups.get((*names[1:], names[0]), ())) for names, games in lineups.items()),
        turns=estimate_mean(((game.deal, game.turns) for game in facts), most=tiles),
        decisions=estimate_mean((game.deal, len(game.decisions)) for game in facts),
        discards=estimate_mean(
            ((game.deal, sum(tally.discards for tally in game.tallies)) for game in facts), most=tiles
        ),
        fewest_turns=min(game.turns for game in facts),
        most_turns=max(game.turns for game in facts),
        branching=_summarise_branching(facts),
        phases=_summarise_phases(facts),
        towers=tuple(_summarise_tower(tower[0], facts, parts, tiles) for tower in board.token_towers),
        is_open=not isinstance(board, Wall),
        cells=board.cells if isinstance(board, Wall) else tuple(sorted({(0, 0), *placed})),
        placed=placed,
        sent=sent,
        regrets=summarise_regrets(facts, list(parts), judge) if judge else None,
    )


def _win(margin: int) -> float:
    return float(margin > 0) if margin else 0.5


def _summarise_agent(name: str, parts: Sequence[Part], sources: Sequence[str]) -> AgentSummary:
    tallies = [(facts.deal, facts.tallies[player]) for facts, player in parts]
    seats = range(len(parts[0].facts.scores))
    by_seat = [[(part.facts.deal, part.win) for part in parts if part.player == seat] for seat in seats]
    return AgentSummary(
        name=name,
        games=len(parts),
        win_rate=estimate_rate((part.facts.deal, part.win) for part in parts),
        points=estimate_mean((facts.deal, facts.scores[player]) for facts, player in parts),
        lead=estimate_mean(((part.facts.deal, part.lead) for part in parts), least=-np.inf),
        win_rates=tuple(estimate_rate(wins) if wins else None for wins in by_seat),
        sources={
            source: estimate_mean((deal, tally.sources.get(source, 0)) for deal, tally in tallies) for source in sources
        },
        tokens_taken=estimate_mean((deal, tally.tokens_taken) for deal, tally in tallies),
        discards=estimate_mean((deal, tally.discards) for deal, tally in tallies),
        followers_sent=estimate_mean(
            (facts.deal, sum(mover == player for mover, _ in facts.sent)) for facts, player in parts
        ),
        placed=_share_cells([entry for entry in facts.placed if entry[0] == player] for facts, player in parts),
    )


def _summarise_seat(player, facts):
    parts = [Part(game, player) for game in facts]
    return SeatShare(
        player=player,
        win_rate=estimate_rate((part.facts.deal, part.win) for part in parts),
        points=estimate_mean((game.deal, game.scores[player]) for game in facts),
        lead=estimate_mean(((part.facts.deal, part.lead) for part in parts), least=-np.inf),
    )


def _summarise_pairings(
    parts: Mapping[str, object], lineups: Mapping[tuple[str, ...], Sequence[GameFacts]]
) -> tuple[PairingSummary, ...]:
    pairings = []
    for first, second in combinations_with_replacement(parts, 2):
        games = [(game.deal, game.margin) for game in lineups.get((first, second), ())]
        if first != second:
            games += [(game.deal, -game.margin) for game in lineups.get((second, first), ())]
        margins = tuple(margin for _, margin in games)
        wins, shared = sum(margin > 0 for margin in margins), margins.count(0)
        if games:
            pairing = PairingSummary(
                agents=(first, second),
                games=len(games),
                wins=wins,
                shared=shared,
                losses=len(games) - wins - shared,
                win_rate=estimate_rate((deal, _win(margin)) for deal, margin in games),
                margin=estimate_mean(games, least=-np.inf),
                margins=margins,
            )
            pairings.append(pairing)
    return tuple(pairings)


def _summarise_seats(agents, games):
    return SeatSummary(
        agents=agents,
        games=len(games),
        win_rate=estimate_rate((game.deal, _win(game.margin)) for game in games),
        margin=estimate_mean(((game.deal, game.margin) for game in games), least=-np.inf),
    )


def _summarise_branching(facts: Sequence[GameFacts]) -> tuple[BranchingRow, ...]:
    decisions = np.concatenate([game.decisions for game in facts])
    placements = decisions[decisions["phase"] == PHASE_NAMES.index(PLACING)]
    rows = []
    for turn in np.unique(placements["turn"]).tolist():
        legal = placements["legal"][placements["turn"] == turn]
        rows.append(BranchingRow.of(turn, len(legal), legal))
    return tuple(rows)


def _summarise_phases(facts: Sequence[GameFacts]) -> tuple[PhaseRow, ...]:
    decisions = np.concatenate([game.decisions for game in facts])
    rows = []
    for phase in np.unique(decisions["phase"]).tolist():
        legal = decisions["legal"][decisions["phase"] == phase]
        often = estimate_mean((game.deal, int((game.decisions["phase"] == phase).sum())) for game in facts)
        rows.append(
            PhaseRow(PHASE_NAMES[phase], often, float((legal == 1).mean()), float(legal.mean()), int(legal.max()))
        )
    return tuple(rows)


def _summarise_tower(
    field: int, facts: Sequence[GameFacts], parts: Mapping[str, Sequence[Part]], tiles: int
) -> TowerRow:
    turns = [(game.deal, game.towers[field][1]) for game in facts if field in game.towers]
    return TowerRow(
        field=field,
        taken=estimate_rate((game.deal, field in game.towers) for game in facts),
        turn=estimate_mean(turns, least=1, most=tiles) if turns else None,
        by_agent={
            name: sum(field in game.towers and game.towers[field][0] == player for game, player in played) / len(played)
            for name, played in parts.items()
        },
    )


def _share_cells(games: Iterable[Sequence[tuple[int, Cell]]]) -> dict[Cell, float]:
    """Return the share of `games`, each of entries (player, cell), in which each cell comes up."""
    counts, total = Counter[Cell](), 0
    for total, entries in enumerate(games, 1):  # noqa: B007 - its last value is wanted
        counts.update({cell for _, cell in entries})
    return {cell: count / total for cell, count in sorted(counts.items())}


# --- Castle, the card game ---


CELLS = tuple((row, column) for row in range(WIDTH) for column in range(WIDTH))  # of the castle, rule K1


class CastleCardsFacts(NamedTuple):
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
class CastleCardsAgent:
    """The statistics of one agent, in all its seats."""

    name: str
    games: int  # counted once a seat
    win_rate: Estimate
    left: Estimate  # cards in hand and deck at the end
    played: Estimate  # cards in a game
    cards: dict[str, float]  # how often it played each card in a game


@dataclass(frozen=True)
class CastleCardsAnalysis:
    """The summary of records of games of Castle; `agents` are in descending order of win rate."""

    ruleset: str
    players: int
    games: int
    deals: int
    unfinished: int  # games that are not over, which are left out
    agents: tuple[CastleCardsAgent, ...]
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


def gather_castle(replayed: ReplayedGame, number: int, decisions: Decisions) -> CastleCardsFacts:
    """Return the `CastleCardsFacts` of the finished game `replayed`."""
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
    return CastleCardsFacts(
        deal=("game", number) if seed is None else seed,
        names=names,
        wins=tuple((player in winners) / len(winners) for player in range(len(names))),
        left=tuple(map(sum, zip(record["hands_left"], record["decks_left"], strict=True))),
        end=record["end"],
        turns=tuple(turns),
        plays=tuple(plays),
        decisions=decisions,
    )


def summarise_castle(
    facts: list[CastleCardsFacts], ruleset: CastleCardsRuleset, unfinished: int = 0, judge: Judge | None = None
) -> CastleCardsAnalysis:
    """Return the `CastleCardsAnalysis` of one or more finished games; `judge` has found their regrets."""
    names = dict.fromkeys(name for game in facts for name in game.names)
    agents = sorted((_summarise_castle_agent(name, facts) for name in names), key=lambda agent: -agent.win_rate.mean)
    placed = Counter(cell for game in facts for cell in {cell for _, _, cell in game.plays if cell})
    often = Counter(phase for game in facts for phase in game.decisions["phase"].tolist()).most_common()
    players = len(facts[0].names)
    return CastleCardsAnalysis(
        ruleset=ruleset.name,
        players=players,
        games=len(facts),
        deals=len({game.deal for game in facts}),
        unfinished=unfinished,
        agents=tuple(agents),
        seats=tuple(estimate_rate((game.deal, game.wins[seat]) for game in facts) for seat in range(players)),
        turns=estimate_mean((game.deal, len(game.turns)) for game in facts),
        ends=dict(Counter(game.end for game in facts).most_common()),
        branching=_summarise_castle_branching(facts),
        placed={cell: count / len(facts) for cell, count in placed.items()},
        regrets=summarise_regrets(facts, list(names), judge, {phase: phase for phase, _ in often}) if judge else None,
    )


def _summarise_castle_agent(name: str, facts: list[CastleCardsFacts]) -> CastleCardsAgent:
    seats = [(game, seat) for game in facts for seat, other in enumerate(game.names) if other == name]
    played = [[card for player, card, _ in game.plays if player == seat] for game, seat in seats]
    cards = Counter(card for found in played for card in found)
    return CastleCardsAgent(
        name=name,
        games=len(seats),
        win_rate=estimate_rate((game.deal, game.wins[seat]) for game, seat in seats),
        left=estimate_mean(((game.deal, game.left[seat]) for game, seat in seats), most=NUM_CARDS),
        played=estimate_mean((game.deal, len(found)) for (game, _), found in zip(seats, played, strict=True)),
        cards={card: count / len(seats) for card, count in cards.most_common()},
    )


def _summarise_castle_branching(facts: list[CastleCardsFacts]) -> tuple[BranchingRow, ...]:
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


# --- records ---


def analyse(
    records: Iterable[Mapping[str, Any]],
    components: AnyComponents = None,
    agent: Agent | str | None = None,
    seed: int = 0,
    workers: Workers | None = None,
) -> Analysis | CastleCardsAnalysis:
    """Return the `Analysis` of game records, as `Game.record` returns them, all of one ruleset.

    Records of Castle, the card game, give a `CastleCardsAnalysis`, without `components`. `components` are those of all
    games, as for `Game.replay`. With an `agent` that evaluates choices, or the name of one, the analysis says what
    each decision cost; the agent's chance follows from `seed`. `workers` may judge for an agent that is given by its
    name. Games that are not over are left out.

    Raises `RecordError`, naming the record, counted from 1, where one is malformed, breaks a rule or is of another
    ruleset than the first, and where no game is finished; `ValueError` where the agent evaluates no choices.
    """
    named = ((f"record {number}", record) for number, record in enumerate(records, 1))
    return analyse_named(named, components, agent if agent is None else Judging(agent, seed, workers))


def analyse_named(
    records: Iterable[tuple[str, Any]], components: AnyComponents = None, judging: Judging | None = None
) -> Analysis | CastleCardsAnalysis:
    """Return the analysis of pairs (where, record); errors name `where`. Otherwise as `analyse`."""
    given = iter(records)
    head = list(islice(given, 1))
    found = chain(head, given)
    is_castle = bool(head) and is_castle_record(head[0][1])
    if is_castle:
        check_absent(CASTLE_CARDS, components=components)
    games = replay_castle(found) if is_castle else replay_all(found, components)
    how: Any = (gather_castle, summarise_castle) if is_castle else (gather, summarise)
    gather_facts, summarise_facts = how
    facts, unfinished, ruleset = [], 0, None
    for replayed, number, decisions in judge_all(games, judging, components):
        ruleset = replayed.game.ruleset
        if decisions is None:
            unfinished += 1
        else:
            facts.append(gather_facts(replayed, number, decisions))
    if not facts:
        raise RecordError("there is no record of a finished game")
    return summarise_facts(facts, ruleset, unfinished, judging.judge if judging else None)
