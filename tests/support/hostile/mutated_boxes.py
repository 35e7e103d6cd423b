"""Boxes at and beyond what is allowed: packaged and small ones with a few changes that a person could have made."""

import copy
import string

from tests.support.box import FILES, packaged_files
from tests.support.hostile.spoiling import find_keys, spoil
from zamek_env.components.box_folder import RULESETS

NUMBERS = (0, 1, 2, 3, 5, 12, 13, 99, 100, 101, 253, 254, 255, 256, 1000, 2**15 - 1, 2**15, 2**31, 10**30)
TABLE = {
    "name": "carcassonne",
    "table": {"start": "A", "window": 3},
    "tiles": ["carcassonne_tiles.json"],
    "copies": {"A": 2, "D": 2, "E": 1, "F": 1, "U": 2, "V": 1},
}
SWITCHES = {  # house rules, and what stands for them in a file, now and then what may not
    "draw_ahead": (True, True, False, 1),
    "hand": ("open", "hidden", "open", "hidden", None, "closed"),
    "back_into_bag": (True, True, False, None),
    "start_in_bag": (True, True, False, "yes"),
    "hole_plays_again": (True, True, False, 0),
    "unfinished_pays_nothing": (True, True, False, []),
    "table": ([1, 1], [1, 3], [3, 3], [5, 3], [5, 7], [9, 9], None, [2, 3], [3], [143, 143], [3, 999], "3 x 3"),
    "edges_complete": (True, True, False, {}),
    "small_city": (True, True, False, 2),
    "dice": (True,),
}


def draw_box(rng):
    """Return (name of a ruleset, its files by name), changed at random."""
    ruleset, files = _draw_base(rng)
    rules = files[f"{ruleset}.json"]
    for _ in range(rng.integers(6)):
        _pick(rng, CHANGES)(rules, files, rng)
    if not rng.integers(4):
        name = _pick(rng, sorted(files))
        files[name] = spoil(files[name], rng)
    return ruleset, {name: values for name, values in files.items() if isinstance(values, dict)}


def draw_rules(rng):
    """Return house rules, mostly such as can be."""
    names = [name for name in SWITCHES if rng.random() < (0.03 if name == "dice" else 0.3)]
    return {name: copy.deepcopy(_pick(rng, SWITCHES[name])) for name in names}


def _draw_base(rng):
    """Return a ruleset and all files that it consists of, the ruleset file written in full."""
    packaged = packaged_files()
    if rng.integers(3) == 0:
        return "zamek", copy.deepcopy(FILES)
    ruleset = _pick(rng, RULESETS)
    rules = {}
    following, chain = f"{ruleset}.json", []
    while following:
        chain.append(packaged[following])
        following = chain[-1].get("extends")
    for values in reversed(chain):
        for field, value in values.items():
            is_list = isinstance(value, list) and isinstance(rules.get(field), list)
            rules[field] = rules[field] + value if is_list else value
    rules.pop("extends", None)
    if "table" in rules and rng.integers(2):
        rules |= copy.deepcopy({field: value for field, value in TABLE.items() if field != "name"})
    used = [*rules["tiles"], *([rules["wall"]] if "wall" in rules else [])]
    files = {f"{ruleset}.json": copy.deepcopy(rules)} | {name: packaged[name] for name in used}
    if rng.integers(3):  # mostly few tiles, to be played faster
        _drop_tiles(files[f"{ruleset}.json"], files, rng, most=12)
    return ruleset, files


def _pick(rng, values):
    return values[rng.integers(len(values))]


def _tile_files(rules, files):
    return [files[name] for name in rules.get("tiles", ()) if name in files]


def _tiles(rules, files):
    return [tile for file in _tile_files(rules, files) for tile in file["tiles"]]


def _drop_tiles(rules, files, rng, most=None):
    """Keep a few tiles, those for which there are copies among them."""
    for file in _tile_files(rules, files):
        copied = [tile for tile in file["tiles"] if tile["id"] in rules.get("copies", {})]
        if not copied and file["tiles"]:
            number = int(rng.integers(1, 1 + (most or len(file["tiles"]))))
            chosen = rng.permutation(len(file["tiles"]))[:number]
            file["tiles"] = [file["tiles"][number] for number in sorted(chosen)]


def _push_number(rules, files, rng):
    """Replace a number, which the files state or may state, by one at some limit."""
    numbers = [(holder, key) for holder, key in find_keys(rules) if type(holder[key]) is int]
    holder, key = _pick(rng, numbers)
    holder[key] = _pick(rng, NUMBERS)


def _push_points(rules, files, rng):
    feature = _pick(rng, rules["features"])
    fields = ("points", "marked_points", "mark_points", "completed_mark_points", "unfinished_points", "touch_points")
    feature[_pick(rng, fields)] = _pick(rng, (0, 1, 7, 50, 100))


def _pay_by_size(rules, files, rng):
    feature = _pick(rng, rules["features"])
    feature.pop("points", None)
    feature.pop("marked_points", None)
    feature["size_points"] = rng.integers(101, size=_pick(rng, (1, 2, 5, 300))).tolist()


def _change_supply(rules, files, rng):
    field, values = _pick(
        rng,
        (
            ("followers", (1, 2, 30, 100)),
            ("nests", (0, 1, 3, 255)),
            ("pieces", ([], ["prince"], ["falconer"], ["prince", "falconer"], ["falconer", "prince"])),
            ("farmers", (True, False)),
            ("ties_pay", (True, False)),
            ("halting_gates", (True, False)),
            ("widened", (True, False)),
        ),
    )
    rules[field] = _pick(rng, values)


