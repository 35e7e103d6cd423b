"""Models: folders with the weights of one agent, to be loaded by their path and passed on to others.

    weights.npz    the weights, as training wrote them
    model.json     agent, ruleset, how they were made, how strong they are, and the digest of the weights

Both are checked whole. Nothing in them is run, and no pickle is read.
"""

import hashlib
import json
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Self

from zamek_agents.array_file import open_arrays
from zamek_agents.atomic_dir import FolderKind, write_atomic_dir
from zamek_agents.named_ruleset import TrainedFor, read_ruleset
from zamek_agents.plain_file import check_path, read_json
from zamek_agents.shipped import FOLDER, TRAINERS, find_path, list_shipped
from zamek_env.common.checks import check_choice
from zamek_env.common.messages import show
from zamek_env.version import __version__

FORMAT = "zamek-model/1"
WEIGHTS, ABOUT = "weights.npz", "model.json"
MODEL = FolderKind("model", ABOUT)
FORMATS = {  # agent -> formats of its weights
    "value": ("zamek-value/1",),
    "ppo": ("zamek-ppo/5", "zamek-ppo-checkpoint/5", "zamek-cards-ppo/3"),
}
MAX_ABOUT = 2**20  # bytes of model.json
MAX_STRENGTH = 1000  # characters
# Name of the file: digest (sha256), and strength. Measured by `zamek evaluate --agents AGENT greedy`, of games of tiles
# with `--seed 1`, and in docs/value.md and docs/ppo.md: pairs of games on equal deals, with 95 % intervals.
SHIPPED = {
    "ppo-carcassonne": (
        "815dc426d47ca233e3a1e982af40f5bbabb645da5eab011723a5e13b8d5a443e",
        "wins 94.0 % (92 – 96) of 1,000 games against greedy, 68.2 % of 1,000 against value-v1",
    ),
    "ppo-castle-cards": (
        "b7d34c76c9db6858cc21b980c63a3952ea0d3f5ece320b9e677ca836bc0e6dca",
        "wins 92.6 % (91 – 94) of 1,600 games against greedy",
    ),
    "ppo-sokol": (
        "299ae758921678d3e45a686bad914eb3c7144807354d14d6309a5102e131185c",
        "wins 99.0 % (98 – 100) of 1,000 games against greedy, 74.0 % of 1,000 against value-v1",
    ),
    "ppo-zamek": (
        "2d7ec6a003867deb3c39067e091ad27badec26db6d56388185425e0949e01765",
        "wins 98.0 % (96 – 99) of 1,000 games against greedy, 63.0 % of 1,000 against value-v1",
    ),
    "value-carcassonne": (
        "fd6468cabf0758b2f984f6d596f78e21c0b5257f2d62617422f550f3ea54cd3a",
        "wins 95.9 % (94 – 97) of 1,000 games against greedy",
    ),
    "value-carcassonne-3p": (
        "29370dfccd26b8177cebcdcf4e48eb04877d9b4e775e80843e451f7d20cbb569",
        "wins 81.6 % (79 – 84) of 900 games of three against two greedy",
    ),
    "value-carcassonne-demo": (
        "6f0e84bed398f7a2d1a7aae305bd2dd358ac296fe0de114d4f372c2d28d1de93",
        "wins 85.4 % (82 – 88) of 1,000 games against greedy",
    ),
    "value-carcassonne-demo-3p": (
        "8c4bfc8d4100a75351960c876d5367dad8852735c3aef054598d41c85643c67b",
        "wins 66.0 % (65 – 67) of 6,000 games of three against two greedy",
    ),
    "value-carcassonne-no-farmers": (
        "af6754e5e6383a46eee392346e02a866eeb8a2fb7560fc7f023973c25ff392e5",
        "wins 89.8 % (87 – 92) of 1,000 games against greedy",
    ),
    "value-carcassonne-no-farmers-3p": (
        "984b287ea3f7704aa421dc68c8f9008d3635ff8637d1d7a6d9afd373566fa4ea",
        "wins 77.5 % (76 – 79) of 4,500 games of three against two greedy",
    ),
    "value-sokol": (
        "a9a1e4741b9b650f0053bda4e40121c14c5efd412d321c663ca6d8c4fd26dc8f",
        "wins 99.2 % (98 – 100) of 1,000 games against greedy",
    ),
    "value-sokol-gates": (
        "5b76fa8231ee73f1237d66e50a8e17f3b8828b01b27f9c8744be5d44d3ea6f83",
        "wins 99.1 % (98 – 100) of 1,000 games against greedy",
    ),
    "value-zamek": (
        "006a61cb9c8b250790cbfa6b8b5e78fb9c9dcdc2e05ee1e6ef3c9ea7459c9b65",
        "wins 98.8 % (97 – 99) of 1,000 games against greedy",
    ),
}


class Model(NamedTuple):
    """What is known of the weights of an agent."""

    agent: str
    trained_for: TrainedFor
    command: str | None  # that made them
    strength: str | None  # in words
    digest: str  # sha256 of the file of weights
    size: int  # of that file in bytes
    path: Path  # of that file

    def make_entries(self) -> dict[str, Any]:
        """Return what `model.json` holds."""
        components = {} if self.trained_for.components is None else {"components": self.trained_for.components}
        entries = {"format": FORMAT, "engine": f"zamek_env {__version__}", "agent": self.agent}
        entries |= {"ruleset": self.trained_for.ruleset} | components
        return entries | {
            "command": self.command, "strength": self.strength, "sha256": self.digest, "bytes": self.size,
        }  # fmt: skip


