"""The tasks of the benchmark, by name. The task of a name never changes: another task gets another version.

A task is a ruleset, a budget of decisions to learn from, and a track, which says what a learner may use:

    observation    only what the environment returns: observations, masks, rewards
    simulator      also copies of games, in which what is hidden is redealt, while learning and while playing

Versions differ in the parts of an observation: `VERSIONS`.

`carcassonne-variants-v1` is special: a learner learns by some house rules, and is measured by these and by others,
which it has never met.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from zamek_agents.frozen import GREEDY_V1, MCTS200_V1, VALUE_V1, find_weights_v1
from zamek_env.common.messages import show
from zamek_env.components.house_rules import parse_option
from zamek_env.layout.observation import PLANE_PARTS, ROW_PARTS
from zamek_env.ruleset import Ruleset, get_ruleset

RULESETS = ("zamek", "sokol", "carcassonne")
BUDGETS = {"1M": 1_000_000, "10M": 10_000_000}  # decisions
OBSERVATION, SIMULATOR = "observation", "simulator"
TRACKS = (OBSERVATION, SIMULATOR)
VERSIONS = {"v1": PLANE_PARTS, "v2": ROW_PARTS}  # what an observation has

GAMES = 200  # of the final agent against an opponent, two on a deal
OPPONENTS = {GREEDY_V1: 1.0, VALUE_V1: 1.0, MCTS200_V1: 0.25}  # share of them; the search takes 8 s a game
CURVE_OPPONENT, CURVE_GAMES = GREEDY_V1, 100
CURVE_SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)  # of the budget, after which the curve is measured, and at its end
FOLDER = Path(__file__).parent / "positions"
SUITES = {  # files in `FOLDER`, by ruleset: frozen, whatever suites `zamek_agents.suites` has today
    "zamek": ("choices-zamek.npz", "endgames-zamek.npz"),
    "carcassonne": ("choices-carcassonne.npz", "endgames-carcassonne.npz"),
}
# House rules, "" where there are none.
TRAINED = ("", "back_into_bag", "start_in_bag", "hole_plays_again", "small_city")
HELD_OUT = (
    "unfinished_pays_nothing", "draw_ahead", "small_city,hole_plays_again", "draw_ahead,unfinished_pays_nothing",
)  # fmt: skip
SEED = 20_000  # of the deals on which all agents are measured
LEAST_SEEDS = 5  # of a result


@dataclass(frozen=True)
class Task:
    """A task: what to learn, from how many decisions, and how many games measure it."""

    name: str
    ruleset: str
    track: str
    decisions: int
    observation: tuple[str, ...]  # its parts
    games: int = GAMES
    trained: tuple[str, ...] = ()  # house rules to learn by, for `parse_rules`; "": none, as where it is empty
    held_out: tuple[str, ...] = ()  # those that what was learned is measured by besides

    @property
    def is_trial(self) -> bool:
        """Whether budget or games differ from the task of that name, so that results do not count for it."""
        return self != TASKS[self.name]

    @property
    def opponents(self) -> Mapping[str, float]:
        """The opponents of the final agent, and the share of games against each; others know no house rules."""
        return {GREEDY_V1: OPPONENTS[GREEDY_V1]} if self.held_out else OPPONENTS

    def find_ruleset(self, rules: str = "") -> Ruleset:
        """Return the ruleset with these house rules, by default with none."""
        return _find_ruleset(self.ruleset, rules)

    def count_games(self, opponent: str) -> int:
        """Return how many games are played against that opponent, an even number."""
        return max(2, 2 * round(self.games * OPPONENTS[opponent] / 2))

    def list_suites(self) -> list[Path]:
        """Return the files of the suites on which regret is measured, if any."""
        return [] if self.held_out else [FOLDER / name for name in SUITES.get(self.ruleset, ())]

    def digest(self) -> str:
        """Return a digest of all that the results of a task depend on, except for the learner."""
        ruleset = self.find_ruleset()
        weights = [find_weights_v1(ruleset, VALUE_V1)] if VALUE_V1 in self.opponents else []
        about = asdict(self) | {
            "observation": ruleset.rows.names,
            "components": ruleset.components.digest,
            "opponents": self.opponents,
            "curve": [CURVE_OPPONENT, CURVE_GAMES, CURVE_SHARES],
            "seed": SEED,
            "files": {
                path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (*self.list_suites(), *weights)
            },
        }
        if self.held_out:
            about["components"] = [self.find_ruleset(rules).components.digest for rules in self.trained + self.held_out]
        else:
            del about["trained"], about["held_out"]
        if self.observation == PLANE_PARTS:  # which was all there was when these tasks were published
            del about["observation"]
        return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()


@cache  # to vary components takes longer than to look at them
def _find_ruleset(name: str, rules: str) -> Ruleset:
    return get_ruleset(name, rules=parse_option(rules))


_VARIANTS = "carcassonne-variants-v1"
TASKS = {
    name: Task(name, ruleset, track, decisions, observation)
    for version, observation in VERSIONS.items()
    for ruleset in RULESETS
    for budget, decisions in BUDGETS.items()
    for track in TRACKS
    for name in (f"{ruleset}-{budget}-{track}-{version}",)
} | {_VARIANTS: Task(_VARIANTS, "carcassonne", OBSERVATION, BUDGETS["1M"], ROW_PARTS, GAMES, TRAINED, HELD_OUT)}


def find_task(name: str, decisions: int | None = None, games: int | None = None) -> Task:
    """Return the `Task` of that name, for a trial with another budget or other `games`.

    Raises `ValueError` where there is no such task, or for an impossible number.
    """
    if name not in TASKS:
        raise ValueError(f"a task must be one of {', '.join(TASKS)}, not {show(name)}")
    task = TASKS[name]
    if decisions is not None and not 1 <= decisions <= task.decisions:
        raise ValueError(f"decisions must lie in 1 to {task.decisions:,}, the budget of {name}, not {decisions}")
    if games is not None and (not 2 <= games <= GAMES or games % 2):
        raise ValueError(f"games must be an even number from 2 to {GAMES}, not {games}")
    return replace(task, decisions=decisions or task.decisions, games=games or task.games)
