"""Datasets as Minari reads them: `data/metadata.json` and `data/main_data.hdf5`. An episode is one seat of one game.

Minari's own classes make the folder and its description. The episodes are written here, in the layout that Minari
reads, because Minari leaves them uncompressed: compressed they take a ninth.
"""

import json
import re
from collections.abc import Generator, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from zamek_agents.atomic_dir import resolve_links
from zamek_agents.base import find_tile_ruleset, name_ruleset
from zamek_agents.datasets.columns import OBSERVATION, Layout, unpack_masks, unpack_values
from zamek_agents.datasets.folder import check_file, read_about
from zamek_agents.datasets.rows import MAX_SHARD, Arrays, GameRows
from zamek_agents.plain_file import open_plain
from zamek_env.common.extras import needs_extra
from zamek_env.common.messages import show
from zamek_env.components.box_folder import CASTLE_CARDS
from zamek_env.game_protocol import GameProtocol, find_encoding
from zamek_env.layout.observation import PLANE_PARTS, ROW_PARTS

with needs_extra("minari", "the format minari"):
    import h5py
    from minari.dataset.minari_storage import MinariStorage
    from minari.serialization import serialize_space

KIND = "minari"
DATA_FORMAT = "hdf5"
DATA, METADATA, MAIN = "data", "metadata.json", "main_data.hdf5"
NAME = re.compile(r"[-_\w]*\w-v[0-9]{1,6}")  # of a dataset: that of its folder
MAX_METADATA = 2**24  # bytes
_MADE_BY = "zamek_env"
_DUE = {  # what is asked for by name: kinds of dtype
    "actions": "iu", "infos/game": "iu", "infos/decision": "iu", "infos/player": "iu", "infos/notation": "O",
}  # fmt: skip


def check_name(folder: Path) -> str:
    """Return the name of the dataset in `folder`. Raises `ValueError` where Minari could not load it by that name."""
    name = resolve_links(folder).name
    if not NAME.fullmatch(name):
        raise ValueError(
            f"a dataset for Minari must be called NAME-vNUMBER, such as {folder.with_name('zamek-v0')}, not {folder}"
        )
    return name


class MinariWriter:
    """Writes the episodes of a dataset into a folder."""

    def __init__(self, folder: Path, layout: Layout, name: str, game: GameProtocol, reward: str) -> None:
        observations, actions, spec = _find_spaces(game, reward, layout.parts)
        (folder / DATA).mkdir()
        self._storage = MinariStorage.new(
            folder / DATA, observations, actions, spec, data_format=DATA_FORMAT, jpeg_encoding=False
        )
        self._name, self._layout = name, layout
        self._episodes, self._steps = 0, 0
        self._file = h5py.File(folder / DATA / MAIN, "w", track_order=True)

    def add(self, rows: GameRows) -> None:
        """Take a game in."""
        for arrays in _list_episodes(rows, self._layout).values():
            group = self._file.create_group(f"episode_{self._episodes}")
            group.attrs["id"], group.attrs["total_steps"] = self._episodes, len(arrays["actions"])
            for name, array in arrays.items():
                if name == "infos/notation":
                    group.create_dataset(name, data=array.tolist(), dtype=h5py.string_dtype())
                else:
                    group.create_dataset(name, data=array, chunks=array.shape, compression="gzip", shuffle=True)
            self._episodes += 1
            self._steps += len(arrays["actions"])

    def finish(self, about: dict[str, Any]) -> dict[str, Any]:
        """Write what is left; return what goes into `dataset.json` besides `about`."""
        self._file.close()
        metadata: dict[str, Any] = {"dataset_id": self._name, "minari_version": version("minari")}
        metadata |= {
            "requirements": [_MADE_BY],
            "total_episodes": self._episodes,
            "total_steps": self._steps,
            "author": {_MADE_BY},
        }
        metadata |= {
            "algorithm_name": " ".join(about["agents"]),
            "description": f"Made by {about['command'] or _MADE_BY}",
        }
        self._storage.update_metadata(metadata | {"dataset_size": float(self._storage.get_size())})
        return {"episodes": self._episodes}

    def close(self) -> None:
        """Close the file, even if it is not finished."""
        self._file.close()


