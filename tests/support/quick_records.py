"""Quicker fields of numpy's records, for kernels as plain Python, which spend most of their time on reading them."""

import numpy as np

find_as_numpy = np.record.__getattribute__  # as it was
_get_item = np.void.__getitem__


def hasten():
    """Let `record.field` find what it found before, in a quarter of the time.

    numpy asks in Python whether a record has an attribute of that name, and then looks into its dtype. Here the name of
    each field that is asked for becomes a property of all records. Attributes of other kinds still come first.
    """
    np.record.__getattribute__ = np.void.__getattribute__
    np.record.__getattr__ = _find


def _find(record, name):
    if name not in (record.dtype.names or ()):
        raise AttributeError(f"'record' object has no attribute '{name}'")
    setattr(np.record, name, property(_make_getter(name)))
    return getattr(record, name)


def _make_getter(name):
    def get(record):
        try:
            value = _get_item(record, name)
        except (ValueError, IndexError):  # a field of other records alone
            raise AttributeError(f"'record' object has no attribute '{name}'") from None
        return value.view((type(record), value.dtype)) if type(value) is np.void else value

    return get
