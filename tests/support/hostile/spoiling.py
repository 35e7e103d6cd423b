"""Values that nobody should pass, and ways to spoil a JSON value or a file."""

import json
import math
from datetime import date
from decimal import Decimal
from fractions import Fraction

import numpy as np

DEEP = 2000  # nested lists, more than Python's own recursion reaches
LONG_NUMBER = 10**5000  # more digits than Python turns into text
EDGES = (2**7, 2**8, 2**15, 2**16, 2**31, 2**32, 2**63, 2**64, 10**30, LONG_NUMBER)


def nest(depth):
    """Return an empty list in a list in a list …"""
    nested = []
    for _ in range(depth):
        nested = [nested]
    return nested


def draw_whole(rng, limit):
    """Return a whole number, by Python or by numpy: near 0, near `limit`, or at an edge of some integer type."""
    kind, near = rng.integers(5), (0, limit, rng.integers(limit))[rng.integers(3)] + rng.integers(-3, 4)
    if kind < 3:
        return (int(near), np.int64(near), np.array(near))[kind]
    edge = EDGES[rng.integers(len(EDGES))] + int(rng.integers(-1, 2))
    return edge if kind == 3 else -edge


def draw_odd(rng):
    """Return a value that is no whole number, no agent, no generator and no game."""
    odd = (
        None, True, False, np.True_, 0.0, 3.0, -1.5, math.nan, math.inf, -math.inf, 1j, Fraction(3, 1), Decimal(3),
        "", "3", "place", "zamek ", "é" * 1000, "\0", b"", b"3", bytearray(b"3"), [], [3], [3, "3"], (), (3,), {},
        {"deal": 3}, {3: 3}, {3}, frozenset(), range(3), iter([3]), object(), object, len, ..., NotImplemented,
        slice(3), date(2000, 1, 1), nest(DEEP), [0] * 10_000, np.float64(3), np.float32(math.nan), np.array([3]),
        np.array([[3]]), np.array([], np.int64), np.zeros((2, 3)), np.array(3.0), np.array(True), np.array("3"),
        np.array(None), np.datetime64("2000-01-01"), np.str_("3"), np.zeros(1, [("score", np.int16)]),
        np.zeros(1, [("score", np.int16)])[0],
    )  # fmt: skip
    return odd[rng.integers(len(odd))]


def draw_any(rng, limit):
    """Return an odd value or a whole number."""
    return draw_odd(rng) if rng.integers(2) else draw_whole(rng, limit)


# --- JSON ---


def draw_json(rng):
    """Return a value that a JSON file can hold."""
    values = (
        None, True, False, 0, 1, -1, 5, 99, 2**31, -(2**63), 10**300, 0.5, 1.0, 1e308, math.nan, "", "0", "Z01", "r1",
        "m1 r1 m1", "h1|p1", "zamek", "..", "/", "é\0", [], [0], [0, 1], [0, 0], ["r1"], [[0, 1]], {}, {"id": "Z01"},
        {"n": {}}, [None] * 3, list(range(500)), "x" * 5000, nest(50),
    )  # fmt: skip
    return values[rng.integers(len(values))]


def spoil(value, rng):
    """Return a copy of the JSON `value` with one to three random changes."""
    holder = [json.loads(json.dumps(value))]
    for _ in range(rng.integers(1, 4)):
        keys = list(find_keys(holder))
        container, key = keys[rng.integers(len(keys))]
        CHANGES[rng.integers(len(CHANGES))](container, key, rng)
        if not holder:
            return None
    return holder[0]


def find_keys(value):
    """Yield (list or dict, index or key) of all values inside a JSON value."""
    to_visit = [value]
    while to_visit:
        container = to_visit.pop()
        for key in container if isinstance(container, dict) else range(len(container)):
            yield container, key
            if isinstance(container[key], list | dict):
                to_visit.append(container[key])


def _delete(container, key, rng):
    del container[key]


def _replace(container, key, rng):
    container[key] = draw_json(rng)


def _change_type(container, key, rng):
    value = container[key]
    if isinstance(value, bool | None):
        container[key] = int(bool(value))
    elif isinstance(value, int | float):
        container[key] = (str(value), value + 0.5, float(value), bool(value), -value, value + 1)[rng.integers(6)]
    elif isinstance(value, str):
        container[key] = ([value], value + "1", value[1:], value.upper(), len(value))[rng.integers(5)]
    else:
        container[key] = ({"0": value}, [value], len(value), str(value))[rng.integers(4)]


def _swap(container, key, rng):
    keys = list(container) if isinstance(container, dict) else range(len(container))
    other = keys[rng.integers(len(keys))]
    container[key], container[other] = container[other], container[key]


def _repeat(container, key, rng):
    if isinstance(container, list):
        container.insert(key, container[key])
    else:
        container[f"{key}{rng.integers(3)}"] = container[key]


CHANGES = (_delete, _replace, _replace, _change_type, _change_type, _swap, _repeat)


# --- files ---


def spoil_text(text, rng):
    """Return the bytes of a file that is no longer the JSON `text`, or hardly."""
    data = text.encode()
    offset = int(rng.integers(len(data)))
    return (
        b"",
        data[:offset],
        data[:offset] + bytes([rng.integers(256)]) + data[offset + 1 :],
        data[:offset] + b"\xff\xfe" + data[offset:],
        b"\xef\xbb\xbf" + data,
        data + data,
        b"[" * 100_000,
        b"[" + data + b"]",
        b'{"name": NaN, "name": 1e999, "name": ' + b"9" * 5000 + b"}",
    )[rng.integers(9)]