def read_games_stored(folder: Path) -> Iterator[Arrays]:
    """Yield the arrays of each game: those of its episodes, under `player 0/actions` and so on.

    Raises `ValueError`, naming the file, where one was changed or cannot be right.
    """
    about = read_about(folder, KIND)
    metadata = check_file(folder, f"{DATA}/{METADATA}", about)
    path = check_file(folder, f"{DATA}/{MAIN}", about)
    try:
        with h5py.File(path, "r") as file:
            steps = yield from _read_games(file)
            episodes = len(file)
    except (OSError, KeyError, ValueError, TypeError, IndexError, AttributeError, RuntimeError) as error:
        raise ValueError(f"{path} holds no episodes of games: {error}") from error
    _check_metadata(metadata, {"total_episodes": episodes, "total_steps": steps})


def _read_games(file: h5py.File) -> Generator[Arrays, None, int]:
    """Yield the arrays of each game, as `read_games_stored` does; return how many steps all episodes have."""
    number = steps = 0
    game: Arrays = {}
    for episode in range(len(file)):
        arrays = _read_episode(file, f"episode_{episode}")
        steps += len(arrays["actions"])
        if int(arrays["infos/game"][0]) != number:
            yield game
            number, game = number + 1, {}
        player = int(arrays["infos/player"][0])
        game |= {f"player {player}/{name}": array for name, array in arrays.items()}
    if game:
        yield game
    return steps


def check_description(folder: Path, about: dict[str, Any], game: GameProtocol) -> None:
    """Raise `ValueError`, naming file and field, unless Minari reads there the spaces and the environment of `game`.

    Minari makes the environment that the file names, whatever code that runs.
    """
    observations, actions, spec = _find_spaces(game, about["reward"], Layout.read(about).parts)
    due = {
        "data_format": DATA_FORMAT,
        "jpeg_encoding": False,
        "observation_space": json.loads(serialize_space(observations)),
        "action_space": json.loads(serialize_space(actions)),
        "env_spec": spec and json.loads(spec.to_json()),
    }
    _check_metadata(folder / DATA / METADATA, due)


def _check_metadata(path, due):
    """Raise `ValueError` unless the file that Minari reads holds what is `due`."""
    try:
        with open_plain(path) as file:
            metadata = json.loads(file.read(MAX_METADATA))
        found = {name: _find_value(metadata, name, value) for name, value in due.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path} holds no metadata of Minari: {error}") from error
    wrong = [name for name, value in due.items() if found[name] != value]
    if wrong:
        raise ValueError(f"{path}: {wrong[0]} must be {show(due[wrong[0]])}, not {show(found[wrong[0]])}")


def _find_value(metadata, name, due):
    """Return what `metadata` holds under a name, in the form of what is `due`; None where there is no environment.

    Missing fields of the environment are taken from `due`: other versions of Gymnasium have other fields.
    """
    if name == "env_spec" and name not in metadata:
        return None
    value = json.loads(metadata[name]) if isinstance(due, dict) else metadata[name]
    return due | value if name == "env_spec" and due else value


def list_actions(stored: Arrays) -> list[int]:
    """Return the stored actions of a game, in order."""
    players = {name.partition("/")[0] for name in stored}
    pairs = [
        pair
        for player in players
        for pair in zip(stored[f"{player}/infos/decision"], stored[f"{player}/actions"], strict=False)
    ]
    return [int(action) for _, action in sorted(pairs)]


def list_stored(rows: GameRows, layout: Layout) -> Arrays:
    """Return the arrays that a dataset must store of a game."""
    episodes = _list_episodes(rows, layout)
    return {f"player {player}/{name}": array for player in episodes for name, array in episodes[player].items()}


def _list_episodes(rows, layout):
    """Return {player: {name in the file: array}} of those who decided at least once.

    Observations and infos have one entry more than actions: what the player sees at the end. There the mask is all
    ones, as that of the environment is.
    """
    return {int(player): _make_episode(rows, layout, player) for player in np.unique(rows.columns["player"])}


