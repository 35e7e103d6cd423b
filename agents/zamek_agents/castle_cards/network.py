"""The network of `ppo` for Castle, the card game, and its files.

NETWORK DESCRIPTION
    features ──▶ context ─┬────────────────────────────────────────────┐
                          ▼                                            ▼
    each row ──▶ (the same weights for each) ──▶ + trust * liked ──▶ the logit of its action
    features ──▶ (weights of its own) ──▶ value

`features` describe what is known of the position, a row describes a legal action as in an observation
(`zamek_env.castle_cards.layout.rows`), `liked` is by how much `greedy` likes each action less than the best. A new
network plays like `greedy`: it learns what greedy play gets wrong. Each path has one hidden layer. `value` is the
result that is expected, from -1 to 1; only learning asks for it.

All features are numbers from 0 to about 1, known to the player who decides.

FEATURE DESCRIPTION
    one      always 1
    turn …   whose turn it is, and how far it has come
    hand_0   cards left, by player: 0 decides, 1 is the other; likewise `deck_0`, `near_0` …
    near_0   cards of his on the board that could be taken back, by where they lie: in the castle and slots, or outside
    few_0_n  whether he has at most n cards left
    towers … spaces that are free
    hand, exchange, known: cards by name, as shares of those that there are; `known` are known to be in the other's hand

DECISION DESCRIPTION
    context, `(NUM_FEATURES,)`, and the entries of its rows that are not 0: entry `i` of `columns` and `entries` belongs
    to row `r` where `starts[r] <= i < starts[r + 1]`
"""

from collections.abc import Mapping
from os import PathLike
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zamek_agents.array_file import open_arrays, read_number, write_arrays
from zamek_agents.castle_cards.gains import LEADING, OWN, count_left
from zamek_env.castle_cards.components.box import COPIES, DECK_SIZES, HAND_SIZES, NUM_KINDS
from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.layout.board import COURT, SLOTS, TOWERS
from zamek_env.castle_cards.layout.rows import find_row_layout
from zamek_env.compiler.bits import as_index, count_word
from zamek_env.compiler.jit import kernel
from zamek_env.components.box_folder import CASTLE_CARDS

PLAYERS = 2
FEW = (1, 2, 4)
FEATURES = (
    "one", "turn", "actions_left", "is_first", "towers", "court", "slots",
    *(f"{what}_{player}" for player in range(PLAYERS) for what in ("hand", "deck", "near", "far")),
    *(f"few_{player}_{count}" for player in range(PLAYERS) for count in FEW),
    *(f"{where} {name}" for name in NAMES for where in ("hand", "exchange", "known")),
)  # fmt: skip
NUM_FEATURES = len(FEATURES)
_FIRST_OF_PLAYER, _FIRST_FEW, _FIRST_CARD = 7, 15, 21
_HAND, _DECK = float(HAND_SIZES[PLAYERS]), float(DECK_SIZES[PLAYERS])
_BOARD = 10.0  # cards on the board that are shown as 1
_COPIES = np.array(COPIES, np.float64)
_FEW = np.array(FEW, np.int64)
FORMAT = "zamek-cards-ppo/3"
TRUST = 6.0  # an action worth 1 less to `greedy` than the best is e**6 times less probable to a new network
HIDDEN = 64
MOST = 1e4  # no number of a network is larger
COLUMNS = find_row_layout(PLAYERS)
NUM_COLUMNS = len(COLUMNS)
_USUAL_FEATURES, _USUAL_COLUMNS = 30, 20  # how many inputs are usually not 0
LEAST_CHANCE = 1e-8
_CLIP = 0.2  # how much a probability may change before an action is learned from no more
_MOST_GROWTH = 20.0  # of a probability


@kernel
def write_features(s, seen, out):
    """Write into `out`, `(NUM_FEATURES,)`, the features of the decision in `s`; `seen` is the survey of who decides."""
    player, free = np.int64(s.decider), ~np.int64(s.occupied)
    out[0] = 1.0
    out[1] = 1.0 if s.turn == player else 0.0
    out[2] = s.actions_left / 2.0
    out[3] = np.float64(s.is_first)
    out[4] = count_word(TOWERS & free) / 4.0
    out[5] = count_word(COURT & free) / 16.0
    out[6] = count_word(SLOTS & free) / 4.0
    _write_players(s, seen, player, out)
    at = _FIRST_CARD
    for kind in range(NUM_KINDS):
        out[at] = s.hand[player, kind] / _COPIES[kind]
        out[at + 1] = s.exchange[kind] / _COPIES[kind]
        out[at + 2] = s.known[player, 1 - player, kind] / _COPIES[kind]
        at += 3


