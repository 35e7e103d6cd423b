"""The work that no engine of this kind can avoid, by itself: what the speed of ours is measured against.

Each ceiling is a kernel on plain arrays of the sizes that the ruleset needs, without any rule around it:

    decision   half a placement: legality of every cell in four rotations, five unions of areas, twelve ports looked at
    step       a decision in the next of 1,024 games, its mask written from bits, its planes and vector written once
    copy       the bytes of a state, in one go
"""

import numpy as np

from zamek_env.compiler.jit import kernel

ROTATIONS, SIDES, PORTS = 4, 4, 12
UNIONS = 5  # a placement
GAMES = 1024  # side by side, as in a vector environment


class Room:
    """Arrays to do that work in."""

    def __init__(self, ruleset):
        rng, sizes = np.random.default_rng(1), ruleset.sizes
        self.sides = rng.integers(2**32, size=(SIDES, sizes.edges, sizes.cell_words), dtype=np.uint32)
        self.edges = rng.integers(sizes.edges, size=(sizes.tiles * ROTATIONS, SIDES)).astype(np.uint8)
        self.placements = np.zeros((ROTATIONS, sizes.cell_words), np.uint32)
        self.areas = np.tile(np.arange(sizes.nodes, dtype=np.int16), (GAMES, 1))
        self.ports = rng.integers(sizes.nodes, size=(sizes.tiles * ROTATIONS, PORTS)).astype(np.uint16)
        self.frames = ruleset.new_frames(GAMES)
        self.states = np.zeros((2, ruleset.state_dtype.itemsize), np.uint8)

    def decisions(self, count):
        """Do the work of `count` decisions."""
        return decide_often(self.sides, self.edges, self.placements, self.areas[0], self.ports, count)

    def steps(self, count):
        """Do the work of `count` steps that show mask and observation."""
        engine = (self.sides, self.edges, self.placements, self.areas, self.ports)
        return step_often(engine, self.frames, count)

    def copies(self, count):
        """Copy a state `count` times."""
        return copy_often(self.states[0], self.states[1], count)


@kernel
def find_legal(sides, edges, placements, face):
    """Write for every cell and rotation whether all four sides agree; return how many words are not empty."""
    found = 0
    for rotation in range(ROTATIONS):
        for word in range(placements.shape[1]):
            cells = np.int64(0xFFFFFFFF)
            for side in range(SIDES):
                cells &= np.int64(sides[side, edges[face + rotation, side], word])
            placements[rotation, word] = cells
            found += cells != 0
    return found


@kernel
def join(areas, ports, face):
    """Rename areas as a placement does, and look at its ports; return the sum of what they show."""
    for union in range(UNIONS):
        gone, kept = areas[ports[face, union]], areas[ports[face, union + 1]]
        for node in range(areas.size):
            areas[node] = kept if areas[node] == gone else areas[node]
    total = 0
    for port in range(PORTS):
        total += areas[ports[face, port]]
    return total


@kernel
def decide_often(sides, edges, placements, areas, ports, count):
    """Do the work of `count` decisions; return something that depends on all of it."""
    total = 0
    for number in range(count // 2):  # of two decisions one is a placement
        face = number % (edges.shape[0] // ROTATIONS) * ROTATIONS
        total += find_legal(sides, edges, placements, face) + join(areas, ports, face)
        areas[number % areas.size] = number % areas.size
    return total


@kernel
def step_often(engine, frames, count):
    """Do the work of `count` steps, game after game; return something that depends on all of it."""
    sides, edges, placements, areas, ports = engine
    total = 0
    for number in range(count):
        frame = frames[number % frames.size]
        total += decide_often(sides, edges, placements, areas[number % frames.size], ports, 2 * (number & 1))
        frame.squares.fill(number & 1)
        frame.vector.fill(number & 1)
        write_bits(placements, frame.mask)
        total += frame.mask[number % frame.mask.size] + frame.squares[number % frame.squares.shape[0], 0]
    return total


@kernel
def write_bits(placements, mask):
    """Write a byte for every placement."""
    mask.fill(0)
    cells = mask.size // ROTATIONS
    for rotation in range(ROTATIONS):
        for cell in range(cells):
            mask[cell * ROTATIONS + rotation] = (placements[rotation, cell >> 5] >> (cell & 31)) & 1


@kernel
def copy_often(source, target, count):
    """Copy `source` `count` times, each time another, so that no copy can be left out."""
    total = 0
    for number in range(count):
        source[number % source.size] = number & 7
        for byte in range(source.size):
            target[byte] = source[byte]
        total += target[(number * 31) % target.size]
    return total
