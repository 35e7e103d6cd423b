#!/usr/bin/env bash
# A good guess: `EpisodeReplayBuffer` of RLlib samples steps, and with `include_extra_model_outputs=True` each of them
# with what the model said at that step, such as the logarithm of its action's probability. The documentation says so.
#
# What happens: it takes observation, action and reward from the sampled step, and the outputs from the first step of
# the whole episode. So a ratio of probabilities, or a policy learned from the logits, mixes two positions. In a test
# with episodes of one step, or of the first step, it is right. With `batch_length_T`, which samples sequences, the
# outputs are those of their steps, and so they are in `PrioritizedEpisodeReplayBuffer`: use one of these.
#
# numpy 2.4.6, gymnasium 1.2.2, ray 2.60.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.2.2 'ray[rllib]==2.60.0'
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import logging

logging.disable(logging.WARNING)

from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.utils.replay_buffers.episode_replay_buffer import EpisodeReplayBuffer
from ray.rllib.utils.replay_buffers.prioritized_episode_buffer import PrioritizedEpisodeReplayBuffer

STEPS, DRAWS = 10, 50


def sample(kind, **options):
    """Return the step of each action that was sampled, and that of its model output."""
    numbers = list(range(STEPS))
    episode = SingleAgentEpisode(
        observations=[*numbers, STEPS],
        actions=numbers,
        rewards=[0.0] * STEPS,
        extra_model_outputs={"action_logp": numbers},
        terminated=True,
        len_lookback_buffer=0,
    )
    buffer = kind(capacity=1000)
    buffer.add(episode)
    episodes = buffer.sample(
        num_items=DRAWS, n_step=1, sample_episodes=True, include_extra_model_outputs=True, **options
    )
    return [(drawn.get_actions(0), drawn.get_extra_model_outputs("action_logp", 0)) for drawn in episodes]


single, prioritized = sample(EpisodeReplayBuffer), sample(PrioritizedEpisodeReplayBuffer)
sequences = sample(EpisodeReplayBuffer, batch_length_T=1)
print("steps of actions and outputs:", single[:4], "prioritized:", prioritized[:4], "sequences:", sequences[:4])
assert len({action for action, _ in single}) > 5 and {output for _, output in single} == {0}
assert all(action == output for action, output in prioritized + sequences)
PYTHON
