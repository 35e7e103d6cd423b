"""Stable-Baselines3's checker of environments."""

import gymnasium as gym
import pytest

from tests.test_single import ARGUMENTS
from tests.test_wrappers import of_every_id
from zamek_env.single import ZamekEnv

checker = pytest.importorskip("stable_baselines3.common.env_checker")


@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_it_is_content(arguments):
    checker.check_env(ZamekEnv(**arguments), warn=False)


@of_every_id
def test_it_warns_of_nothing(name, ruleset, arguments):
    checker.check_env(gym.make(name, flat=True, **arguments), warn=True)
