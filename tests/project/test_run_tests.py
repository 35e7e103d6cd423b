"""The kernels run in the way that was asked for: compiled, as plain Python, or with every index checked."""

import inspect
import weakref

import numpy as np
import pytest
from numba import config

from tests.support.faster_numpy_records import find_as_numpy
from tools.left_out_tests import list_left_out
from zamek_env.compiler.jit import kernel
from zamek_env.core import rules


@kernel
def read_at(values, index):
    return values[index]


@pytest.mark.skipif(config.DISABLE_JIT, reason="the kernels are plain Python")
def test_kernels_are_compiled():
    assert read_at(np.arange(3), 2) == 2
    assert len(read_at.signatures) == 1


@pytest.mark.skipif(not config.DISABLE_JIT, reason="the kernels are compiled")
def test_kernels_are_plain_python():
    assert inspect.isfunction(rules.step)


@pytest.mark.skipif(not (config.BOUNDSCHECK or config.DISABLE_JIT), reason="no index is checked")
def test_an_index_out_of_bounds_is_noticed():
    with pytest.raises(IndexError):
        read_at(np.arange(3), 3)


@pytest.mark.skipif(not config.DISABLE_JIT, reason="the kernels are compiled")
def test_quick_records_have_the_fields_that_numpy_finds():
    inner = [("count", "u1"), ("places", "i2", (2, 3)), ("cells", "i8")]
    outer = np.dtype((np.record, [("number", "i8"), ("flag", "?"), ("cells", "i1", (4,)), ("one", inner), ("T", "i4")]))
    record = np.frombuffer(np.random.default_rng(0).bytes(outer.itemsize), outer)[0].copy()
    other = np.zeros(1, np.dtype((np.record, inner)))[0]
    for each in 2 * (record, record.one, other):
        for name in (*each.dtype.names, "dtype", "shape"):
            found, expected = getattr(each, name), find_as_numpy(each, name)
            assert type(found) is type(expected) and np.array_equal(found, expected)
            assert getattr(found, "dtype", None) == getattr(expected, "dtype", None)
    record.one.places[1, 2] = 7
    record.cells[:] = record.number = 5
    twin = record.copy()
    twin.cells[:] = twin.one.cells = 6
    assert (
        record["one"]["places"][1, 2] == 7
        and record["cells"].tolist() == [5] * 4
        and record.number == record["number"] == 5
    )
    assert not hasattr(other, "number") and not hasattr(record, "places")
    with pytest.raises(AttributeError, match="no attribute 'number'"):
        _ = other.number


@pytest.mark.skipif(not config.DISABLE_JIT, reason="the kernels are compiled")
@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3)])
@pytest.mark.parametrize("step", [1, 2])
def test_quick_records_write_to_their_arrays_and_do_not_outlive_their_use(shape, step):
    dtype = np.dtype((np.record, [("squares", "i2", (2, 2)), ("empty", "i2", (0, 3)), ("number", "i4")]))
    records = np.zeros(shape, dtype)[(slice(None, None, step),) * len(shape)]
    for place in np.ndindex(records.shape):
        record = records[place]
        copy, gone = record.copy(), weakref.ref(record)
        for each in (record, copy):
            assert each.empty.shape == (0, 3)
            assert each.squares is each.squares or not records.flags.c_contiguous
        record.squares[1, 0] = 7
        copy.squares[1, 0] = 8
        assert records["squares"][(*place, 1, 0)] == 7 and copy["squares"][1, 0] == 8
        del record, each
        assert gone() is None


@pytest.mark.long
def test_every_test_runs_daily_in_some_way_unless_it_takes_long():
    assert list_left_out() == []
