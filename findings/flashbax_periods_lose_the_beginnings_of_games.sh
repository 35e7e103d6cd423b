#!/usr/bin/env bash
# A good guess: games are padded to four steps each, and added to flashbax's trajectory buffer whole. With
# `sample_sequence_length=4` and `period=4` every sequence that is drawn is one game, as the documentation says that
# such sequences do not overlap.
#
# What happens: it is so until the buffer is full for the first time. From then on sequences are counted from its oldest
# step, and where the buffer's length is no multiple of the period, that is the middle of a game: each sequence is the
# end of one game and the beginning of another, and the newest steps are never drawn. Nothing is said. `max_size` is
# divided by `add_batch_size`, so 100,000 for 32 games at once are 3,125 steps, which few periods divide. A length that
# is a multiple is right.
#
# numpy 2.4.6, jax 0.10.2, flashbax 0.1.3; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 jax==0.10.2 flashbax==0.1.3
"$folder/venv/bin/python" - <<'PYTHON'
import flashbax
import jax
import jax.numpy as jnp

STEPS = 4


def draw(length, games):
    """Return the distinct sequences drawn after games are added, whose steps are numbered 10, 11, 12, 13, 20, ..."""
    buffer = flashbax.make_trajectory_buffer(
        add_batch_size=1,
        sample_batch_size=256,
        sample_sequence_length=STEPS,
        period=STEPS,
        min_length_time_axis=STEPS,
        max_length_time_axis=length,
    )
    state = buffer.init({"step": jnp.int32(0)})
    for game in range(1, games + 1):
        state = buffer.add(state, {"step": 10 * game + jnp.arange(STEPS)[None]})
    sample = buffer.sample(state, jax.random.key(7))
    return sorted(set(map(tuple, sample.experience["step"].tolist())))


before, after, multiple = draw(10, 2), draw(10, 3), draw(12, 4)
print("10 steps, two games:", before, "three games:", after, "12 steps, four games:", multiple)
assert before == [(10, 11, 12, 13), (20, 21, 22, 23)]
assert after == [(12, 13, 20, 21), (22, 23, 30, 31)]
assert multiple == [(20, 21, 22, 23), (30, 31, 32, 33), (40, 41, 42, 43)]
PYTHON