def _make_episode(rows, layout, player):
    columns, chosen = rows.columns, np.flatnonzero(rows.columns["player"] == player)
    steps = len(chosen)
    seen = {name: np.concatenate([columns[name][chosen], rows.last[player][name][None]]) for name in layout.seen}
    masks = np.ones((steps + 1, layout.num_actions), np.int8)
    masks[:steps] = unpack_masks(columns["mask"][chosen], layout.num_actions)
    arrays = {
        f"observations/{name.removeprefix(f'{OBSERVATION}_')}" if rows.is_dict else "observations": array
        for name, array in seen.items()
    }
    arrays |= {
        "actions": columns["action"][chosen].astype(np.int64),
        "rewards": columns["reward"][chosen].astype(np.float64),
        "terminations": np.arange(steps) == steps - 1,
        "truncations": np.zeros(steps, np.bool_),
        "infos/action_mask": masks,
        "infos/game": np.full(steps + 1, columns["game"][0]),
        "infos/decision": np.append(columns["decision"][chosen], len(columns["action"])).astype(np.int32),
        "infos/player": np.full(steps + 1, player, np.uint8),
        "infos/notation": np.append(columns["notation"][chosen], ""),
    }
    if "values" in columns:
        values = np.full(masks.shape, np.nan, np.float32)
        values[:steps] = unpack_values(columns["values"], columns["mask"], layout.num_actions)[chosen]
        arrays["infos/values"] = values
    return arrays


def _read_episode(file, episode):
    """Return {name: array} of an episode. Raises `ValueError` where it would take more memory than `MAX_SHARD`.

    Raises it too where any of its data is stored outside the file, such as in a pipe, or is no array of numbers.
    """
    found: dict[str, Any] = {}
    if not isinstance(file.get(episode, getlink=True), h5py.HardLink) or not isinstance(file[episode], h5py.Group):
        raise ValueError(f"there is no {episode} in the file itself")
    file[episode].visititems(lambda name, item: found.update({name: item}) if isinstance(item, h5py.Dataset) else None)
    for name, item in found.items():
        _check_array(name, item)
    if missing := [name for name in _DUE if name not in found]:
        raise ValueError(f"{episode} must hold {missing[0]}")
    size = sum(item.nbytes for item in found.values())  # as they say: what is empty takes no room in a file
    if size > MAX_SHARD:
        raise ValueError(f"an episode of {size} bytes is larger than {MAX_SHARD}")
    arrays: dict[str, Any] = {name: item[()] for name, item in found.items()}
    arrays["infos/notation"] = np.array([text.decode() for text in arrays["infos/notation"]])
    return arrays


def _check_array(name, item):
    """Raise `ValueError` unless a `h5py.Dataset` of that name lies in its file and holds what it may: see `_DUE`."""
    if item.external or item.is_virtual:
        raise ValueError(f"{name} must lie in the file itself, not elsewhere")
    kinds = _DUE.get(name, "biuf")
    is_sound = h5py.check_string_dtype(item.dtype) if kinds == "O" else item.dtype.kind in kinds
    if not is_sound or not item.shape:
        due = {"O": "texts", "iu": "whole numbers"}.get(kinds, "numbers")
        raise ValueError(f"{name} must be an array of {due}, not {item.dtype} of {item.shape}")


def _find_spaces(game, reward, parts):
    """Return the spaces of observations and actions, and the spec of the environment."""
    env = _make_env(game, reward, parts)
    if env is not None:
        env.close()
    return find_encoding(game, parts).space, gymnasium.spaces.Discrete(game.num_actions), env and env.spec


def _make_env(game, reward, parts):
    """Return the environment; None for components or a game of your own.

    Observations hold those `parts`. It has no opponent: name one to play on there.
    """
    name, ruleset = name_ruleset(game), find_tile_ruleset(game)
    if name == CASTLE_CARDS:
        shown_by = {("vector",): {"id": "CastleCards-v0"}, ROW_PARTS: {"id": "CastleCards-v1"}}
        asked = shown_by.get(parts, {"id": "CastleCards-v1", "observation": parts})
        return _make_by_id(**asked, players=game.num_players)
    if ruleset is None or ruleset.base is None:
        return None
    shown = {
        tuple(spec.kwargs["observation"]): id_
        for id_, spec in gymnasium.registry.items()
        if str(spec.entry_point).startswith("zamek_env.single:") and spec.kwargs.get("ruleset") == name
    }
    asked = {"reward": reward}
    if parts not in shown:
        asked["observation"] = parts
    if not ruleset.is_packaged:
        asked |= {"players": game.num_players, "rules": ruleset.rules}
    return _make_by_id(shown.get(parts, shown[PLANE_PARTS]), **asked)


def _make_by_id(id, **arguments):
    """Return an environment as `gymnasium.make` does, which warns where there is a newer version of a name."""
    return gymnasium.make(gymnasium.registry[id], **arguments)
