"""How many of everything a ruleset has: the sizes of all arrays."""

from dataclasses import dataclass

from zamek_env.core.bits import num_words
from zamek_env.core.components import NUM_PORTS, NUM_ROTATIONS, NUM_SIDES


@dataclass(frozen=True)
class Sizes:
    """How large the arrays of a ruleset are; everything is derived from its components."""

    cells: int
    starts: int
    tiles: int
    nodes: int
    completing_nodes: int
    segments: int  # the most that one tile has
    features: int
    completing_features: int
    edges: int
    followers: int  # a player's plain ones
    special_pieces: int  # a player's others
    size_points: int  # entries of the longest list of points by size
    kinds: int  # of tokens
    tokens: int  # of all kinds together
    towers: int  # that hold a token at the start
    fields: int  # of the track
    nests: int  # in the pool at the start, 0 where the ruleset has none
    halts: bool  # markers stop at gates

    @property
    def places(self):
        return self.cells + self.starts

    @property
    def faces(self):
        return self.tiles * NUM_ROTATIONS + self.starts

    @property
    def pieces(self):
        return self.followers + self.special_pieces

    @property
    def nest_nodes(self):
        return self.nodes if self.nests else 0

    @property
    def halting_fields(self):
        return self.fields if self.halts else 0

    @property
    def cell_words(self):
        return num_words(self.cells)

    @property
    def tile_words(self):
        return num_words(self.tiles + self.starts)

    @property
    def completed(self):
        """Most areas one tile can complete: its own, and those of another feature facing its half-sides."""
        return self.segments + NUM_PORTS - NUM_SIDES

    @property
    def slots(self):
        """Most areas of one player that wait to be scored: he has a piece in each, and one tile completed them."""
        return min(self.pieces, self.completed)


def measure(components):
    """Return the `Sizes` of `components`."""
    faces = [*components.tiles, *(start.tile for start in components.board.starts)]
    segments = [segment for tile in faces for segment in tile.segments]
    completing = {feature.name for feature in components.features if feature.completes}
    return Sizes(
        cells=len(components.board.cells),
        starts=len(components.board.starts),
        tiles=len(components.tiles),
        nodes=len(segments),
        completing_nodes=sum(segment.feature in completing for segment in segments),
        segments=max(len(tile.segments) for tile in faces),
        features=len(components.features),
        completing_features=len(completing),
        edges=len(components.edges),
        followers=components.followers,
        special_pieces=len(components.special_pieces),
        size_points=max((len(feature.size_points) for feature in components.features), default=0),
        kinds=len(components.tokens),
        tokens=sum(token.count for token in components.tokens),
        towers=len(components.board.token_towers),
        fields=len(components.board.track),
        nests=components.nests,
        halts=components.halting_gates,
    )