def _agree(rules, files, rng):
    rules["rules"] = draw_rules(rng)


def _add_feature(rules, files, rng):
    """Add a feature like one that is there, and show it on some tiles in place of that."""
    old = copy.deepcopy(_pick(rng, rules["features"]))
    letters = {feature["letter"] for feature in rules["features"]}
    letter = _pick(rng, [letter for letter in string.ascii_letters if letter not in letters])
    name = _pick(rng, ("moat", "river", "tower", "tile", "space", "my_area", "worth", "nests", "n", "x" * 100))
    new = old | {"name": name, "letter": letter}
    new.pop("mark", None)
    for field, values in (("completes", (True, False)), ("edge", rules["edges"]), ("family_house", (True, False))):
        if not rng.integers(3) and field in new:
            new[field] = _pick(rng, values)
    rules["features"].append(new)
    for tile in _tiles(rules, files):
        if rng.integers(2):
            for side in "nesw":
                tile[side] = tile[side].replace(old["letter"], letter)


def _add_tokens(rules, files, rng):
    tokens = rules.setdefault("tokens", [])
    for _ in range(rng.integers(1, 4)):
        use = _pick(rng, ("extra turn", "completed area", "marks", "family house", "points", "unfinished area"))
        token = {"kind": len(tokens) + 1, "count": int(_pick(rng, (1, 2, 3, 7, 100))), "use": use}
        if use in ("completed area", "marks", "unfinished area"):
            token["feature"] = _pick(rng, rules["features"])["name"]
        tokens.append(token | {"points": int(_pick(rng, (0, 1, 9, 100)))})


def _copy_tiles(rules, files, rng):
    """Add copies of tiles under names of their own, or change how many copies there are."""
    if "copies" in rules:
        for name in rules["copies"]:
            if not rng.integers(4):
                rules["copies"][name] = int(_pick(rng, (0, 1, 2, 5)))
        return
    file = _pick(rng, _tile_files(rules, files))
    for number in range(int(_pick(rng, (1, 3, 10)))):
        if file["tiles"]:
            tile = _pick(rng, file["tiles"])
            file["tiles"].append(copy.deepcopy(tile) | {"id": f"{tile['id'][:20]}+{number}{rng.integers(1000)}"})


def _change_sides(rules, files, rng):
    """Show other segments on some sides."""
    sides = [tile[side] for tile in _tiles(rules, files) for side in "nesw"]
    for tile in _tiles(rules, files):
        if not rng.integers(4):
            tile[_pick(rng, "nesw")] = _pick(rng, sides)


def _split_sides(rules, files, rng):
    """Make every port of some tiles a segment of its own, of any feature."""
    half = [feature["letter"] for feature in rules["features"] if not feature.get("middle")]
    middle = [feature["letter"] for feature in rules["features"] if feature.get("middle")]
    half = [feature for feature in half if feature != "k"] or ["m"]
    for tile in _tiles(rules, files):
        if not rng.integers(3):
            for number, side in enumerate("nesw"):
                left, right = (f"{_pick(rng, half)}{2 * number + offset}" for offset in (20, 21))
                between = f" {_pick(rng, middle)}{number + 20} " if middle and rng.integers(2) else "|"
                tile[side] = f"{left}{between}{right}"
            for field in set(tile) - {"id", *"nesw"}:
                del tile[field]


def _share_edges(rules, files, rng):
    """Let sides of all features meet."""
    for feature in rules["features"]:
        if "edge" in feature:
            feature["edge"] = rules["edges"][0]


def _reshape_wall(rules, files, rng):
    wall = files.get(rules.get("wall"))
    if wall is None:
        return
    rows = [list(row) for row in wall["interior"]]
    kind = rng.integers(5)
    if kind == 0:
        rows = [row + ["#"] * int(_pick(rng, (1, 3, 40, 90))) for row in rows]
    elif kind == 1:
        rows += [["."] * len(rows[0])] * int(_pick(rng, (1, 5, 90, 30_000)))
    else:
        for _ in range(rng.integers(1, 8)):
            row = _pick(rng, rows)
            row[rng.integers(len(row))] = _pick(rng, "#.")
    wall["interior"] = ["".join(row) for row in rows]
    spaces = {(row, column) for row, line in enumerate(rows) for column, mark in enumerate(line) if mark == "#"}
    wall["starts"] = [start for start in wall["starts"] if _is_beside_wall(start, spaces)]


def _is_beside_wall(start, spaces):
    row, column = start["cell"]
    down, right = dict(zip("NESW", ((-1, 0), (0, 1), (1, 0), (0, -1)), strict=True))[start["side"]]
    return (row, column) in spaces and (row + down, column + right) not in spaces


def _change_track(rules, files, rng):
    wall = files.get(rules.get("wall"))
    if wall is not None:
        length = int(_pick(rng, (4, 5, 12, 500)))
        wall["track"] = [{"field": number, "x": 0, "y": number / 8} for number in range(length)]
        wall["towers"] = [[first, first + 1] for first in range(0, min(length - 1, int(rng.integers(20))), 2)]
        wall["towerless"] = []


CHANGES = (
    _push_number, _push_points, _push_points, _pay_by_size, _change_supply, _change_supply, _add_feature, _add_tokens,
    _agree, _agree, _copy_tiles, _change_sides, _split_sides, _share_edges, _reshape_wall, _change_track, _drop_tiles,
)  # fmt: skip
