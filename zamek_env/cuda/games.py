"""Many games in the memory of a device: the arrays of a batch as tensors, and the kernels that step them.

Records are rows of bytes of a tensor, with views of their fields.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from zamek_env.base.episode import OUTCOME
from zamek_env.core import batch
from zamek_env.cuda.bodies import Own, link_bodies, list_arrays
from zamek_env.cuda.lanes import ACTOR, PLAYERS, draw_lane, seed_lane, step_lane
from zamek_env.cuda.pcg64 import GENERATOR, SEED
from zamek_env.layout.observation import PLANE_PARTS
from zamek_env.ruleset import Ruleset


def make_rows(count: int, dtype: np.dtype[Any], device: torch.device) -> torch.Tensor:
    """Return `count` records of a numpy `dtype`, all zero: uint8 `(count, bytes of a record)`."""
    return torch.zeros((count, dtype.itemsize), dtype=torch.uint8, device=device)


def view_field(rows: torch.Tensor, dtype: np.dtype[Any], name: str) -> torch.Tensor:
    """Return one field of records of `dtype` as a view of `rows`, `(count, *shape of the field)`."""
    fields: Any = dtype.fields
    kind, offset = fields[name][:2]
    part = rows[:, offset : offset + kind.itemsize].view(getattr(torch, kind.base.name))
    return part.unflatten(1, kind.shape) if kind.shape else part[:, 0]


def upload(records: npt.NDArray[Any], device: torch.device) -> torch.Tensor:
    """Return a copy of records as rows on a device."""
    rows = records.view(np.uint8).reshape(records.size, records.dtype.itemsize)
    return torch.from_numpy(rows.copy()).to(device)


def download(rows: torch.Tensor, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return a copy of rows as records of `dtype`, to be read and written."""
    records: npt.NDArray[Any] = rows.cpu().numpy().copy().view(dtype).reshape(-1)
    return records


KERNELS = {"seed": seed_lane, "step": step_lane, "draw": draw_lane}
_PAIR = 2  # entries of an array with one a game, in code that is compiled for any number of games


class Settings(NamedTuple):
    """The settings for which the kernels of a device are compiled."""

    ruleset: Ruleset
    opponent: int  # one of `core.batch`
    seat: int  # of the learner, `lanes.ANY_SEAT` or EVERY_SEAT
    reward: int  # one of `base.rewards`
    same_step: bool
    flat: bool
    parts: tuple[str, ...] = PLANE_PARTS  # of observations

    def find_dtypes(self) -> dict[str, np.dtype[Any]]:
        """Return the dtypes of all arrays that have one entry a game, by name."""
        ruleset = self.ruleset
        frame = ruleset.frame_dtype(self.parts)
        masks = batch.fields_dtype(frame, "mask")
        planes = batch.flat_dtype(frame) if self.flat else batch.fields_dtype(frame, *batch.BOARD_FIELDS.values())
        vectors = planes if self.flat else batch.fields_dtype(frame, *batch.VECTORS)
        return {
            "states": ruleset.state_dtype,
            "episodes": batch.episode_dtype(PLAYERS),
            "outcomes": OUTCOME,
            "actions": np.dtype(np.int64),
            "chosen": np.dtype(np.bool_),
            "last_planes": planes,
            "last_masks": masks,
            "last_vectors": vectors,
            "canvases": ruleset.canvas_dtype,
            "planes": planes,
            "masks": masks,
            "vectors": vectors,
            "codes": planes,
            "row_actions": vectors,
            "rows": vectors,
            "generators": GENERATOR,
            "seeds": SEED,
            "deals": np.dtype(np.int64),
            "actors": ACTOR,
            "drawn": np.dtype(np.int64),
        }

    def list_arguments(self, arrays: dict[str, Any], tables: Any) -> dict[str, tuple[Any, ...]]:
        """Return the arguments of `KERNELS`; `arrays` holds them by name."""
        ruleset = self.ruleset
        many = batch.Batch(*(arrays[name] for name in batch.Batch._fields))
        seen = batch.ObsArrays(*(arrays[name] for name in batch.ObsArrays._fields))
        options = batch.Options(self.opponent, self.reward, self.same_step, fetches=False, refresh=False)
        log = Own(ruleset.new_log().dtype)
        trials = None if self.opponent == batch.OUTSIDE else Own(ruleset.state_dtype, 2)
        return {
            "seed": (arrays["generators"], arrays["seeds"], arrays["actors"], many, self.seat),
            "step": (tables, log, trials, many, seen, arrays["generators"], arrays["deals"], options, self.seat),
            "draw": (tables, many, arrays["actors"], arrays["drawn"]),
        }

    def link(self) -> str:
        """Return the bodies of `KERNELS`."""
        lasting = {name: np.zeros(_PAIR, dtype) for name, dtype in self.find_dtypes().items()}
        if not self.same_step:
            lasting |= {name: array[:0] for name, array in lasting.items() if name.startswith("last_")}
        arguments = self.list_arguments(lasting, self.ruleset.tables)
        return link_bodies({name: (kernel, arguments[name]) for name, kernel in KERNELS.items()})


class Games:
    """`count` games on a device: their arrays as rows of bytes, of which kernels write most.

    `load(linked, kernels, device)` returns a program such as `CudaProgram`.
    """

    def __init__(
        self,
        settings: Settings,
        count: int,
        device: torch.device,
        load: Callable[[str, tuple[str, ...], torch.device], Any],
    ) -> None:
        self.count, self.device = count, device
        self._dtypes = settings.find_dtypes()
        self._program = load(settings.link(), tuple(KERNELS), device)
        tables = upload(settings.ruleset.tables, device)
        self.rows = {
            name: make_rows(0 if name.startswith("last_") and not settings.same_step else count, dtype, device)
            for name, dtype in self._dtypes.items()
            if name not in ("codes", "row_actions", "rows")
        }
        if settings.flat:  # planes and vector are one row
            self.rows["vectors"], self.rows["last_vectors"] = self.rows["planes"], self.rows["last_planes"]
        self.rows |= {"codes": self.rows["planes"], "row_actions": self.rows["vectors"], "rows": self.rows["vectors"]}
        arguments = settings.list_arguments(self.rows, tables)
        self._arguments = {kernel: [*list_arrays(given)] for kernel, given in arguments.items()}

    def field(self, array: str, name: str) -> torch.Tensor:
        """Return a view of one field of an array of records, with a row a game."""
        return view_field(self.rows[array], self._dtypes[array], name)

    def numbers(self, array: str) -> torch.Tensor:
        """Return a view of an array of numbers, `(count,)`."""
        return self.rows[array].view(getattr(torch, self._dtypes[array].name))[:, 0]

    def run(self, kernel: str) -> None:
        """Run one of `KERNELS` for all games; on a GPU it goes on meanwhile."""
        self._program.run(kernel, self.count, self._arguments[kernel])
