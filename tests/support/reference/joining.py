"""Joins segments to areas: flood fill through facing ports, from tile to tile (Z7, C3)."""

from tests.support.reference.faces import facing_port


def find_joined(table, location, name: str) -> tuple[frozenset, int]:
    """All (location, segment name) joined with one segment, and how many of their ports face an empty location.

    Two segments join where ports of theirs face each other and show the same feature, which is the first letter of
    their names. `table` says what lies where: `ports`, `neighbour`, `is_filled`.
    """
    reached, to_visit, open_ports = {(location, name)}, [(location, name)], 0
    while to_visit:
        here, segment = to_visit.pop()
        for port, owner in table.ports(here).items():
            if owner != segment:
                continue
            there = table.neighbour(here, port // 3)
            if there is None:
                continue
            if not table.is_filled(there):
                open_ports += 1
                continue
            met = table.ports(there).get(facing_port(port))
            if met is not None and met[0] == segment[0] and (there, met) not in reached:
                reached.add((there, met))
                to_visit.append((there, met))
    return frozenset(reached), open_ports
