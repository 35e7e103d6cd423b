"""The games that OpenSpiel loads by name, any others that are registered here, and their states and observers.

pyspiel.load_game("python_zamek(ruleset=sokol,returns=margin)")
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Self

import numpy as np
import pyspiel
from gymnasium import spaces

from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.components.box import MAX_PLAYERS, MIN_PLAYERS, NUM_KINDS
from zamek_env.castle_cards.layout.actions import NUM_ACTIONS
from zamek_env.castle_cards.layout.observation import check_observation
from zamek_env.castle_cards.ruleset import make_observation_space as make_cards_space
from zamek_env.common.checks import check_choice, check_count
from zamek_env.common.messages import show
from zamek_env.components.highest_score import bound_score
from zamek_env.components.house_rules import format_rules, parse_rules
from zamek_env.components.model import MAX_PLAYERS as MOST_PLAYERS
from zamek_env.game import Game
from zamek_env.game_protocol import MOST_DECISIONS, PlayableGame, deal_first
from zamek_env.layout.observation import PLANE_PARTS, check_parts
from zamek_env.openspiel.castle_cards_node import make_node, make_root, make_root_at
from zamek_env.openspiel.node import WHOLE, DealNode, GameNode, Node, Outcomes
from zamek_env.openspiel.tile_node import TileRules
from zamek_env.ruleset import Ruleset, get_ruleset, make_observation_space

_MOST = 2**31  # seeds lie below
Shapes = dict[str, tuple[int, ...]]  # of the parts of an observation, by name


class Place:
    """The node of a state. A pickle holds no node: unpickling plays the history again.

    `is_reached` says that its history leads there from the root of a game that OpenSpiel can load by its name.
    """

    def __init__(self, node: Node | None = None, is_reached: bool = True) -> None:
        self.node, self.is_reached = node, is_reached

    def __deepcopy__(self, memo: dict[int, Any]) -> "Place":
        return Place(self.node, self.is_reached)

    def __reduce__(self) -> tuple[type["Place"], tuple[()]]:
        if not self.is_reached:
            raise ValueError("this state cannot be serialised: it was redealt, or its game begins at a position")
        return Place, ()


class GameState(pyspiel.State):
    """A state of OpenSpiel at a `Node`."""

    def __init__(self, game: Any, node: Node, is_reached: bool = True) -> None:
        super().__init__(game)
        self._place = Place(node, is_reached)  # the only attribute: OpenSpiel copies and pickles them all

    def __copy__(self) -> "GameState":
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> "GameState":
        return self.clone()

    @property
    def node(self) -> Node:
        """The node of the state."""
        if self._place.node is None:
            node = self.get_game().root
            for action in self.history():
                node = node.after(action)
            self._place.node = node
        return self._place.node

    def current_player(self) -> int:
        return self.node.player

    def is_terminal(self) -> bool:
        return self.node.player == pyspiel.PlayerId.TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.legal_actions() if player == self.node.player else []

    def chance_outcomes(self) -> Outcomes:
        return self.node.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self._place.node = self.node.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.node.format_action(action)

    def returns(self) -> list[float]:
        return list(self.node.returns())

    def resample_from_infostate(self, player: int, sampler: Any) -> "GameState":
        """Return a state that `player` cannot tell from this one, with what is hidden from that player redealt.

        `sampler` is a function of OpenSpiel that returns random numbers from 0 to 1. Where nothing is hidden, as in
        games of tiles without hidden hands, it is a clone. Elsewhere the history of the new state says nothing, so that
        state cannot be serialised. Raises `ValueError` at a chance node there.
        """
        rng = np.random.default_rng(int(sampler() * _MOST))
        node = self.node.redealt(player, rng)
        return self.clone() if node is self.node else GameState(self.get_game(), node, is_reached=False)

    def __str__(self) -> str:
        return str(self.node)


def is_observed(kind: pyspiel.IIGObservationType | None) -> bool:
    """Return whether there are observations of that kind: with all that is public, and with what one player knows."""
    return kind is None or (kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER)


class Observer:
    """A player's observation, as OpenSpiel asks for it: `tensor`, its named parts `dict` of such `shapes`, and a text.

    With perfect recall the text is all that the player has seen and done since the root. The tensor is the same in both
    cases: what is known now. Raises `ValueError` for a `kind` that is not observed.
    """

    def __init__(self, shapes: Shapes, kind: pyspiel.IIGObservationType | None) -> None:
        self._recalls = kind is not None and kind.perfect_recall
        if not is_observed(kind):
            raise ValueError(f"what is observed must be public_info and the private_info of one player, not {kind}")
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        ends = np.cumsum(sizes)
        self.tensor = np.zeros(sum(sizes), np.float32)
        self.dict = {
            name: self.tensor[end - size : end].reshape(shape)
            for (name, shape), size, end in zip(shapes.items(), sizes, ends, strict=True)
        }

    def set_from(self, state: GameState, player: int) -> None:
        """Write what `player` sees of `state` into `tensor`."""
        state.node.observe(player, self.dict)

    def string_from(self, state: GameState, player: int) -> str:
        """Return what `player` sees of `state`, or with perfect recall has ever seen, as text."""
        node = state.node
        return node.describe_known(player, state.history()) if self._recalls else node.describe_seen(player)


DEALS = 1000  # among which chance draws the deal of another game
RETURNS = ("win", "margin")  # what a game of tiles pays: the result, or how many points more than the others' mean


def _describe(
    name: str,
    long_name: str,
    players: tuple[int, int],
    parameters: dict[str, Any],
    is_open: bool,
    is_alone: bool = False,
) -> pyspiel.GameType:
    """Return the type of a game of `players`, (least, most).

    `is_open` says that nothing is hidden from a single player, `is_alone` that one plays alone.
    """
    informations, utilities = pyspiel.GameType.Information, pyspiel.GameType.Utility
    least, most = players
    return pyspiel.GameType(
        short_name=name,
        long_name=long_name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=informations.PERFECT_INFORMATION if is_open else informations.IMPERFECT_INFORMATION,
        utility=utilities.GENERAL_SUM if is_alone else utilities.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=least,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


def _complete(kind: pyspiel.GameType, params: dict[str, Any] | None) -> dict[str, Any]:
    """Return `params` with defaults for those not given. Raises `ValueError` for unknown ones."""
    for name in params or {}:
        check_choice("the name of a parameter", name, sorted(kind.parameter_specification))
    return {**kind.parameter_specification, **(params or {})}


def _check_readable(name: str, path: str) -> None:
    """Raise `ValueError` where OpenSpiel could not read this parameter back, as from a serialised state."""
    if set(path) & set("(),="):
        raise ValueError(f"{name} must be a path without any of `(),=`, which OpenSpiel reads as its own: {show(path)}")
    if not isinstance(pyspiel.game_parameters_from_string(f"game({name}={path})")[name], str):
        raise ValueError(f"{name} must be {show(f'./{path}')}, not {show(path)}, which OpenSpiel reads as no text")


class _TreeGame(pyspiel.Game):
    """A game whose tree begins at `root`. `is_named` says that its name and parameters describe all of it."""

    kind: pyspiel.GameType
    root: Node
    is_named = True
    most_chance: int

    def new_initial_state(self, state: Any = None) -> GameState:
        return GameState(self, self.root, self.is_named)

    @abstractmethod
    def find_shapes(self, params: Mapping[str, Any]) -> Shapes:
        """Return the tensor shapes of an observer with such `params`. Raises `ValueError` where it takes none."""

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> Observer | None:
        shapes = self.find_shapes(params or {})
        return Observer(shapes, iig_obs_type) if is_observed(iig_obs_type) else None

    def __copy__(self) -> Self:  # a game never changes
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Callable[[str, dict[str, Any]], pyspiel.Game], tuple[str, dict[str, Any]]]:
        """Pickle the name and the parameters: OpenSpiel's own pickles drop everything that Python added to a game."""
        if not self.is_named:
            raise ValueError("this game cannot be serialised: it begins at a position, which no name describes")
        return _load, (self.kind.short_name, self.get_parameters())

    def max_chance_nodes_in_history(self) -> int:
        return self.most_chance


