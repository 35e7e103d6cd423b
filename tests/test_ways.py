"""The kernels run in the way that was asked for: compiled, as plain Python, or with every index checked."""

import inspect

import numpy as np
import pytest
from numba import config

from tests.support.left_out import list_left_out
from zamek_env.core import rules
from zamek_env.core.jit import kernel


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


@pytest.mark.long
def test_every_test_runs_daily_in_some_way_unless_it_takes_long():
    assert list_left_out() == []
