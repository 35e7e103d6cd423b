#!/usr/bin/env bash
# A good guess: after `filter_episodes` only the episodes that were kept can be read, and `kept.iterate_episodes([0,
# 1])` are `kept[0]` and `kept[1]`.
#
# What happens: `kept[0]` is the first episode that was kept, but `iterate_episodes` takes ids of the whole dataset
# and does not look at the filter, so it returns episodes that were left out, such as those held back for testing.
# Pass `kept.episode_indices[...]`, or use `kept[i]`.
#
# numpy 2.4.6, gymnasium 1.4.0, minari 0.5.4, pillow 13.0.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.4.0 'minari[hdf5]==0.5.4' pillow==13.0.0
MINARI_DATASETS_PATH="$folder" "$folder/venv/bin/python" -W ignore::UserWarning - <<'PYTHON'
import gymnasium
import minari
import numpy as np
from minari.data_collector import EpisodeBuffer

buffers = [
    EpisodeBuffer(
        observations=[np.full(1, number, np.float32)] * 3,
        actions=[0, 0],
        rewards=[0.0, 1.0],
        terminations=[False, True],
        truncations=[False, False],
    )
    for number in range(6)
]
data = minari.create_dataset_from_buffers(
    "games/all-v0",
    buffers,
    observation_space=gymnasium.spaces.Box(0, 9, (1,), np.float32),
    action_space=gymnasium.spaces.Discrete(2),
    algorithm_name="-", author="-", author_email="-", code_permalink="-", description="-",
)
kept = data.filter_episodes(lambda episode: episode.id % 2 == 1)
by_place = [int(kept[place].id) for place in range(2)]
iterated = [int(episode.id) for episode in kept.iterate_episodes([0, 1])]
print("odd episodes were kept; by place:", by_place, "iterated over:", iterated)
assert by_place == [1, 3] and iterated == [0, 1] and len(kept) == 3
assert [int(episode.id) for episode in kept.iterate_episodes(kept.episode_indices[:2])] == [1, 3]
PYTHON
