"""The compiled engine of Castle, the card game: numbers and words, states that agree with themselves, hidden cards."""

import dataclasses
import hashlib
from collections import Counter
from contextlib import suppress
from itertools import permutations

import numpy as np
import pytest

from tests.support.castle_cards.compiled_engine import CompiledCastleCards
from tests.support.castle_cards.consistency import check_consistency
from tests.support.checking.disagreement import ConsistencyError
from tests.support.rulesets import IS_COMPILED
from zamek_env.base.chance import MAX_DEAL, seed_generator
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.components import cards
from zamek_env.castle_cards.components.box import COPIES, FIRST_OUTSIDE, NUM_OUTSIDE, NUM_SPACES
from zamek_env.castle_cards.components.cards import CARDS, DEALS, KIND_OF, PAWNS
from zamek_env.castle_cards.core import engine
from zamek_env.castle_cards.core.log import LOG
from zamek_env.castle_cards.core.state import BLANK, END_NAMES, NONE, QUIET, new_states
from zamek_env.castle_cards.layout.actions import GROUP_BASES, GROUP_SIZES, NUM_ACTIONS, SPACE_BASE
from zamek_env.castle_cards.notation.action_line import name_option, name_space, parse_option
from zamek_env.castle_cards.records.write import forced_draws, list_deal

# --- numbers and words ---


def test_every_action_has_a_word_of_its_own():
    state = new_states(1)[0]
    state.outside_count = NUM_OUTSIDE
    state.outside_number[:] = np.arange(NUM_OUTSIDE) * 3
    words = [name_option(state, action) for action in range(NUM_ACTIONS)]
    assert len(set(words)) == NUM_ACTIONS == 216
    assert [words[base] for base in GROUP_BASES] == [
        ("draw",), ("give", "Ghost"), ("play", "Ghost"), ("card", "Ghost"), ("space", (0, 0)),
        ("space", ("outside", 0)), ("level", 0),
    ]  # fmt: skip
    assert Counter(word[0] for word in words) == {
        "draw": 1, "decline": 1, "give": 37, "play": 37, "card": 37, "space": 87, "level": 5, "player": 5, "pawn": 6,
    }  # fmt: skip
    assert words[-2:] == [("pawn", 4), ("pawn", None)]
    assert sum(GROUP_SIZES) == NUM_ACTIONS


def test_spaces_are_named_as_in_records():
    state = new_states(1)[0]
    state.outside_count, state.next_number = 2, 9
    state.outside_number[:2] = 4, 7
    assert [name_space(state, space) for space in (0, 11, 36, 39)] == [(0, 0), (1, 5), ("siege", "N"), ("siege", "W")]
    assert [name_space(state, FIRST_OUTSIDE + rank)[1] for rank in range(3)] == [4, 7, 9]
    assert name_option(state, SPACE_BASE + FIRST_OUTSIDE + 1) == ("space", ("outside", 7))
    assert len({name_space(state, space) for space in range(FIRST_OUTSIDE)}) == FIRST_OUTSIDE == NUM_SPACES - 47


@pytest.mark.parametrize("action", [-1, NUM_ACTIONS])
def test_what_is_no_action_has_no_word(action):
    with pytest.raises(ValueError, match=f"action must lie in 0 to 215, not {action}"):
        name_option(new_states(1)[0], action)


def test_the_data_file_must_say_what_the_kernels_know():
    cards._check(CARDS, DEALS, PAWNS)
    changed = (dataclasses.replace(CARDS[0], copies=2), *CARDS[1:])
    swapped = (CARDS[1], CARDS[0], *CARDS[2:])
    for wrong in ((changed, DEALS, PAWNS), (swapped, DEALS, PAWNS), (CARDS, {}, PAWNS), (CARDS, DEALS, PAWNS[:4])):
        with pytest.raises(RuntimeError, match="does not fit"):
            cards._check(*wrong)


# --- games ---


def play(players, seed):
    """Play a random game, and yield it at every decision and at its end."""
    game, rng = CompiledCastleCards.begin(players, seed), np.random.default_rng(seed)
    while game.phase != "over":
        yield game
        game.step(int(rng.choice(game.legal_actions())))
    yield game


@pytest.mark.parametrize("players", DEALS)
def test_random_games_are_consistent_at_every_decision(players):
    for seed in range(4 if IS_COMPILED else 1):
        for game in play(players, seed):
            if IS_COMPILED or len(game.turns) % 5 == 0:
                check_consistency(game.states[0])
            assert game.phase == "over" or len(game.legal_actions()) > 1


