#!/usr/bin/env bash
# A good guess: the value targets of MuZero in LightZero, for board games in `self_play_mode`, are those of the player
# to move: in a game of five moves that the first player wins they are 1, -1, 1, -1, 1, wherever a sample begins.
#
# What happens: it is so where a sample begins at an even move. Where it begins at an odd one, results have the wrong
# sign in all of its targets: rewards are counted from the beginning of the sample, and who gains them is read from the
# beginning of the game. So a position before a loss has 1 where a sample begins there, and -1 where one begins earlier,
# and the value network is taught both. Nothing is said. Where `to_play` is -1, as against a bot that is part of the
# environment, nothing changes sign; `battle_mode="play_with_bot_mode"` is right. The buffers of EfficientZero and of
# the sampled variants have the same lines.
#
# numpy 1.26.4, torch 2.13.0, DI-engine 0.5.3, lightzero 0.2.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==1.26.4 torch==2.13.0 DI-treetensor==0.5.0 DI-toolkit==0.3.0 easydict==1.14 enum-tools==0.13.0 \
  tabulate==0.10.0 tensorboardX==2.6.5 URLObject==3.0.0 graphviz==0.21 flask==3.1.3 cloudpickle==3.1.3 PyYAML==6.0.3 \
  requests==2.34.2 tqdm==4.70.1 scipy==1.17.1 matplotlib==3.10.7 pandas==2.3.3 gymnasium==0.28.0 \
  setuptools==80.9.0 wheel==0.45.1
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --no-build-isolation \
  gym==0.25.1 gym-notices==0.1.0 DI-engine==0.5.3 lightzero==0.2.0
(cd "$folder" && "$folder/venv/bin/python" -W ignore) 2>"$folder/log" <<'PYTHON' || { cat "$folder/log"; exit 1; }
from types import SimpleNamespace

import numpy as np
from easydict import EasyDict
from lzero.mcts.buffer.game_buffer_muzero import MuZeroGameBuffer
from lzero.mcts.buffer.game_segment import GameSegment

MOVES, UNROLLED = 5, 1
SETTINGS = EasyDict(
    env_type="board_games",
    action_type="varied_action_space",
    num_unroll_steps=UNROLLED,
    td_steps=2 * MOVES,
    discount_factor=1.0,
    replay_buffer_size=100,
    batch_size=1,
    priority_prob_alpha=0.6,
    priority_prob_beta=0.4,
    device="cpu",
    model={"model_type": "mlp", "observation_shape": 1, "action_space_size": 2, "frame_stack_num": 1},
) | dict.fromkeys(
    ("gray_scale", "transform2string", "sampled_algo", "gumbel_algo", "use_ture_chance_label_in_chance_encoder"), False
)
SETTINGS = EasyDict(SETTINGS)


class Zero:
    training = True

    def initial_inference(self, positions):
        return SimpleNamespace(value=np.zeros((len(positions), 1)))


def compute(players):
    """Return the targets of each move of a game that its last move wins, where a sample begins there and one before."""
    seen = np.zeros(1, np.float32)
    game = GameSegment(None, game_segment_length=2 * MOVES, config=SETTINGS)
    game.reset([seen])
    for move, player in enumerate(players):
        game.append(0, seen, float(move == MOVES - 1), np.ones(2, np.int8), player, move)
        game.store_search_stats([1, 1], 0.0)
    game.game_segment_to_array()
    buffer = MuZeroGameBuffer(SETTINGS)
    contexts = [buffer._prepare_reward_value_context([0], [game], [move], MOVES) for move in range(MOVES)]
    targets = [buffer._compute_target_reward_value(context, Zero())[1][0].tolist() for context in contexts]
    return [begun for begun, _ in targets], [unrolled for _, unrolled in targets[:-1]]


begun, unrolled = compute([1, 2, 1, 2, 1])
print("values of five moves where a sample begins with them:", begun, "of the last four, one move later:", unrolled)
assert begun == [1, 1, 1, 1, 1]
assert unrolled == [-1, -1, -1, -1]
assert compute([-1] * MOVES) == ([1] * 5, [1] * 4)
PYTHON
