"""Game records, format `zamek-record/1`: a game as JSON that can be replayed by the rules alone.

It holds the actions and their outcomes, turn by turn. It is made by stepping a new game with the same deal through the
actions played. `replay.py` reads records.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

from zamek_env.common.messages import show
from zamek_env.common.player_names import check_names
from zamek_env.components.model import Components
from zamek_env.core.log import AREAS_PAID, DISCARDED, HOUSE_PAID, NESTS_PAID, PUT_BACK, SCORED
from zamek_env.core.placement import find_cell
from zamek_env.errors import IllegalActionError
from zamek_env.layout.actions import CHOOSE, EXTRA, OVER, PLACE, SEND
from zamek_env.notation.action_line import format_action
from zamek_env.notation.position import add_beside, find_locations, find_tiles, read_areas
from zamek_env.tile_game import TileGame
from zamek_env.version import __version__

AnyGame = TypeVar("AnyGame", bound=TileGame)

FORMAT = "zamek-record/1"
HEADS: dict[str, dict[str, Any]] = {  # of packaged rulesets that records name otherwise than by their name
    "carcassonne-no-farmers": {"ruleset": "carcassonne", "farmers": False}
}
_END_REASONS = {HOUSE_PAID: "family house", NESTS_PAID: "nests"}


def list_sources(components: Components) -> tuple[str, ...]:
    """Return all sources of points, by their names in records: features that are scored, and reasons at the end."""
    features = [feature.name for feature in components.features]
    tokens = sorted({token.kind for token in components.tokens})
    ends = [f"unfinished {name}" for name in features] + [f"token {kind}" for kind in tokens]
    return (*features, *ends, *_END_REASONS.values())


def make_record(game: TileGame, players: Sequence[str] | None = None) -> dict[str, Any]:
    """Return the record of `game` as a dict that `json.dump` takes; a turn still in progress is left out.

    `players` are the names to write into it, None for `player 0`, `player 1` …

    Raises `ValueError` unless there is a name for each, and for a game of unknown history: one that was set up at a
    position, or made from a state without the actions that led to it.
    """
    if game.start is not None:
        raise ValueError(f"a game set up at a position has no record; this one began at {show(game.start)}")
    names = check_names(players, game.num_players)
    recorder = Recorder(deal_again(game))
    try:
        for action in game.history:
            recorder.step(action)
    except IllegalActionError as error:
        raise ValueError(f"the actions of this game do not lead to where it stands: {error}") from error
    if recorder.game != game:
        raise ValueError("the actions of this game do not lead to where it stands: Game.from_state needs its history")
    ruleset, state = game.ruleset, game.state[0]
    towers = ruleset.components.board.token_towers
    head: dict[str, Any] = {"ruleset": ruleset.name, "components": ruleset.components.digest}
    if ruleset.base is not None:  # packaged
        head = HEADS.get(ruleset.name, {"ruleset": ruleset.name})
    if ruleset.rules:  # house rules that differ from those of the packaged ruleset
        head = head | {"rules": ruleset.rules}
    record = {
        "format": FORMAT,
        "engine": f"zamek_env {__version__}",
        **head,
        "seed": game.seed,
        "players": names,
        "tokens": {str(tower[0]): int(kind) for tower, kind in zip(towers, state.token_deal, strict=False)},
    }
    if game.seed is None and ruleset.hides_deal:
        assert game.dealt is not None  # or it could not have been dealt again
        deck, bag = game.dealt
        shaken = {"bag": bag} if ruleset.sizes.draws_back else {}  # rule H3
        record["deal"] = {"deck": [ruleset.tile(tile).id for tile in deck]} | shaken
    if ruleset.sizes.starts_in_bag:
        record["start"] = ruleset.tile(int(state.deck[0])).id
    record |= {"actions": recorder.actions, "turns": recorder.turns}
    if game.is_terminal:
        record["end"] = recorder.end
    else:
        record["finished"] = False
    return record | {"scores": list(recorder.scores)}


def deal_again(game: AnyGame) -> AnyGame:
    """Return a new game with the deal of `game`.

    Raises `ValueError` where nobody knows it: tiles in hands and in a shaken bag were redealt, or come from a state
    (rules H1-H3).
    """
    ruleset, state = game.ruleset, game.state[0]
    if not ruleset.hides_deal:
        return type(game).from_deal(ruleset, state.deck.tolist(), state.token_deal.tolist())
    if game.seed is not None:
        return type(game)(ruleset.name, game.seed, ruleset.components)
    if game.dealt is None:
        raise ValueError("it is not known how the tiles of this game were dealt, so it has no record")
    deck, bag = game.dealt
    return type(game).from_deal(ruleset, deck, bag=bag)


class Recorder(Generic[AnyGame]):
    """Steps `game`, which must be new, and writes down its turns."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.turns: list[dict[str, Any]] = []  # the finished ones
        self.actions: list[str] = []  # of these, in notation
        self.end: list[dict[str, Any]] = []  # the end scoring, once the game is over
        self.scores = game.scores  # after the last finished turn
        # what the last step brought: ("discarded" or "put back", id), ("scored" or "paid", entry)
        self.news: list[tuple[str, Any]] = []
        self._turn: Any = None  # in progress
        self._begun: list[str] = []  # its actions
        self.discarded: list[str] = []  # since the last placement
        self._put_back: list[str] = []  # since then (rule H3)
        self._drawer = 0  # whose tiles these were
        # Both grow with the game: walking the whole table at every step would take most of the time.
        self._locations = find_locations(game.ruleset, game.state[0])
        self._tile_locations = find_tiles(game.ruleset, game.state[0])
        self._read_events()

    def step(self, action: int) -> None:
        """Play a legal `action`."""
        game, actions = self.game, self.game.ruleset.actions
        state = game.state[0]
        game.step(action)
        self._begun.append(format_action(game.ruleset, state, action))
        if state.phase == PLACE:
            tile = int(state.deck[state.drawn - 1])
            cell_code, rotation = actions.parse_place(action)
            number = find_cell(game.ruleset.tables[0], state, cell_code)
            cell = self._tile_locations[tile] = self._locations[number]
            add_beside(game.ruleset, self._locations, number)
            self._turn = self._new_turn(int(state.player), game.ruleset.tile(tile).id)
            self._turn |= {"cell": list(cell), "rotation": rotation}
        elif state.phase == SEND:
            self._turn["follower"] = self._name_sent(state, *actions.parse_send(action))
        elif state.phase == EXTRA:
            self._turn["extra_turn"] = actions.parse_extra_turn(action)
        self._read_events()

    def count_scored(self) -> int:
        """Return how many areas have been scored in the turn in progress."""
        return len(self._turn["scored"])

    def _new_turn(self, player, tile):
        turn = {"player": player, "discarded": self.discarded}
        turn |= {"put_back": self._put_back} if self._put_back else {}
        self.discarded, self._put_back = [], []
        turn |= {"tile": tile, "cell": None, "rotation": None}
        return turn | {"follower": None, "scored": [], "extra_turn": False}

    def _name_sent(self, state, segment, kind):
        if segment is None:
            return None
        ruleset = self.game.ruleset
        name = ruleset.tile(int(state.deck[state.drawn - 1])).segments[segment].name
        return {"segment": name, "piece": ruleset.components.pieces[kind].name}

    def _read_events(self):
        self.news = []
        for event, player, subject, tiles, points, token, score, took, nests in self.game.last_events.tolist():
            if event in (DISCARDED, PUT_BACK):
                self._finish_turn()
                if player != self._drawer:
                    self._pass_over()
                self._drawer, tile = player, self.game.ruleset.tile(subject).id
                (self.discarded if event == DISCARDED else self._put_back).append(tile)
                self.news.append(("discarded" if event == DISCARDED else "put back", tile))
            elif event == SCORED:
                area = {"player": player} | self._name_area(subject)
                area |= {"tiles": tiles, "points": points, "token": token or None}
                self._turn["scored"].append(area | {"score": score, "took": took or None, "nests": nests})
                self.news.append(("scored", self._turn["scored"][-1]))
            else:
                payment = {"player": player, "reason": self._name_reason(event, subject), "points": points}
                paid = self._list_areas(payment, subject) if event == AREAS_PAID else [payment]
                self.end += paid
                self.news += [("paid", each) for each in paid]
        state = self.game.state[0]
        if state.phase in (PLACE, CHOOSE, OVER):
            self._finish_turn()
        if state.phase == OVER or state.player != self._drawer:
            self._pass_over()

    def _pass_over(self):
        """Note the turn of a player who could lay nothing, where tiles were shown in it (rules Z11, C1, H1–H3)."""
        if self.discarded or self._put_back:
            self._turn = self._new_turn(self._drawer, None)
            self._finish_turn()

    def _finish_turn(self):
        """Note the turn in progress as finished, if there is one."""
        if self._turn is not None:
            self.turns.append(self._turn)
            self.actions += self._begun
            self.scores = self.game.scores
            self._turn, self._begun = None, []

    def _name_area(self, node):
        ruleset = self.game.ruleset
        cell = self._tile_locations[int(ruleset.tables[0].node_tile[node])]
        segment = ruleset.segment_of_node(node)
        return {"feature": segment.feature, "at": [*cell, segment.name]}

    def _list_areas(self, payment, feature):
        """Return the `payment` for areas of a feature, by its number, as one for each area."""
        name, player = self.game.ruleset.components.features[feature].name, payment["player"]
        paid = []
        for area in self._areas_left:
            if area.feature == name and player in area.owners and area.end_points[player]:
                at = min([*cell, segment] for cell, segment in area.segments if not isinstance(cell, str))
                paid.append(payment | {"points": area.end_points[player], "at": at, "tiles": area.tiles})
        return sorted(paid, key=lambda entry: entry["at"])

    @cached_property
    def _areas_left(self):
        """The areas on the board at the end."""
        return read_areas(self.game.ruleset, self.game.raw_states[0])

    def _name_reason(self, event, subject):
        if event == AREAS_PAID:
            feature = self.game.ruleset.components.features[subject]
            return f"unfinished {feature.name}" if feature.completes else feature.name
        return _END_REASONS.get(event, f"token {subject}")
