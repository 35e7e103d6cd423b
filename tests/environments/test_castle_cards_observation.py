"""A player of castle-cards sees all that is known to him, and nothing else."""

from collections import Counter

import numpy as np
import pytest

from tests.support.castle_cards.consistency import check_consistency
from tests.support.castle_cards.drawn import DrawnCastleCards
from tests.support.castle_cards.seen import expect_entries
from tests.support.games import play_cards
from tests.support.rulesets import IS_COMPILED, IS_PROOF
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.core.observation import ENTRIES
from zamek_env.castle_cards.layout.observation import find_layout
from zamek_env.castle_cards.layout.rows import find_row_layout

GAMES = 30 if IS_PROOF else 2 if IS_COMPILED else 1


def draw(text, *options):
    """Return the game that goes on from a drawn position of three players by these options."""
    return CastleCards.from_history(DrawnCastleCards(text, engine="fast").choose(*options).game.states, ())


# --- the layout ---


@pytest.mark.parametrize("players", [0, 1, 6, True, "a"])
@pytest.mark.parametrize("find", [find_layout, find_row_layout])
def test_there_is_no_layout_for_other_numbers_of_players(find, players):
    with pytest.raises(ValueError, match=r"players must be one of 2, 3, 4, 5, not "):
        find(players)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_entry_has_a_name_of_its_own(players):
    layout = find_layout(players)
    assert len(set(layout.names)) == len(layout.names) == len(layout)
    assert layout["hand"] == slice(0, 37) and layout.names[0] == "hand.Ghost"
    assert (layout.scale > 0).all() and (layout.high >= layout.scale).all()
    assert "spied_11.none" in layout.names and f"known_{players - 1}.King" in layout.names
    assert f"known_{players}.King" not in layout.names


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_kernels_know_where_every_group_of_the_layout_begins(players):
    layout = find_layout(players)
    starts = np.frombuffer(ENTRIES[players].tobytes(), np.int64)
    assert sorted(starts[starts >= 0]) == [layout[group.name].start for group in layout.groups]
    assert ENTRIES[players].turn == layout["turn"].start and ENTRIES[players].siege[1] == layout["siege_E"].start


@pytest.mark.parametrize("players", [2, 3, *(pytest.param(players, marks=pytest.mark.long) for players in (4, 5))])
def test_the_kernel_writes_what_the_names_say(players):
    layout, seen_names = find_layout(players), Counter()
    for seed in range(GAMES):
        for number, game in enumerate(play_cards(players, seed)):
            is_rare = game.phase not in ("action", "take", "place", "target")
            for observer in range(players) if is_rare or number % 40 == 0 else ():
                entries = game.observe(observer)
                found = {layout.names[entry]: float(entries[entry]) for entry in np.flatnonzero(entries)}
                expected = expect_entries(game, observer)
                assert sorted(found) == sorted(expected), game.phase
                assert found == pytest.approx(expected, abs=1e-6), game.phase
                assert (entries <= layout.high + 1e-6).all() and (entries >= 0).all()
                seen_names.update(name.partition(".")[0] for name in found)
    if IS_PROOF:
        assert {"stolen", "swapped", "arranged_0", "spied_0", "spying", "card", "other", "shown_1"} <= set(seen_names)
        assert ("passed" in seen_names) == (players > 2)


def test_cards_that_the_alchemist_gave_and_took_are_told_apart():
    """Player 0 has two Soldiers and a Knight; both kinds lie in the exchange. Either is given, and either is taken."""
    start = CastleCards(2, 46)
    for text in ("play Alchemist", "at 0,0"):
        start.step(start.parse_action(text))
    assert start.phase == "swap-give" and start.hand(0)["Soldier"] > 1 and start.hand(0)["Knight"] > 0
    seen, keys = set(), set()
    for cards in (("Soldier", "Knight", "Soldier"), ("Soldier", "Soldier", "Knight")):
        game = start.copy()
        for card in cards:
            game.step(game.parse_action(f"card {card}"))
        assert game.phase == "swap-take"
        seen.add(game.observe(0).tobytes())
        keys.add(game.public_key(0))
    assert len(seen) == len(keys) == 2