@kernel
def _write_players(s, seen, player, out):
    for number in range(PLAYERS):
        who, owner = (player, OWN) if number == 0 else (1 - player, LEADING)
        at = _FIRST_OF_PLAYER + 4 * number
        out[at] = s.hand_size[who] / _HAND
        out[at + 1] = s.deck_size[who] / _DECK
        out[at + 2] = count_word(np.int64(seen.near[owner])) / _BOARD
        out[at + 3] = count_word(np.int64(seen.far[owner])) / _BOARD
        for row in range(_FEW.size):
            is_few = count_left(s, who) <= _FEW[row]
            out[_FIRST_FEW + _FEW.size * number + row] = 1.0 if is_few else 0.0


class Weights(NamedTuple):
    """The numbers of a network, float32."""

    context: npt.NDArray[np.float32]  # (NUM_FEATURES, HIDDEN)
    rows: npt.NDArray[np.float32]  # (NUM_COLUMNS, HIDDEN)
    bias: npt.NDArray[np.float32]  # (HIDDEN,)
    logit: npt.NDArray[np.float32]  # (HIDDEN,)
    value_context: npt.NDArray[np.float32]  # (NUM_FEATURES, HIDDEN)
    value_bias: npt.NDArray[np.float32]  # (HIDDEN,)
    value: npt.NDArray[np.float32]  # (HIDDEN + 1,), the last one is added


SHAPES = {
    "context": (NUM_FEATURES, HIDDEN), "rows": (NUM_COLUMNS, HIDDEN), "bias": (HIDDEN,), "logit": (HIDDEN,),
    "value_context": (NUM_FEATURES, HIDDEN), "value_bias": (HIDDEN,), "value": (HIDDEN + 1,),
}  # fmt: skip


def make_weights(seed: int) -> Weights:
    """Return a new network; its hidden layers are random, with output weights of 0."""
    rng = np.random.default_rng(seed)
    weights = Weights(**{name: np.zeros(shape, np.float32) for name, shape in SHAPES.items()})
    weights.context[:] = rng.normal(0, _USUAL_FEATURES**-0.5, SHAPES["context"])
    weights.rows[:] = rng.normal(0, _USUAL_COLUMNS**-0.5, SHAPES["rows"])
    weights.value_context[:] = rng.normal(0, _USUAL_FEATURES**-0.5, SHAPES["value_context"])
    return weights


def write_network(file: PathLike[str] | str | IO[bytes], weights: Weights, about: Any) -> None:
    """Write a network to a path or an open binary file, with what is noted `about` it; half precision is enough."""
    write_arrays(
        file, describe(FORMAT) | about, {name: array.astype(np.float16) for name, array in weights._asdict().items()}
    )


def describe(file_format: str) -> dict[str, Any]:
    """Return the metadata of a network for a file of that format."""
    shown = {"features": list(FEATURES), "columns": list(COLUMNS.names)}
    return {"format": file_format, "ruleset": CASTLE_CARDS, "players": PLAYERS, "trust": TRUST} | shown


def check_shown(about: Mapping[str, Any]) -> None:
    """Raise `ValueError` where a file is of a network with other inputs, or for more players."""
    read_number(about, "players", PLAYERS, PLAYERS, whole=True)
    read_number(about, "trust", TRUST, TRUST)
    for name, due in describe(FORMAT).items():
        if name in ("features", "columns") and about.get(name) != due:
            raise ValueError(f"its {name} are others than those of this version")


def holds_network(path: PathLike[str] | str) -> bool:
    """Return whether a file claims to hold a network for castle-cards."""
    try:
        with open_arrays(path, "network for castle-cards", FORMAT):
            return True
    except ValueError:
        return False


def read_network(path: PathLike[str] | str) -> Weights:
    """Return the network that a file holds. Raises `ValueError` where it holds none."""
    with open_arrays(path, "network for castle-cards", FORMAT) as arrays:
        check_shown(arrays.about)
        found = {name: arrays.read(name, np.float16, shape, -MOST, MOST) for name, shape in SHAPES.items()}
    return Weights(**{name: array.astype(np.float32) for name, array in found.items()})


# --- its output for a decision, and its gradients ---