class Pretrained:
    """What agents with weights can do beside playing: be saved as a folder, and be made from one."""

    kind: str  # the agent's name without a path
    _path: PathLike[str] | str | None  # of the file of weights; None: those in the package

    def __init__(self, path: PathLike[str] | str | None = None) -> None:
        raise NotImplementedError

    @classmethod
    def from_pretrained(cls, folder: PathLike[str] | str) -> Self:
        """Return the agent that `save_pretrained` wrote into `folder`.

        Raises `ValueError`, naming file and field, where it holds no such model.
        """
        read_model(folder, cls.kind)
        return cls(folder)

    def save_pretrained(
        self,
        folder: PathLike[str] | str,
        ruleset: str | None = None,
        strength: str | None = None,
        overwrite: bool = False,
    ) -> Model:
        """Write the weights and what is known of them into `folder`; return the `Model`.

        `strength` says in words how well it plays. An agent that plays by the weights in the package needs the
        `ruleset` of which to save them. The folder appears whole or not at all; one that holds a model is replaced only
        by `overwrite`. Raises `ValueError` where it may not be replaced, or there are no such weights.
        """
        if self._path is None:
            path = find_path(self.kind, check_choice("ruleset", ruleset, list_shipped(self.kind)))
        else:
            path = Path(self._path)
        model = describe_weights(path, self.kind, strength)
        if ruleset not in (None, model.trained_for.ruleset):
            raise ValueError(f"ruleset must be {model.trained_for.ruleset!r}, as that of the weights, not {ruleset!r}")
        with write_atomic_dir(Path(folder), MODEL, overwrite) as part:
            content = path.read_bytes()
            if hashlib.sha256(content).hexdigest() != model.digest:
                raise ValueError(f"{path} was changed while it was read")
            (part / WEIGHTS).write_bytes(content)
            (part / ABOUT).write_text(json.dumps(model.make_entries(), indent=1) + "\n", encoding="utf-8")
        return model._replace(path=Path(folder) / WEIGHTS)


def describe_weights(path: Path, agent: str, strength: str | None = None) -> Model:
    """Return the `Model` of a file of weights of that `agent`. Raises `ValueError` where it holds none."""
    if strength is not None and (not isinstance(strength, str) or len(strength) > MAX_STRENGTH):
        raise ValueError(f"strength must be a text of at most {MAX_STRENGTH} characters, not {show(strength)}")
    with open_arrays(path, f"weights of the agent {agent!r}", *FORMATS[agent]) as file:
        trained_for, command = read_ruleset(file.about), file.about.get("command")
    content = path.read_bytes()
    command = command if isinstance(command, str) else None
    return Model(agent, trained_for, command, strength, hashlib.sha256(content).hexdigest(), len(content), path)


def read_model(folder: PathLike[str] | str, agent: str | None = None) -> Model:
    """Return the `Model` in `folder`, of that `agent` or of any.

    Raises `ValueError`, naming file and field, where `model.json` cannot be right or the weights are not those that it
    describes.
    """
    path = Path(folder) / ABOUT
    if not path.is_file():
        hint = f"; name {Path(folder) / WEIGHTS} itself" if (Path(folder) / WEIGHTS).is_file() else ""
        raise ValueError(f"{str(folder)!r} holds no model: there is no {ABOUT}{hint}")
    try:
        about = read_json(path, FORMAT, MAX_ABOUT)
        name = check_choice("agent", about.get("agent"), FORMATS if agent is None else (agent,))
        model = describe_weights(Path(folder) / WEIGHTS, name, about.get("strength"))
        for field, due in model.make_entries().items():
            if field != "engine" and about.get(field) != due:
                raise ValueError(f"{field} must be {show(due)}, as that of {WEIGHTS}, not {show(about.get(field))}")
    except (ValueError, OSError, RecursionError) as error:
        raise ValueError(f"{path}: {error}") from error
    return model


def find_weights(path: PathLike[str] | str, agent: str) -> PathLike[str] | str:
    """Return the path of the weights of that `agent` that `path` names: a file, or a folder with a model.

    Raises `ValueError` where it is a folder without such a model, `FileNotFoundError` where there is neither,
    and `TypeError` where `path` is none.
    """
    if Path(check_path(path)).is_dir():
        return read_model(path, agent).path
    if not Path(path).is_file():
        raise FileNotFoundError(f"there is no model {str(path)!r} for the agent {f'{agent}:{path}'!r}")
    return path


# --- those that come with the package ---


def list_models() -> list[Model]:
    """Return the `Model`s that come with the package.

    Raises `ValueError` where a file of weights is damaged, is not the one that came with it, or is missing.
    """
    found = {path.stem: agent for agent in TRAINERS for path in sorted(FOLDER.glob(f"{agent}-*.npz"))}
    if found.keys() != SHIPPED.keys():
        raise ValueError(f"{FOLDER} must hold the weights {', '.join(sorted(SHIPPED))}, not {', '.join(sorted(found))}")
    models = []
    for name, agent in found.items():
        digest, strength = SHIPPED[name]
        model = describe_weights(FOLDER / f"{name}.npz", agent, strength)
        if model.digest != digest:
            raise ValueError(f"{model.path} is not the file that came with the package: its digest is another")
        models.append(model)
    return models
