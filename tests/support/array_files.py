"""Files of arrays as numpy alone reads them, to be compared and spoilt, and a pickle that shows whether it was read."""

import json

import numpy as np


def read_arrays(path):
    """Return ({name: array}, what is noted about them) of a file."""
    with np.load(path, allow_pickle=False) as file:
        arrays = dict(file)
    return arrays, json.loads(arrays.pop("about").item())


def write_changed(source, path, change):
    """Write to `path` the file `source` as `change(arrays, about)` leaves the two."""
    arrays, about = read_arrays(source)
    change(arrays, about)
    np.savez(path, about=np.array(json.dumps(about)), **arrays)


class Planted:
    """What its pickle does when it is read: it makes a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")
