"""PPO in one file, in the manner of PureJaxRL: games, network, updates and evaluation are one `jax.jit`.

    python examples/jax_ppo.py
    python examples/jax_ppo.py --ruleset carcassonne --decisions 1000000
    taskset -c 0 python examples/jax_ppo.py    # on one core

The network scores each row, that is each legal action, by the same weights: see `zamek_env/row_network.py`. Arrays of
JAX have one size, and an observation has room for many more rows than there mostly are. So the rows that are there are
moved together first, into an array that nearly always is large enough: see `choose_room`.
"""

import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax
import tyro

import zamek_env.jax

NO_ROW = -1e8  # the logit where there is no row


@dataclass
class Args:
    ruleset: str = "zamek"
    opponent: str = "greedy"  # in training and evaluation; or "random"
    decisions: int = 500_000  # of training
    seed: int = 1
    games: int = 32  # at once
    rollout: int = 128  # decisions in each game between two updates
    epochs: int = 4
    minibatches: int = 8
    learning_rate: float = 1e-3  # at first; it falls to 0
    gamma: float = 1.0
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.002  # weight of the entropy bonus
    max_grad_norm: float = 0.5
    hidden: int = 64  # the width of the network's layers
    evaluations: int = 5  # the last one is at the end
    evaluation_games: int = 400
    save: Path | None = None  # a file .npz of the weights; what lies there is replaced


# --- the network: a dict of arrays, and functions of it ---


def make_network(key, entries, columns, hidden):
    """Return the weights of all layers, drawn as PyTorch draws them."""
    sizes = {
        "summary": (entries, hidden),
        "summary_2": (hidden, hidden),
        "row": (2 * columns, hidden),
        "judge": (hidden, hidden),
        "logit": (hidden, 1),
        "value": (2 * hidden, hidden),
        "value_2": (hidden, 1),
    }
    weights = {}
    for (name, (given, found)), layer_key in zip(sizes.items(), jax.random.split(key, len(sizes)), strict=True):
        drawn = jax.random.uniform(layer_key, (given + 1, found), minval=-1, maxval=1) * given**-0.5
        weights |= {name: drawn[1:], f"{name}_bias": drawn[0]}
    for name in ("summary", "row", "judge"):
        weights |= {f"{name}_scale": jnp.ones(hidden), f"{name}_shift": jnp.zeros(hidden)}
    return weights


def connect(weights, name, given):
    return given @ weights[name] + weights[f"{name}_bias"]


def normalize(weights, name, given):
    """Layer normalization, and ReLU."""
    given = jax.nn.standardize(given, epsilon=1e-5)
    return jax.nn.relu(given * weights[f"{name}_scale"] + weights[f"{name}_shift"])


def score(room, weights, seen):
    """Return the logits of rows (n, rows) and values (n,) of n observations with at most `room` rows altogether."""
    vector, rows, row_actions = seen["vector"], seen["rows"], seen["row_actions"]
    summary = normalize(weights, "summary", connect(weights, "summary", jnp.log1p(vector)))
    summary = connect(weights, "summary_2", summary)
    game, number = jnp.nonzero(row_actions >= 0, size=room, fill_value=len(vector))
    row = rows.at[game, number].get(mode="fill", fill_value=0).astype(jnp.float32)
    row = jnp.concatenate([row * 0.1, jnp.sign(row) * jnp.log1p(jnp.abs(row))], axis=1)
    judged = connect(weights, "row", row) + summary.at[game].get(mode="fill", fill_value=0)
    judged = normalize(weights, "judge", connect(weights, "judge", normalize(weights, "row", judged)))
    logits = jnp.full(row_actions.shape, NO_ROW).at[game, number].set(connect(weights, "logit", judged)[:, 0])
    value = connect(weights, "value", jnp.concatenate([summary, take_largest(judged, game, len(vector))], axis=1))
    return logits, connect(weights, "value_2", jax.nn.relu(value))[:, 0]


def take_largest(judged, game, count):
    """Return the largest entries of the rows of each game, (count, hidden), in a way that has a gradient."""
    add = partial(jax.ops.segment_sum, segment_ids=game, num_segments=count, indices_are_sorted=True)
    largest = jax.ops.segment_max(jax.lax.stop_gradient(judged), game, count, indices_are_sorted=True)
    is_largest = (judged == largest.at[game].get(mode="fill", fill_value=0)).astype(jnp.float32)
    return add(judged * is_largest) / jnp.maximum(add(is_largest), 1)


def choose_room(function, row_actions, *arguments):
    """Return `function(room, *arguments)`, with a small `room` where the rows fit in."""
    most = row_actions.size
    few = min(most, 40 * row_actions.shape[0])
    fits = (row_actions >= 0).sum() <= few
    return jax.lax.cond(fits, partial(function, few), partial(function, most), *arguments)


def act(weights, seen):
    return choose_room(score, seen["row_actions"], weights, seen)


def pick(by_row, row):
    """Return of each game what `by_row` has for its `row`."""
    return jnp.take_along_axis(by_row, row[:, None], axis=1)[:, 0]


# --- learning ---


