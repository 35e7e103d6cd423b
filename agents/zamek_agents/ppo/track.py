"""Which tokens lie ahead of the markers on the score track, read from the vector of an observation (rule Z22).

A marker that comes to rest at a tower takes its token. So the exact number of points of an area counts, which a
network hardly learns from the number of a field.
"""

import numpy as np
import numpy.typing as npt

from zamek_agents.ppo.limits import PLAYERS
from zamek_env.core.tables import NONE
from zamek_env.ruleset import Ruleset

MOST_AHEAD = 40  # points; more are taken to find no token


class Track:
    """The score track of a `Ruleset`, which may have none."""

    def __init__(self, ruleset: Ruleset) -> None:
        towers = ruleset.tables[0].field_tower
        self.has_tokens = towers.size > 0 and "towers" in ruleset.vector
        if self.has_tokens:
            self._towers, self._fields = ruleset.vector["towers"], ruleset.vector["fields"]
            self._tower_of = np.where(towers > NONE, towers, self._towers.stop - self._towers.start)

    def look_ahead(self, vector: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
        """Return whether a token lies so many points ahead of my marker and of theirs, uint8 `(n, 2, MOST_AHEAD)`.

        `vector` is float32 `(n, entries)`. Nothing lies MOST_AHEAD - 1 points ahead, where more is counted too.
        """
        ahead = np.zeros((len(vector), PLAYERS, MOST_AHEAD), np.uint8)
        if self.has_tokens:
            lies = np.pad(vector[:, self._towers] > 0, ((0, 0), (0, 1)))  # no tower: no token
            markers = np.rint(vector[:, self._fields] * self._tower_of.size).astype(int)
            fields = (markers[:, :, None] + np.arange(MOST_AHEAD)) % self._tower_of.size
            ahead[:] = np.take_along_axis(lies, self._tower_of[fields].reshape(len(vector), -1), 1).reshape(ahead.shape)
            ahead[:, :, -1] = 0
        return ahead
