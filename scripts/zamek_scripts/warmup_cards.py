"""What `zamek warmup` compiles for castle-cards, part by part."""

from collections.abc import Callable

import numpy as np

from zamek_agents.registry import list_untrained, make_agent
from zamek_env.castle_cards.game import CastleCards
from zamek_env.castle_cards.layout.observation import PARTS as PARTS_SEEN
from zamek_env.castle_cards_env.aec import raw_env
from zamek_env.castle_cards_env.single import CastleCardsEnv
from zamek_env.castle_cards_env.vector import CastleCardsVectorEnv
from zamek_env.common.extras import MissingExtraError, needs_train_extra
from zamek_env.components.box_folder import CASTLE_CARDS

SEARCH = "ismcts"


def play_game() -> None:
    """Play a game as `CastleCards`, look at it, redeal it, and replay its record."""
    game, rng = CastleCards(seed=0), np.random.default_rng(0)
    game.concealed(rng, game.current_player).redeal(rng, None)
    game.observe(0, observation=PARTS_SEEN)
    while not game.is_terminal:
        game.step(int(rng.choice(game.legal_actions())))
    CastleCards.replay(game.record())


def step_environments() -> None:
    """Take a step in each kind of environment."""
    env, seats = CastleCardsEnv(), raw_env()
    _, info = env.reset(seed=0)
    env.step(int(info["action_mask"].argmax()))
    seats.reset(seed=0)
    seats.step(int(seats.observe(seats.agent_selection)["action_mask"].argmax()))
    for opponents in (None, "random"):
        games = CastleCardsVectorEnv(2, opponents=opponents, on_illegal="raise")
        _, info = games.reset(seed=0)
        games.step(info["action_mask"].argmax(axis=1))
    games = CastleCardsVectorEnv(2, observation=PARTS_SEEN)
    _, info = games.reset(seed=0)
    games.step(info["action_mask"].argmax(axis=1))
    games = CastleCardsVectorEnv(2)
    _, info = games.reset(seed=0)
    games.step(info["action_mask"].argmin(axis=1))  # which is illegal and ends the games


def ask_agents() -> None:
    """Let each agent that does not search decide once, where its packages are installed."""
    for name in list_untrained(CASTLE_CARDS):
        if name != SEARCH:
            ask_agent(name)


def ask_agent(name: str) -> None:
    """Let the agent of that name decide once, unless its packages are missing."""
    try:
        agent = make_agent(name)
    except MissingExtraError:
        return
    agent.act(CastleCards(seed=0), np.random.default_rng(0))


def learn_network() -> None:
    """Learn from a few decisions, where the packages for training are installed."""
    try:
        with needs_train_extra("training"):
            from zamek_scripts import train_cards  # here, because it imports torch
    except MissingExtraError:
        return
    train_cards.compile_all()


PARTS: dict[str, Callable[[], None]] = {
    "games": play_game,
    "environments": step_environments,
    "agents": ask_agents,
    "mcts": lambda: ask_agent(SEARCH),
    "train": learn_network,
}
