"""Learners by name: those of this package, and any function of a module or a file.

A learner is called as `learn(task, seed, report)`. `task` is a `Practice`, from which it gets its games. It returns
what it has learned: under the track `observation` a policy, a callable `(observation, action_mask, rng) -> action`,
under `simulator` that or an agent, which has `act(game, rng)`. While learning it may call `report` with the same, for
the learning curve; that is cheap unless a point of the curve is due. All its chance follows from `seed`.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from inspect import signature
from typing import Any, NamedTuple

from zamek_agents.benchmark.practice import Practice
from zamek_agents.benchmark.tasks import OBSERVATION, SIMULATOR, TRACKS, VERSIONS, Task
from zamek_agents.plain_file import digest_files, digest_module
from zamek_agents.pretrained import FOLDER
from zamek_env.agent_names import find_file, find_maker
from zamek_env.common.extras import needs_train_extra
from zamek_env.common.messages import show

Report = Callable[[Any], object]
Learn = Callable[[Practice, int, Report], Any]
FORMS = ("MODULE:FUNCTION", "FILE.py:FUNCTION")


class Learner(NamedTuple):
    """A learner of this package."""

    module: str  # that has `learn`
    tracks: tuple[str, ...]  # in which it may take part
    description: str  # in a few words
    reads: str | None  # the part of observations that it learns from; None: it needs none


_BY_HOUSE_RULES = "sb3-maskable-ppo"  # the learner here whose games may be of several sets of house rules
_FOLDER = "zamek_agents.benchmark"
LEARNERS = {
    name: Learner(f"{_FOLDER}.{module}", tracks, description, reads)
    for name, module, tracks, description, reads in (
        ("ppo", "learn_ppo", TRACKS, "masked PPO of `zamek train`, by self-play", "rows"),
        ("sb3-maskable-ppo", "learn_sb3", TRACKS, "MaskablePPO of sb3-contrib with RowPolicy, against greedy", "rows"),
        ("masked-dqn", "learn_dqn", TRACKS, "double DQN with masks, against greedy", "rows"),
        ("td", "learn_td", (SIMULATOR,), "TD(λ) of `zamek train-value`, by self-play", None),
        ("gumbel", "learn_gumbel", (SIMULATOR,), "Gumbel AlphaZero with a search of one decision", "rows"),
        ("imitation", "learn_imitation", (SIMULATOR,), "a network that imitates the agent value", None),
    )
}


def find_learner(spec: str, task: Task) -> Learn:
    """Return the learner that `spec` names, for that task.

    Settings in parentheses, such as `my.py:learn(width=64)`, are passed on by name. Raises `ValueError` where there is
    none or it does not support the track, the observation or the house rules, `FileNotFoundError` where there is no
    such file, `MissingExtraError` where packages that it needs are not installed.
    """
    if spec in LEARNERS:
        learner = LEARNERS[spec]
        if task.held_out and spec != _BY_HOUSE_RULES:
            able = ", ".join((_BY_HOUSE_RULES, *FORMS))
            raise ValueError(f"the learner {spec!r} learns without house rules; from {task.name} learn {able}")
        if task.track not in learner.tracks:
            raise ValueError(f"the learner {spec!r} takes part in the track {SIMULATOR!r} only, not in {OBSERVATION!r}")
        if learner.reads not in (None, *task.observation):
            versions = " or ".join(version for version, parts in VERSIONS.items() if learner.reads in parts)
            raise ValueError(
                f"the learner {spec!r} learns from {learner.reads}: from tasks {versions}, not {task.name}"
            )
        with needs_train_extra(f"the learner {spec!r}"):
            return import_module(learner.module).learn
    if ":" not in spec:
        raise ValueError(f"a learner must be one of {', '.join((*LEARNERS, *FORMS))}, not {show(spec)}")
    found = find_maker(spec, "learner", "function")
    if found.arguments:
        raise ValueError(f"settings of the learner {spec!r} must be given by name, such as learn(width=64)")
    try:
        signature(found.make).bind(task, 0, print, **found.keywords)
    except TypeError as error:
        raise ValueError(f"the learner {spec!r}, called as learn(task, seed, report): {error}") from error
    return partial(found.make, **found.keywords)


def digest_learner(spec: str) -> str:
    """Return the digest of a learner's sources, so that another one of its name is noticed; raises as `find_learner`.

    They are its module, the modules that `digest_module` adds to it, its present file, and all weights that come with
    the package, by which teachers and opponents play.
    """
    module = import_module(
        LEARNERS[spec].module if spec in LEARNERS else find_maker(spec, "learner", "function").module
    )
    path = find_file(spec)
    files = digest_files(*sorted(FOLDER.glob("*.npz")), *([path] if path is not None else []))
    return f"{digest_module(module.__name__)}-{files}"
