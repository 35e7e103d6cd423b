"""Whole games of the reference engine on the real boxes, dealt and played by a seed, and where ports lie."""

import random

from tests.support.reference import Box, ReferenceGame, read_box

BOX, SOKOL, GATES = read_box("zamek"), read_box("sokol"), read_box("sokol-gates")


def generous(box: Box) -> Box:
    """A box with a token on every second field, so that many are taken and used."""
    towers = [[field, field + 1] for field in range(2, 38, 2)]
    return box._replace(board=box.board | {"towers": towers, "towerless": []})


GENEROUS = generous(BOX)


def point_of(port: int) -> tuple[int, int]:
    """Where a port lies on a tile of 6 by 6 around (0, 0), x to the east and y to the south."""
    along = 2 * (port % 3) - 2
    return [(along, -3), (3, along), (-along, 3), (-3, -along)][port // 3]


def whole_game(seed: int, box: Box = BOX) -> ReferenceGame:
    """A game on the real tiles, shuffled by the seed."""
    rng, (wall, tiles, rules) = random.Random(seed), box
    deck = [tile["id"] for tile in tiles["tiles"]]
    kinds = [kind for kind in range(1, 10) for _ in range(2)]
    rng.shuffle(deck)
    rng.shuffle(kinds)
    fields = [fields[0] for fields in wall["towers"] if fields[0] not in wall["towerless"]]
    return ReferenceGame(wall, tiles, deck, dict(zip(fields, kinds, strict=False)), rules)


def choose(game: ReferenceGame, rng: random.Random) -> tuple:
    """A random decision that packs tiles closely and sends to what can be completed, so that much is scored."""
    decisions = game.decisions()
    if game.phase == "place" and rng.random() < 0.8:
        return max(rng.sample(decisions, min(4, len(decisions))), key=lambda decision: count_filled(game, decision[1]))
    if game.phase == "send" and rng.random() < 0.8:
        wanted = [decision for decision in decisions if decision[1] and decision[1][0] != "m"]
        return rng.choice(wanted or [("send", None)])
    return rng.choice(decisions)


def count_filled(game: ReferenceGame, cell: tuple) -> int:
    """How many sides of an empty space touch the wall, a start space or a tile."""
    locations = [game.castle.neighbour(cell, side) for side in range(4)]
    return sum(location is None or game.castle.is_filled(location) for location in locations)


def play_out(game: ReferenceGame, seed: int, check=lambda game: None) -> ReferenceGame:
    """Play a game to its end, with a check before each decision."""
    rng = random.Random(seed)
    while game.phase != "over":
        check(game)
        game.play(choose(game, rng))
    return game
