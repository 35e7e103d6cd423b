"""Counts everything in a ruleset: the sizes of all arrays."""

import math
from dataclasses import dataclass

from zamek_env.components.bitset import num_words
from zamek_env.components.model import NUM_AROUND, NUM_ROTATIONS, NUM_SIDES, PORTS_PER_SIDE, Components
from zamek_env.components.open_table import OpenTable

MANY_FIT = 2  # kinds of edges, with which most tiles fit on most cells


@dataclass(frozen=True)
class Sizes:
    """The sizes of the arrays of a ruleset; everything is derived from its components."""

    cells: int  # numbers of cells, also those that no cell bears
    window_cells: int  # cells that the planes show
    spots: int  # beyond them, for actions
    start_spaces: int
    starts: int  # start spaces, or the start tile
    tiles: int  # of the deck
    tile_kinds: int  # that differ
    has_copies: bool  # of a tile of the deck
    nodes: int
    completing_nodes: int
    touched_nodes: int  # of the feature that another one touches
    segments: int  # the most that one tile has
    features: int
    completing_features: int
    foreign_ports: int  # of a side, that may meet another feature than their own
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
    surrounds: bool  # there are surrounded areas
    has_family_house: bool
    players: int
    hand_size: int  # tiles that each player holds between turns, 0 where each is drawn just before it is laid
    hides_hands: bool
    draws_back: bool  # tiles that cannot be laid go back into the bag
    starts_in_bag: bool
    holes_play_again: bool
    has_edge: bool  # the table ends somewhere
    edges_complete: bool
    has_small_cities: bool

    @property
    def most_open_cells(self) -> int:
        """Most empty cells next to something placed when a tile must be laid.

        At first there are as many as start spaces, or four. Each tile laid takes one and brings three at most.
        """
        if self.spots:
            return self.spots
        return max(min((self.start_spaces or 4) + 2 * laid, self.cells - laid) for laid in range(self.tiles))

    @property
    def cells_beyond(self) -> int:
        """Most empty cells beyond the window that touch a tile: the last tile takes one of `spots`, and brings 3."""
        return self.spots + 2 if self.spots else 0

    @property
    def locations(self) -> int:
        return self.cells + self.start_spaces

    @property
    def window_locations(self) -> int:
        """Locations except the cells beyond the window; with a wall all."""
        return self.window_cells + self.start_spaces

    @property
    def window_words(self) -> int:
        return num_words(self.window_cells)

    @property
    def middles(self) -> int:
        return self.tiles + self.starts if self.surrounds else 0

    @property
    def touching_nodes(self) -> int:
        return self.nodes - self.completing_nodes if self.touched_nodes else 0

    @property
    def touched_words(self) -> int:
        return num_words(self.touched_nodes)

    @property
    def faces(self) -> int:
        return (self.tiles + self.starts) * NUM_ROTATIONS

    @property
    def pieces(self) -> int:
        return self.followers + self.special_pieces

    @property
    def nest_nodes(self) -> int:
        return self.nodes if self.nests else 0

    @property
    def halting_fields(self) -> int:
        return self.fields if self.halts else 0

    @property
    def cell_words(self) -> int:
        """Words of a set of the cells of the window and the empty ones beyond it that touch a tile."""
        return num_words(self.window_cells + self.cells_beyond)

    @property
    def surroundings(self) -> int:
        """Number of ways in which edges can lie around a cell, if few tiles fit in most of them; else 0."""
        return (self.edges + 1) ** NUM_SIDES if self.edges > MANY_FIT else 0

    @property
    def tile_words(self) -> int:
        return num_words(self.tiles + self.starts)

    @property
    def completed(self) -> int:
        """Most areas one tile can complete: its own, those of another feature that face it, those around."""
        return self.segments + NUM_SIDES * self.foreign_ports + NUM_AROUND * self.surrounds

    @property
    def slots(self) -> int:
        """Most areas of one player that wait to be scored: the player has a piece in each; one tile completed all."""
        return min(self.pieces, self.completed)


def measure(components: Components) -> Sizes:
    """Return the `Sizes` of `components`."""
    faces = [*components.tiles, *components.laid]
    segments = [segment for tile in faces for segment in tile.segments]
    completing = {feature.name for feature in components.features if feature.completes}
    touched = {feature.touches for feature in components.features}
    board = components.board
    return Sizes(
        cells=len(board.cells),
        window_cells=math.prod(board.shape) if isinstance(board, OpenTable) else len(board.cells),
        spots=board.num_spots,
        start_spaces=len(board.starts),
        starts=len(components.laid),
        tiles=len(components.tiles),
        tile_kinds=len(components.kinds),
        has_copies=len({tile.id for tile in components.tiles}) < len(components.tiles),
        nodes=len(segments),
        completing_nodes=sum(segment.feature in completing for segment in segments),
        touched_nodes=sum(segment.feature in touched for segment in segments),
        segments=max(len(tile.segments) for tile in faces),
        features=len(components.features),
        completing_features=len(completing),
        foreign_ports=_count_foreign_ports(components),
        edges=len(components.edges),
        followers=components.followers,
        special_pieces=len(components.special_pieces),
        size_points=max((len(feature.size_points) for feature in components.features), default=0),
        kinds=len(components.tokens),
        tokens=sum(token.count for token in components.tokens),
        towers=len(board.token_towers),
        fields=len(board.track),
        nests=components.nests,
        halts=components.halting_gates,
        surrounds=any(feature.surrounded for feature in components.features),
        has_family_house=any(feature.family_house for feature in components.features),
        players=components.players,
        hand_size=components.house.hand_size,
        hides_hands=components.house.draw_ahead or components.house.hand == "hidden",
        draws_back=components.house.back_into_bag,
        starts_in_bag=components.house.start_in_bag,
        holes_play_again=components.house.hole_plays_again,
        has_edge=components.house.table is not None,
        edges_complete=components.house.edges_complete,
        has_small_cities=components.house.small_city,
    )


def _count_foreign_ports(components):
    """Return how many ports of a side may meet another feature: the half-sides, and the middle if edges allow it.

    A middle meets a middle. That carries another feature, or nothing where this one does, only if sides of two features
    count as the same edge and one of them lies in the middle.
    """
    shared = any(
        feature.middle and feature.edge == other.edge
        for feature in components.features
        for other in components.features
        if feature is not other
    )
    return PORTS_PER_SIDE if shared else PORTS_PER_SIDE - 1
