"""Search with mctx over the real rules, and a network that learns from it in self-play (Gumbel AlphaZero), in one file.

    python examples/jax_gumbel.py
    python examples/jax_gumbel.py --iterations 0    # search with a network that has not learned

- The search knows nothing hidden: it begins at `env.conceal(state, key)`, where all that nobody has seen is dealt anew.
- An action of the search is the number of a row, of which there are fewer than actions: mctx keeps arrays of all.
- A value is by how many points, divided by 100, the player to decide will increase the lead. What follows counts with
  the opposite sign where the other player decides next.
- The last layers begin with zeros. So a network that has not learned expects no points and prefers no action, and the
  search takes what brings points within the few decisions that it looks ahead.
- On the CPU `jax.lax.map` plays one game after another. With `jax.vmap` mctx would copy all trees at every simulation.
"""

import time
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import mctx
import optax
import tyro

import zamek_env.jax

NO_ROW = -1e8  # the logit where there is no row


@dataclass
class Args:
    ruleset: str = "zamek"
    opponent: str = "greedy"  # against which the network is evaluated; or "random"
    seed: int = 1
    simulations: int = 32  # of each search
    considered: int = 16  # actions that a search tries at first
    value_scale: float = 1.0  # how much the values that a search finds count against the network's logits
    iterations: int = 10  # of self-play and learning
    games: int = 8  # of self-play
    rollout: int = 128  # decisions in each game between two updates
    epochs: int = 4
    minibatches: int = 8
    learning_rate: float = 1e-3  # at first; it falls to 0
    trace: float = 0.9  # λ of the values learned: 0 takes what the next search finds, 1 what is gained until the end
    hidden: int = 64  # the width of the network's layers
    evaluation_games: int = 64  # of search in pairs: the same deal with seats changed


# --- the network: a dict of arrays, and functions of it ---


def make_network(key, entries, columns, hidden):
    """Return the weights of all layers; those of the last ones are 0."""
    sizes = {
        "summary": (entries, hidden),
        "summary_2": (hidden, hidden),
        "row": (2 * columns, hidden),
        "judge": (hidden, hidden),
        "value": (2 * hidden, hidden),
    }
    weights = {}
    for (name, (given, found)), layer_key in zip(sizes.items(), jax.random.split(key, len(sizes)), strict=True):
        drawn = jax.random.uniform(layer_key, (given + 1, found), minval=-1, maxval=1) * given**-0.5
        weights |= {name: drawn[1:], f"{name}_bias": drawn[0]}
    for name in ("logit", "value_2"):
        weights |= {name: jnp.zeros((hidden, 1)), f"{name}_bias": jnp.zeros(1)}
    for name in ("summary", "row", "judge"):
        weights |= {f"{name}_scale": jnp.ones(hidden), f"{name}_shift": jnp.zeros(hidden)}
    return weights


def connect(weights, name, given):
    return given @ weights[name] + weights[f"{name}_bias"]


def normalize(weights, name, given):
    """Layer normalization, and ReLU."""
    given = jax.nn.standardize(given, epsilon=1e-5)
    return jax.nn.relu(given * weights[f"{name}_scale"] + weights[f"{name}_shift"])


def score(weights, seen):
    """Return the logits of rows, (rows,), and the value of one observation.

    An observation has room for many more rows than there mostly are. So mostly the first ones are enough.
    """
    most = len(seen["row_actions"])
    few = min(most, 64)
    is_enough = (seen["row_actions"] >= 0).sum() <= few
    return jax.lax.cond(is_enough, partial(score_first, few), partial(score_first, most), weights, seen)


def score_first(count, weights, seen):
    """Return the same, where at most the first `count` rows are there."""
    is_there, row = seen["row_actions"][:count] >= 0, seen["rows"][:count].astype(jnp.float32)
    summary = normalize(weights, "summary", connect(weights, "summary", jnp.log1p(seen["vector"])))
    summary = connect(weights, "summary_2", summary)
    row = jnp.concatenate([row * 0.1, jnp.sign(row) * jnp.log1p(jnp.abs(row))], axis=1)
    judged = normalize(weights, "row", connect(weights, "row", row) + summary)
    judged = normalize(weights, "judge", connect(weights, "judge", judged))
    logits = jnp.where(is_there, connect(weights, "logit", judged)[:, 0], NO_ROW)
    largest = jnp.where(is_there[:, None], judged, 0).max(axis=0)
    value = jax.nn.relu(connect(weights, "value", jnp.concatenate([summary, largest])))
    logits = jnp.pad(logits, (0, len(seen["row_actions"]) - count), constant_values=NO_ROW)
    return logits, connect(weights, "value_2", value)[0]


