"""The parts that kernels are made of: stale code, bit sets, chance, records without nameless bytes."""

import random
from collections import Counter

import numpy as np
import pytest

from tests.support.box import FILES, RULES, load_box, write_box
from tests.support.games import few, generator_for, play_randomly
from zamek_env import Game
from zamek_env.base.chance import MAX_DEAL, draw_below, draw_random
from zamek_env.base.records import NONE, record_dtype
from zamek_env.compiler import bits
from zamek_env.components.bitset import num_words
from zamek_env.components.box_folder import RULESETS
from zamek_env.core.dealing import deal, forget_hidden, redeal
from zamek_env.load import load_components
from zamek_env.ruleset import get_ruleset

# --- stale compiled code ---

# --- bit sets, against whole numbers of Python ---

EDGES = [0, 1, 2, 3, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xAAAAAAAA, 0x55555555, 0xFFFF0000, 0xFFFFFFFE, 0xFFFFFFFF]


def some_words(count):
    rng = random.Random(1)
    return EDGES + [1 << bit for bit in range(32)] + [rng.getrandbits(32) & rng.getrandbits(32) for _ in range(count)]


def as_words(number, words):
    return np.array([number >> (32 * word) & 0xFFFFFFFF for word in range(words)], np.uint32)


def as_number(words):
    return sum(int(word) << (32 * number) for number, word in enumerate(words))


def test_bits_of_a_word_are_counted_and_found():
    for word in some_words(500):
        members = [bit for bit in range(word.bit_length()) if word >> bit & 1]
        assert bits.count_word(word) == word.bit_count()
        assert word == 0 or bits.lowest_bit(word) == members[0]
        assert [bits.nth_bit_of_word(word, number) for number in range(len(members))] == members


@pytest.mark.parametrize("words", [1, 2, 3, 5])
def test_bit_sets_are_read_and_written(words):
    rng = random.Random(words)
    for number in (0, (1 << 32 * words) - 1, *(rng.getrandbits(32 * words) for _ in range(20))):
        held = as_words(number, words)
        members = [bit for bit in range(32 * words) if number >> bit & 1]
        assert [bit for bit in range(32 * words) if bits.has_bit(held, bit)] == members
        assert bits.count_bits(held) == len(members)
        for bit in range(32 * words):
            changed = held.copy()
            bits.set_bit(changed, bit)
            assert as_number(changed) == number | 1 << bit
            bits.clear_bit(changed, bit)
            assert as_number(changed) == number & ~(1 << bit)
        assert as_number(held) == number


@pytest.mark.parametrize("kind", [np.int16, np.int32, np.int64, np.uint8])
def test_bits_are_numbered_by_any_kind_of_int(kind):
    held = np.zeros(3, np.uint32)
    for bit in (0, 31, 32, 63, 64, 95):
        bits.set_bit(held, kind(bit))
        assert bits.has_bit(held, kind(bit))
        bits.clear_bit(held, kind(bit))
    assert not held.any()


def test_as_many_words_as_needed_hold_the_bits():
    assert [num_words(count) for count in (0, 1, 31, 32, 33, 64, 65, 76)] == [0, 1, 1, 1, 2, 2, 3, 3]


# --- chance ---

DRAWN = {  # number of a deal -> the first draws of its generator
    0: [1534647089, 3977982056],
    1: [786660713, 3914586552],
    2**32: [3493067323, 1514821470],
    MAX_DEAL: [770593664, 884357467],
}


def test_draws_lie_below_the_limit_and_reach_every_number():
    generator = generator_for(1)
    for limit in (1, 2, 3, 7, 60):
        drawn = Counter(draw_below(generator, limit) for _ in range(few(60, 20) * limit))
        assert set(drawn) == set(range(limit))
    for limit in (2**31 - 1, 2**30):
        assert all(0 <= draw_below(generator, limit) < limit for _ in range(100))


def test_draws_are_uniform():
    """Chi-square with 59 degrees of freedom: 59 on average, above 120 once in a million."""
    generator, draws = generator_for(2), few(60_000, 6_000)
    counts = np.bincount([draw_below(generator, 60) for _ in range(draws)], minlength=60)
    assert ((counts - draws / 60) ** 2 / (draws / 60)).sum() < 120


def test_every_bit_of_a_draw_is_set_half_the_time():
    generator, draws = generator_for(3), few(20_000, 4_000)
    drawn = np.array([draw_random(generator) for _ in range(draws)])
    assert drawn.min() >= 0 and drawn.max() < 2**32
    share = (drawn[:, None] >> np.arange(32) & 1).mean(axis=0)
    assert np.abs(share - 0.5).max() < 5 * 0.5 / np.sqrt(draws)


def test_the_same_deal_is_the_same_and_others_differ():
    """Also where their numbers differ in a single bit."""
    deals = [
        0,
        MAX_DEAL,
        *range(1, 300),
        *(1 << bit for bit in range(9, 63)),
        *(MAX_DEAL ^ 1 << bit for bit in range(63)),
    ]
    first = {
        deal: tuple(draw_random(generator) for _ in range(2)) for deal in deals for generator in [generator_for(deal)]
    }
    assert len(set(first.values())) == len(set(deals))
    assert all(tuple(draw_random(generator) for _ in range(2)) == first[5] for generator in [generator_for(5)])