def play_games(players, count):
    """Play games 0 … `count - 1` at random; return their ends and how many decisions that took."""
    blank, states, logs, generator = new_states(1), new_states(count), np.zeros(1, LOG), np.zeros(1, np.uint64)
    decisions = 0
    for game in range(count):
        seed_generator(generator, MAX_DEAL - game)  # not the deal's own numbers again
        engine.start_deal(blank, states, logs, game, players, game)
        decisions += engine.play_randomly(states, logs, game, generator)
    return states, decisions


@pytest.mark.parametrize("players", DEALS)
def test_every_random_game_ends_and_leaves_a_consistent_state(players):
    states, decisions = play_games(players, 1000 if IS_COMPILED else 3)
    assert np.all(states["end"] > 0)
    assert decisions > 20 * len(states)
    for state in states[:30]:
        check_consistency(state)


def test_games_are_the_same_compiled_and_as_plain_python():
    ends = [play_games(players, 3)[0] for players in DEALS]
    fields = ("turns", "winners", "hand", "bottom", "bottom_pawn", "height", "pawns", "generator")
    digest = hashlib.sha256(b"".join(states[field].tobytes() for states in ends for field in fields)).hexdigest()
    assert digest[:16] == "c9a1426ae37ab9c5"


def test_a_quiet_game_ends_after_200_turns():
    game = CastleCards(3, seed=1)
    while not game.is_terminal:
        options = [parse_option(game.format_action(action)) for action in game.legal_actions()]
        quiet = next((number for number, option in enumerate(options) if option[0] in ("draw", "give", "card")), 0)
        game.step(game.legal_actions()[quiet])
    record = game.record()
    assert (record["end"], len(record["turns"])) == (END_NAMES[QUIET], 200) == ("quiet", 200)
    assert game.winners == (0, 1, 2)
    assert game.returns() == (0.0,) * 3


# --- deals ---


def test_a_known_deal_is_dealt():
    game = CompiledCastleCards.begin(4, 11)
    again = CompiledCastleCards(new_states(1))
    engine.start_dealt(
        BLANK, again.states, np.zeros(1, LOG), 0, 4, 11, list_deal(game.hands, game.decks, game.exchange)
    )
    assert (again.hands, again.decks, again.exchange) == (game.hands, game.decks, game.exchange)
    again.begin_turns().pass_over()
    game.step(0)
    again.step(0)
    assert (again.hands, again.decks, again.turns) == (game.hands, game.decks, game.turns)


def test_a_wrong_deal_is_refused():
    game = CompiledCastleCards.begin(2, 0)
    with pytest.raises(ValueError, match="players must be one of 2, 3, 4, 5, not 1"):
        list_deal(game.hands[:1], game.decks[:1], game.exchange)
    with pytest.raises(ValueError, match="decks must be 2"):
        list_deal(game.hands, game.decks[:1], game.exchange)
    with pytest.raises(ValueError, match="exchange of 2 players must have 10 cards, not 9"):
        list_deal(game.hands, game.decks, game.exchange[1:])
    with pytest.raises(ValueError, match="'Nobody' is no card; the cards are"):
        list_deal(game.hands, game.decks, ["Nobody", *game.exchange[1:]])
    with pytest.raises(ValueError, match="a deal for 2 players must have 13 of 'Soldier', not 12"):
        list_deal(game.hands, game.decks, ["Fool", *game.exchange[1:]])


def test_chance_can_be_forced():
    game = next(g for seed in range(50) for g in play(3, seed) if ("play", "Village Idiot") in g.options())
    drawn = {player: sorted(set(game.hands[player]) - {"Village Idiot"})[0] for player in range(3)}
    game.play(("play", "Village Idiot"))
    with forced_draws(game.states, drawn):
        game.begin_turns().step(game.legal_actions()[0])
    given = {step["from"]: step["card"] for turn in game.turns for step in turn["steps"] if step["do"] == "give"}
    assert given and {player: drawn[player] for player in given} == given


@pytest.mark.parametrize("error", [None, ValueError])
def test_chance_is_forced_no_longer_than_the_block(error):
    game = CompiledCastleCards.begin(2, 0)
    with suppress(ValueError), forced_draws(game.states, {0: "King"}):
        assert game["forced"][0] == KIND_OF["King"]
        if error is not None:
            raise error
    assert (game["forced"] == NONE).all()


# --- what is hidden ---


