"""A ruleset ready to play: its components, and all that is derived from them."""

import math
from functools import cache, lru_cache

import numpy as np

from zamek_env.core.actions import ActionLayout
from zamek_env.core.components import Components
from zamek_env.core.log import log_dtype
from zamek_env.core.observation import frame_dtype
from zamek_env.core.observation_layout import plane_layout, vector_layout
from zamek_env.core.planes import canvas_dtype
from zamek_env.core.sizes import measure
from zamek_env.core.state import state_dtype
from zamek_env.core.tabulation import make_tables
from zamek_env.core.transcription import load_components


class Ruleset:
    """Components with their sizes, action layout, tables and dtypes; shared by all games played with them."""

    def __init__(self, components):
        self.components = components
        self.sizes = measure(components)
        self.actions = ActionLayout(
            self.sizes.window_cells + self.sizes.spots,
            self.sizes.segments,
            self.sizes.slots,
            1 + self.sizes.special_pieces,
            self.sizes.fields > 0,
        )
        self.num_actions = self.actions.num_actions
        self.planes = plane_layout(components, self.sizes)
        self.vector = vector_layout(components, self.sizes)
        self.tables = make_tables(components, self.actions, self.planes)  # shape (1,) of `tables_dtype`
        self._table = self.tables[0]
        self.state_dtype = state_dtype(self.sizes)
        self.log_dtype = log_dtype(self.sizes)
        self.canvas_dtype = canvas_dtype(self.sizes)
        squares = math.prod(components.board.shape)
        self.frame_dtype = frame_dtype(self.planes, self.vector, squares, self.num_actions)

    @property
    def name(self):
        return self.components.name

    def new_states(self, count):
        """Return `count` games, shape `(count,)` of `state_dtype`, not yet set up."""
        return np.zeros(count, self.state_dtype)

    def new_log(self):
        """Return an empty log, shape `(1,)` of `log_dtype`."""
        return np.zeros(1, self.log_dtype)

    def new_canvases(self, count):
        """Return `count` canvases for planes, shape `(count,)` of `canvas_dtype`, not yet prepared."""
        return np.zeros(count, self.canvas_dtype)

    def new_frames(self, count):
        """Return `count` frames for what there is to see, shape `(count,)` of `frame_dtype`."""
        return np.zeros(count, self.frame_dtype)

    def tile(self, number):
        """Return the tile of the deck, or the face of the start space or tile, of that number."""
        tiles = self.components.tiles
        return tiles[number] if number < len(tiles) else self.components.laid[number - len(tiles)]

    def segment_of_node(self, node):
        """Return the segment that a node stands for."""
        return self.tile(int(self._table.node_tile[node])).segments[int(self._table.node_segment[node])]


@cache
def _packaged_ruleset(name):
    return Ruleset(load_components(ruleset=name))


@lru_cache(maxsize=16)
def _own_ruleset(components):
    return Ruleset(components)


def get_ruleset(ruleset="zamek", components=None):
    """Return the ruleset of that name, of the packaged `Components` or of the given ones.

    Raises `ValueError` for an unknown name, `TypeError` for components of another kind.
    """
    if components is None:
        return _packaged_ruleset(ruleset)
    if not isinstance(components, Components):
        raise TypeError(f"components must come from load_components, not {type(components).__name__}")
    return _own_ruleset(components)
