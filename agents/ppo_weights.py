"""Files of weights of a trained network: what it takes to play, a tenth as large as a checkpoint.

A file is an `.npz` of one float16 array for each part of the network, by its name, and `about`, a text in JSON: the
format, the ruleset, the sizes of the network, and how it was trained.
"""

import json
import pickle
import zipfile

import numpy as np
import torch

from zamek_env.core.ruleset import get_ruleset
from zamek_env.spaces import make_action_space, make_observation_space

from .policy import BoardPolicy

FORMAT = "zamek-ppo/1"
_ABOUT = "about"
UNREADABLE = (  # what loading a file raises that was not written by training
    AssertionError, AttributeError, EOFError, KeyError, OSError, RuntimeError, TypeError, ValueError,
    pickle.UnpicklingError, zipfile.BadZipFile,
)  # fmt: skip


def make_policy(ruleset, width, hidden):
    """Return a network for the ruleset of that name that has learned nothing."""
    rules = get_ruleset(ruleset)
    return BoardPolicy(
        make_observation_space(rules),
        make_action_space(rules),
        lambda _: 0.0,
        features_extractor_kwargs={"ruleset": ruleset, "width": width, "hidden": hidden},
    )


def write_weights(path, policy, ruleset, about):
    """Write the weights of a network for the ruleset of that name, and the dict of what is to be told `about` it."""
    features = policy.features_extractor
    sizes = {"width": features.width, "hidden": features.hidden}
    told = json.dumps({"format": FORMAT, "ruleset": ruleset, **sizes} | about)
    arrays = {name: value.numpy().astype(np.float16) for name, value in read_parts(policy).items()}
    np.savez_compressed(path, **arrays, **{_ABOUT: np.array(told)})


def load_policy(path):
    """Return (the network in the file `path`, what is told about it). Raises `ValueError` where it holds none."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(str(arrays.pop(_ABOUT)))
        if about["format"] != FORMAT:
            raise ValueError(f"the format is not {FORMAT}")
        policy = make_policy(about["ruleset"], about["width"], about["hidden"])
        parts = read_parts(policy)
        if arrays.keys() != parts.keys():
            raise ValueError("its parts are those of another network")
        with torch.no_grad():
            for name, part in parts.items():
                part.copy_(torch.from_numpy(arrays[name]))
    except UNREADABLE as error:
        raise ValueError(f"{path} holds no trained network: {error}") from error
    policy.set_training_mode(False)
    return policy, about


def read_parts(policy):
    """Return {name: tensor} of what a network consists of; what actor and critic share stands there once."""
    shared = ("pi_features_extractor.", "vf_features_extractor.")
    return {name: value for name, value in policy.state_dict().items() if not name.startswith(shared)}
