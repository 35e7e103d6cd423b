#!/usr/bin/env bash
# A good guess: Minari's formats `arrow` and `parquet` hold what `hdf5` holds: each episode is read as it was written.
#
# What happens: pyarrow writes and reads in pieces of at most 32,768 rows, and Minari takes each piece for an episode.
# Of an episode of 40,000 steps a part comes back, as a shorter episode without an end; `iterate_episodes` returns the
# next part of it as the episode after it, and leaves out the last ones. `total_steps` is right, and nothing is raised.
# What is in `info` as an array of one number a step is written, and cannot be read: ValueError; a list of numbers can.
# Use `hdf5`, or cut long episodes yourself.
#
# numpy 2.4.6, gymnasium 1.4.0, minari 0.5.4, pyarrow 26.0.1, pillow 13.0.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.4.0 'minari[hdf5]==0.5.4' pyarrow==26.0.1 pillow==13.0.0
MINARI_DATASETS_PATH="$folder" "$folder/venv/bin/python" -W ignore::UserWarning - <<'PYTHON'
import gymnasium
import minari
import numpy as np
from minari.data_collector import EpisodeBuffer


def write(name, data_format, lengths, infos=None):
    buffers = [
        EpisodeBuffer(
            observations=np.zeros((length + 1, 1), np.float32),
            actions=[0] * length,
            rewards=[0.0] * length,
            terminations=[False] * (length - 1) + [True],
            truncations=[False] * length,
            infos=infos,
        )
        for length in lengths
    ]
    return minari.create_dataset_from_buffers(
        f"games/{name}{data_format}-v0",
        buffers,
        data_format=data_format,
        observation_space=gymnasium.spaces.Box(0, 9, (1,), np.float32),
        action_space=gymnasium.spaces.Discrete(2),
        algorithm_name="-", author="-", author_email="-", code_permalink="-", description="-",
    )


def measure(data):
    return [len(episode) for episode in data.iterate_episodes()], len(data[0]), int(data.total_steps)


seen = {kind: measure(write("long", kind, (40_000, 5))) for kind in ("hdf5", "arrow", "parquet")}
print("two episodes of 40,000 and 5 steps: iterated over, the first by itself, and in all:", seen)
assert seen["hdf5"] == ([40_000, 5], 40_000, 40_005)
for kind in ("arrow", "parquet"):
    iterated, first, total = seen[kind]
    assert len(iterated) == 2 and max(*iterated, first) < 32_768 and 5 not in iterated and total == 40_005
players, told = np.array([0, 1, 0]), {}
for kind in ("hdf5", "arrow", "parquet"):
    data = write("info", kind, (2,), {"player": players})
    try:
        told[kind] = data[0].infos["player"].tolist()
    except ValueError as error:
        told[kind] = type(error).__name__
print("one number a step in info:", told)
assert told == {"hdf5": [0, 1, 0], "arrow": "ValueError", "parquet": "ValueError"}
assert write("list", "arrow", (2,), {"player": players.tolist()})[0].infos["player"].tolist() == [0, 1, 0]
PYTHON
