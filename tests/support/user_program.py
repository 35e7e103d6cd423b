"""A program as users write them: mypy checks that its types are known, and not `Any`."""

from typing import Any, Literal, assert_type

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from zamek_env import Game, carcassonne_v0, castle_cards_v0, zamek_v0
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.single import CastleCardsEnv
from zamek_env.castle_cards.vector import CastleCardsVectorEnv
from zamek_env.environments.game_aec import GameAEC
from zamek_env.environments.game_env import GameEnv
from zamek_env.environments.guarded_aec import GuardedAEC
from zamek_env.game_protocol import PlayableGame
from zamek_env.observer import Observation
from zamek_env.plain_game import PlainGame
from zamek_env.ruleset import Ruleset
from zamek_env.single import ZamekEnv
from zamek_env.vector import ZamekVectorEnv

Row = npt.NDArray[np.float32]


def play_at_random(game: Game | CastleCards, rng: np.random.Generator) -> None:
    """Play with what numpy chooses, which is no int."""
    while not game.is_terminal:
        action = rng.choice(np.flatnonzero(game.legal_action_mask()))
        game.describe(action)
        game.format_action(action)
        game.step(action)


def look(game: Game, flat: bool) -> None:
    assert_type(game.observe(), Observation)
    assert_type(game.observe(0, True), Row)
    assert_type(game.observe(flat=True), Row)
    assert_type(game.observe(0, flat), Observation | Row)


def play_single(env: ZamekEnv, cards: CastleCardsEnv) -> None:
    assert_type(env.game, Game)
    assert_type(env.flat, bool)
    assert_type(env.reward, Literal["win", "score", "delta"])
    assert_type(env.on_illegal, Literal["lose", "raise"])
    env.step(env.action_space.sample())
    assert_type(cards.game, CastleCards)
    assert_type(cards.players, int)
    assert_type(cards.observation_space, spaces.Space[Any])
    cards.step(cards.action_space.sample())


def play_any(own: PlainGame) -> None:
    games: list[PlayableGame] = [own, Game(), CastleCards()]
    env = GameEnv(type(own), "random", seat=0)
    assert_type(env.players, int)
    assert_type(env.seat, int | Literal["random"])
    assert_type(GameAEC(type(games[0])).agents, list[str])
    assert_type(own.concealed(np.random.default_rng(0), None), PlainGame)


def play_many(games: ZamekVectorEnv, cards: CastleCardsVectorEnv) -> None:
    assert_type(games.copy_game(0), Game)
    assert_type(games.num_envs, int)
    assert_type(games.ruleset, Ruleset)
    assert_type(games.max_episode_steps, int | None)
    assert_type(cards.copy_game(np.int64(0)), CastleCards)


def play_in_turns(guarded: GuardedAEC) -> None:
    assert_type(guarded.agents, list[str])
    assert_type(guarded.agent_selection, str)
    assert_type(guarded.rewards, dict[str, float])
    guarded.step(np.int64(0))
    assert_type(zamek_v0.raw_env().game, Game)
    assert_type(castle_cards_v0.raw_env().game, CastleCards)
    assert_type(zamek_v0.env("sokol", flat=False), GuardedAEC)
    assert_type(castle_cards_v0.env(players=3), GuardedAEC)
    zamek_v0.env(box="sokol")  # type: ignore[call-arg]
    carcassonne_v0.env(masks="both")  # type: ignore[arg-type]
