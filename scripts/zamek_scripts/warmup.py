"""Compile the rules of some rulesets, and all that plays and learns by them, so that no later command has to."""

import gc
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

import numpy as np
import tyro
from tqdm import tqdm

from zamek_agents.base import EVALUATING, find_evaluating
from zamek_agents.benchmark.gumbel_search import GumbelSearch
from zamek_agents.pretrained import is_shipped
from zamek_agents.registry import list_untrained, make_agent
from zamek_agents.search.base import Solver, can_solve
from zamek_agents.value.learner import compile_all as compile_learning
from zamek_agents.value.refining import compile_all as compile_refining
from zamek_agents.value.weights import new_weights
from zamek_env import RULESETS, Game, castle_cards_v0, zamek_v0
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.layout.observation import PARTS as PARTS_OF_CARDS
from zamek_env.castle_cards.single import CastleCardsEnv
from zamek_env.castle_cards.vector import CastleCardsVectorEnv
from zamek_env.common.extras import MissingExtraError, needs_train_extra
from zamek_env.components.model import Components
from zamek_env.environments.game_aec import GameAEC
from zamek_env.hints import find_hints
from zamek_env.layout.observation import PLANE_PARTS, ROW_PARTS
from zamek_env.make_game import FAMILIES
from zamek_env.ruleset import Ruleset
from zamek_env.single import ZamekEnv
from zamek_env.vector import ZamekVectorEnv
from zamek_scripts import shared_args
from zamek_scripts.terminal import FAILED, fail, reporting_failures, reporting_refusals

SEARCHES = ("expectimax", "mcts", "ismcts")


def play_tiles(ruleset: Ruleset) -> None:
    """Play a game as `Game`, look at it, redeal it, read its first position again, and replay its record."""
    game, rng = Game(ruleset.name, 0, ruleset.components), np.random.default_rng(0)
    game.concealed(rng).redeal(rng)
    Game.parse_position(game.format_position(), ruleset.components, seed=0)
    while not game.is_terminal:
        action = game.legal_actions()[0]
        game.describe(action)
        game.step(action)
    find_hints(ruleset, game.state[0])
    Game.replay(game.record(), ruleset.components)


def play_cards() -> None:
    """Play a game as `CastleCards`, look at it, redeal it, and replay its record."""
    game, rng = CastleCards(seed=0), np.random.default_rng(0)
    game.concealed(rng, game.current_player).redeal(rng, None)
    game.observe(0, observation=PARTS_OF_CARDS)
    while not game.is_terminal:
        game.step(int(rng.choice(game.legal_actions())))
    CastleCards.replay(game.record())


def step_environments(ruleset: Ruleset) -> None:
    """Take a step in each kind of environment of a game of tiles."""
    which: dict[str, Any] = {"ruleset": ruleset.name, "components": ruleset.components}
    for parts in (PLANE_PARTS, ROW_PARTS):
        step(ZamekEnv(**which, observation=parts))
        step_seats(zamek_v0.raw_env(**which, observation=parts))
    for opponent in (None, "greedy", lambda game, rng: game.legal_actions()[0]):
        for flat, parts in ((False, PLANE_PARTS), (True, PLANE_PARTS), (False, ROW_PARTS)):
            seen: dict[str, Any] = {"flat": flat, "observation": parts}
            step(ZamekVectorEnv(2, **which, opponent=opponent, on_illegal="raise", **seen))
    step(ZamekVectorEnv(2, **which), np.argmin)  # which is illegal and ends the games


def step_environments_of_cards() -> None:
    """Take a step in each kind of environment of castle-cards."""
    step(CastleCardsEnv())
    step_seats(castle_cards_v0.raw_env())
    for opponents in (None, "random"):
        step(CastleCardsVectorEnv(2, opponents=opponents, on_illegal="raise"))
    step(CastleCardsVectorEnv(2, observation=PARTS_OF_CARDS))
    step(CastleCardsVectorEnv(2), np.argmin)  # which is illegal and ends the games


def step(env: Any, choose: Callable[..., Any] = np.argmax) -> None:
    """Take a step in an environment of one game or of many, by the first legal action, or the one to `choose`."""
    _, info = env.reset(seed=0)
    env.step(choose(info["action_mask"], axis=-1))


def step_seats(env: GameAEC) -> None:
    """Take a step in an environment of PettingZoo."""
    env.reset(seed=0)
    env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))


def ask_agents(game: Game | CastleCards, components: Components | None) -> None:
    """Let each agent that does not search decide once, where it plays the game untrained."""
    for name in list_untrained(game.ruleset.name, components):
        if name not in SEARCHES:
            ask_agent(name, game)


def ask_agent(name: str, game: Game | CastleCards) -> None:
    """Let the agent of that name decide once, and evaluate if it does so, unless its packages are missing."""
    try:
        agent = make_agent(name)
    except MissingExtraError:
        return
    agent.act(game, np.random.default_rng(0))
    if name in EVALUATING:
        find_evaluating(agent).evaluate(game, np.random.default_rng(0))