def _load(name: str, parameters: dict[str, Any]) -> pyspiel.Game:
    """Return the game that `pyspiel.load_game` returns; unpickling it imports this module and its games."""
    return pyspiel.load_game(name, parameters)


def _read_observation(params: Mapping[str, Any], default: Any) -> Any:
    """Return the parts that the parameters of an observer name. Raises `ValueError` for other parameters."""
    for name in params:
        check_choice("the name of a parameter of an observer", name, ("observation",))
    given = params.get("observation", default)
    return [name.strip() for name in given.split(",")] if isinstance(given, str) else given


def _list_shapes(space: spaces.Box | spaces.Dict) -> Shapes:
    """Return the shapes of the parts of an observation, each of one axis or more, as OpenSpiel reads no others."""
    parts = space if isinstance(space, spaces.Dict) else {WHOLE: space}
    return {name: box.shape or (1,) for name, box in parts.items()}


# --- tiles ---


def _describe_tiles(name, long_name, ruleset, is_open=True, is_alone=False):
    parameters = {"ruleset": ruleset, "components": "", "returns": RETURNS[0], "players": 2, "rules": ""}
    return _describe(name, long_name, (1, MOST_PLAYERS), parameters, is_open, is_alone)


def _read_rules(text):
    """Return house rules that a text such as `hand:hidden;small_city` names; None without any. `ValueError` for others.

    OpenSpiel itself uses commas and `=`.
    """
    if not text:
        return None
    if not isinstance(text, str) or set(text) & set("(),="):
        raise ValueError(f"rules must be a text such as 'draw_ahead' or 'hand:hidden;table:9x11', not {show(text)}")
    return parse_rules(text.replace(";", ",").replace(":", "="))


