"""A small box of one's own: nine spaces, eight tiles, three features, two followers each, a track of twelve fields."""

import json

from zamek_env.components.box_folder import DATA
from zamek_env.load import load_components

RULES = {
    "name": "zamek",
    "wall": "wall.json",
    "tiles": ["roads.json", "houses.json"],
    "followers": 2,
    "edges": ["plain", "road"],
    "features": [
        {"name": "house", "letter": "h", "role": "squire", "edge": "plain", "completes": True, "points": 1,
         "family_house": True},
        {"name": "road", "letter": "r", "role": "herald", "edge": "road", "middle": True, "completes": True,
         "points": 1},
        {"name": "meadow", "letter": "m", "role": "monk", "edge": "plain", "completes": False,
         "mark": "shrines", "mark_points": 2},
    ],
    "tokens": [
        {"kind": 1, "count": 1, "use": "completed area", "feature": "house", "points": 2},
        {"kind": 2, "count": 2, "use": "extra turn"},
        {"kind": 3, "count": 2, "use": "points", "points": 3},
    ],
}  # fmt: skip
WALL = {
    "interior": ["###.", "####", ".##."],
    "starts": [
        {"id": "north", "cell": [0, 1], "side": "N", "face": "m1 r1 m2", "shrines": ["m2"]},
        {"id": "south", "cell": [1, 0], "side": "S", "face": "h1|m1"},
    ],
    "track": [{"field": number, "x": number / 2, "y": -0.25} for number in range(12)],
    "towers": [[11, 0], [2, 3], [4, 5], [7, 8]],
    "towerless": [2],
}
ROADS = {
    "tiles": [
        {"id": "R1", "n": "m1 r1 m2", "e": "m2", "s": "m2 r1 m1", "w": "m1", "shrines": ["m1"]},
        {"id": "R2", "n": "m1 r1 m2", "e": "m2 r1 m1", "s": "m1", "w": "m1"},
        {"id": "R3", "n": "m1 r1 h1", "e": "h1", "s": "h1 r2 m2", "w": "m2 r3 m1"},
        {"id": "R4", "n": "m1 r1 m1", "e": "h1", "s": "m1", "w": "m1"},
    ]
}
HOUSES = {
    "note": "Houses, and a meadow of nothing but shrines.",
    "tiles": [
        {"id": "H1", "n": "h1", "e": "m1", "s": "m1", "w": "m1", "shrines": ["m1"]},
        {"id": "H2", "n": "h1", "e": "h1", "s": "m1", "w": "m1"},
        {"id": "H3", "n": "h1", "e": "m1|h2", "s": "h2", "w": "m2|h1", "shrines": ["m1", "m2"]},
        {"id": "M1", "n": "m1", "e": "m1", "s": "m1", "w": "m1", "shrines": ["m1"]},
    ],
}
FILES = {"zamek.json": RULES, "wall.json": WALL, "roads.json": ROADS, "houses.json": HOUSES}


def write_box(folder, files=FILES):
    """Write {file name: what it holds} into `folder`, made new, and return it."""
    folder.mkdir()
    for name, values in files.items():
        (folder / name).write_text(json.dumps(values), encoding="utf-8")
    return folder


def load_box(tmp_path):
    """Return the `Components` of the small box."""
    return load_components(write_box(tmp_path / "small box"))


def packaged_files():
    """Return {file name: what it holds} of the packaged box, free to be changed."""
    return {path.name: json.loads(path.read_text(encoding="utf-8")) for path in DATA.glob("*.json")}
