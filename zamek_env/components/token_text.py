"""Special tokens in words: the one name of each kind, and what it does (rule Z23)."""

from zamek_env.common.messages import show_count
from zamek_env.components.model import Components, Token


def name_token(components: Components, kind: int) -> str:
    """Return the name of tokens of `kind`, in a few letters; where the game has none of that kind, its number."""
    token = _find_token(components, kind)
    if token is None:
        return f"kind {kind}"
    return {
        "extra turn": "extra turn",
        "completed area": f"{token.feature} ×{token.points}",
        "marks": f"{_find_mark(components, token)} +{token.points}",
        "family house": f"family house +{token.points}",
        "points": f"+{token.points} points",
        "unfinished area": f"unfinished {token.feature}",
    }[token.use]


def describe_token(components: Components, kind: int) -> str:
    """Return what tokens of `kind` do, in a sentence; "" where the game has none of that kind."""
    token = _find_token(components, kind)
    if token is None:
        return ""
    points, mark = show_count(token.points, "point"), _find_mark(components, token)
    return {
        "extra turn": "At the end of your turn you may spend it to take another turn.",
        "completed area": f"When you score a {token.feature} in your turn, you may spend it for {points} a tile.",
        "marks": f"At the end {points} more for each of the {mark} in a {token.feature} of yours.",
        "family house": f"At the end your family house counts as {show_count(token.points, 'tile')} larger.",
        "points": f"At the end {points}.",
        "unfinished area": f"At the end {points} a tile of an unfinished {token.feature} of yours.",
    }[token.use]


def _find_token(components: Components, kind: int) -> Token | None:
    return next((token for token in components.tokens if token.kind == kind), None)


def _find_mark(components: Components, token: Token) -> str:
    """Return the mark that a token counts: that of its feature or, where it names none, of one that pays for marks."""
    marks = [feature.mark for feature in components.features if feature.name == token.feature and feature.mark]
    marks += [feature.mark for feature in components.features if feature.mark and feature.mark_points]
    return marks[0] if marks else "marks"