def learn_network(ruleset: Ruleset | None) -> None:
    """Set up the training of a network for games of tiles, or for castle-cards, where its packages are installed."""
    try:
        with needs_train_extra("training"):
            from zamek_scripts import train, train_castle_cards, train_tiles  # here, because the last two import torch
    except MissingExtraError:
        return
    if ruleset is None:
        train_castle_cards.compile_all()
    else:
        train_tiles.compile_all(train.Args(imitate=is_shipped("value", ruleset)), ruleset, [])


def begin(ruleset: Ruleset) -> Game:
    """Return a new game of a `Ruleset`."""
    return Game(ruleset.name, 0, ruleset.components)


def search_decisions(ruleset: Ruleset) -> None:
    """Set up the search of the benchmark's learner `gumbel`."""
    game = begin(ruleset)
    masks, nothing = np.zeros((1, ruleset.num_actions), np.bool_), np.zeros((1, ruleset.num_actions))
    masks[0, game.legal_actions()] = True
    search = GumbelSearch(ruleset, lambda vectors: np.zeros(len(vectors)))
    search.search(game.raw_states, masks, nothing, np.zeros(1), np.random.default_rng(0), False)


def call_from_jax(ruleset: Ruleset) -> None:
    """Set up the functions that XLA calls, where JAX is installed."""
    try:
        from zamek_env import jax  # here, because it takes a second, and few need it
    except ImportError:
        return
    for opponent in (None, "greedy"):
        for parts in (PLANE_PARTS, ROW_PARTS):
            jax.make(ruleset.name, parts, opponent, components=ruleset.components)


@dataclass(frozen=True)
class Part:
    """Something to compile; what a later stage takes from an earlier one is compiled by then."""

    stage: int
    seconds: int  # on one core, about, for the bar
    compile: Callable[[Ruleset], None]


PARTS = {
    "games": Part(0, 6, play_tiles),
    "environments": Part(1, 35, step_environments),
    "agents": Part(1, 21, lambda ruleset: ask_agents(begin(ruleset), ruleset.components)),
    "endgames": Part(1, 6, lambda ruleset: Solver(ruleset).warm_up(begin(ruleset))),
    "expectimax": Part(2, 13, lambda ruleset: ask_agent("expectimax", begin(ruleset))),
    "mcts": Part(2, 14, lambda ruleset: ask_agent("mcts", begin(ruleset))),
    "train-value": Part(2, 12, compile_learning),
    "refine-value": Part(2, 14, lambda ruleset: compile_refining(ruleset, new_weights(ruleset))),
    "train": Part(2, 17, learn_network),
    "benchmark": Part(2, 6, search_decisions),
    "jax": Part(2, 21, call_from_jax),
}
UNVARIED = ("train-value", "refine-value", "train", "benchmark")  # whose commands take neither players nor house rules
CARD_PARTS: dict[str, Callable[[], None]] = {  # of castle-cards
    "games": play_cards,
    "environments": step_environments_of_cards,
    "agents": lambda: ask_agents(CastleCards(seed=0), None),
    "mcts": lambda: ask_agent("ismcts", CastleCards(seed=0)),
    "train": lambda: learn_network(None),
}


@dataclass
class Args:
    rulesets: tyro.conf.Positional[tuple[str, ...]] = ()
    """which ones, castle-cards among them; by default all, with --components the one whose file is there"""
    players: int | None = None
    """how many play Carcassonne, 1 to 5, where not 2: each number is compiled by itself"""
    rules: shared_args.HouseRulesText = ""
    components: shared_args.ComponentsFolder = None
    parts: tuple[str, ...] = tuple(PARTS)
    """what of them: games, environments, agents, endgames, expectimax, mcts (which for castle-cards compiles
    ismcts), train-value, refine-value, train, benchmark, jax; by default all that there are"""
    workers: int | None = None
    """processes that compile, by default one a core"""

    @property
    def varies(self) -> bool:
        """Whether the number of players or house rules differ from those of the rulesets."""
        return self.players is not None or bool(self.rules)


def main(args: Args) -> None:
    """Compile all that is asked for, and report it. Exits with code 2 for invalid `args`."""
    with reporting_failures("warmup"):
        with reporting_refusals("warmup"):
            rulesets = find_rulesets(args)
            tasks = list_tasks(args, rulesets)
            for ruleset in filter(None, rulesets.values()) if args.components else ():
                shared_args.check_begins(ruleset)
        try:
            compile_all(tasks, args)
        except BrokenProcessPool:
            fail("warmup", "a process that compiled has ended, perhaps for lack of memory; try fewer --workers", FAILED)
    print(f"compiled: {', '.join(ruleset for ruleset in rulesets if ruleset in dict(tasks))}")


