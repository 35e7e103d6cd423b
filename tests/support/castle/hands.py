"""Effects on hands and the exchange."""

from typing import TYPE_CHECKING

from tests.support.castle.board import Card, Space
from tests.support.castle.deciding import Effect

if TYPE_CHECKING:
    from tests.support.castle_reference import CastleReference


def alchemist(game: "CastleReference", own: Card, at: Space) -> Effect:
    hand, lying = list(game.hands[game.turn_player]), list(game.exchange)
    count = min(2, len(hand), len(lying))
    given, taken = [], []
    for cards, chosen in ((hand, given), (lying, taken)):
        for _ in range(count):
            _, name = yield from game.ask({("card", card) for card in cards})
            cards.remove(name)
            chosen.append(name)
    if count:
        for card in given:
            game.lay_into_exchange(card)
        for card in taken:
            game.take_from_exchange(card, game.turn_player)
        game.step(do="swap", give=given, take=taken)
    return count > 0


def courtesan(game: "CastleReference", own: Card, at: Space) -> Effect:
    player = game.turn_player
    others = {("player", other) for other in game.clockwise() if other != player and game.hands[other]}
    if not game.hands[player] or not others:
        return False
    _, victim = yield from game.ask(others)
    stolen = game.draw(sorted(game.hands[victim]))
    _, given = yield from game.ask({("card", card) for card in [*game.hands[player], stolen]})
    game.hand_over([(victim, player, stolen)])
    game.hand_over([(player, victim, given)])
    game.step(do="steal", **{"from": victim, "card": stolen, "give": given})
    return True


def fool(game: "CastleReference", own: Card, at: Space) -> Effect:
    passed = []
    for player in game.clockwise():
        answer = yield from game.ask({("card", card) for card in game.hands[player]}, player)
        if answer is not None:
            passed.append((player, game.left_of(player), answer[1]))
    game.hand_over(passed)
    for giver, taker, card in passed:
        game.step(do="give", **{"from": giver, "to": taker, "card": card})
    return bool(passed)


def village_idiot(game: "CastleReference", own: Card, at: Space) -> Effect:
    drawn = [
        (player, game.left_of(player), game.draw(sorted(game.hands[player])))
        for player in game.clockwise()
        if game.hands[player]
    ]
    game.hand_over(drawn)
    for giver, taker, card in drawn:
        game.step(do="give", **{"from": giver, "to": taker, "card": card, "chance": True})
    return bool(drawn)
    yield  # a generator without a decision


def witch(game: "CastleReference", own: Card, at: Space) -> Effect:
    if not game.exchange:
        return False
    _, player = yield from game.ask({("player", player) for player in game.clockwise()})
    _, card = yield from game.ask({("card", card) for card in game.exchange})
    game.take_from_exchange(card, player)
    game.step(do="award", to=player, card=card)
    return True


def counselor(game: "CastleReference", own: Card, at: Space) -> Effect:
    answer = yield from game.ask({("card", card) for card in game.exchange if game.board.fitting(card)})
    if answer is None:
        return False
    yield from game.play_card(answer[1], from_exchange=True)
    return True
