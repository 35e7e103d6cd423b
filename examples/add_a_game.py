"""A game of your own: its rules in plain Python, and by them alone environments, records, OpenSpiel and the arena.

Token tic-tac-toe: a bag holds three tokens for each row (1, 2, 3) and each column (a, b, c) of the board. Each player
holds two, which the other does not see. In turn a player spends a token, puts a stone on an empty square of the line
that it names, and draws another token. Three stones in a row win. Nobody does if the player to decide cannot lay.

    python examples/add_a_game.py                 # OpenSpiel's search against random play
    python examples/add_a_game.py --steps 20000   # and what MaskablePPO learns against random play
    cd examples && zamek show --ruleset add_a_game:token-tic-tac-toe   # also zamek play, evaluate, export

It needs the extras `train` and `openspiel`. To make another game of this, replace the class by your own:
`zamek_env.plain_game.PlainGame` says what it must have.
"""

from dataclasses import dataclass

import gymnasium
import numpy as np
import tyro
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

import zamek_env.openspiel
from zamek_agents import make_agent
from zamek_agents.arena import find_shares
from zamek_agents.arena.sets import line_up
from zamek_env.environments.game_aec import GameAEC
from zamek_env.environments.game_env import GameEnv
from zamek_env.environments.guarded_aec import GuardedAEC
from zamek_env.make_game import register_game
from zamek_env.plain_game import PlainGame

NAME = "token-tic-tac-toe"
ROWS = [[0, 1, 2], [3, 4, 5], [6, 7, 8]]  # squares
LINES = [*ROWS, [0, 3, 6], [1, 4, 7], [2, 5, 8]]  # which a token names
WINNING = [*LINES, [0, 4, 8], [2, 4, 6]]
COPIES, HAND = 3, 2  # of each token; in a hand
EMPTY = -1


class TokenTicTacToe(PlainGame):
    """A game dealt from `seed`: the order of the tokens in the bag."""

    num_players = 2
    num_actions = len(LINES) * 3  # the token that is spent, and the square in its line
    # my stones, the other's, my tokens, and those that I have not seen, by line
    observation_space = spaces.Box(0, 1, (9 + 9 + len(LINES) + len(LINES),), np.float32)

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(seed)
        self.board = np.full(9, EMPTY)  # whose stone lies on each square
        self.bag = np.random.default_rng(self.seed).permutation(np.repeat(np.arange(len(LINES)), COPIES)).tolist()
        self.hands = [[self.bag.pop() for _ in range(HAND)] for _ in range(2)]
        self.player = 0

    @property
    def winner(self) -> int | None:
        stones = (set(self.board[line]) for line in WINNING)
        return next((int(min(owners)) for owners in stones if len(owners) == 1 and EMPTY not in owners), None)

    # --- what every game must say ---

    @property
    def current_player(self) -> int:
        return self.player if self.legal_actions() else -1

    def legal_actions(self) -> list[int]:
        if self.winner is not None:
            return []
        actions = (line * 3 + place for line in set(self.hands[self.player]) for place in range(3))
        return sorted(action for action in actions if self.board[find_square(action)] == EMPTY)

    def play(self, action: int) -> None:
        self.board[find_square(action)] = self.player
        self.hands[self.player].remove(action // 3)
        self.hands[self.player].append(self.bag.pop())
        self.player = 1 - self.player

    def returns(self) -> tuple[float, float]:
        return (0.0, 0.0) if self.winner is None else (1.0, -1.0) if self.winner == 0 else (-1.0, 1.0)

    def observe(self, player: int) -> np.ndarray:
        counts = [
            np.bincount(tokens, minlength=6) / COPIES for tokens in (self.hands[player], self.list_unseen(player))
        ]
        return np.concatenate([self.board == player, self.board == 1 - player, *counts], dtype=np.float32)

    def shuffle_hidden(self, rng: np.random.Generator, observer: int | None) -> None:
        was_over, unseen = self.is_terminal, self.list_unseen(observer)
        while True:  # until the player to decide can lay, or cannot, as all have seen
            self.bag = rng.permutation(unseen).tolist()
            for player in {0, 1} - {observer}:
                self.hands[player] = [self.bag.pop() for _ in range(HAND)]
            if self.is_terminal == was_over:
                return

    def list_unseen(self, observer: int | None) -> list[int]:
        """Return the tokens that `observer` has not seen, in order: those of the bag, and in the hands of others."""
        return sorted(self.bag + [token for player in {0, 1} - {observer} for token in self.hands[player]])

    # --- what people read ---

    def format_action(self, action: int) -> str:
        square = find_square(action)
        return f"{'123abc'[action // 3]} for {'abc'[square % 3]}{square // 3 + 1}"

    def is_open(self, action: int) -> bool:
        return True  # a token is spent before all eyes

    def __str__(self) -> str:
        rows = ["".join(".XO"[stone + 1] for stone in self.board[row]) for row in ROWS]
        return "\n".join([*rows, "over" if self.is_terminal else f"{'first' if self.player == 0 else 'second'} player"])


def find_square(action: int) -> int:
    """Return the square on which an action puts a stone."""
    return LINES[action // 3][action % 3]


register_game(NAME, TokenTicTacToe)  # for the arena, and for commands as add_a_game:token-tic-tac-toe
zamek_env.openspiel.register_game("token_tic_tac_toe", TokenTicTacToe)  # pyspiel.load_game("python_token_tic_tac_toe")
gymnasium.register("TokenTicTacToe-v0", GameEnv, kwargs={"deal": TokenTicTacToe})  # gymnasium.make, gymnasium.make_vec


def env(**options) -> GuardedAEC:
    """Return PettingZoo's environment."""
    return GuardedAEC(GameAEC(TokenTicTacToe, **options))


@dataclass
class Args:
    deals: int = 20  # of the search against random play; each is played twice, with seats swapped
    simulations: int = 50  # of the search, for a decision
    steps: int = 0  # decisions from which MaskablePPO learns; 0: it does not
    seed: int = 0


def learn(steps: int, seed: int) -> tuple[MaskablePPO, float]:
    """Return a model that learned against random play, and its mean result in 100 games, from -1 to 1."""
    learner = gymnasium.make("TokenTicTacToe-v0", opponent="random")
    model = MaskablePPO("MlpPolicy", learner, n_steps=256, batch_size=256, seed=seed, device="cpu").learn(steps)
    return model, evaluate_policy(model, model.get_env(), 100)[0]


def main(args: Args) -> None:
    for name, value in vars(args).items():
        least = 0 if name in ("seed", "steps") else 1
        if type(value) is int and value < least:
            raise SystemExit(f"--{name.replace('_', '-')} must be {least} or more, not {value}")
    agents = [make_agent(f"openspiel-mcts:simulations={args.simulations}"), make_agent("random")]
    (lineup,) = line_up(agents, args.seed, NAME)
    print(f"{'agent':32} games   wins      95 % interval")
    for share in find_shares(lineup.play(args.deals)):
        low, high = share.wins_interval or (0, 1)
        print(f"{share.agent:32} {share.games:5} {share.wins:6.1%}   {low:6.1%} … {high:.1%}")
    if args.steps:
        print(f"MaskablePPO after {args.steps} decisions: mean result {learn(args.steps, args.seed)[1]:+.2f}")


if __name__ == "__main__":
    main(tyro.cli(Args))