@pytest.mark.rule("K10")
def test_what_all_see_of_an_action_is_in_everybodys_key():
    start = CastleCards(3, 46)
    plays = [action for action in start.legal_actions() if start.format_action(action).startswith("play")]
    games = [start.copy() for _ in plays]
    for game, action in zip(games, plays, strict=True):
        game.step(action)
    for observer in (None, 0, 1, 2):
        assert len({game.public_key(observer) for game in games}) == len(plays) > 2
    further = start.copy()
    further.raw_states[0].is_first = 0  # as after a Merchant
    assert further.public_key() != start.public_key()


@pytest.mark.rule("K10")
def test_a_card_chosen_unseen_is_in_no_key_of_others():
    for game in play_cards(3, 3):
        if game.phase == "pass-on" and not game.is_terminal:
            keys = set()
            for action in game.legal_actions():
                twin = game.copy()
                twin.step(action)
                keys.add((twin.phase, twin.public_key()) if twin.phase == "pass-on" else None)
            assert len(keys) == 1
            break
    else:
        pytest.fail("nobody passed a card on")


@pytest.mark.parametrize("observer", [0, 1])
def test_the_card_played_last_is_told_by_its_level_though_a_knight_lies_on_it(observer):
    game = draw(
        """
        . . . . . .
        . Ki1/Kn2 . . . .
        hand 0: Princess, Soldier
        """,
        ("play", "Princess"), ("space", (4, 4)),
    )  # fmt: skip
    layout, entries = find_layout(3), game.observe(observer)
    found = {layout.names[entry]: float(entries[entry]) for entry in np.flatnonzero(entries)}
    assert found == pytest.approx(expect_entries(game, observer), abs=1e-6)
    assert found["space_4_4.height"] == pytest.approx(2 / 5) and found["space_4_4.last"] == pytest.approx(1 / 5)


# --- what is hidden ---


@pytest.mark.rule("K10")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_nothing_that_a_player_cannot_know_changes_what_he_sees(players):
    rng, changed = np.random.default_rng(players), 0
    for seed in range(GAMES):
        for number, game in enumerate(play_cards(players, 100 + seed)):
            is_rare = game.phase not in ("action", "take", "place", "target")
            for observer in range(players) if is_rare or number % 40 == 0 else ():
                twin = game.concealed(rng, observer)
                assert twin.observe(observer).tobytes() == game.observe(observer).tobytes(), game.phase
                assert twin.public_key(observer) == game.public_key(observer)
                assert str(twin) == str(game) and twin.format_position(observer) == game.format_position(observer)
                assert twin.scores == game.scores and twin.hand(observer) == game.hand(observer)
                assert (twin.seed, twin.history, twin.dealt_state, twin.draws) == (None, (), None, {})
                if game.current_player == observer:
                    assert twin.legal_actions() == game.legal_actions()
                    words = [[one.describe(action) for action in one.legal_actions()] for one in (game, twin)]
                    assert words[0] == words[1]
                others = [player for player in range(players) if player != observer]
                changed += any(twin.hand(player) != game.hand(player) for player in others)
    assert changed >= GAMES


@pytest.mark.rule("K10")
@pytest.mark.parametrize("observer", [None, 0, 2])
def test_what_is_redealt_keeps_nothing_of_the_old_deal(observer):
    for number, game in enumerate(play_cards(3, 5)):
        if number % 10 == 0 or game.phase in ("pass-on", "steal-give"):
            once = game.concealed(np.random.default_rng(1), observer)
            twice = game.concealed(np.random.default_rng(2), observer).concealed(np.random.default_rng(1), observer)
            assert once.state.tobytes() == twice.state.tobytes(), game.phase
            assert once.public_key(observer) == game.public_key(observer)
            assert once.format_position() == game.format_position()
            assert game.phase == "action" or not once.state[0].legal  # which says something of a hand


