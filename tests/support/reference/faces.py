"""Faces of tiles and start spaces: which of the 12 ports shows which segment, and which ports touch (Z6, C1)."""

SIDES = "NESW"
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # side N E S W -> (row, column) step to the neighbouring space

#  The 12 ports of a tile, clockwise (Z6); port i comes to i + 3r after r quarter turns.
#
#             N
#         0   1   2
#      11 +-------+ 3
#   W  10 |       | 4  E
#       9 +-------+ 5
#         8   7   6
#             S


def ports_of_side(side: int, face: str) -> dict[int, str]:
    """Port -> segment name of one side: `m1` (both halves, no middle), `m1 r1 h1`, or `m1|h1` (two halves, no road)."""
    if "|" in face:
        left, right = face.split("|")
        return {3 * side: left.strip(), 3 * side + 2: right.strip()}
    names = face.split()
    if len(names) == 1:
        return {3 * side: names[0], 3 * side + 2: names[0]}
    left, road, right = names
    return {3 * side: left, 3 * side + 1: road, 3 * side + 2: right}


def turned_ports(tile: dict, rotation: int) -> dict[int, str]:
    """Port -> segment name of a whole tile after `rotation` clockwise quarter turns (Z6)."""
    ports = {}
    for side, key in enumerate("nesw"):
        for port, name in ports_of_side(side, tile[key]).items():
            ports[(port + 3 * rotation) % 12] = name
    return ports


def facing_port(port: int) -> int:
    """The neighbour's port that this port touches: clockwise on one side runs against clockwise on the other (Z6)."""
    side, place_on_side = divmod(port, 3)
    return 3 * ((side + 2) % 4) + (2 - place_on_side)
