"""`ZamekVectorEnv`: many games at once as a Gymnasium `VectorEnv`, one call into compiled code a step."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from zamek_env.checks import (
    check_choice,
    check_count,
    check_deal,
    check_each,
    check_options,
    check_row,
    check_seed,
    draw_deal,
    is_row,
    show,
)
from zamek_env.core import batch
from zamek_env.core.rewards import REWARDS
from zamek_env.core.ruleset import get_ruleset
from zamek_env.core.transcription import RULESETS
from zamek_env.errors import IllegalActionError
from zamek_env.spaces import make_action_space, make_observation_space, read_frames

OPPONENTS = ("random", "greedy")
MAX_ENVS = 2**20  # games, of about 23 kB each in the base game
AUTORESET_MODES = (*AutoresetMode, *(mode.value for mode in AutoresetMode))


class ZamekVectorEnv(VectorEnv):
    """`num_envs` games at once, all in one array of state records.

    Game number i seeded with s plays the same episodes as `ZamekEnv` seeded with s + i, whatever the number of games
    and threads; with an opponent the deals and seats are the same, the opponent's chance is its own.

    Args:
        num_envs: how many games, at most 2**20.
        ruleset: `"zamek"`, `"sokol"`, `"sokol-gates"`, `"carcassonne-demo"`, `"carcassonne"` or
            `"carcassonne-no-farmers"`.
        opponent: None, then the seats alternate as in `ZamekEnv`, or `"random"` or `"greedy"`, inside compiled code.
        seat: of the learner where there is an opponent: 0, 1 or `"random"`.
        reward: `"win"`, `"score"` or `"delta"`, as in `ZamekEnv`.
        on_illegal: `"lose"` ends that episode with reward -1, `"raise"` raises `IllegalActionError`, nothing played.
        autoreset_mode: `AutoresetMode.SAME_STEP`, `NEXT_STEP` or `DISABLED`, as Gymnasium defines them.
        copy: return copies; otherwise observations and masks are views of the environment's own memory, read-only and
            overwritten by the next step.
        threads: among which the games are split.
        components: a box of your own, from `zamek_env.load_components`.

    `info` holds `action_mask` (int8, one row a game), `current_player` and, for games that ended in this step,
    `episode` (`r` the sum of rewards of the learner or of player 0, `l` the decisions, `scores`), `illegal_action`, and
    under SAME_STEP `final_obs` and `final_info`.

    Bad input raises `TypeError` or `ValueError` naming the argument, and leaves the games as they were.
    """

    def __init__(
        self,
        num_envs=1,
        ruleset="zamek",
        opponent=None,
        seat="random",
        reward="win",
        on_illegal="lose",
        autoreset_mode=AutoresetMode.SAME_STEP,
        copy=True,
        threads=1,
        components=None,
    ):
        self.num_envs = check_count("num_envs", num_envs, MAX_ENVS)
        self.opponent = check_choice("opponent", opponent, (None, *OPPONENTS))
        self.seat = check_choice("seat", seat, (0, 1, "random"))
        self.on_illegal = check_choice("on_illegal", on_illegal, ("lose", "raise"))
        self.threads = min(check_count("threads", threads), self.num_envs)
        self.copy = check_choice("copy", copy, (True, False))
        mode = AutoresetMode(check_choice("autoreset_mode", autoreset_mode, AUTORESET_MODES))
        self.metadata = {"render_modes": [], "autoreset_mode": mode}
        self.ruleset = get_ruleset(check_choice("ruleset", ruleset, RULESETS), components)
        self.single_observation_space = make_observation_space(self.ruleset)
        self.single_action_space = make_action_space(self.ruleset)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._options = batch.Options(
            opponent=OPPONENTS.index(opponent) if opponent else batch.RANDOM,
            reward=REWARDS.index(check_choice("reward", reward, REWARDS)),
            same_step=mode == AutoresetMode.SAME_STEP,
        )
        self._batch = self._make_batch()
        self._scratch = [(self.ruleset.new_log(), self.ruleset.new_states(2)) for _ in range(self.threads)]
        bounds = np.linspace(0, self.num_envs, self.threads + 1).astype(int).tolist()
        self._shares = list(pairwise(bounds))
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None
        self._generators = [None] * self.num_envs
        self._everyone = np.ones(self.num_envs, np.bool_)
        self._everyone.flags.writeable = False  # handed out as the `_…` masks of `info`
        self._is_begun = False

    # --- the Gymnasium interface ---

    def reset(self, *, seed=None, options=None):
        """Begin all games, or those of `options["reset_mask"]`, bool `(num_envs,)`. `options["deal"]` names the deals.

        `seed` is None, a whole number, of which game i takes `seed + i`, or one for each game. `options["deal"]` is the
        number of one deal for all games, or one for each. Raises `TypeError` or `ValueError` where they are none, and
        nothing has begun then.
        """
        asked = check_options(options)
        chosen = self._check_mask(asked.get("reset_mask"))
        deals = self._check_deals(asked.get("deal"))
        self._seed(self._check_seeds(seed), chosen)
        for game in np.flatnonzero(chosen):
            if not self._is_begun or seed is not None:
                self._draw_episode(game)
        many = self._batch
        if deals is not None:
            many.episodes["next_deal"][chosen] = deals[chosen]
        many.chosen[:] = chosen
        log, trials = self._scratch[0]
        batch.begin_chosen(self.ruleset.tables, log, trials, many, self._options)
        dealt = many.episodes["next_deal"].copy()
        for game in np.flatnonzero(chosen):
            self._draw_episode(game)
        self._is_begun = True
        return self._observations(), self._info() | {"deal": dealt, "_deal": chosen}

    def step(self, actions):
        """Play an action in every game, shape `(num_envs,)`.

        Raises `ValueError` or `TypeError` where `actions` are not that many whole numbers, and under
        `on_illegal="raise"` `IllegalActionError`; nothing has been played then.
        """
        return self._play(actions, self._everyone)

    def step_chosen(self, actions, chosen):
        """Play an action in each game that is `chosen`, bool `(num_envs,)`, and leave the others as they are.

        Returns and raises as `step` does; in games not chosen there is no reward and no end.
        """
        return self._play(actions, check_row("chosen", chosen, self.num_envs, "b"))

    def action_masks(self):
        """Return which actions are legal, bool `(num_envs, num_actions)`."""
        return self._batch.frames["mask"].astype(np.bool_)

    @property
    def states(self):
        """The state records themselves, `(num_envs,)`, for kernels; whoever writes to them breaks the games."""
        return self._batch.states

    def close_extras(self, **kwargs):
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    # --- inside ---

    def _play(self, actions, chosen):
        """Do what `step_chosen` does; `chosen` is checked already."""
        if not self._is_begun:
            raise ResetNeeded("no game has begun: call reset")
        many = self._batch
        waiting = many.episodes["is_waiting"].view(np.bool_) & chosen
        if self.metadata["autoreset_mode"] == AutoresetMode.DISABLED and waiting.any():
            raise ResetNeeded(f"game {int(waiting.argmax())} is over: call reset with it in options['reset_mask']")
        asked = check_row("actions", actions, self.num_envs, "iu")
        many.actions[:] = asked
        many.chosen[:] = chosen
        if self.on_illegal == "raise":
            self._refuse_illegal(asked)
        self._run()
        terminated = many.episodes["ended"].astype(np.bool_)
        info = self._info()
        if terminated.any():
            info |= self._last_info(terminated)
        dealt = terminated if self._options.same_step else waiting
        if dealt.any():
            for game in np.flatnonzero(dealt):
                self._draw_episode(game)
        truncated = np.zeros(self.num_envs, np.bool_)
        return self._observations(), many.episodes["reward"].copy(), terminated, truncated, info

    def _make_batch(self):
        many = self.num_envs
        return batch.Batch(
            states=self.ruleset.new_states(many),
            episodes=np.zeros(many, batch.EPISODE),
            actions=np.zeros(many, np.int64),
            chosen=np.zeros(many, np.bool_),
            canvases=self.ruleset.new_canvases(many),
            frames=self.ruleset.new_frames(many),
            last_frames=self.ruleset.new_frames(many),
        )

    def _run(self):
        """Play `actions`, each thread in its share of the games."""
        arguments = [
            (self.ruleset.tables, log, trials, self._batch, self._options, first, end)
            for (log, trials), (first, end) in zip(self._scratch, self._shares, strict=True)
        ]
        others = [self._pool.submit(batch.step_range, *share) for share in arguments[1:]]
        batch.step_range(*arguments[0])  # the thread that waits anyway takes a share
        for other in others:
            other.result()

    def _seed(self, seeds, chosen):
        """Give the chosen games generators of their own."""
        for game in np.flatnonzero(chosen):
            if seeds[game] is not None or self._generators[game] is None:
                self._generators[game] = seeding.np_random(seeds[game])[0]

    def _draw_episode(self, game):
        """Draw deal and seat of the next episode, as `ZamekEnv.reset` does."""
        rng, episode = self._generators[game], self._batch.episodes[game]
        episode.next_deal = draw_deal(rng)
        episode.next_learner = batch.BOTH
        if self.opponent is not None:
            drawn = int(rng.integers(2))
            episode.next_learner = drawn if self.seat == "random" else self.seat

    def _check_seeds(self, seed):
        """Return a seed for each game, None where its generator is to stay."""
        if is_row(seed):
            return check_each("seed", seed, self.num_envs, check_seed)
        first = check_seed("seed", seed)
        return [None if first is None else first + game for game in range(self.num_envs)]

    def _check_mask(self, mask):
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        chosen = check_row("options['reset_mask']", mask, self.num_envs, "b")
        if not self._is_begun and not chosen.all():
            raise ValueError("options['reset_mask'] must choose all games the first time")
        return chosen.copy()

    def _check_deals(self, deal):
        if deal is None:
            return None
        name, many = "options['deal']", self.num_envs
        deals = check_each(name, deal, many, check_deal) if is_row(deal) else [check_deal(name, deal)] * many
        return np.array(deals, np.int64)

    def _refuse_illegal(self, actions):
        game = batch.find_illegal(self.ruleset.tables, self._batch)
        if game >= 0:
            legal = np.flatnonzero(self._batch.frames["mask"][game]).tolist()
            raise IllegalActionError(f"game {game}: action {actions[game]} is illegal, legal are {show(legal)}")

    def _observations(self):
        return {part: self._hand_out(array) for part, array in read_frames(self.ruleset, self._batch.frames).items()}

    def _hand_out(self, array):
        """Return a copy of `array`, or `array` itself, not to be written to: a step writes only what has changed."""
        if self.copy:
            return array.copy()
        array.flags.writeable = False
        return array

    def _info(self):
        info = {
            "action_mask": self._hand_out(self._batch.frames["mask"]),
            "current_player": self._batch.episodes["player"].copy(),
        }
        return info | {f"_{name}": self._everyone for name in info}

    def _last_info(self, ended):
        """Return what `info` tells of the games that ended in this step."""
        episodes, frames = self._batch.episodes, self._batch.last_frames
        names = {"r": "last_gain", "l": "last_length", "scores": "last_scores"}
        info = {"episode": {short: episodes[name].copy() for short, name in names.items()}, "_episode": ended.copy()}
        info |= {"illegal_action": episodes["is_illegal"].astype(np.bool_), "_illegal_action": ended.copy()}
        if self._options.same_step:
            last = read_frames(self.ruleset, frames[ended])
            seen = np.full(self.num_envs, None, dtype=object)
            for number, game in enumerate(np.flatnonzero(ended)):
                seen[game] = {part: array[number] for part, array in last.items()}
            masks = np.zeros((self.num_envs, self.ruleset.num_actions), np.int8)
            masks[ended] = frames["mask"][ended]
            info |= {"final_obs": seen, "_final_obs": ended.copy()}
            info |= {"final_info": {"action_mask": masks, "_action_mask": ended.copy()}, "_final_info": ended.copy()}
        return info