@pytest.mark.rule("K10")
@pytest.mark.parametrize("players", [2, 3])
def test_what_players_know_of_each_other_is_not_in_the_key_of_who_looks_on(players):
    secrets = 0
    for seed in range(8):
        for game in play_cards(players, seed):
            known = game.state[0].known
            if any((known[:players, holder] > known[holder, holder]).any() for holder in range(players)):
                secrets += 1
                assert game.concealed(np.random.default_rng(seed), None).public_key() == game.public_key()
    assert secrets > 10


@pytest.mark.rule("K10", "Alchemist")
def test_cards_that_the_alchemist_is_about_to_give_stay_where_all_have_seen_them():
    game = draw(
        "hand 0: Alchemist, Spy, Fool, Herald\nhand 1: King, Thief\nexchange: Dragon, Queen, Soldier",
        ("play", "Alchemist"), ("space", (0, 0)), ("card", "Herald"),
    )  # fmt: skip
    rng, hands = np.random.default_rng(0), set()
    for shown in ({"Herald"}, {"Herald", "Spy"}):
        for _ in range(20):
            twin = game.concealed(rng, 1)
            check_consistency(twin.state[0])
            assert shown <= set(twin.hand(0))
            hands.add(tuple(sorted(twin.hand(0).elements())))
        if game.phase == "swap-give":
            game.step(game.parse_action("card Spy"))
    assert game.phase == "swap-take" and len(hands) > 2


@pytest.mark.rule("K10", "King's Counselor")
def test_a_card_that_the_counselor_is_about_to_play_is_in_nobodys_hand():
    game = draw(
        """
        . . . . . .
        . Ki1 . . . .
        hand 0: King's Counselor, Soldier
        hand 1: Thief, Fool
        deck 2: Knight, Spy
        exchange: Knight, Lady in Waiting
        """,
        ("play", "King's Counselor"), ("space", (2, 2)),
    )  # fmt: skip
    assert game.phase == "place" and game.state[0].is_counseled
    for number in range(20):
        twin = game.concealed(np.random.default_rng(number), 1)
        check_consistency(twin.state[0])
        assert twin.hand(1) == game.hand(1)


@pytest.mark.rule("K10", "K12", "Fool")
def test_what_others_have_chosen_for_the_fool_may_be_any_card_of_their_hands():
    game = draw(
        "hand 0: Spy, Thief\nhand 1: Fool, Queen, King\nhand 2: Dragon, Fairy\nturn: 1, 1 left",
        ("play", "Fool"), ("space", (1, 1)), ("card", "King"), ("card", "Fairy"),
    )  # fmt: skip
    assert game.phase == "pass-on" and game.current_player == 0
    chosen = set()
    for number in range(40):
        twin = game.concealed(np.random.default_rng(number), 0)
        picked = [NAMES[kind] for kind in twin.state[0].picked[1:3]]
        assert all(name in twin.hand(player) for player, name in enumerate(picked, 1))
        chosen |= set(picked)
    assert chosen == {"Queen", "King", "Dragon", "Fairy", "Soldier"}  # two decks and the hands of two
    own = game.concealed(np.random.default_rng(0), 1)
    assert NAMES[own.state[0].picked[1]] == "King"


def test_a_game_redealt_has_no_record():
    game = CastleCards(3, 1)
    game.step(game.legal_actions()[0])
    with pytest.raises(ValueError, match="a redealt game has no record"):
        game.concealed(np.random.default_rng(0), 1).record()
    game.redeal(np.random.default_rng(0), 1)
    with pytest.raises(ValueError, match="a redealt game has no record"):
        game.record()


def test_another_generator_or_observer_is_refused():
    game = CastleCards(3, 1)
    before = game.state.tobytes()
    for look in (game.redeal, game.concealed):
        with pytest.raises(ValueError, match=r"observer must be one of None, 0, 1, 2, not 3"):
            look(np.random.default_rng(1), 3)
        with pytest.raises(TypeError, match=r"rng must be a numpy\.random.Generator"):
            look(7, 1)
    with pytest.raises(ValueError, match=r"player must be one of 0, 1, 2, not 3"):
        game.observe(3)
    assert game.state.tobytes() == before and game.seed == 1
