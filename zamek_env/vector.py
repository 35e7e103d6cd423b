"""`ZamekVectorEnv`: many games at once as a Gymnasium `VectorEnv`, one call into compiled code a step."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from zamek_env.checks import check_choice, check_count, check_deal, draw_deal, show
from zamek_env.core import batch
from zamek_env.core.rewards import REWARDS
from zamek_env.core.ruleset import get_ruleset
from zamek_env.errors import IllegalActionError
from zamek_env.spaces import make_action_space, make_observation_space

OPPONENTS = ("random", "greedy")


class ZamekVectorEnv(VectorEnv):
    """`num_envs` games at once, all in one array of state records.

    Game number i seeded with s plays the same episodes as `ZamekEnv` seeded with s + i, whatever the number of games
    and threads; with an opponent the deals and seats are the same, the opponent's chance is its own.

    Args:
        num_envs: how many games.
        ruleset: `"zamek"`, `"sokol"` or `"sokol-gates"`.
        opponent: None, then the seats alternate as in `ZamekEnv`, or `"random"` or `"greedy"`, inside compiled code.
        seat: of the learner where there is an opponent: 0, 1 or `"random"`.
        reward: `"win"`, `"score"` or `"delta"`, as in `ZamekEnv`.
        on_illegal: `"lose"` ends that episode with reward -1, `"raise"` raises `IllegalActionError`, nothing played.
        autoreset_mode: `AutoresetMode.SAME_STEP`, `NEXT_STEP` or `DISABLED`, as Gymnasium defines them.
        copy: return copies; otherwise observations and masks are the environment's own arrays, overwritten by the
            next step.
        threads: among which the games are split.
        components: a box of your own, from `zamek_env.load_components`.

    `info` holds `action_mask` (int8, one row a game), `current_player` and, for games that ended in this step,
    `episode` (`r` the sum of rewards of the learner or of player 0, `l` the decisions, `scores`), `illegal_action`, and
    under SAME_STEP `final_obs` and `final_info`.
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
        self.num_envs = check_count("num_envs", num_envs)
        self.opponent = check_choice("opponent", opponent, (None, *OPPONENTS))
        self.seat = check_choice("seat", seat, (0, 1, "random"))
        self.on_illegal = check_choice("on_illegal", on_illegal, ("lose", "raise"))
        self.threads = min(check_count("threads", threads), self.num_envs)
        self.copy = bool(copy)
        mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": mode}
        self.ruleset = get_ruleset(ruleset, components)
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
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self._generators = [None] * self.num_envs
        self._is_begun = False

    # --- the Gymnasium interface ---

    def reset(self, *, seed=None, options=None):
        """Begin all games, or those of `options["reset_mask"]`, bool `(num_envs,)`. `options["deal"]` names the deals.

        `seed` is None, a whole number, of which game i takes `seed + i`, or one for each game. `options["deal"]` is the
        number of one deal for all games, or one for each.
        """
        options = options or {}
        chosen = self._check_mask(options.get("reset_mask"))
        deals = self._check_deals(options.get("deal"))
        self._seed(seed, chosen)
        for game in np.flatnonzero(chosen):
            if not self._is_begun or seed is not None:
                self._draw_episode(game)
        if deals is not None:
            self._batch.deals[chosen] = deals[chosen]
        log, trials = self._scratch[0]
        batch.begin_chosen(self.ruleset.tables, log, trials, self._batch, self._options, chosen)
        self._batch.terminated[chosen] = False
        dealt = self._batch.deals.copy()
        for game in np.flatnonzero(chosen):
            self._draw_episode(game)
        self._is_begun = True
        return self._observations(), self._info() | {"deal": dealt, "_deal": chosen}

    def step(self, actions):
        """Play an action in every game, shape `(num_envs,)`.

        Raises `ValueError` or `TypeError` where `actions` are not that many whole numbers, and under
        `on_illegal="raise"` `IllegalActionError`; nothing has been played then.
        """
        if not self._is_begun:
            raise ResetNeeded("no game has begun: call reset")
        many = self._batch
        waiting = many.terminated.copy()
        if self.metadata["autoreset_mode"] == AutoresetMode.DISABLED and waiting.any():
            raise ResetNeeded(f"game {int(waiting.argmax())} is over: call reset with it in options['reset_mask']")
        many.actions[:] = self._check_actions(actions)
        if self.on_illegal == "raise":
            self._refuse_illegal(waiting)
        self._run()
        dealt_anew = many.terminated if self._options.same_step else waiting
        info = self._info()
        if many.terminated.any():
            info |= self._last_info(many.terminated)
        for game in np.flatnonzero(dealt_anew):
            self._draw_episode(game)
        terminated = many.terminated.copy()
        if self._options.same_step:
            many.terminated[:] = False
        return self._observations(), many.rewards.copy(), terminated, np.zeros(self.num_envs, np.bool_), info

    def action_masks(self):
        """Return which actions are legal, bool `(num_envs, num_actions)`."""
        return self._batch.masks.view(np.bool_).copy()

    def close_extras(self, **kwargs):
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    # --- inside ---

    def _make_batch(self):
        many = self.num_envs
        planes, vector = (self.single_observation_space[part].shape for part in ("planes", "vector"))
        outputs = {
            "planes": np.zeros((many, *planes), np.uint8),
            "vectors": np.zeros((many, *vector), np.float32),
            "masks": np.zeros((many, self.ruleset.num_actions), np.int8),
        }
        return batch.Batch(
            states=self.ruleset.new_states(many),
            learners=np.zeros(many, np.int8),
            leads=np.zeros(many, np.int32),
            generators=np.zeros((many, 1), np.uint64),
            lengths=np.zeros(many, np.int32),
            gains=np.zeros(many),
            deals=np.zeros(many, np.int64),
            seats=np.zeros(many, np.int8),
            actions=np.zeros(many, np.int64),
            rewards=np.zeros(many),
            terminated=np.zeros(many, np.bool_),
            illegal=np.zeros(many, np.bool_),
            players=np.zeros(many, np.int8),
            **outputs,
            **{f"last_{name}": np.zeros_like(array) for name, array in outputs.items()},
            last_scores=np.zeros((many, 2), np.int16),
            last_lengths=np.zeros(many, np.int32),
            last_gains=np.zeros(many),
        )

    def _run(self):
        """Play `actions`, each thread in its share of the games."""
        bounds = np.linspace(0, self.num_envs, self.threads + 1).astype(int).tolist()
        arguments = [
            (self.ruleset.tables, log, trials, self._batch, self._options, first, end)
            for (log, trials), first, end in zip(self._scratch, bounds[:-1], bounds[1:], strict=True)
        ]
        if self._pool is None:
            batch.step_range(*arguments[0])
        else:
            for done in [self._pool.submit(batch.step_range, *share) for share in arguments]:
                done.result()

    def _seed(self, seed, chosen):
        """Give the chosen games generators of their own."""
        if seed is None and self._is_begun:
            return
        if seed is None or isinstance(seed, int | np.integer):
            seeds = [None if seed is None else int(seed) + game for game in range(self.num_envs)]
        else:
            seeds = list(seed)
            if len(seeds) != self.num_envs:
                raise ValueError(f"seed must be one whole number or {self.num_envs}, not {len(seeds)}")
        for game in np.flatnonzero(chosen):
            if seeds[game] is not None or self._generators[game] is None:
                self._generators[game] = seeding.np_random(seeds[game])[0]

    def _draw_episode(self, game):
        """Draw deal and seat of the next episode, as `ZamekEnv.reset` does."""
        rng = self._generators[game]
        self._batch.deals[game] = draw_deal(rng)
        if self.opponent is None:
            self._batch.seats[game] = batch.BOTH
        else:
            drawn = int(rng.integers(2))
            self._batch.seats[game] = drawn if self.seat == "random" else self.seat

    def _check_mask(self, mask):
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        chosen = np.asarray(mask)
        if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_:
            raise ValueError(f"options['reset_mask'] must be {self.num_envs} booleans, not {show(mask)}")
        if not self._is_begun and not chosen.all():
            raise ValueError("options['reset_mask'] must choose all games the first time")
        return chosen

    def _check_deals(self, deal):
        if deal is None:
            return None
        deals = np.asarray(deal).tolist() if np.ndim(deal) else [deal] * self.num_envs
        if len(deals) != self.num_envs:
            raise ValueError(f"options['deal'] must be one deal or {self.num_envs}, not {len(deals)}")
        return np.array([check_deal("options['deal']", number) for number in deals], np.int64)

    def _check_actions(self, actions):
        array = np.asarray(actions)
        if array.shape != (self.num_envs,):
            raise ValueError(f"actions must have shape ({self.num_envs},), not {array.shape}")
        if not np.issubdtype(array.dtype, np.integer):
            raise TypeError(f"actions must be whole numbers, not {array.dtype}")
        return array

    def _refuse_illegal(self, waiting):
        many = self._batch
        game = batch.find_illegal(self.ruleset.tables, many.states, many.actions, waiting)
        if game >= 0:
            raise IllegalActionError(f"game {game}: action {many.actions[game]} is illegal")

    def _observations(self):
        seen = {"planes": self._batch.planes, "vector": self._batch.vectors}
        return {part: array.copy() for part, array in seen.items()} if self.copy else seen

    def _info(self):
        many, everyone = self._batch, np.ones(self.num_envs, np.bool_)
        info = {"action_mask": many.masks.copy() if self.copy else many.masks, "current_player": many.players.copy()}
        return info | {f"_{name}": everyone for name in info}

    def _last_info(self, ended):
        """Return what `info` tells of the games that ended in this step."""
        many = self._batch
        episode = {"r": many.last_gains.copy(), "l": many.last_lengths.copy(), "scores": many.last_scores.copy()}
        info = {"episode": episode, "_episode": ended.copy()}
        info |= {"illegal_action": many.illegal.copy(), "_illegal_action": ended.copy()}
        if self._options.same_step:
            last = np.full(self.num_envs, None, dtype=object)
            for game in np.flatnonzero(ended):
                last[game] = {"planes": many.last_planes[game].copy(), "vector": many.last_vectors[game].copy()}
            masks = np.where(ended[:, None], many.last_masks, 0).astype(np.int8)
            info |= {"final_obs": last, "_final_obs": ended.copy()}
            info |= {"final_info": {"action_mask": masks, "_action_mask": ended.copy()}, "_final_info": ended.copy()}
        return info