@kernel
def hear(layer, bias, inputs, hidden):
    """Write the output of a layer for its `inputs` into `hidden`, float32 `(HIDDEN,)`, before the activation."""
    for unit in range(HIDDEN):
        hidden[unit] = bias[unit]
    for number in range(inputs.size):
        if inputs[number] != 0:
            for unit in range(HIDDEN):
                hidden[unit] += inputs[number] * layer[number, unit]


@kernel
def judge_rows(weights, context, starts, columns, entries, count, hidden, logits):
    """Write the hidden layer of each of `count` rows into `hidden`, `(rows, HIDDEN)`, and add to the `logits`."""
    shared = np.empty(HIDDEN, np.float32)
    hear(weights.context, weights.bias, context, shared)
    for number in range(count):
        units = hidden[number]
        for unit in range(HIDDEN):
            units[unit] = shared[unit]
        for place in range(starts[number], starts[number + 1]):
            column = as_index(columns[place])
            for unit in range(HIDDEN):
                units[unit] += entries[place] * weights.rows[column, unit]
        total = np.float32(0)
        for unit in range(HIDDEN):
            total += max(units[unit], np.float32(0)) * weights.logit[unit]
        logits[number] += total


@kernel
def find_value(weights, context, hidden):
    """Return the expected result; writes its hidden layer into `hidden`, `(HIDDEN,)`."""
    hear(weights.value_context, weights.value_bias, context, hidden)
    total = weights.value[HIDDEN]
    for unit in range(HIDDEN):
        total += max(hidden[unit], np.float32(0)) * weights.value[unit]
    return total


@kernel
def make_chances(logits, count):
    """Replace the first `count` logits by their softmax."""
    best, total = logits[0], np.float32(0)
    for number in range(count):
        best = max(best, logits[number])
    for number in range(count):
        logits[number] = np.exp(logits[number] - best)
        total += logits[number]
    for number in range(count):
        logits[number] /= total


@kernel
def add_policy_gradient(weights, gradient, context, starts, columns, entries, hidden, growth, count):
    """Add the gradient for logits that grow by `growth` to `gradient`; overwrites `hidden` of `judge_rows`."""
    shared = np.zeros(HIDDEN, np.float32)
    for number in range(count):
        units = hidden[number]
        for unit in range(HIDDEN):
            if units[unit] > 0:
                gradient.logit[unit] += growth[number] * units[unit]
                units[unit] = growth[number] * weights.logit[unit]
                shared[unit] += units[unit]
            else:
                units[unit] = 0
        for place in range(starts[number], starts[number + 1]):
            column = as_index(columns[place])
            for unit in range(HIDDEN):
                gradient.rows[column, unit] += entries[place] * units[unit]
    _add_layer(gradient.context, gradient.bias, context, shared)


@kernel
def add_value_gradient(weights, gradient, context, hidden, error):
    """Add the gradient for a value that grows by `error` to `gradient`; overwrites `hidden` of `find_value`."""
    gradient.value[HIDDEN] += error
    for unit in range(HIDDEN):
        if hidden[unit] > 0:
            gradient.value[unit] += error * hidden[unit]
            hidden[unit] = error * weights.value[unit]
        else:
            hidden[unit] = 0
    _add_layer(gradient.value_context, gradient.value_bias, context, hidden)


@kernel
def _add_layer(layer, bias, inputs, growth):
    for unit in range(HIDDEN):
        bias[unit] += growth[unit]
    for number in range(inputs.size):
        if inputs[number] != 0:
            for unit in range(HIDDEN):
                layer[number, unit] += inputs[number] * growth[unit]


@kernel
def write_growth(chances, count, chosen, before, advantage, entropy, growth):
    """Write into `growth` by how much each logit should grow: PPO's clipped gradient, and that of the entropy.

    `before` is the probability of the action when it was `chosen`.
    """
    ratio = min(max(chances[chosen], np.float32(LEAST_CHANCE)) / before, np.float32(_MOST_GROWTH))
    is_clipped = ratio > 1 + _CLIP if advantage > 0 else ratio < 1 - _CLIP
    push = np.float32(0) if is_clipped else np.float32(advantage * ratio)
    disorder = np.float32(0)
    for number in range(count):
        chance = max(chances[number], np.float32(LEAST_CHANCE))
        disorder -= chance * np.log(chance)
    for number in range(count):
        chance = max(chances[number], np.float32(LEAST_CHANCE))
        growth[number] = push * ((1 if number == chosen else 0) - chance)
        growth[number] -= entropy * chance * (np.log(chance) + disorder)
