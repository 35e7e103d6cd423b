#!/usr/bin/env bash
# A good guess: a Zarr array of games that is shrunk by `resize`, of zarr or of TensorStore, has lost the
# rows behind its new end: if it grows again they hold the fill value, as in HDF5.
#
# What happens: rows in the last chunk stay in the file, and come back. Of ten numbers in chunks of four, shrunk to six
# and grown to ten, the seventh and the eighth are the old ones, and only the ninth and the tenth are 0. So old games
# stand where new ones were not written yet. zarr and TensorStore do so alike; h5py clears them. In TensorStore an array
# that was opened before still says that it has ten rows, and reads six. Write zeros before you shrink.
#
# numpy 2.4.6, h5py 3.16.0, zarr 3.1.6, tensorstore 0.1.86; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 h5py==3.16.0 zarr==3.1.6 tensorstore==0.1.86
"$folder/venv/bin/python" -W ignore - "$folder" <<'PYTHON'
import sys

import h5py
import numpy as np
import tensorstore
import zarr

ROWS, CHUNK, SHRUNK = 10, 4, 6
numbers = np.arange(1, ROWS + 1, dtype=np.uint8)
metadata = {"shape": [ROWS], "chunks": [CHUNK], "dtype": "|u1", "fill_value": 0}
store = {"driver": "file", "path": sys.argv[1] + "/tensorstore"}
opened = tensorstore.open({"driver": "zarr", "kvstore": store, "metadata": metadata}, create=True).result()
opened[...] = numbers
shrunk = opened.resize(exclusive_max=[SHRUNK]).result()
shape, read = opened.shape, opened.read().result().shape
grown = shrunk.resize(exclusive_max=[ROWS]).result().read().result().tolist()

of_zarr = zarr.create_array(sys.argv[1] + "/zarr", shape=ROWS, chunks=CHUNK, dtype=np.uint8)
of_zarr[:] = numbers
with h5py.File(sys.argv[1] + "/rows.h5", "w") as file:
    of_hdf5 = file.create_dataset("rows", data=numbers, chunks=(CHUNK,), maxshape=(None,))
    for rows in (of_zarr, of_hdf5):
        rows.resize((SHRUNK,))
        rows.resize((ROWS,))
    others = of_zarr[:].tolist(), of_hdf5[:].tolist()
seen = {"tensorstore": grown, "zarr": others[0], "h5py": others[1]}
print("1 to 10, shrunk to 6 and grown:", seen, "opened before:", shape, "read:", read)
assert seen["tensorstore"] == seen["zarr"] == [1, 2, 3, 4, 5, 6, 7, 8, 0, 0]
assert seen["h5py"] == [1, 2, 3, 4, 5, 6, 0, 0, 0, 0] and shape == (ROWS,) and read == (SHRUNK,)
PYTHON
