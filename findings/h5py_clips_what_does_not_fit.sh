#!/usr/bin/env bash
# A good guess: a number that does not fit the dtype of an HDF5 dataset is refused or wraps, as in numpy; and
# `dataset.astype(np.uint8)[:]` returns what `dataset[:].astype(np.uint8)` does.
#
# What happens: a Python number is refused, an array is clipped, without a word: -1 is stored in uint8 as 0, and 300 as
# 255. Reading clips too, by `astype`, by `np.asarray(dataset, np.uint8)` and into an array by `read_direct`: an owner
# of -1, nobody, is read as player 0. Hashes in uint64 that are read as int64 are all 2**63-1 from there on, so
# different positions become one. Read first, then convert.
#
# numpy 2.4.6, h5py 3.16.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 h5py==3.16.0
"$folder/venv/bin/python" - <<'PYTHON'
import h5py
import numpy as np

OWNERS = np.array([-1, 0, 1], np.int8)
HASHES = np.array([2**63 + 5, 2**64 - 1], np.uint64)
with h5py.File("memory", "w", driver="core", backing_store=False) as file:
    owners = file.create_dataset("owners", data=OWNERS)
    hashes = file.create_dataset("hashes", data=HASHES)
    written = file.create_dataset("written", (3,), np.uint8)
    written[:] = np.array([-1, 300, 7])
    stored = written[:].tolist()
    as_bytes = owners.astype(np.uint8)[:].tolist()
    assert np.asarray(owners, np.uint8).tolist() == as_bytes
    room = np.zeros(3, np.uint8)
    owners.read_direct(room)
    assert room.tolist() == as_bytes
    wrapped = owners[:].astype(np.uint8).tolist()
    merged = hashes.astype(np.int64)[:].tolist()
    try:
        written[0] = 300
        refused = False
    except OverflowError:
        refused = True
print(f"-1, 300, 7 stored as uint8: {stored}; -1, 0, 1 read as uint8: {as_bytes}, by numpy: {wrapped};", end=" ")
print(f"two hashes read as int64: {merged}")
assert stored == [0, 255, 7] and as_bytes == [0, 0, 1] and wrapped == [255, 0, 1] and refused
assert merged == [2**63 - 1] * 2 and len(set(HASHES.astype(np.int64).tolist())) == 2
PYTHON
