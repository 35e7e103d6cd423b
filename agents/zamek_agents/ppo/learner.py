"""The learner: masked PPO whose training can be interrupted anywhere and resumed with the same result.

Training is cut into legs. Every leg begins with new games and with generators that follow from the seed and the number
of the leg; a checkpoint holds all else that the future depends on.

A checkpoint is one file of `array_file.py` with these float32 arrays:

    NAME                       a part of the network, as in `policy.py`
    optimizer/NUMBER/STATE     what Adam keeps of the parameter of that number, where it has met it: `ADAM`
    past/NUMBER/NAME           a part of a past self, the oldest first

Besides what `policy.py` notes of weights, the file notes the `decisions` of self-play and the `Counters`.
"""

import time
from dataclasses import asdict, dataclass, fields
from os import PathLike
from typing import IO, Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from zamek_agents.array_file import open_arrays, read_number, write_arrays
from zamek_agents.named_ruleset import check_ruleset
from zamek_agents.ppo.opponents import PastSelves
from zamek_agents.ppo.policy import CHECKPOINT, check_network, describe, find_part, read_network, read_parts, read_sizes
from zamek_agents.ppo.self_play import SelfPlayVecEnv, SignedRolloutBuffer
from zamek_agents.pretrained import MAX_COUNT, MAX_PAST
from zamek_env.sb3 import RowPolicy

LEAST_RATE = 0.02  # of the learning rate, at the end
MAX_SQUARE = 3e38  # float32
ADAM = {"step": (0, 1e15), "exp_avg": (-MAX_SQUARE, MAX_SQUARE), "exp_avg_sq": (0, MAX_SQUARE)}  # what each may be


@dataclass
class Counters:
    """The progress of a training run."""

    legs: int = 0  # begun
    imitated: int = 0  # decisions learned from the teacher
    updates: int = 0  # of self-play
    seconds: float = 0.0  # spent


class KeepSelves(BaseCallback):
    """Before each rollout, draws which of `past_selves` plays, and adds one more of them after `every` updates.

    Raises `DivergedError` where the network has diverged.
    """

    def __init__(self, past_selves: PastSelves, every: int, counters: Counters) -> None:
        super().__init__()
        self._past_selves, self._every, self._counters = past_selves, every, counters

    def _on_rollout_start(self):
        check_network(self.model.policy)
        self._counters.updates += 1
        if self._counters.updates % self._every == 0:
            self._past_selves.add(self.model.policy)
        self._past_selves.draw(self.model.policy)

    def _on_step(self):
        return True


class Clock:
    """The `seconds` of `counters` of training, those before it was resumed too, and the share of time that is left."""

    def __init__(self, counters: Any, minutes: float | None) -> None:
        self._counters, self._minutes = counters, minutes
        self._last = time.monotonic()

    def tick(self) -> None:
        """Count the time since the last tick."""
        now = time.monotonic()
        self._counters.seconds += now - self._last
        self._last = now

    @property
    def left(self) -> float:
        """The share of the time that is left, from 1 to 0; always 1 where there is no limit."""
        return 1.0 if self._minutes is None else max(0.0, 1 - self._counters.seconds / (60 * self._minutes))


def make_model(args: Any, games: SelfPlayVecEnv, shape: dict[str, Any]) -> MaskablePPO:
    """Return a new model for `args`, settings like those of `zamek train`: a `RowPolicy` of that `shape`."""
    return MaskablePPO(
        RowPolicy,
        games,
        n_steps=args.rollout,
        batch_size=args.batch,
        n_epochs=args.epochs,
        gamma=1.0,
        gae_lambda=args.gae_lambda,
        ent_coef=args.entropy,
        policy_kwargs=shape,
        seed=args.seed,
        learning_rate=args.learning_rate,
        rollout_buffer_class=SignedRolloutBuffer,
        rollout_buffer_kwargs={"read_movers": lambda: games.movers},
        device="cpu",
    )


# --- checkpoints ---


def write_checkpoint(
    file: IO[bytes], model: MaskablePPO, past_selves: PastSelves, counters: Counters, about: dict[str, Any]
) -> None:
    """Write `model`, past selves and counters to an open binary file, with what is noted `about` them."""
    policy: Any = model.policy
    arrays = {name: value.numpy() for name, value in read_parts(policy).items()}
    for number, state in policy.optimizer.state_dict()["state"].items():
        arrays |= {f"optimizer/{number}/{name}": state[name].numpy() for name in ADAM}
    for number, weights in enumerate(past_selves.weights):
        arrays |= {f"past/{number}/{name}": weights[name].numpy() for name in read_parts(policy)}
    noted = about | describe(policy, CHECKPOINT) | asdict(counters) | {"decisions": model.num_timesteps}
    write_arrays(file, noted, arrays, level=0)  # random digits, which packing makes no smaller


def load_checkpoint(path: PathLike[str] | str, model: MaskablePPO, past_selves: PastSelves) -> Counters:
    """Make `model` and `past_selves` those of the checkpoint `path`; return its `Counters`.

    Raises `ValueError`, having changed nothing, where it holds no checkpoint, or one of another ruleset or size.
    """
    policy: Any = model.policy
    with open_arrays(path, "checkpoint", CHECKPOINT) as file:
        sizes = read_sizes(file.about)
        expected = read_sizes(describe(policy, CHECKPOINT))
        if sizes == expected:
            whole = {field.name: field.type is int for field in fields(Counters)}
            counters = Counters(**{name: read_number(file.about, name, 0, MAX_COUNT, whole[name]) for name in whole})
            decisions = read_number(file.about, "decisions", 0, MAX_COUNT, whole=True)
            network = read_network(file, policy)
            adam = _read_optimizer(file, policy)
            past = _read_past(file, policy, past_selves.kept)
    check_ruleset(path, sizes.trained_for, policy.features_extractor.ruleset)
    if sizes != expected:
        given = f"width {sizes.width} and hidden {sizes.hidden}"
        raise ValueError(f"{path} has a network of {given}, not {expected.width} and {expected.hidden}")
    policy.load_state_dict(_to_state_dict(policy, network))
    groups = policy.optimizer.state_dict()["param_groups"]
    policy.optimizer.load_state_dict({"state": adam, "param_groups": groups})
    past_selves.weights = [_to_state_dict(policy, parts) for parts in past]
    model.num_timesteps = decisions
    return counters


def _read_optimizer(file, policy):
    """Return {number of a parameter: what Adam keeps of it}."""
    shapes = [parameter.shape for group in policy.optimizer.param_groups for parameter in group["params"]]
    states = {}
    for number, shape in enumerate(shapes):
        prefix = f"optimizer/{number}/"
        if any(name.startswith(prefix) for name in file.names):
            states[number] = {
                name: torch.from_numpy(file.read(prefix + name, np.float32, () if name == "step" else shape, *limits))
                for name, limits in ADAM.items()
            }
    return states


def _read_past(file, policy, kept):
    """Return the parts of the last `kept` past selves, the oldest first."""
    count = len({name.split("/")[1] for name in file.names if name.startswith("past/")})
    if count > MAX_PAST:
        raise ValueError(f"there must be at most {MAX_PAST} past selves, not {count}")
    return [read_network(file, policy, f"past/{number}/") for number in range(max(0, count - kept), count)]


def _to_state_dict(policy, parts):
    """Return a state dict of `policy` from parts as `read_network` returns them."""
    return {name: torch.from_numpy(parts[find_part(name)]) for name in policy.state_dict()}
