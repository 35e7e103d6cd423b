"""Reads what a ruleset file says besides board and tiles: features, tokens, pieces, and which rules are in force."""

from typing import Any

from zamek_env.common.messages import show
from zamek_env.components.faces import APART_FIELD, NESTS_FIELD, START_FIELDS, TILE_FIELDS
from zamek_env.components.json_entry import Entry
from zamek_env.components.model import MAX_FEATURES, SPECIAL_PIECES, TOKEN_USES, Feature, Token

RULESET_FIELDS = (
    "name", "extends", "wall", "widened", "table", "tiles", "copies", "followers", "pieces", "nests", "edges",
    "features", "tokens", "halting_gates", "farmers", "ties_pay", "rules",
)  # fmt: skip
MAX_POINTS = 100  # what can come together is bounded by `limits.MAX_SCORE`
MAX_FOLLOWERS = 100
MAX_TOKENS = 100  # of a kind, and kinds: both are kept in bytes
MAX_NESTS = 255  # of a player, kept in a byte
MAX_EDGES = MAX_FEATURES  # each feature has one

FEATURE_FIELDS = tuple(Feature.__dataclass_fields__)
TOKEN_FIELDS = tuple(Token.__dataclass_fields__)


def read_rules(file: Entry) -> dict[str, Any]:
    """Return the contents of a ruleset file, without board and tiles, by the fields of `Components`."""
    if file.get("ties_pay", bool, False) and "table" not in file.values:
        file.fail("ties_pay", "only on a table can ties pay, not within a wall, where the order of scoring matters")
    edges = file.texts("edges")
    features = _read_features(file, edges)
    names = file.texts("pieces", [])
    known = [piece.name for piece in SPECIAL_PIECES]
    file.check_unique("pieces", names)
    for name in names:
        if name not in known:
            file.fail("pieces", f"must be of {', '.join(known)}, not {show(name)}")
    return {
        "followers": file.whole("followers", 1, MAX_FOLLOWERS),
        "edges": edges,
        "features": features,
        "tokens": _read_tokens(file, features),
        "special_pieces": tuple(SPECIAL_PIECES[known.index(name)] for name in names),
        "nests": file.whole("nests", 0, MAX_NESTS, 0),
        "halting_gates": file.get("halting_gates", bool, False),
        "farmers": file.get("farmers", bool, True),
        "ties_pay": file.get("ties_pay", bool, False),
    }


def _read_features(rules, edges):
    rules.check_unique("edges", edges)
    for edge in edges:
        if not edge.isprintable():
            rules.fail("edges", f"must be printable on one line, not {show(edge)}")
    if len(edges) > MAX_EDGES:
        rules.fail("edges", f"must be {MAX_EDGES} at most, not {len(edges)}")
    entries = rules.entries("features", lambda number, values: f"feature {number}", FEATURE_FIELDS)
    if not 1 <= len(entries) <= MAX_FEATURES:
        rules.fail("features", f"must be 1 to {MAX_FEATURES}, not {len(entries)}")
    features = tuple(_read_feature(entry, edges) for entry in entries)
    for field in ("name", "letter", "mark"):
        given = [getattr(feature, field) for feature in features]
        rules.check_unique("features", [value for value in given if value is not None])
    for entry, feature in zip(entries, features, strict=True):
        if feature.family_house and not feature.completes:
            entry.fail("family_house", "only an area that is completed can become the family house")
        if feature.size_points and not feature.completes:
            entry.fail("size_points", "only an area that is completed is paid by its size")
        if feature.size_points and (feature.points or feature.marked_points):
            entry.fail("size_points", "an area is paid by its size or by the tile, not both")
        if feature.family_house and ("table" in rules.values):
            entry.fail("family_house", "goes with a wall: the spaces that a table leaves empty have no end")
        _check_surrounded(entry, feature, features, "table" in rules.values)
        _check_touches(entry, feature, features)
    return features