def deal_small():
    """Return a game of two in which few cards are hidden from player 0: 3 in a hand, one of them known, 3 in decks."""
    game = CompiledCastleCards.begin(2, 0)
    s = game.states[0]
    s.hand[:], s.hand_size[:], s.hand_kinds[:], s.deck[:], s.deck_size[:] = 0, 0, 0, 0, 0
    s.removed[:] = COPIES
    hands = (("King",), ("Queen", "Soldier", "Soldier"))
    for player, names in enumerate(hands):
        for name in names:
            s.hand[player, KIND_OF[name]] += 1
            s.hand_kinds[player] |= 1 << KIND_OF[name]
        s.hand_size[player] = len(names)
    s.deck[0, 0], s.deck[1, :2] = KIND_OF["Spy"], (KIND_OF["Soldier"], KIND_OF["Fool"])
    s.deck_size[:2] = 1, 2
    s.known[:2, 1, KIND_OF["Soldier"]] = 1
    s.exchange[:], s.exchange_size, s.exchange_kinds = 0, 0, 0
    for name in ("King", "Queen", *["Soldier"] * 3, "Spy", "Fool"):
        s.removed[KIND_OF[name]] -= 1
    check_consistency(s)
    return game


def test_hidden_cards_are_redealt_uniformly():
    """All ways to deal the five hidden cards are counted, and each is as frequent as it should be."""
    ways = Counter(
        (tuple(sorted(["Soldier", *dealt[:2]])), dealt[2], dealt[3:])
        for dealt in permutations(["Queen", "Soldier", "Soldier", "Spy", "Fool"])
    )
    game, found, rounds = deal_small(), Counter(), 6000 if IS_COMPILED else 1200
    for number in range(rounds):
        engine.redeal(game.states, 0, number, 0)
        assert game.hands[0] == ["King"]
        found[tuple(sorted(game.hands[1])), game.decks[0][0], tuple(game.decks[1])] += 1
    assert set(found) == set(ways)
    chi_square = sum((found[way] - rounds * n / 120) ** 2 / (rounds * n / 120) for way, n in ways.items())
    assert chi_square < len(ways) + 4 * (2 * len(ways)) ** 0.5


def test_without_an_observer_only_the_board_and_what_all_know_stay():
    game, kings = deal_small(), 0
    for number in range(40):
        engine.redeal(game.states, 0, number, NONE)
        check_consistency(game.states[0])
        kings += game.hands[0] == ["King"]
        assert "Soldier" in game.hands[1]
    assert 0 < kings < 25


@pytest.mark.parametrize("players", DEALS)
def test_a_deal_anew_keeps_what_the_observer_knows_and_tells_nothing_else(players):
    for number, game in enumerate(play(players, 5)):
        if number % (9 if IS_COMPILED else 40) or game.phase == "over":
            continue
        for observer in (NONE, *range(players)):
            one, two = game.copy(), game.copy()
            engine.redeal(one.states, 0, 1, observer)
            engine.redeal(two.states, 0, 2, observer)
            check_consistency(one.states[0])
            assert one.legal_actions()
            assert (one.piles, one.exchange) == (game.piles, game.exchange)
            assert (one["pawns"] == game["pawns"]).all()
            assert [len(hand) for hand in one.hands] == [len(hand) for hand in game.hands]
            assert one["generator"][0] != game["generator"][0]
            if observer != NONE:
                assert one.hands[observer] == game.hands[observer]
                assert one.known[observer] == game.known[observer]
                if observer == game.decider:
                    assert one.options() == game.options()
            engine.redeal(one.states, 0, 3, observer)
            engine.redeal(two.states, 0, 3, observer)
            assert one.states.tobytes() == two.states.tobytes()


# --- the checks themselves ---


@pytest.mark.parametrize(
    "field, index, value",
    [
        ("occupied", (), 1), ("where", (KIND_OF["King"],), 3), ("hand_size", (0,), 40), ("exchange_kinds", (), 1),
        ("pawns", (1,), 31), ("known", (0, 1, 7), 9), ("known", (1, 1, 7), 9), ("bottom", (14,), KIND_OF["Archer"]),
        ("height", (40,), 1), ("turn", (), 3), ("stolen", (), 4), ("num_options", (), 90), ("quiet", (), 201),
        ("deck", (0, 12), 5), ("end", (), 1), ("knight_space", (0,), 44), ("next_number", (), -1),
    ],
)  # fmt: skip
def test_a_corrupted_state_is_noticed(field, index, value):
    game = CompiledCastleCards.begin(3, 2)
    game.states[field][(0, *index)] = value
    with pytest.raises(ConsistencyError):
        check_consistency(game.states[0])


@pytest.mark.skipif(not IS_COMPILED, reason="nothing is compiled")
def test_every_kernel_that_python_calls_is_compiled_once():
    from numba.core.registry import CPUDispatcher

    for game in play(2, 0):
        engine.redeal(game.copy().states, 0, 1, 0)
    play_games(2, 1)
    CastleCards(3, seed=1).redeal(np.random.default_rng(1), np.uint8(1))
    called = [kernel for kernel in vars(engine).values() if isinstance(kernel, CPUDispatcher)]
    own = [kernel for kernel in called if kernel.__module__ == engine.__name__]
    assert {kernel.__name__: len(kernel.signatures) for kernel in own if len(kernel.signatures) > 1} == {}
