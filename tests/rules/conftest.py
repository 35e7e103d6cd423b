"""The engines on which the rules of Castle, the card game, are tested."""

from collections.abc import Callable
from functools import partial

import pytest

from tests.support.castle_cards.drawn import ENGINES, DrawnCastleCards


@pytest.fixture(params=sorted(ENGINES))
def castle(request: pytest.FixtureRequest) -> Callable[..., DrawnCastleCards]:
    """Draws a position for one of the engines: `castle(text, players=3)`."""
    return partial(DrawnCastleCards, engine=request.param)
