"""The reference engine of Castle, the card game, plays whole games."""

import json
import random
from collections import Counter

import pytest

from tests.support.castle.cards import DEALT, PAWNS, deal, list_cards
from tests.support.castle_reference import CastleReference


def new_game(players, seed):
    """Return a game dealt from a seed, and the generator that goes on with it."""
    rng, cards = random.Random(seed), list_cards(players)
    rng.shuffle(cards)
    return CastleReference(players, *deal(players, cards), rng.choice), rng


def play_at_random(game, rng):
    """Play on, cards rather than anything else, and yield after each decision."""
    while game.options():
        options = sorted(game.options(), key=str)
        plays = [option for option in options if option[0] == "play"] if rng.random() < 0.7 else []
        game.play(rng.choice(plays or options))
        yield


def list_held(game):
    """Return all cards, wherever they are."""
    held = [*game.hands, *game.decks, game.exchange, game.removed]
    return Counter(card for cards in held for card in cards) + Counter(card.name for _, _, card in game.board.cards())


def test_the_box_holds_56_cards_of_37_kinds_54_of_them_for_two():
    assert [len(list_cards(players)) for players in DEALT] == [54, 56, 56, 56]
    assert len(set(list_cards(3))) == 37
    assert all(
        players * (hand + deck) + rest == len(list_cards(players)) for players, (hand, deck, rest) in DEALT.items()
    )


@pytest.mark.parametrize("players", DEALT)
@pytest.mark.parametrize("seed", range(3))
def test_a_random_game_ends_and_loses_no_card(players, seed):
    game, rng = new_game(players, seed)
    dealt = list_held(game)
    assert dealt == Counter(list_cards(players))
    for _ in play_at_random(game, rng):
        assert list_held(game) == dealt
        assert len(game.options()) != 1
        assert all(0 <= game.supply(player) <= PAWNS[player] for player in range(players))
        known = [(Counter(game.hands[holder]), cards) for row in game.known for holder, cards in enumerate(row)]
        assert all(cards <= hand for hand, cards in known)
    assert (game.end is not None, game.phase, game.decider) == (True, "over", None)
    assert sum(game.returns) == pytest.approx(0)


def test_a_copy_goes_its_own_way():
    game, rng = new_game(3, 1)
    chain = play_at_random(game, rng)
    for _ in range(60):
        next(chain)
    twin = game.copy()
    assert (twin.record(), twin.options(), twin.known) == (game.record(), game.options(), game.known)
    before = game.record()
    for _ in play_at_random(twin, random.Random(2)):
        pass
    assert game.record() == before != twin.record()


def test_a_record_is_plain_json():
    game, rng = new_game(4, 5)
    for _ in play_at_random(game, rng):
        pass
    record = game.record(5)
    assert json.loads(json.dumps(record)) == record
