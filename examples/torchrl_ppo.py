"""PPO of TorchRL with action masks, on the native vector environment. It needs: pip install torchrl

python examples/torchrl_ppo.py --opponent greedy
"""

import time
from dataclasses import dataclass

import gymnasium
import torch
import tyro
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import Binary
from torchrl.envs import Compose, DTypeCastTransform, GymWrapper, RewardSum, TransformedEnv
from torchrl.envs.libs.gym import default_info_dict_reader
from torchrl.envs.utils import ExplorationType, set_exploration_type
from torchrl.modules import MaskedCategorical, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE
from tqdm import tqdm

import zamek_env  # noqa: F401 - registers the environments
from zamek_env.row_network import RowNetwork

PARTS = ["vector", "rows", "row_actions"]  # of an observation


@dataclass
class Args:
    env_id: str = "Zamek-v1"  # an environment of tiles, with rows
    opponent: str = "greedy"  # "random" and "greedy" are compiled
    steps: int = 200_000  # decisions of training; one update at least
    seed: int = 1
    games: int = 32  # at once
    rollout: int = 128  # decisions in each game between two updates
    epochs: int = 4
    minibatches: int = 8
    learning_rate: float = 1e-3
    evaluate_every: int = 5  # updates


def make_env(args: Args, seed: int) -> TransformedEnv:
    games = gymnasium.make_vec(
        args.env_id,
        num_envs=args.games,
        vectorization_mode="vector_entry_point",
        opponent=args.opponent,
        reward="delta",  # each change of the difference of points ÷ 100
        copy=True,  # tensors share the memory of what is returned
        autoreset_mode="Disabled",  # TorchRL resets by itself
    )
    if "rows" not in games.single_observation_space.spaces:
        raise SystemExit(f"--env-id must name an environment with rows, such as Zamek-v1, not {args.env_id}")
    env = GymWrapper(games, categorical_action_encoding=True)
    actions = games.single_action_space.n
    mask = Binary(actions, shape=(args.games, actions), dtype=torch.int8)
    env.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec={"action_mask": mask}))
    env.set_seed(seed)
    to_bool = DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])  # as MaskedCategorical wants it
    return TransformedEnv(env, Compose(to_bool, RewardSum()))


class Network(RowNetwork):
    """`RowNetwork` for any number of dimensions before those of one observation, as TorchRL wants it."""

    def forward(self, *seen):
        before = seen[0].shape[:-1]
        logits, value = super().forward(*(part.flatten(0, len(before) - 1) for part in seen))
        return logits.unflatten(0, before), value.reshape(*before, 1)


def make_modules(env: TransformedEnv) -> tuple[ProbabilisticActor, TensorDictModule]:
    """Return actor and critic, which share one network."""
    entries, columns = (env.observation_spec[name].shape[-1] for name in ("vector", "rows"))
    network = Network(entries, columns, env.action_spec.space.n)
    actor = ProbabilisticActor(
        TensorDictModule(network, in_keys=PARTS, out_keys=["logits", "_"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        spec=env.action_spec,
        return_log_prob=True,
    )
    return actor, TensorDictModule(network, in_keys=PARTS, out_keys=["_", "state_value"])


@torch.no_grad()
def evaluate(env: TransformedEnv, actor: ProbabilisticActor) -> float:
    """Return the share of games won against the opponent by the likeliest actions; a draw counts half."""
    with set_exploration_type(ExplorationType.DETERMINISTIC):
        played = env.rollout(150, actor, break_when_any_done=False)
    ends = played["next", "done"]
    first = ends & (ends.cumsum(dim=-2) == 1)  # of each game the first end: more short ones than long ones end twice
    points = played["next", "episode_reward"][first]
    return ((points > 0).float() + (points == 0).float() / 2).mean().item()


def train(args: Args) -> ProbabilisticActor:
    for name, value in vars(args).items():
        least = 0 if name == "seed" else 1
        if type(value) is int and value < least:
            raise SystemExit(f"--{name.replace('_', '-')} must be {least} or more, not {value}")
    torch.manual_seed(args.seed)
    env = make_env(args, args.seed)
    actor, critic = make_modules(env)
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic, deactivate_vmap=True)
    loss_module = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.002, normalize_advantage=True)
    optimizer = torch.optim.Adam(loss_module.parameters(), lr=args.learning_rate, eps=1e-5)
    size = args.games * args.rollout
    updates, started = max(1, args.steps // size), time.perf_counter()
    collector = Collector(
        env, actor, frames_per_batch=size, total_frames=updates * size, auto_register_policy_transforms=True
    )
    for update, batch in enumerate(tqdm(collector, total=updates, unit="update"), 1):
        with torch.no_grad():
            advantage(batch)
        rows = batch.reshape(-1)
        for _ in range(args.epochs):
            for chosen in torch.randperm(size).chunk(args.minibatches):
                losses = loss_module(rows[chosen])
                loss = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(loss_module.parameters(), 0.5)
                optimizer.step()
        if update % args.evaluate_every == 0 or update == updates:
            seconds, score = time.perf_counter() - started, evaluate(make_env(args, args.seed + 1_000_000), actor)
            tqdm.write(f"{update * size} steps, {seconds:.0f} s: {score:.2f} of the games against {args.opponent}")
    collector.shutdown()
    return actor


if __name__ == "__main__":
    train(tyro.cli(Args))