def _read_feature(entry, edges):
    letter = entry.get("letter", str)
    if len(letter) != 1 or not letter.isalpha():
        entry.fail("letter", f"must be one letter, not {show(letter)}")
    mark = None if entry.get("mark", str, None) is None else entry.name("mark")
    if mark in (*TILE_FIELDS, *START_FIELDS, NESTS_FIELD, APART_FIELD):
        entry.fail("mark", f"{mark!r} means something else in the file of tiles or of the wall")
    return Feature(
        name=entry.name("name"),
        letter=letter,
        role=entry.name("role"),
        edge=None if entry.get("surrounded", bool, False) else entry.choice("edge", edges),
        middle=entry.get("middle", bool, False),
        completes=entry.get("completes", bool),
        points=entry.whole("points", 0, MAX_POINTS, 0),
        mark=mark,
        marked_points=entry.whole("marked_points", 0, MAX_POINTS, 0),
        mark_points=entry.whole("mark_points", 0, MAX_POINTS, 0),
        family_house=entry.get("family_house", bool, False),
        size_points=entry.wholes("size_points", 0, MAX_POINTS, []),
        completed_mark_points=entry.whole("completed_mark_points", 0, MAX_POINTS, 0),
        unfinished_points=entry.whole("unfinished_points", 0, MAX_POINTS, 0),
        surrounded=entry.get("surrounded", bool, False),
        touches=entry.get("touches", str, None),
        touch_points=entry.whole("touch_points", 0, MAX_POINTS, 0),
    )


def _check_surrounded(entry, feature, features, is_open):
    if feature.unfinished_points and not feature.completes:
        entry.fail("unfinished_points", "an area that is never completed is paid by its marks or what it touches")
    if not feature.surrounded:
        return
    if not feature.completes or feature.middle or "edge" in entry.values:
        entry.fail("surrounded", "a surrounded area is completed and lies on no side: it has neither edge nor middle")
    if not is_open:
        entry.fail("surrounded", "only on a table can an area be surrounded, not within a wall")
    if feature.name in (*TILE_FIELDS, NESTS_FIELD, APART_FIELD, *(other.mark for other in features)):
        entry.fail("name", f"{feature.name!r} means something else in the file of tiles")
    if sum(other.surrounded for other in features) > 1:
        entry.fail("surrounded", "there can be one surrounded feature at most")


def _check_touches(entry, feature, features):
    if feature.touches is None:
        if feature.touch_points:
            entry.fail("touch_points", "this feature touches no other")
        return
    touched = [other.name for other in features if other.completes and not other.surrounded]
    if feature.completes or feature.touches not in touched:
        entry.fail("touches", f"only a feature that is never completed can touch one of {', '.join(touched)}")
    if sum(other.touches is not None for other in features) > 1:
        entry.fail("touches", "there can be one feature at most that touches another")


def _read_tokens(rules, features):
    if "tokens" not in rules.values:
        return ()
    entries = rules.entries("tokens", lambda number, values: f"token {number}", TOKEN_FIELDS)
    tokens = tuple(
        Token(
            kind=entry.whole("kind", 1, MAX_TOKENS),
            count=entry.whole("count", 1, MAX_TOKENS),
            use=entry.choice("use", TOKEN_USES),
            feature=_read_token_feature(entry, features),
            points=entry.whole("points", 0, MAX_POINTS, 0),
        )
        for entry in entries
    )
    if [token.kind for token in tokens] != list(range(1, len(tokens) + 1)):
        rules.fail("tokens", f"kinds must be 1 to {len(tokens)} in order")
    rules.check_unique("tokens", [token.feature for token in tokens if token.use == "completed area"])
    rules.check_unique("tokens", [token.use for token in tokens if token.use == "extra turn"])
    return tokens


def _read_token_feature(entry, features):
    use = entry.get("use", str)
    if use == "marks":
        return entry.choice("feature", [feature.name for feature in features if feature.mark])
    if use in ("completed area", "unfinished area"):
        return entry.choice("feature", [feature.name for feature in features if feature.completes])
    if "feature" in entry.values:
        entry.fail("feature", f"a token for {use!r} is used on no feature")
    return None