def make_train(args: Args):
    """Return a pure function of a key that trains, and returns the weights and the share of games won each time."""
    make_env = partial(zamek_env.jax.make, args.ruleset, opponent=args.opponent)
    env, evaluated = make_env(reward="delta", auto_reset=True), make_env(reward="win")
    batch = args.games * args.rollout
    updates = -(-max(1, args.decisions // batch) // args.evaluations)  # between two evaluations
    steps = args.evaluations * updates * args.epochs * args.minibatches
    schedule = optax.linear_schedule(args.learning_rate, 0, steps)
    optimizer = optax.chain(optax.clip_by_global_norm(args.max_grad_norm), optax.adam(schedule, eps=1e-5))

    def decide(weights, state, key):
        """Play one decision in each game."""
        logits, value = act(weights, state.observation)
        row = jax.random.categorical(key, logits)
        after = jax.vmap(env.step)(state, pick(state.observation["row_actions"], row))
        decision = {
            "seen": state.observation,
            "row": row,
            "log_prob": pick(jax.nn.log_softmax(logits), row),
            "value": value,
            "reward": pick(after.rewards, state.current_player),  # the learner's seat in the game that may have ended
            "ended": after.terminated,
        }
        return after, decision

    def estimate_advantages(decisions, last_value):
        """Generalized advantage estimation, over all decisions of a rollout."""

        def step_back(carry, decision):
            advantage, later = carry
            goes_on = args.gamma * (1 - decision["ended"])
            error = decision["reward"] + goes_on * later - decision["value"]
            advantage = error + goes_on * args.gae_lambda * advantage
            return (advantage, decision["value"]), advantage

        taken = {name: decisions[name] for name in ("reward", "value", "ended")}
        return jax.lax.scan(step_back, (jnp.zeros_like(last_value), last_value), taken, reverse=True)[1]

    def find_loss(room, weights, chosen):
        logits, value = score(room, weights, chosen["seen"])
        log_probs = jax.nn.log_softmax(logits)
        ratio = jnp.exp(pick(log_probs, chosen["row"]) - chosen["log_prob"])
        advantage = jax.nn.standardize(chosen["advantage"])
        gain = jnp.minimum(ratio * advantage, ratio.clip(1 - args.clip, 1 + args.clip) * advantage).mean()
        entropy = -(jnp.exp(log_probs) * log_probs).sum(axis=1).mean()
        return -gain + 0.5 * jnp.square(value - chosen["wanted"]).mean() - args.entropy * entropy

    def learn(decisions, learner, number):
        """Update on the decisions of these numbers."""
        weights, optimizer_state = learner
        chosen = jax.tree.map(lambda values: values[number], decisions)
        gradient = choose_room(jax.grad(find_loss, argnums=1), chosen["seen"]["row_actions"], weights, chosen)
        change, optimizer_state = optimizer.update(gradient, optimizer_state)
        return (optax.apply_updates(weights, change), optimizer_state), None

    def update(carry, key):
        learner, state = carry
        play_key, *epoch_keys = jax.random.split(key, 1 + args.epochs)
        play_keys = jax.random.split(play_key, args.rollout)
        state, decisions = jax.lax.scan(partial(decide, learner[0]), state, play_keys)
        advantage = estimate_advantages(decisions, act(learner[0], state.observation)[1])
        decisions |= {"advantage": advantage, "wanted": advantage + decisions["value"]}
        decisions = jax.tree.map(lambda values: values.reshape(batch, *values.shape[2:]), decisions)
        numbers = jax.vmap(jax.random.permutation, (0, None))(jnp.array(epoch_keys), batch)
        numbers = numbers.reshape(args.epochs * args.minibatches, -1)
        learner, _ = jax.lax.scan(partial(learn, decisions), learner, numbers)
        return (learner, state), None

    def evaluate(weights, key):
        """Return the share of games won by the likeliest actions; a draw counts half."""

        def step(carry):
            state, result = carry
            row = act(weights, state.observation)[0].argmax(axis=1)
            after = jax.vmap(evaluated.step)(state, pick(state.observation["row_actions"], row))
            return after, result + pick(after.rewards, state.current_player)

        begun = jax.vmap(evaluated.init)(jax.random.split(key, args.evaluation_games))
        begun = begun, jnp.zeros(args.evaluation_games)
        _, result = jax.lax.while_loop(lambda carry: ~carry[0].terminated.all(), step, begun)
        return (1 + result.mean()) / 2

    def train(key):
        network_key, games_key, key = jax.random.split(key, 3)
        entries, columns = env.observation_shape["vector"][0], env.observation_shape["rows"][1]
        weights = make_network(network_key, entries, columns, args.hidden)
        state = jax.vmap(env.init)(jax.random.split(games_key, args.games))
        started = time.perf_counter()

        def report(number, share):
            seconds = time.perf_counter() - started
            done = f"{(number + 1) * updates * batch} decisions, {seconds:.0f} s"
            print(f"{done}: {share:.2f} of the games against {args.opponent}", flush=True)

        def update_and_evaluate(carry, given):
            number, key = given
            update_key, evaluation_key = jax.random.split(key)
            carry, _ = jax.lax.scan(update, carry, jax.random.split(update_key, updates))
            share = evaluate(carry[0][0], evaluation_key)
            jax.debug.callback(report, number, share, ordered=True)
            return carry, share

        given = jnp.arange(args.evaluations), jax.random.split(key, args.evaluations)
        (learner, _), shares = jax.lax.scan(update_and_evaluate, ((weights, optimizer.init(weights)), state), given)
        return learner[0], shares

    return train


def main(args: Args):
    for name, value in vars(args).items():
        least = 0 if name == "seed" else 1
        if type(value) is int and value < least:
            raise SystemExit(f"--{name.replace('_', '-')} must be {least} or more, not {value}")
    batch = args.games * args.rollout
    if batch % args.minibatches:
        raise SystemExit(f"--minibatches must divide {batch}, --games times --rollout, not {args.minibatches}")
    weights, shares = jax.block_until_ready(jax.jit(make_train(args))(jax.random.key(args.seed)))
    if args.save is not None:
        np.savez(args.save, **weights)
    return weights, shares


if __name__ == "__main__":
    main(tyro.cli(Args))