@lru_cache(maxsize=16)  # the ruleset stays the same object as long as anybody plays by it
def _find_rules(ruleset: Ruleset, by_margin: bool) -> TileRules:
    return TileRules(ruleset, by_margin)


class TileGame(_TreeGame):
    """A game of tiles.

    Parameters: `ruleset`, as for `zamek_env.Game`; `components`, a folder with components of your own; `returns`, one
    of `RETURNS`; `players`, how many play; `rules`, house rules such as `hand:hidden;small_city`.
    """

    def __init__(
        self, params: dict[str, Any] | None = None, start: Game | None = None, keeps_hands: bool = False
    ) -> None:
        given = _complete(self.kind, params)
        by_margin = check_choice("returns", given["returns"], RETURNS) == RETURNS[1]
        if isinstance(given["components"], str):
            _check_readable("components", given["components"])
        if start:
            ruleset = start.ruleset
        else:
            house = _read_rules(given["rules"])
            ruleset = get_ruleset(given["ruleset"], given["components"] or None, given["players"], house)
        if ruleset.sizes.draws_back and ruleset.sizes.hand_size > 1:
            raise ValueError("rules must not name both hand and back_into_bag, which OpenSpiel's chance cannot tell of")
        rules = _find_rules(ruleset, by_margin)
        kind = self._describe_ruleset(ruleset)
        super().__init__(kind, self._measure(rules, start), params or {})
        self.rules = rules
        tiles = ruleset.sizes.tiles
        self.most_chance = tiles * tiles if ruleset.sizes.draws_back else tiles + ruleset.sizes.towers
        self.root = rules.make_root_at(start, keeps_hands) if start else rules.make_root()

    def _describe_ruleset(self, ruleset: Ruleset) -> pyspiel.GameType:
        """Return the type of the game with this ruleset: who sees what, and whether it is zero-sum."""
        if ruleset.players > 1 and not ruleset.sizes.hides_hands:
            return self.kind
        is_alone = ruleset.players == 1
        is_open = is_alone or not ruleset.sizes.hides_hands
        default = self.kind.parameter_specification["ruleset"]
        return _describe_tiles(self.kind.short_name, self.kind.long_name, default, is_open, is_alone)

    def find_shapes(self, params: Mapping[str, Any]) -> Shapes:
        """Return the shapes of the parts that the parameter `observation` names, such as `vector,rows`.

        Raises `TypeError` or `ValueError` where it names others, or where there is another parameter.
        """
        parts = check_parts(_read_observation(params, PLANE_PARTS))
        return _list_shapes(make_observation_space(self.rules.ruleset, parts))

    def _measure(self, rules: TileRules, start: Game | None) -> pyspiel.GameInfo:
        ruleset, sizes = rules.ruleset, rules.ruleset.sizes
        # a position may bring more than any game does
        lead = max(start.scores) - (min(start.scores) if ruleset.players > 1 else 0) if start else 0
        most = float(bound_score(ruleset.components) + lead) if rules.by_margin else 1.0
        return pyspiel.GameInfo(
            num_distinct_actions=ruleset.num_actions,
            max_chance_outcomes=len(rules.outcome_names),
            num_players=ruleset.players,
            min_utility=-most,
            max_utility=most,
            utility_sum=None if ruleset.players == 1 else 0.0,
            # of each tile: chosen, placed, sent, extra turn, and the order in which areas are scored
            max_game_length=sizes.tiles * (3 + (sizes.hand_size > 1) + ruleset.players * sizes.slots),
        )