def list_tasks(args: Args, rulesets: Mapping[str, Ruleset | None]) -> list[tuple[str, str]]:
    """Return each (ruleset name, part) to compile. Raises `ValueError` where a ruleset that is named has none."""
    parts = {name: list_parts(args, ruleset) for name, ruleset in rulesets.items()}
    tasks = [(ruleset, part) for part in PARTS if part in args.parts for ruleset in rulesets if part in parts[ruleset]]
    for ruleset in rulesets:
        if ruleset not in dict(tasks) and (ruleset in args.rulesets or not args.parts):
            given = ", ".join(args.parts) or "none"
            raise ValueError(f"--parts must name one or more of {', '.join(parts[ruleset])} for {ruleset}, not {given}")
    return tasks


def list_parts(args: Args, ruleset: Ruleset | None) -> Collection[str]:
    """Return the names of the parts of a ruleset, None for castle-cards: those that commands can use."""
    if ruleset is None:
        return CARD_PARTS
    parts = [part for part in PARTS if part not in UNVARIED] if args.varies else list(PARTS)
    return parts if can_solve(ruleset) else [part for part in parts if part != "endgames"]


def find_rulesets(args: Args) -> dict[str, Ruleset | None]:
    """Return the rulesets that are asked for by their names, None for castle-cards.

    Raises `ValueError` for invalid `args`.
    """
    for part in args.parts:
        if part not in PARTS:
            raise ValueError(f"--parts must be of {', '.join(PARTS)}, not {part!r}")
    if args.workers is not None and args.workers < 1:
        raise ValueError(f"--workers must be 1 or more, not {args.workers}")
    if args.varies and not args.rulesets and not args.components:
        raise ValueError("--players and --rules need the name of a ruleset before them, such as carcassonne")
    own = (shared_args.read_folder(args.components).name,) if args.components else (*RULESETS, *FAMILIES)
    names = dict.fromkeys(args.rulesets or own)
    for name in FAMILIES:
        if name in names:
            shared_args.check_no_components(args.components, name)
            if args.varies:
                raise ValueError(f"--players and --rules are for games of tiles only: {name} is the same for all")
    return {name: None if name in FAMILIES else find_ruleset(name, args) for name in names}


def find_ruleset(name: str, args: Args) -> Ruleset:
    """Return the ruleset of tiles of that name, as asked for."""
    return shared_args.find_ruleset(name, args.components, FAMILIES, "a ruleset", args.players, args.rules)


def compile_all(tasks: Sequence[tuple[str, str]], args: Args) -> None:
    """Compile each (ruleset name, part) in a separate process: compiling fills its memory.

    A part waits for those of earlier stages of its ruleset, and for nothing else.
    """
    total, waiting = sum(PARTS[part].seconds for _, part in tasks), list(tasks)
    workers = args.workers or shared_args.count_cores()
    running: dict[Future[None], tuple[tuple[str, str], float]] = {}  # the task and when it began
    with (
        tqdm(total=total, bar_format="{l_bar}{bar}| {elapsed}<{remaining}") as bar,
        ProcessPoolExecutor(workers, _find_context(), _begin_worker, max_tasks_per_child=1) as pool,
    ):
        finished = 0
        while waiting or running:
            under_way = [task for task, _ in running.values()]
            for task in _find_ready(waiting, under_way)[: workers - len(running)]:
                waiting.remove(task)
                running[pool.submit(_compile, *task, args)] = task, time.monotonic()
            for future in wait(running, timeout=1, return_when=FIRST_COMPLETED).done:
                future.result()
                task, _ = running.pop(future)
                finished += PARTS[task[1]].seconds
                bar.set_description(", ".join(task))
            now = time.monotonic()
            begun = sum(min(now - began, 0.9 * PARTS[part].seconds) for (_, part), began in running.values())
            bar.update(max(0, finished + begun - bar.n))


def _find_context():
    """Return the start method of processes: without this one's compiled code and, if forked, with all imports."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["zamek_scripts.warmup", "zamek_scripts.first_kernel"])
    return context


def _find_ready(waiting: Sequence[tuple[str, str]], under_way: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the tasks of `waiting` that need none of the others, the longest first."""

    def waits_for(task, other):
        return other[0] == task[0] and PARTS[other[1]].stage < PARTS[task[1]].stage

    ready = [task for task in waiting if not any(waits_for(task, other) for other in (*waiting, *under_way))]
    return sorted(ready, key=lambda task: -PARTS[task[1]].seconds)


def _compile(ruleset_name: str, part: str, args: Args) -> None:
    if ruleset_name in FAMILIES:
        CARD_PARTS[part]()
    else:
        PARTS[part].compile(find_ruleset(ruleset_name, args))


def _begin_worker():
    """Keep messages on compiling from breaking the bar, and keep memory until the process ends, which saves a tenth."""
    gc.disable()
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open to the end
