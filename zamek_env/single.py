"""`ZamekEnv`: the game as a Gymnasium environment for one learner."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from gymnasium import spaces

from zamek_env.base.records import NONE
from zamek_env.base.rewards import REWARD_WIN, REWARDS, find_lead, find_result, find_reward
from zamek_env.common.checks import check_choice
from zamek_env.environments.attributes import ReadOnly
from zamek_env.environments.flat import make_flat_space
from zamek_env.environments.game_env import GameEnv
from zamek_env.environments.opponents import Deciders, join_opponents, make_answering
from zamek_env.game import Game
from zamek_env.layout.observation import PLANE_PARTS, check_parts
from zamek_env.load import AnyComponents
from zamek_env.observer import Observer
from zamek_env.ruleset import Ruleset, make_action_space, make_observation_space


class ZamekEnv(GameEnv):
    """Zamek (Carcassonne: The Castle) or Carcassonne, tile-laying games with hidden chance, as a Gymnasium environment.

    **Without `opponent=` the learner plays all seats.** Rewards are then those of the players in turn. PPO, DQN and
    others sum up the rewards of an episode as if they were one player's, and learn the wrong thing from that. For those
    name an opponent, such as `opponent="greedy"`.

    ## Seats
    Without an opponent the environment alternates seats: every observation is that of the player to decide, and the
    reward of a step goes to the player who just acted, named by `info["current_player"]` of the step before. A player
    may decide several times in a row. With an opponent it is the learner's own game: the opponent answers inside
    `step`, and all observations and rewards are the learner's. Carcassonne seats one to five (`players`); observations
    show the others in the order in which they play, so that one network can play every seat.

    ## Actions
    `Discrete`, one space for all decisions: lay the drawn tile (cell × rotation), send a piece to a segment of it or
    nobody, choose the area to score next with or without a token, use a token for an extra turn or not.
    `zamek_env.layout.actions` describes the layout; `info["action_mask"]` (int8) and `action_masks()` (bool) tell what
    is legal. Once the episode has terminated no action counts, and the mask is all ones.

    ## Observations
    A `Dict` of the parts that `observation` names. `planes`, uint8 `(rows, columns, planes)`, and `vector`, float32
    `(entries,)`, hold all public information and nothing hidden; every plane and entry has a name, see
    `zamek_env.layout.observation`. `rows`, int8 `(rows, columns)`, says what each legal action changes, and
    `row_actions`, int16 `(rows,)`, which one it is, see `zamek_env.layout.rows`. With `flat=True` they are one row of
    numbers, float32: these parts in the order of their names, each in C order.

    ## Rewards
    `"win"`: +1, 0 or −1 at the end. `"score"`: the final score difference ÷ 100. `"delta"`: each change of the
    difference ÷ 100, as it happens, so that the sum is the same. With more than two players, `"win"` is +1 for the
    winner and −1 ÷ (players − 1) for each other, a shared victory is split (rule C11), and the difference is that to
    the best other player; a player alone gets 0 for `"win"`, and the difference is the score (rule C12).

    ## Start and end
    `reset(options={"deal": number})` repeats a deal; `info["deal"]` names it. An episode terminates with the game and
    is never truncated. An illegal action ends it with reward −1 and `info["illegal_action"]`, or raises.

    ## Info
    `reset` and every `step` return the same keys: `action_mask` (int8), `current_player` (int, -1 once the episode is
    over), `scores` (int, of each player), `deal` (int, its number), `illegal_action` (bool) and `illegal_reason`
    (text, empty where nothing was illegal). The whole deck follows from `deal`: it is there to repeat an episode, not
    for an agent.

    ## Arguments
    - `ruleset`: one of `zamek_env.RULESETS`, or with `components` the name of a ruleset of your own.
    - `opponent`: None, the name of an agent such as `"greedy"`, `"mcts:simulations=50"` or `"my_agent.py:MyAgent"`
      (`zamek_env.agent_names`), or a callable `opponent(game, rng) -> action`, such as an agent's `act`. It gets a copy
      of the game in which what is hidden is dealt at random (`zamek_env.fair_play`). Its chance follows from the deal.
      Whatever it raises leaves the episode as it was; `IllegalActionError` where its answer is not legal.
    - `seat`: of the learner where there is an opponent: 0 to `players` − 1 or `"random"`.
    - `reward`: `"win"`, `"score"` or `"delta"`.
    - `on_illegal`: `"lose"` or `"raise"`.
    - `components`: a folder with component files of your own, or what `zamek_env.load_components` returned.
    - `render_mode`: `"ansi"`, `"rgb_array"`, or `"human"`, which prints the board after every legal step.
    - `flat`: observations are one row of numbers, as `gymnasium.spaces.flatten` makes them.
    - `observation`: the parts of an observation, some of `"planes"`, `"codes"`, `"vector"` and `"rows"`.
    - `players`: how many play: 1 to 5 of Carcassonne, 2 within a wall; None: 2.
    - `rules`: house rules by their names, such as `{"draw_ahead": True}` (`docs/rulesets.md`); None: the ruleset's own.
    - `opponents`: in place of `opponent`, one for all other seats or a list of one for each, clockwise from the
      learner's left.

    ## Versions
    - v1: observations are `vector`, `rows` and `row_actions`, from which a small network learns.
    - v0: observations are `planes` and `vector`.
    """

    reward = ReadOnly[Literal["win", "score", "delta"]]()
    ruleset = ReadOnly[Ruleset]()
    flat = ReadOnly[bool]()
    observation = ReadOnly[tuple[str, ...]]()
    game: Game
    action_space: spaces.Discrete

    def __init__(
        self,
        ruleset: str = "zamek",
        opponent: str | Callable[[Game, np.random.Generator], int] | None = None,
        seat: int | Literal["random"] = "random",
        reward: Literal["win", "score", "delta"] = "win",
        on_illegal: Literal["lose", "raise"] = "lose",
        components: AnyComponents = None,
        render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
        flat: bool = False,
        observation: Sequence[str] = PLANE_PARTS,
        players: int | None = None,
        rules: Mapping[str, Any] | None = None,
        opponents: Deciders | None = None,
    ) -> None:
        self.opponent, self.opponents = opponent, opponents
        name, given = join_opponents(opponent, opponents)
        self.game = Game(ruleset, 0, components, players, rules)
        self.ruleset = self.game.ruleset  # a folder is read once
        self.players = self.ruleset.players
        answering = None if given is None else make_answering(name, given, self.players)
        self.seat = seat
        self.reward = check_choice("reward", reward, REWARDS)
        self._reward_kind = REWARDS.index(self.reward)
        self.on_illegal = on_illegal
        self.render_mode = render_mode
        self.flat = check_choice("flat", flat, (True, False))
        self._set_up(answering)
        self.observation = check_parts(observation)
        space = make_observation_space(self.ruleset, self.observation)
        self.observation_space: spaces.Space[Any] = make_flat_space(space) if self.flat else space
        self.action_space = make_action_space(self.game.ruleset)
        self._observer = Observer(self.game.ruleset, self.observation)

    # --- inside ---

    def _deal(self, number):
        return Game(self.ruleset.name, number, self.ruleset.components)

    def _check_game(self, game):
        if game.ruleset is not self.ruleset:
            raise ValueError(
                f"state belongs to the ruleset {game.ruleset.name!r} or to components other than those of this "
                f"environment, which plays {self.ruleset.name!r}"
            )

    def _play(self, action):
        return self._add_info(*self._observer.play(self.game, action, self.flat))

    def _look(self):
        look = self._observer.look_flat if self.flat else self._observer.look
        return self._add_info(*look(self.game, self._learner))

    def _add_info(self, seen, mask, player, scores):
        """Return `seen`, and `info` where `player` decides. Writes `mask`."""
        decider = NONE if self._is_over else player
        if decider == NONE:
            mask.fill(1)
        self._player = decider
        return seen, {
            "current_player": decider,
            "action_mask": mask,
            "scores": scores,
            "deal": self.game.seed,
            "illegal_action": False,
            "illegal_reason": "",
        }

    def _reward(self, mover, info):
        """Return the reward of the player who acted; `_rewarded` follows the scores."""
        scores = info["scores"]
        before, self._rewarded = self._rewarded, scores
        if self._reward_kind == REWARD_WIN:
            return find_result(scores, mover) if self._is_over else 0.0
        last_lead = find_lead(before, mover) if before else 0
        return find_reward(self._reward_kind, find_lead(scores, mover), last_lead, self._is_over)
