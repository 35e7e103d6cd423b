"""Files of weights: the learned numbers of one ruleset, and where they come from.

A file is an `.npz` of two arrays: `weights`, float32, one for each feature, and `about`, a text in JSON: the format,
the ruleset, and the command, arguments, games and seconds that made them.
"""

import json
import zipfile
from functools import cache

import numpy as np

from .value_survey import count_fit_words, count_patterns, write_fits
from .value_tables import LEAD, TABLES, find_start

FORMAT = "zamek-value/1"
_UNREADABLE = (OSError, EOFError, KeyError, TypeError, ValueError, zipfile.BadZipFile)


def new_weights(ruleset):
    """Return weights for a `Ruleset` that know nothing: all 0, but for the points ahead and the tiles that fit."""
    return _find_first_weights(ruleset).copy()


@cache
def _find_first_weights(ruleset):
    t, s = ruleset.tables[0], ruleset.new_states(1)[0]
    features = int(find_start(t, TABLES))
    weights = np.zeros(features + int(count_patterns(s)) * int(count_fit_words(t)), np.float32)
    weights[LEAD] = 1
    write_fits(t, s, weights[features:])
    return weights


def load_weights(path, ruleset):
    """Return the weights in the file `path` as `evaluate_learned` takes them.

    Raises `ValueError` where it holds none, or those of another ruleset.
    """
    learned, about = read_file(path)
    if about["ruleset"] != ruleset.name:
        raise ValueError(f"{path} was trained for the ruleset {about['ruleset']!r}, not for {ruleset.name!r}")
    weights = new_weights(ruleset)
    features = int(find_start(ruleset.tables[0], TABLES))
    if learned.shape != (features,):
        raise ValueError(
            f"{path} holds {learned.size} weights where the ruleset {ruleset.name!r} has {features} features"
        )
    weights[:features] = learned
    return weights


def read_file(path):
    """Return (weights, what is told about them) of a file. Raises `ValueError` where it is no such file."""
    try:
        with np.load(path, allow_pickle=False) as file:
            learned, about = file["weights"], json.loads(str(file["about"]))
        if about["format"] != FORMAT or learned.dtype != np.float32 or not np.isfinite(learned).all():
            raise ValueError(f"the format is not {FORMAT}")
    except _UNREADABLE as error:
        raise ValueError(f"{path} holds no weights of a learned evaluation: {error}") from error
    return learned, about


def write_file(path, weights, ruleset, about):
    """Write the learned part of the `weights` for a `Ruleset`, and the dict of what is to be told `about` them."""
    features = int(find_start(ruleset.tables[0], TABLES))
    told = json.dumps({"format": FORMAT, "ruleset": ruleset.name} | about)
    np.savez_compressed(path, weights=np.asarray(weights[:features], np.float32), about=np.array(told))