class ZamekGame(TileGame):
    kind = _describe_tiles("python_zamek", "Zamek", "zamek")


class CarcassonneGame(TileGame):
    kind = _describe_tiles("python_carcassonne", "Carcassonne", "carcassonne")


# --- Castle ---


class CastleCardsGame(_TreeGame):
    """Castle, the card game. The parameter `players` says how many play, 2 to 5."""

    kind = _describe(
        "python_castle_cards", "Castle, the card game", (MIN_PLAYERS, MAX_PLAYERS), {"players": MIN_PLAYERS}, False
    )

    def __init__(self, params: dict[str, Any] | None = None, root: Node | None = None) -> None:
        given = _complete(self.kind, params)
        players = check_choice("players", given["players"], range(MIN_PLAYERS, MAX_PLAYERS + 1))
        info = pyspiel.GameInfo(
            num_distinct_actions=NUM_ACTIONS,
            max_chance_outcomes=NUM_KINDS,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MOST_DECISIONS,
        )
        super().__init__(self.kind, info, params or {})
        self.players, self.most_chance = players, MOST_DECISIONS
        self.root = root or make_root(players)

    def find_shapes(self, params: Mapping[str, Any]) -> Shapes:
        """Return the shapes of the parts that the parameter `observation` names, such as `vector,rows`.

        Without it there is one part, `observation`. Raises `TypeError` or `ValueError` where it names others, or where
        there is another parameter.
        """
        parts = check_observation(_read_observation(params, None))
        space = make_cards_space(self.players, parts)
        return _list_shapes(space)


PACKAGED = {game.kind.short_name: game for game in (ZamekGame, CarcassonneGame, CastleCardsGame)}
for _game in PACKAGED.values():
    pyspiel.register_game(_game.kind, _game)


# --- any other game ---


