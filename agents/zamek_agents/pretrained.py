"""Models: folders with the weights of one agent, to load by their path and to share.

    weights.npz    the weights, as training wrote them
    model.json     agent, ruleset, how they were made, how strong they are, and the digest of the weights

Both are checked completely. Nothing in them is run, and no pickle is read.

Those that come with the package are `weights/AGENT-RULESET.npz`. Those of the agent `value` are for any house rules.
Some rulesets have others for three or more players, `weights/AGENT-RULESET-3p.npz`.
"""

import hashlib
import json
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Self

from zamek_agents.array_file import open_arrays
from zamek_agents.atomic_dir import FolderKind, write_atomic_dir
from zamek_agents.named_ruleset import TrainedFor, make_base_entries, read_ruleset
from zamek_agents.plain_file import check_path, read_json
from zamek_env.common.checks import check_choice
from zamek_env.common.messages import show
from zamek_env.components.box_folder import RULESETS
from zamek_env.ruleset import Ruleset
from zamek_env.version import __version__

FOLDER = Path(__file__).parent / "weights"
TRAINERS = {"value": "zamek train-value", "ppo": "zamek train"}  # by agent
FOR_MORE = "-3p"  # the end of the stem of files for more than two players
FORMAT = "zamek-model/1"
WEIGHTS, ABOUT = "weights.npz", "model.json"
MODEL = FolderKind("model", ABOUT, (WEIGHTS,))
FORMATS = {  # agent -> formats of its weights
    "value": ("zamek-value/1",),
    "ppo": ("zamek-ppo/5", "zamek-ppo-checkpoint/5", "zamek-cards-ppo/3"),
}
MAX_ABOUT = 2**20  # bytes of model.json
MAX_STRENGTH = 1000  # characters
# Bounds of numbers that describe a training of `ppo`, in arguments and in files.
MAX_COUNT = 10**12
MAX_PAST = 1000  # selves
MAX_SIZE = 1024  # of `width` and `hidden`: both at most make a network of 23 MB
# Name of the file: digest, and strength. Measured by `zamek evaluate --agents AGENT greedy`, of games of tiles with
# `--seed 1`, and in docs/value.md and docs/ppo.md: pairs of games on equal deals, with 95 % intervals.
SHIPPED: dict[str, dict[str, str]] = json.loads((FOLDER / "shipped.json").read_text(encoding="utf-8"))


def list_shipped(agent: str) -> list[str]:
    """Return the names of the rulesets for which weights of that `agent`, by name, are shipped."""
    stems = (found.stem.removeprefix(f"{agent}-") for found in FOLDER.glob(f"{agent}-*.npz"))
    return sorted(stem for stem in stems if not stem.endswith(FOR_MORE))


def is_shipped(agent: str, ruleset: Ruleset) -> bool:
    """Return whether weights of that `agent`, by name, are shipped for a `Ruleset`: only packaged ones have any.

    Those of `value` are shipped for a ruleset of any number of players and any house rules, if its base has some.
    """
    return _find(agent, ruleset) is not None


def list_weights(ruleset: Ruleset) -> dict[str, Path]:
    """Return {agent: path} of all weights that are shipped for a `Ruleset`."""
    return {agent: path for agent in TRAINERS if (path := _find(agent, ruleset)) is not None}


def find_path(agent: str, ruleset_name: str) -> Path:
    """Return the path for weights of that agent for that ruleset, both by name, whether they exist or not."""
    return FOLDER / f"{agent}-{ruleset_name}.npz"


def _find(agent, ruleset):
    """Return the path of the weights that are shipped for a `Ruleset`, None where there are none."""
    if agent != "value":
        return find_path(agent, ruleset.name) if ruleset.is_packaged and ruleset.name in list_shipped(agent) else None
    base = make_base_entries(ruleset)
    if "components" in base or base["ruleset"] not in list_shipped(agent):
        return None
    for_more = find_path(agent, base["ruleset"] + FOR_MORE)
    return for_more if ruleset.players > 2 and for_more.is_file() else find_path(agent, base["ruleset"])


def find_shipped(agent: str, ruleset: Ruleset) -> Path:
    """Return the path of the weights of that `agent`, by name, for a `Ruleset`.

    Raises `ValueError` where there are none.
    """
    path = _find(agent, ruleset)
    if path is None:
        known = ", ".join(name for name in list_shipped(agent) if name in RULESETS)
        own, options = ("", "") if ruleset.is_packaged else (" on components of your own", "--components COMPONENTS ")
        raise ValueError(
            f"no weights of the agent {agent!r} are shipped for the ruleset {ruleset.name!r}{own}, only for {known}; "
            f"learn some by `{TRAINERS[agent]} {options}--ruleset {ruleset.name} --out FOLDER` and name them by "
            f"{agent}:FOLDER/weights.npz"
        )
    return path


class Model(NamedTuple):
    """Metadata of the weights of an agent."""

    agent: str
    trained_for: TrainedFor
    command: str | None  # that made them
    strength: str | None  # in words
    digest: str  # sha256 of the file of weights
    size: int  # of that file in bytes
    path: Path  # of that file

    def make_entries(self) -> dict[str, Any]:
        """Return the entries of `model.json`."""
        components = {} if self.trained_for.components is None else {"components": self.trained_for.components}
        entries = {"format": FORMAT, "engine": f"zamek_env {__version__}", "agent": self.agent}
        entries |= {"ruleset": self.trained_for.ruleset} | components
        return entries | {
            "command": self.command, "strength": self.strength, "sha256": self.digest, "bytes": self.size,
        }  # fmt: skip


class Pretrained:
    """Base class of agents with weights: saves one as a folder, and makes one from a folder."""

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
        """Write the weights and their metadata into `folder`; return the `Model`.

        `strength` says in words how well it plays. An agent that plays by the weights in the package needs the
        `ruleset` of which to save them. The folder is written atomically; one that holds a model is replaced only by
        `overwrite`. Raises `ValueError` where it may not be replaced, or there are no such weights.
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
        weights = Path(folder) / WEIGHTS
        hint = f"; name {weights} itself where an agent is asked for" if weights.is_file() else ""
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

    Raises `ValueError` where it is a folder without such a model, `FileNotFoundError` where there is neither, and
    `TypeError` where `path` is no path.
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
        model = describe_weights(FOLDER / f"{name}.npz", agent, SHIPPED[name]["strength"])
        if model.digest != SHIPPED[name]["sha256"]:
            raise ValueError(f"{model.path} is not the file that came with the package: its digest is another")
        models.append(model)
    return models