def test_a_deal_is_drawn_as_it_always_was():
    """Records and results name a game by the number of its deal."""
    drawn = {deal: [draw_random(generator) for _ in range(2)] for deal in DRAWN for generator in [generator_for(deal)]}
    assert drawn == DRAWN


def test_neighbouring_deals_are_shuffled_independently():
    """Where the first tile and the first token come from, over many deals in a row."""
    games = [Game(seed=seed).state[0] for seed in range(few(3000, 300))]
    for count, values in ((60, [s.deck[0] for s in games]), (60, [s.deck[-1] for s in games])):
        counts = np.bincount(values, minlength=count)
        assert ((counts - len(games) / count) ** 2 / (len(games) / count)).sum() < 120
    kinds = Counter(int(s.token_deal[0]) for s in games)
    assert set(kinds) == set(range(1, 10))
    assert max(kinds.values()) < 1.6 * min(kinds.values()) or len(games) < 3000


def tiles_left(game):
    return int(game.raw_states[0]["deck"].size - game.raw_states[0]["drawn"])


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("left", [None, 20, 1, 0])  # tiles to draw; None: as at the start
def test_what_is_hidden_is_put_in_order_and_nothing_else_is_changed(ruleset, left):
    game = next(game for game in play_randomly(Game(ruleset, seed=3)) if left in (None, tiles_left(game)))
    state = game.raw_states[0]
    if left is not None:
        state["tower_taken"][1::2] = 1
    before = game.state[0]
    hidden = np.append(state["tower_taken"] == 0, np.ones(before.token_deal.size - state["tower_taken"].size, bool))
    forget_hidden(game.raw_states[0], NONE)
    after = game.state[0]
    drawn = int(before.drawn)
    assert after.deck.tolist() == before.deck[:drawn].tolist() + sorted(before.deck[drawn:].tolist())
    assert after.token_deal[hidden].tolist() == sorted(before.token_deal[hidden].tolist())
    assert after.token_deal[~hidden].tolist() == before.token_deal[~hidden].tolist()
    for name in set(before.dtype.names) - {"deck", "hand", "token_deal"}:
        assert np.array_equal(after[name], before[name]), name
    assert drawn + 1 >= before.deck.size or not np.array_equal(after.deck, before.deck)
    assert hidden.size == 0 or not np.array_equal(after.token_deal, before.token_deal)


def test_no_token_that_was_seen_changes_however_many_there_are(tmp_path):
    """There may be more tokens than a byte can count."""
    tokens = [token | {"count": 100} for token in RULES["tokens"]]
    folder = write_box(tmp_path / "box", FILES | {"zamek.json": RULES | {"tokens": tokens}})
    ruleset, generator = get_ruleset(components=load_components(folder)), generator_for(5)
    state = ruleset.new_states(1)[0]
    deal(ruleset.tables[0], state, generator)
    state["tower_taken"][1] = 1
    before, dealt = state.copy(), set()
    for _ in range(20):
        redeal(state, generator, NONE)
        assert state["token_deal"][1] == before["token_deal"][1]
        assert sorted(state["token_deal"]) == sorted(before["token_deal"]) and len(state["token_deal"]) == 300
        dealt.add(state["token_deal"].tobytes())
    assert len(dealt) == 20


# --- records ---


@pytest.mark.parametrize("dtype", ["state_dtype", "log_dtype", "tables"])
def test_no_byte_of_a_record_is_nameless(dtype, tmp_path):
    for components in (None, load_box(tmp_path / dtype if (tmp_path / dtype).mkdir() is None else tmp_path)):
        ruleset = get_ruleset(components=components)
        record = ruleset.tables.dtype if dtype == "tables" else getattr(ruleset, dtype)
        assert sum(record[name].itemsize for name in record.names) == record.itemsize
        offsets = [record.fields[name][1] for name in record.names]
        assert offsets == np.cumsum([0] + [record[name].itemsize for name in record.names[:-1]]).tolist()
        assert record.itemsize % max(record[name].base.alignment for name in record.names) == 0


def test_fields_out_of_order_are_refused():
    with pytest.raises(ValueError, match="widest first"):
        record_dtype([("narrow", np.uint8, 3), ("wide", np.int16)])


@pytest.mark.parametrize("name", RULESETS)
def test_games_lie_on_whole_lines_of_memory_so_that_no_copy_is_slow(name):
    for count in (1, 2, 5):
        states = get_ruleset(name).new_states(count)
        assert len(states) == count and states.flags.c_contiguous and states.flags.writeable
        assert states.ctypes.data % 64 == 0 and states.itemsize % 64 == 0


def test_a_state_is_small_enough_to_be_copied_often():
    assert get_ruleset().state_dtype.itemsize < 8192