# --- search ---


def step(env, state, row):
    """Return the game after the action of a row, the reward of who played it, and the sign of what follows."""
    after = env.step(state, state.observation["row_actions"][row])
    sign = jnp.where(after.current_player == state.current_player, 1.0, -1.0)
    return after, after.rewards[state.current_player], jnp.where(after.terminated, 0.0, sign)


def search(env, args, weights, state, key, gumbel_scale):
    """Return what mctx finds for one game, by looking at no more than its players see."""

    def simulate(weights, _, rows, games):
        """Play one row in one game: all arrays of mctx have a first axis, here of 1."""
        after, reward, sign = step(env, *jax.tree.map(lambda part: part[0], (games, rows)))
        logits, value = score(weights, after.observation)
        found = mctx.RecurrentFnOutput(reward=reward, discount=sign, prior_logits=logits, value=value)
        return jax.tree.map(lambda part: part[None], (found, after))

    conceal_key, search_key = jax.random.split(key)
    concealed = env.conceal(state, conceal_key)
    logits, value = score(weights, concealed.observation)
    root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=concealed)
    return mctx.gumbel_muzero_policy(
        weights,
        search_key,
        jax.tree.map(lambda part: part[None], root),
        simulate,
        args.simulations,
        invalid_actions=state.observation["row_actions"][None] < 0,
        # Rewards are compared as they are. Otherwise the smallest difference would count as much as the largest.
        qtransform=partial(mctx.qtransform_completed_by_mix_value, value_scale=args.value_scale, rescale_values=False),
        max_num_considered_actions=args.considered,
        gumbel_scale=gumbel_scale,
    )


def evaluate_network(env, args, weights, key):
    """Return the share of games won by the network's likeliest actions, without search; a draw counts half."""

    def play(key):
        def decide(carry):
            state, result = carry
            after, reward, _ = step(env, state, score(weights, state.observation)[0].argmax())
            return after, result + reward

        begun = env.init(key), jnp.float32(0)
        return jax.lax.while_loop(lambda carry: ~carry[0].terminated, decide, begun)[1]

    return (1 + jax.lax.map(play, jax.random.split(key, args.evaluation_games)).mean()) / 2