class DealtGame(_TreeGame):
    """A game in which chance draws only the deal, at a `root` that is by default a `DealNode`.

    The parameter `deals` is the number of deals; `deal(seed=number)` returns the game of each.
    """

    def __init__(
        self,
        kind: pyspiel.GameType,
        deal: Callable[..., PlayableGame],
        params: dict[str, Any] | None = None,
        root: Node | None = None,
    ) -> None:
        count = check_count("deals", _complete(kind, params)["deals"], least=1)
        game = deal(seed=0)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_actions,
            max_chance_outcomes=count,
            num_players=game.num_players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if kind.utility == pyspiel.GameType.Utility.ZERO_SUM else None,
            max_game_length=MOST_DECISIONS,
        )
        super().__init__(kind, info, params or {})
        self.kind, self.most_chance = kind, 1
        self.root = root or DealNode(game.num_players, count, deal)
        self._shapes = _list_shapes(game.observation_space)

    def find_shapes(self, params: Mapping[str, Any]) -> Shapes:
        """Return the shapes of the parts of an observation. Raises `ValueError` for any parameter."""
        if params:
            raise ValueError(f"an observer of {self.kind.short_name} has no parameters, not {show(params)}")
        return self._shapes


def _describe_dealt(name: str, players: int, deals: int) -> pyspiel.GameType:
    """Return the type of a game whose deal is hidden. With two players it is zero-sum."""
    return _describe(f"python_{name}", name, (players, players), {"deals": deals}, False, is_alone=players != 2)


def register_game(name: str, deal: Callable[..., PlayableGame], deals: int = DEALS) -> None:
    """Let `pyspiel.load_game` load a game of your own as `python_<name>`.

    `deal(seed=number)` returns the game of a number. Chance draws one of the `deals` 0, 1 … at the root, all equally
    likely; whatever else is random follows from it. Raises `ValueError` for the name of a game of this package,
    `TypeError` or `ValueError` where `deals` is no number of 1 or more.
    """
    if f"python_{name}" in PACKAGED:
        packaged = ", ".join(kind.removeprefix("python_") for kind in PACKAGED)
        raise ValueError(f"name must be none of {packaged}, not {show(name)}")
    kind = _describe_dealt(name, deal_first(deal).num_players, check_count("deals", deals, least=1))

    class Registered(DealtGame):  # no function: OpenSpiel drops what is registered after Python has ended
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(kind, deal, params)

    pyspiel.register_game(kind, Registered)


# --- from a position on ---


def begin_at(game: PlayableGame, returns: str = RETURNS[0], deals_hands: bool = True) -> pyspiel.Game:
    """Return a game of OpenSpiel that begins where `game` stands; its states hold only what happens from there on.

    Where `deals_hands` is true, chance deals all that is hidden from somebody at the root: every player knows of the
    others' cards what all know. So `game` must be in the phase `action`. Where it is false, all hands are those of
    `game`: that is for planners that get a deal, such as one by `concealed`. What nobody has seen is drawn by chance in
    any case. Hidden hands of tiles (rules H1, H2) cannot be dealt so; all else in games of tiles is open. `returns` is
    as for games of tiles, and must be `win` for all others. In games from outside this package chance draws nothing
    after the root: where `deals_hands` is false, everything is as in `game`.

    Raises `ValueError` for other `returns`, for another phase, and where hidden hands of tiles would have to be dealt,
    `TypeError` for another kind of game.
    """
    begun: _TreeGame
    if isinstance(game, Game):
        rules = format_rules(game.ruleset.rules).replace(",", ";").replace("=", ":")  # as `_read_rules` reads it
        params = {"ruleset": game.ruleset.name, "returns": returns, "players": game.num_players, "rules": rules}
        begun = ZamekGame(params, game, not deals_hands)
    elif not isinstance(game, PlayableGame):
        raise TypeError(f"game must be a Game, a CastleCards or another PlayableGame, not {type(game).__name__}")
    else:
        check_choice("returns", returns, RETURNS[:1])
        if isinstance(game, CastleCards):
            root = make_root_at(game) if deals_hands else make_node(game)
            begun = CastleCardsGame({"players": game.num_players}, root)
        else:
            start = game.copy()
            kind = _describe_dealt(type(start).__name__, start.num_players, DEALS)

            def deal(seed: int) -> PlayableGame:
                return start.concealed(np.random.default_rng(seed), None)

            begun = DealtGame(kind, deal, None, None if deals_hands else GameNode(start))
    begun.is_named = False
    return begun
