"""Arrays of records as tensors: a row of bytes for each record, and views of their fields."""

from typing import Any

import numpy as np
import numpy.typing as npt
import torch


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
