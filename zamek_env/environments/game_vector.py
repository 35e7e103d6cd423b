"""The base of Gymnasium's vector environments of all games: deals, steps and ends many games in one batch."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding

from zamek_env.base.chance import MAX_DEAL
from zamek_env.base.episode import AHEAD, EVERY_SEAT, UPCOMING, note_deals, put_next_episode, sum_up, tell
from zamek_env.base.records import NONE
from zamek_env.common.checks import check_count, check_row
from zamek_env.common.pickling import WritableArrays
from zamek_env.compiler.bound_kernel import BoundArguments, BoundKernel
from zamek_env.environments.attributes import ReadOnly
from zamek_env.environments.obs_buffers import BufferPool, ObsBatch, ObsBuffers, new_obs_arrays, view_obs_arrays
from zamek_env.environments.opponents import AskedKernels, AskedOpponents, Decider, Deciders, join_opponents
from zamek_env.environments.rendering import picture
from zamek_env.environments.reset_options import OPTIONS, check_options, check_seat, read_deals, read_seeds
from zamek_env.environments.threads import Shares, Threads
from zamek_env.environments.vector_base import VectorBase, VectorSettings
from zamek_env.errors import IllegalActionError


class Dealer(WritableArrays):
    """Draws what begins the next episodes of `count` games, as the `reset` of a single environment does.

    `seat` is that of the learner among `players` players, or `"random"`; None if the learner plays all seats.
    """

    def __init__(self, count: int, players: int, seat: int | Literal["random"] | None) -> None:
        self.generators: list[np.random.Generator | None] = [None] * count  # None: the game never began
        self.upcoming: npt.NDArray[Any] = np.zeros(count, UPCOMING)
        self.upcoming["learners"] = EVERY_SEAT if seat is None or seat == "random" else seat
        self._used_up = np.zeros(count, np.int64)  # games that have used up what was drawn for them
        self._seat = seat
        self._limits = np.tile([MAX_DEAL, players - 1], AHEAD)  # of deals and seats in turns
        self._put_next, self._note_deals = BoundKernel(put_next_episode), BoundKernel(note_deals)

    @property
    def seeds(self) -> tuple[int | None, ...]:
        """The seed of each generator."""
        sources: list[Any] = [one and one.bit_generator for one in self.generators]
        return tuple(None if bits is None else bits.seed_seq.entropy for bits in sources)

    def seed(self, games: Iterable[int], seeds: Sequence[int | None]) -> None:
        """Give each of `games` a generator made from its seed; without a seed, keep its own or make a random one."""
        for game in games:
            if seeds[game] is not None or self.generators[game] is None:
                generator = seeding.np_random(seeds[game])[0]
                self._draw(game, generator)
                self.generators[game] = generator  # last, so that an interrupted call sets none

    def put_next(self, episodes: npt.NDArray[Any], games: npt.NDArray[np.int64]) -> None:
        """Write `next_deal` and `next_learner` of the next episode of each of `games`, which have been seeded."""
        self._draw_more(self._put_next.call(self.upcoming, episodes, games, self._used_up))

    def note_deals(self, episodes: npt.NDArray[Any], outcomes: npt.NDArray[Any], deals: npt.NDArray[np.int64]) -> None:
        """Write to `deals` those of the games that were just dealt, and what their next episodes begin with."""
        self._draw_more(self._note_deals.call(self.upcoming, episodes, outcomes, deals, self._used_up))

    def _draw_more(self, count):
        """Draw more for the first `count` games that have used up theirs."""
        for game in self._used_up[:count].tolist():
            self._draw(game, self.generators[game])

    def _draw(self, game, generator):
        """Draw the next deals of a game, each followed by a seat where there are opponents.

        That is the order of a single environment's `reset`: numpy draws the same numbers in one call as in many.
        """
        row = self.upcoming[game]
        if self._seat is None:
            row["deals"] = generator.integers(MAX_DEAL, size=AHEAD, endpoint=True)
        else:
            drawn = generator.integers(self._limits, endpoint=True)
            row["deals"] = drawn[::2]
            if self._seat == "random":
                row["learners"] = drawn[1::2]
        row["taken"] = 0


_WHOLE = np.dtype(np.int64)  # numpy takes longer to make it of the type

GameType = TypeVar("GameType")
Stepped: TypeAlias = tuple[
    Any, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
]  # what `step` returns


class GameVectorEnv(WritableArrays, VectorBase, Generic[GameType]):
    """`num_envs` games in a batch of arrays; a subclass says how they are dealt, played, seen and drawn.

    A subclass sets `_batch`: arrays with one entry per game. Among them are `states`, `episodes` and `outcomes`, which
    its kernels write, and `actions` and `chosen`, which they read. It also sets `_asked`: the opponents that are not
    compiled, or None. It calls `_set_spaces`, `_seat_learner`, `_set_up_kernels` and `_set_up_obs`.
    """

    opponent = ReadOnly[Decider | None]()
    opponents = ReadOnly[Deciders | None]()
    players = ReadOnly[int]()
    _batch: Any
    _asked: AskedOpponents | None = None
    _writes_all = False  # whether a step writes the whole observation, or only what has changed

    def __init__(self, num_envs: int, settings: VectorSettings) -> None:
        super().__init__(num_envs, settings)
        limit = settings.max_episode_steps
        self.max_episode_steps = None if limit is None else check_count("max_episode_steps", limit)
        self.threads = min(check_count("threads", settings.threads), self.num_envs)
        self._threads = Threads(self.threads)
        self.closed = False
        self._shares = Shares(self.num_envs, self.threads)
        self._everyone = np.ones(self.num_envs, np.bool_)  # the `_…` masks of `info`
        self._nobody = np.zeros(self.num_envs, np.bool_)
        self._deals = np.zeros(self.num_envs, np.int64)  # of the episodes in progress; replaced, not written to
        # what a step writes, and returns copies of: rewards, which games terminated, the players to decide
        self._told = np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_), np.zeros(self.num_envs, np.int64)
        self._truncated = np.zeros(self.num_envs, np.bool_)
        self._lock_shared()

    def _seat_learner(
        self, players: int, seat: Any, opponent: Decider | None, opponents: Deciders | None
    ) -> tuple[str, Deciders | None]:
        """Note the learner's `seat` among `players` players, and who plays the others.

        Returns and raises as `join_opponents` does, and raises as `check_seat` does.
        """
        self.opponent, self.opponents = opponent, opponents
        name, given = join_opponents(opponent, opponents)
        self.seat = check_seat(seat, players, name, given)
        self.alternates_seats = given is None
        self._dealer = Dealer(self.num_envs, players, None if self.alternates_seats else self.seat)
        return name, given

    def _set_up_kernels(self, kernels: Any, options: Any) -> None:
        """Play by the `kernels` of a module such as `zamek_env.core.batch`, with `options` whose `refresh` is False."""
        self._options = options, options._replace(refresh=True)
        self._bind, self._play_range = BoundKernel(kernels.bind), BoundKernel(kernels.play_range)
        self._tell, self._sum_up = BoundKernel(tell), BoundKernel(sum_up)
        parts = (kernels.start_range, kernels.finish_range, kernels.show_range)
        self._asked_kernels = AskedKernels(*map(BoundKernel, parts))

    def _set_up_obs(self, make: Callable[[], tuple[npt.NDArray[Any], ...]], show: Callable[[Any], ObsBatch]) -> None:
        """Make the arrays for observations; `make` returns a new set of them, and `show` views of a set.

        Call it after `_set_spaces`.
        """
        space = self.single_observation_space
        copies = BufferPool(
            partial(new_obs_arrays, self.num_envs, space, self._num_actions), partial(view_obs_arrays, space)
        )
        self._arrays = ObsBuffers(make, show, copies, self.copy, self._writes_all)

    @property
    def _seen(self) -> Any:
        """The arrays that hold the present observations."""
        return self._arrays.now.arrays

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._lock_shared()

    # --- the Gymnasium interface ---

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin all games, or those of `options["reset_mask"]`, bool `(num_envs,)`. `options["deal"]` names the deals.

        `seed` is None, a whole number, of which game i takes `seed + i`, or one for each game. `options["deal"]` is the
        number of one deal for all games, or one for each. Raises `TypeError` or `ValueError` for bad seeds or deals,
        and `ValueError` for any other option; nothing has begun then.
        """
        with self._one_caller:
            return self._reset(seed, options)

    def step(self, actions: npt.ArrayLike) -> Stepped:
        """Play an action in every game, shape `(num_envs,)`.

        Raises `ValueError` or `TypeError` where `actions` are not that many whole numbers, and under
        `on_illegal="raise"` `IllegalActionError`; nothing has been played then.
        """
        self._one_caller.enter()
        try:
            return self._play(actions, self._everyone)
        finally:
            self._one_caller.leave()

    def step_chosen(self, actions: npt.ArrayLike, chosen: npt.ArrayLike) -> Stepped:
        """Play an action in each game that is `chosen`, bool `(num_envs,)`, and leave the others as they are.

        Returns and raises as `step` does; in games not chosen there is no reward and no end.
        """
        with self._one_caller:
            return self._play(actions, check_row("chosen", chosen, self.num_envs, "b"))

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, bool `(num_envs, num_actions)`.

        In a game that has terminated or not begun, all are. A truncated game keeps the mask of its last position.
        """
        self._check_open()
        if not self._is_begun:
            return np.ones((self.num_envs, self._num_actions), np.bool_)
        return self._masks().astype(np.bool_)

    @property  # type: ignore[misc]  # there is nothing to set, as in Gymnasium's own
    def np_random(self) -> Any:
        """The generators of the deals, a tuple with one for each game; None before its first `reset`.

        Gymnasium's vector environments of single environments have the same property. Here deals are drawn ahead.
        """
        return tuple(self._dealer.generators)

    @property
    def np_random_seed(self) -> Any:
        """The seed of each of `np_random`, a tuple: those of `reset`, drawn where it had none."""
        return self._dealer.seeds

    @property
    def raw_states(self) -> npt.NDArray[np.record]:
        """The live memory of the games, `(num_envs,)`, for kernels; writing to it breaks the games."""
        self._check_open()
        return self._batch.states

    @property
    def states(self) -> npt.NDArray[np.record]:
        """The state records, `(num_envs,)`, to be read: a read-only view of the games as they go on."""
        view = self.raw_states.view()
        view.flags.writeable = False
        return view

    def copy_game(self, number: int | np.integer) -> GameType:
        """Return a copy of the game of that `number`, from 0: a `Game` or a `CastleCards`, to look at or to search in.

        Nothing that happens in the copy changes this environment. It has no seed and no history, and holds what is
        hidden: `concealed` returns one that does not. Raises `TypeError` where `number` is no whole number,
        `ValueError` where there is no such game, `ResetNeeded` before the first `reset`.
        """
        self._check_begun()
        return self._copy_game(check_count("number", number, self.num_envs - 1, 0))

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self._threads.close()

    # --- what a subclass says ---

    def _list_own(self, thread: int) -> tuple[Any, ...]:
        """Return the first arguments of the kernels of `_set_up_kernels` in a thread, if they have extra ones."""
        return ()

    def _masks(self) -> npt.NDArray[np.int8]:
        """Return the masks of legal actions now, in memory to which nobody else writes."""
        raise NotImplementedError

    def _last_obs(self) -> ObsBatch:
        """Return views of the last observations of games that ended and were reset."""
        raise NotImplementedError

    def _note_last(self, games: npt.NDArray[np.bool_]) -> None:
        """Keep the present observations of `games` as their last ones."""
        raise NotImplementedError

    def _results(self) -> tuple[str, npt.NDArray[Any]]:
        """Return (name, values) of the entry that `info["result"]` has besides total reward, length and seat.

        It says how each game ended last. The values are a view with one row per game.
        """
        raise NotImplementedError

    def _note_cut_off(self, games: npt.NDArray[np.bool_]) -> None:
        """Store the standing of `games`, which are being cut off, where `_results` reads it."""
        raise NotImplementedError

    def _find_illegal(self) -> int:
        """Return the first chosen game that goes on and in which the action is illegal, or -1."""
        raise NotImplementedError

    def _describe_illegal(self, game: int) -> str:
        """Return why the action in that game is illegal."""
        raise NotImplementedError

    def _copy_game(self, game: int) -> GameType:
        """Return a copy of that game."""
        raise NotImplementedError

    # --- inside ---

    def _pictures(self) -> tuple[Any, ...]:
        return tuple(picture(self._copy_game(game), self.render_mode) for game in range(self.num_envs))

    def _read_mask(self, name: str, mask: Any) -> npt.NDArray[np.bool_]:
        return check_row(name, mask, self.num_envs, "b").copy()

    def _advance(self, refresh):
        """Play `actions`, and the opponents' answers, in the `chosen` games of the batch; deal those that wait for it.

        Writes the observations of the chosen games, with `refresh` of all games, into `_seen`, and `_told`. The mask of
        a game that has ended is all ones. Returns in how many games an episode ended or began.
        """
        options, now = self._options[refresh], self._arrays.now
        if self._asked is not None:
            many = self._batch
            each = [(*self._list_own(thread), many, now.arrays, options) for thread in range(self.threads)]
            self._asked.step(many, self._asked_kernels, self._same_step, partial(self._share_out, given=each))
            return self._tell.call(many.outcomes, self._told, 0, self.num_envs)
        if now.bound is None:
            now.bound = [
                BoundArguments(self._bind, *self._list_own(thread), self._batch, now.arrays, self._told)
                for thread in range(self.threads)
            ]
        if self.threads > 1:
            return sum(self._share_out(self._play_range, [(bound, options) for bound in now.bound]))
        return self._play_range.call(now.bound[0], options, 0, self.num_envs)

    def _share_out(self, kernel, given):
        """Call a kernel in each thread for its share of the games, with the arguments `given`; return the answers."""
        shares = [(*own, *bounds) for own, bounds in zip(given, self._shares.bounds, strict=True)]
        answers = []
        self._shares.adjust(self._threads.run(lambda *share: answers.append(kernel.call(*share)), shares))
        return answers

    def _reset(self, seed, options):
        """Do what `reset` does."""
        self._check_open()
        asked = check_options(options, OPTIONS)
        chosen = self._find_chosen(asked.get("reset_mask"))
        deals = read_deals(asked.get("deal"), self.num_envs)
        seeds = read_seeds(seed, self.num_envs)
        last, refresh = self._arrays.go_on()
        self._all_or_nothing(last, self._dealer, self._begin_seeded, chosen, seeds, deals, refresh)
        self._note_dealt()
        self._is_begun = True
        return self._hand_out()

    def _begin_seeded(self, chosen, seeds, deals, refresh):
        """Seed and deal the chosen games."""
        self._dealer.seed(np.flatnonzero(chosen).tolist(), seeds)
        is_new = [given is not None or not self._is_begun for given in seeds]  # their next episode must be set
        self._dealer.put_next(self._batch.episodes, np.flatnonzero(chosen & is_new))
        if deals is not None:
            self._batch.episodes["next_deal"][chosen] = deals[chosen]
        self._begin(chosen, refresh)

    def _play(self, actions, chosen):
        """Do what `step_chosen` does; `chosen` is checked already."""
        self._check_begun()
        many = self._batch
        if self._is_reset_by_caller:
            waiting = many.outcomes["is_waiting"].view(np.bool_) & chosen
            if waiting.any():
                raise ResetNeeded(f"game {int(waiting.argmax())} is over: call reset with it in options['reset_mask']")
        many.actions[...] = check_row("actions", actions, self.num_envs, "iu")
        many.chosen[...] = chosen
        if self.on_illegal == "raise" and (game := self._find_illegal()) >= 0:
            raise IllegalActionError(f"game {game}: {self._describe_illegal(game)}")
        last, refresh = self._arrays.go_on()
        if self._asked is None:
            noted = self._play_on(chosen, refresh)
        else:
            noted = self._all_or_nothing(last, None, self._play_on, chosen, refresh)
        rewards, terminated, truncated = self._told[0].copy(), self._told[1].copy(), self._truncated.copy()
        if noted is None:
            observations, info = self._hand_out()
            return observations, rewards, terminated, truncated, info
        last_deals = self._deals
        self._note_dealt()
        observations, info = self._hand_out()
        ended = terminated | truncated
        if games := ended.nonzero()[0].tolist():
            illegal, last_players = noted
            info |= self._last_info(ended, games, illegal, last_players, last_deals)
        return observations, rewards, terminated, truncated, info

    def _play_on(self, chosen, refresh):
        """Play the chosen games, and cut off those that have reached `max_episode_steps`.

        Returns (in which games the action was illegal, what `_cut_off` returns), None where no episode ended or began.
        """
        is_quiet = not self._advance(refresh)
        if is_quiet and self.max_episode_steps is None:
            return None
        illegal = self._batch.outcomes["is_illegal"].astype(np.bool_)
        last_players = self._cut_off(chosen)
        return None if is_quiet and not self._truncated.any() else (illegal, last_players)

    def _cut_off(self, chosen):
        """Cut off the games that have reached `max_episode_steps`.

        Returns the player to decide in games cut off and reset here (SAME_STEP), -1 in the others; None where none
        were. Writes which games were `_truncated`, and in `_told` the player to decide now.
        """
        rewards, terminated, players = self._told
        episodes, outcomes, limit = self._batch.episodes, self._batch.outcomes, self.max_episode_steps
        last_players = None
        if limit is None:
            return last_players
        cut = chosen & ~outcomes["is_waiting"].astype(np.bool_) & (episodes["length"] >= limit)
        self._truncated[:] = cut | (terminated & (episodes["last_length"] >= limit))
        if cut.any():
            for noted in ("gain", "length", "learner"):
                episodes[f"last_{noted}"][cut] = episodes[noted][cut]
            self._note_cut_off(cut)
            outcomes["is_waiting"][cut] = True
            if self._same_step:
                self._note_last(cut)
                last_players = np.where(cut, players, np.int64(NONE))
                told = rewards.copy(), terminated.copy()
                self._begin(cut, refresh=False)
                rewards[:], terminated[:] = told
        return last_players

    def _begin(self, chosen, refresh):
        """Deal the chosen games, play opponents' first answers; with `refresh` write the observations of all games."""
        self._batch.chosen[:] = chosen
        self._batch.outcomes["is_waiting"][chosen] = True
        self._advance(refresh)

    def _all_or_nothing(self, last: Any, dealer: Dealer | None, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return `function(*arguments)`; restore games and observations if an opponent asked in it raises.

        `last` are the arrays that held the observations before. The `dealer`, if there is one, is restored too.
        """
        if self._asked is None:
            return function(*arguments)
        dealt, generators = ((), None) if dealer is None else ((dealer.upcoming,), dealer.generators)
        try:
            with self._asked.all_or_nothing((*self._batch, *self._seen, *dealt), generators):
                return function(*arguments)
        except BaseException:
            self._arrays.now = last
            raise

    def _lock_shared(self):
        """Make read-only what is returned more than once."""
        for array in (self._everyone, self._nobody, self._deals):
            array.flags.writeable = False

    def _note_dealt(self):
        """Note the deals of games that were just dealt, and have their next episodes drawn."""
        deals = self._deals.copy()
        self._dealer.note_deals(self._batch.episodes, self._batch.outcomes, deals)
        deals.flags.writeable = False
        self._deals = deals

    # --- what is returned ---

    def _hand_out(self):
        """Return (observations, `info`) as they are now, in which no action was illegal.

        `info` holds an array under each `key`, and under `_key` the games in which it is valid. Entries about games
        that ended come from `_last_info`.
        """
        seen, masks = self._arrays.hand_out()
        info = {
            "action_mask": masks,
            "_action_mask": self._everyone,
            "current_player": self._told[2].copy(),
            "_current_player": self._everyone,
            "deal": self._deals,
            "_deal": self._everyone,
            "illegal_action": self._nobody,
            "_illegal_action": self._everyone,
        }
        return seen, info

    def _last_info(self, ended, games, illegal, players, deals):
        """Return `info` about the `games` that `ended` in this step; `deals` are those of the ended episodes.

        `players` are those to decide in games that were cut off, -1 in games that are over; None: -1 everywhere.
        """
        name, results = self._results()
        result: dict[str, npt.NDArray[Any]] = {
            "total_reward": np.zeros(self.num_envs),
            "length": np.zeros(self.num_envs, _WHOLE),
            "seat": np.zeros(self.num_envs, _WHOLE),
            name: np.zeros(results.shape, _WHOLE if results.dtype.kind == "i" else results.dtype),
        }
        self._sum_up.call(self._batch.episodes, results, ended, *result.values())
        counts = ended.copy()
        inner = {f"_{name}": counts for name in result}  # Gymnasium's wrappers look for these inside `result` too
        info = {"result": result | inner, "_result": counts, "illegal_action": illegal}
        if not self._same_step:
            return info
        last, seen = self._last_obs(), np.empty(self.num_envs, object)  # of None
        masks = np.zeros(last.masks.shape, last.masks.dtype)
        for game in games:  # mostly few, and numpy takes longer to find out which they are
            seen[game], masks[game] = last.pick(game), last.masks[game]
        final = {
            "action_mask": masks,
            "_action_mask": ended.copy(),
            "current_player": ended * (np.int64(NONE) if players is None else players),
            "_current_player": ended.copy(),
            "deal": ended * deals,
            "_deal": ended.copy(),
            "illegal_action": illegal.copy(),
            "_illegal_action": ended.copy(),
        }
        return info | {
            "final_obs": seen,
            "_final_obs": ended.copy(),
            "final_info": final,
            "_final_info": ended.copy(),
        }
