"""Deals that begin as somebody wants them to: tiles in a certain order, tokens on certain towers."""

from collections import Counter


def deal_tiles(ruleset, named):
    """Return (numbers of the tiles named by their ids, in that order, numbers of all others)."""
    left = {}
    for number, tile in enumerate(ruleset.components.tiles):
        left.setdefault(tile.id, []).append(number)
    deck = [left[tile].pop(0) for tile in named]
    return deck, sorted(number for numbers in left.values() for number in numbers)


def deal_tokens(ruleset, towers, held):
    """Return (the kinds as `Game.from_deal` takes them, [(player, tower, kind)] of the tokens held already)."""
    fields = [tower[0] for tower in ruleset.components.board.token_towers]
    assert set(towers) <= set(fields), f"tokens lie on the towers {fields}"
    dealt, taken = dict(towers), []
    for player, kinds in enumerate(held):
        for kind in kinds:
            field = max(set(fields) - set(dealt))
            dealt[field] = kind
            taken.append((player, field, kind))
    pool = Counter(ruleset.tables[0].token_pool.tolist())
    left = pool - Counter(dealt.values())
    assert left.total() + len(dealt) == pool.total(), f"there are only two tokens of a kind, not {dealt}"
    rest = sorted(left.elements())
    kinds = [dealt[field] if field in dealt else rest.pop() for field in fields]
    return kinds + rest, taken