def evaluate_search(env, args, weights, key):
    """Return the share of games that search wins against the likeliest actions of its own network."""

    def play(given):
        key, seat = given

        def decide(carry):
            state, lead, key = carry
            search_key, key = jax.random.split(key)
            row = jax.lax.cond(
                state.current_player == seat,
                lambda: search(env, args, weights, state, search_key, 0.0).action[0],
                lambda: score(weights, state.observation)[0].argmax(),
            )
            after, _, _ = step(env, state, row)
            return after, lead + after.rewards[seat], key

        begun = env.init(key), jnp.float32(0), key
        _, lead, _ = jax.lax.while_loop(lambda carry: ~carry[0].terminated, decide, begun)
        return jnp.sign(jnp.round(100 * lead))

    keys = jnp.repeat(jax.random.split(key, args.evaluation_games // 2), 2)
    results = jax.lax.map(play, (keys, jnp.arange(len(keys)) % 2))
    return (1 + results.mean()) / 2


# --- self-play and learning ---


def collect(env, args, weights, states, key):
    """Play on with search in all games; return them, and the decisions (games, rollout)."""

    def play(given):
        def decide(state, key):
            found = search(env, args, weights, state, key, 1.0)
            after, reward, sign = step(env, state, found.action[0])
            value = found.search_tree.summary().value[0]
            decision = {"policy": found.action_weights[0], "reward": reward, "sign": sign, "value": value}
            return after, {"seen": state.observation, **decision}

        state, key = given
        state, decisions = jax.lax.scan(decide, state, jax.random.split(key, args.rollout))
        _, last = score(weights, state.observation)
        return state, decisions | {"wanted": find_returns(args, decisions, last)}

    return jax.lax.map(play, (states, jax.random.split(key, args.games)))


def find_returns(args, decisions, last):
    """Return what was gained after each decision of a game, and from there on in part what search expected."""

    def step_back(later, decision):
        reward, sign, expected = decision
        found = reward + sign * (args.trace * later + (1 - args.trace) * expected)
        return found, found

    expected = jnp.append(decisions["value"][1:], last)
    return jax.lax.scan(step_back, last, (decisions["reward"], decisions["sign"], expected), reverse=True)[1]


def find_loss(weights, chosen):
    logits, values = jax.vmap(partial(score, weights))(chosen["seen"])
    cross_entropy = -(chosen["policy"] * jax.nn.log_softmax(logits)).sum(axis=1)
    return cross_entropy.mean() + jnp.square(values - chosen["wanted"]).mean()


def learn(optimizer, args, learner, decisions, key):
    """Learn from all decisions, in `epochs` passes."""

    def update(learner, number):
        weights, optimizer_state = learner
        gradient = jax.grad(find_loss)(weights, jax.tree.map(lambda values: values[number], decisions))
        change, optimizer_state = optimizer.update(gradient, optimizer_state)
        return (optax.apply_updates(weights, change), optimizer_state), None

    count = args.games * args.rollout
    decisions = jax.tree.map(lambda values: values.reshape(count, *values.shape[2:]), decisions)
    numbers = jax.vmap(jax.random.permutation, (0, None))(jax.random.split(key, args.epochs), count)
    return jax.lax.scan(update, learner, numbers.reshape(args.epochs * args.minibatches, -1))[0]


def train(args: Args):
    for name, value in vars(args).items():
        least = 0 if name in ("seed", "iterations") else 1
        if type(value) is int and value < least:
            raise SystemExit(f"--{name.replace('_', '-')} must be {least} or more, not {value}")
    if args.evaluation_games % 2:
        raise SystemExit(f"--evaluation-games must be an even number from 2 on, not {args.evaluation_games}")
    batch = args.games * args.rollout
    if batch % args.minibatches:
        raise SystemExit(f"--minibatches must divide {batch}, --games times --rollout, not {args.minibatches}")
    make_env = partial(zamek_env.jax.make, args.ruleset, reward="delta")
    endless, env = make_env(auto_reset=True), make_env()
    updates = max(1, args.iterations * args.epochs * args.minibatches)
    optimizer = optax.adam(optax.linear_schedule(args.learning_rate, 0, updates))

    @jax.jit
    def begin(network_key, games_key):
        shape = env.observation_shape
        weights = make_network(network_key, shape["vector"][0], shape["rows"][1], args.hidden)
        return (weights, optimizer.init(weights)), jax.vmap(endless.init)(jax.random.split(games_key, args.games))

    @jax.jit
    def iterate(learner, states, key):
        play_key, learn_key = jax.random.split(key)
        states, decisions = collect(endless, args, learner[0], states, play_key)
        return learn(optimizer, args, learner, decisions, learn_key), states

    network_key, games_key, evaluation_key, key = jax.random.split(jax.random.key(args.seed), 4)
    learner, states = begin(network_key, games_key)
    for number, iteration_key in enumerate(jax.random.split(key, args.iterations), 1):
        started = time.perf_counter()
        learner, states = jax.block_until_ready(iterate(learner, states, iteration_key))
        speed = args.games * args.rollout * args.simulations / (time.perf_counter() - started)
        print(f"iteration {number}: {speed:.0f} simulations a second", flush=True)
    answered = zamek_env.jax.make(args.ruleset, opponent=args.opponent)
    by_network = jax.jit(partial(evaluate_network, answered, args))(learner[0], evaluation_key)
    print(f"the network wins {by_network:.2f} of {args.evaluation_games} games against {args.opponent}", flush=True)
    by_search = jax.jit(partial(evaluate_search, env, args))(learner[0], evaluation_key)
    won = f"{by_search:.2f} of {args.evaluation_games} games against its network"
    print(f"search with {args.simulations} simulations wins {won}")
    return learner[0], by_network, by_search


if __name__ == "__main__":
    train(tyro.cli(Args))
