"""The interface of any game: for agents, the arena and searches, and a larger one for environments."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, Self, runtime_checkable

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from zamek_env.base.rewards import REWARD_WIN, REWARDS
from zamek_env.common.checks import check_choice, check_count, is_whole
from zamek_env.common.messages import show
from zamek_env.errors import EndlessGameError
from zamek_env.layout.observation import PLANE_PARTS

# of a game. The rules of Castle set no limit: players may take back each other's cards again and again. Games of random
# players have some 300, and games of tiles have fewer than this by their rules.
MOST_DECISIONS = 100_000


@runtime_checkable
class GameProtocol(Protocol):
    """A game of `num_players` players who decide one at a time, with chance drawn when it is dealt.

    `zamek_env.Game` is one. What nobody has seen yet is hidden from all players; in a game with private hands, the
    hands of the others are hidden too. `returns` says who has won.
    """

    @property
    def num_players(self) -> int:
        """Number of players, 1 or more; they are numbered from 0 and player 0 begins."""
        ...

    @property
    def current_player(self) -> int:
        """The player to decide; -1 once the game is over."""
        ...

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        ...

    @property
    def num_actions(self) -> int:
        """Size of the action space: actions are whole numbers from 0 to one less."""
        ...

    @property
    def scores(self) -> Sequence[int]:
        """Points so far, one entry a player: more is better, and before the end there may be no other measure."""
        ...

    def returns(self) -> Sequence[float]:
        """Return each player's result, one entry a player: from -1 to +1, more is better, and all 0 before the end.

        With two players +1 is a win, -1 a loss, 0 a shared victory (rules Z30, C7).
        """
        ...

    def legal_actions(self) -> list[int]:
        """Return the legal actions in ascending order; none once the game is over."""
        ...

    def legal_action_mask(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, a new bool array of shape `(num_actions,)`."""
        ...

    def step(self, action: int) -> None:
        """Play `action` and go on to the next decision.

        Raises `IllegalActionError` where the rules do not allow it, `TypeError` where it is no whole number; the game
        is then unchanged.
        """
        ...

    def copy(self) -> Self:
        """Return an independent copy, the hidden part included."""
        ...

    def redeal(self, rng: np.random.Generator, observer: int | None) -> None:
        """Redeal, by `rng`, exactly what is hidden from `observer` (rule Z31).

        `observer` is a player, or None for somebody who sees only what all players see. Without private hands they all
        see the same, and a game may make it optional. Raises `TypeError` or `ValueError` for a bad `rng` or `observer`.
        """
        ...

    def concealed(self, rng: np.random.Generator, observer: int | None) -> Self:
        """Return a copy, redealt as by `redeal`, from which nothing hidden from `observer` can be read (rule Z31).

        It depends only on what `observer` sees and on `rng`, so it is safe to pass to an agent. Raises as `redeal`
        does.
        """
        ...

    def describe(self, action: int) -> str:
        """Return what a legal `action` would do, in words. Raises as `step` does."""
        ...

    def record(self, players: Sequence[str] = ...) -> dict[str, Any]:
        """Return the game as a dict for `json.dump`, with the names of the `players`.

        Raises `ValueError` unless there is one name a player.
        """
        ...


@runtime_checkable
class PlayableGame(GameProtocol, Protocol):
    """A `GameProtocol` that environments and OpenSpiel can show to a learner; `str(game)` is what all players see.

    Environments deal it by calling `deal(seed=number)`, such as its class: a number of 0 to 2**63 - 1 always gives the
    same game. `zamek_env.plain_game.PlainGame` writes most of it for a game in plain Python, and shows what some tools
    need besides: datasets `format_action` and `retrace`, `zamek play` `is_open` unless all decisions are secret.
    """

    @property
    def seed(self) -> int | None:
        """The number of its deal; None once it was redealt."""
        ...

    @property
    def history(self) -> Sequence[int]:
        """The actions played since it was dealt or redealt, by number."""
        ...

    @property
    def observation_space(self) -> spaces.Box | spaces.Dict:
        """The space of what `observe` returns, a `Box`, or a `Dict` of boxes."""
        ...

    def observe(self, player: int) -> Any:
        """Return what `player` knows, in new arrays of `observation_space`, and nothing that is hidden from it."""
        ...


def deal_first(deal: Callable[..., PlayableGame]) -> PlayableGame:
    """Return the game that `deal(seed=0)` deals, checked, to find mistakes in its class before it is played.

    Raises `TypeError` or `ValueError` where `deal` is no function, where the game lacks something, and where players,
    actions or results are not as `GameProtocol` says.
    """
    if not callable(deal):
        raise TypeError(f"deal must be a class of games, or a function of a seed, not {show(deal)}")
    game = deal(seed=0)
    name = type(game).__name__
    if lacking := [what for what in dir(PlayableGame) if what[0] != "_" and what not in dir(game)]:
        raise TypeError(f"deal must return a PlayableGame, and {name} lacks {', '.join(lacking)}")
    players = check_count(f"num_players of {name}", game.num_players)
    most = check_count(f"num_actions of {name}", game.num_actions) - 1
    check_choice(f"current_player of {name}", game.current_player, range(-1, players))
    legal, results = game.legal_actions(), game.returns()
    is_list = isinstance(legal, list) and all(is_whole(action) and 0 <= action <= most for action in legal)
    if not is_list or legal != sorted({*legal}) or bool(legal) == game.is_terminal:
        due = f"a list of some of 0 to {most} in ascending order, empty only at the end"
        raise ValueError(f"legal_actions of {name} must return {due}, not {show(legal)}")
    if np.shape(results) != (players,) or (any(results) and not game.is_terminal):
        raise ValueError(f"returns of {name} must be {players} numbers, all 0 before the end, not {show(results)}")
    return game


class Encoding(NamedTuple):
    """The encoding of games for a learner."""

    space: spaces.Box | spaces.Dict  # of what `look` returns
    look: Callable[[Any, int], Any]  # called with a game and a player: what that player sees, in new arrays
    parts: tuple[str, ...] = ()  # which parts of an observation that is, where there are some to choose from
    rewards: tuple[str, ...] = (REWARDS[REWARD_WIN],)  # what a learner may be rewarded for


def find_encoding(game: PlayableGame, observation: Sequence[str] = PLANE_PARTS) -> Encoding:
    """Return the encoding of games such as `game`, by the parts of an observation that `observation` names.

    A game with such parts has a method `encode`, which is called with their names; any other is shown by its `observe`.
    Raises `ValueError` where it lacks them; by default it may have any.
    """
    if encode := getattr(game, "encode", None):
        found: Encoding = encode(observation)
        return found
    if tuple(observation) not in (PLANE_PARTS, ()):
        raise ValueError(f"observation must be left out for a {type(game).__name__}, not {show(observation)}")
    return Encoding(game.observation_space, lambda seen, player: seen.observe(player))


def take_turns(game: GameProtocol) -> Iterator[int]:
    """Yield the player to decide until `game` is over; the body of the loop plays the decision.

    Raises `EndlessGameError` if the game goes on after `MOST_DECISIONS`.
    """
    for _ in range(MOST_DECISIONS):
        if game.is_terminal:
            return
        yield game.current_player
    if not game.is_terminal:
        raise EndlessGameError(
            f"a game has not ended after {MOST_DECISIONS:,} decisions: players who undo what the other did may go on "
            "for ever; let an agent decide at random after some time"
        )
