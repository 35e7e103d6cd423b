"""Invariants of every position, whatever the deal and whatever is played; Hypothesis draws the positions."""

import json
from collections import Counter
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.checking.consistency import check_consistency
from tests.support.games import IS_COMPILED, few, same_observation, swap_players
from tests.support.rulesets import PLAYED
from zamek_agents import GreedyAgent
from zamek_env import Game, IllegalActionError
from zamek_env.base.chance import MAX_DEAL
from zamek_env.base.records import NONE
from zamek_env.core.log import SCORED

MAX_DECISIONS = 180  # more than most games take
EXTRA_TURN_TOKEN = 1
NUM_PICKS = 1000  # the upper half lets the greedy player choose, so that tokens are taken and used
REPEATABLE = settings(max_examples=few(75, 4), derandomize=True, deadline=None, database=None)

deals = st.tuples(st.sampled_from(PLAYED), st.integers(0, MAX_DEAL))
pick = st.integers(0, NUM_PICKS - 1)
picks = st.integers(0, MAX_DECISIONS).flatmap(lambda count: st.lists(pick, min_size=count, max_size=count))


def choose(game, pick):
    """Return the legal action that `pick` stands for."""
    if pick >= NUM_PICKS // 2 and IS_COMPILED:
        return GreedyAgent().act(game, np.random.default_rng(pick))
    legal = game.legal_actions()
    return legal[pick % len(legal)]


def go_on(game, picks):
    """Yield `game` after each of the `picks`, to its end at most."""
    for pick in picks:
        if game.is_terminal:
            return
        game.step(choose(game, pick))
        yield game


def walk(deal, picks):
    """Yield the game of that `deal`, (ruleset, number), at each decision and after the last."""
    game = Game(*deal)
    yield game
    yield from go_on(game, picks)


def reach(deal, picks):
    """Return the game after all `picks`, or at its end."""
    *_, game = walk(deal, picks)
    return game


# --- one position ---


@REPEATABLE
@given(deals, picks)
def test_the_state_can_be_rebuilt_from_the_table(deal, picks):
    check_consistency(reach(deal, picks))


@REPEATABLE
@given(deals, picks)
def test_something_is_legal_until_the_game_is_over_and_nothing_afterwards(deal, picks):
    for game in walk(deal, picks):
        assert game.legal_action_mask().any() == (not game.is_terminal)
        assert (game.current_player in range(game.num_players)) == (not game.is_terminal)


@REPEATABLE
@given(deals, picks)
def test_every_follower_is_in_supply_or_in_the_castle(deal, picks):
    for game in walk(deal, picks):
        position = game.position()
        special = {piece.name: 1 for piece in game.ruleset.components.special_pieces}
        for player in range(game.num_players):
            standing = Counter(piece for owner, _, _, piece in position.followers if owner == player)
            in_supply = Counter(position.pieces[player]) + Counter(follower=position.supplies[player])
            assert standing + in_supply == Counter({"follower": game.ruleset.components.followers, **special})
        assert len({(cell, name) for _, cell, name, _ in position.followers}) == len(position.followers)


@REPEATABLE
@given(deals, picks)
def test_every_nest_lies_in_the_pool_or_before_a_player(deal, picks):
    held = [0, 0]
    for game in walk(deal, picks):
        position = game.position()
        assert sum(position.nests) + position.nest_pool == game.ruleset.components.nests
        taken = [0, 0]
        for event, player, *_, nests in game.last_events.tolist():
            taken[player] += nests if event == SCORED else 0
        given_back = [before + more - now for before, more, now in zip(held, taken, position.nests, strict=True)]
        assert given_back[0] == given_back[1] >= 0
        held = list(position.nests)


@REPEATABLE
@given(deals, picks)
def test_points_are_lost_at_gates_only(deal, picks):
    scores = (0, 0)
    for game in walk(deal, picks):
        position, due = game.position(), list(scores)
        for event, player, _, _, points, _, score, _, _ in game.last_events.tolist():
            assert event == SCORED or game.is_terminal or points == 0
            halted = event == SCORED and score != due[player] + points
            due[player] = score if halted else due[player] + points
            assert not halted or (score % 100 in (27, 47, 69, 91) and game.ruleset.components.halting_gates)
        assert position.scores == tuple(due)
        assert not any(position.at_gate) or game.ruleset.components.halting_gates
        scores = position.scores


@REPEATABLE
@given(deals, picks)
def test_every_tile_is_to_come_on_the_board_in_hand_or_out_of_the_game(deal, picks):
    for game in walk(deal, picks):
        position = game.position()
        in_hand = [position.tile] if position.phase == "place" else []
        placed = [tile for tile, _ in position.board.values()]
        tiles = position.remaining + position.discarded + Counter(in_hand) + Counter(placed)
        components = game.ruleset.components
        start = [components.start_tile] if components.start_tile else []
        assert tiles == Counter(tile.id for tile in [*components.tiles, *start])


@REPEATABLE
@given(deals, picks)
def test_every_token_taken_is_in_hand_until_it_is_used(deal, picks):
    game = Game(*deal)
    towers = game.ruleset.sizes.towers
    dealt = Counter(game.state[0].token_deal[:towers].tolist())
    taken, used = [Counter(), Counter()], [Counter(), Counter()]
    actions = game.ruleset.actions
    extra_turn = actions.extra_turn(True) if actions.has_track else NONE
    for game in walk(deal, picks):
        position = game.position()
        for event, player, _, _, _, token, _, took, _ in game.last_events.tolist():
            if event == SCORED:
                taken[player].update([took] if took else [])
                used[player].update([token] if token else [])
        if game.history and game.history[-1] == extra_turn:
            used[position.player][EXTRA_TURN_TOKEN] += 1  # it is that player's turn again, or was when the game ended
        for player in range(game.num_players):
            in_hand = Counter(position.tokens[player]) + Counter(position.fresh_tokens[player])
            assert in_hand + used[player] == taken[player]
        assert len(position.towers) + taken[0].total() + taken[1].total() == towers
        assert taken[0] + taken[1] <= dealt


@REPEATABLE
@given(deals, picks, st.lists(st.integers(), max_size=30))
def test_an_illegal_action_is_rejected_and_changes_nothing(deal, picks, tried):
    game = reach(deal, picks)
    before, history, legal = game.state.tobytes(), game.history, game.legal_actions()
    for action in {*tried, *range(game.num_actions)} - {*legal}:
        with pytest.raises(IllegalActionError):
            game.step(action)
    assert (game.state.tobytes(), game.history, game.legal_actions()) == (before, history, legal)


# --- two games ---


@REPEATABLE
@given(deals, picks, picks, picks)
def test_copies_are_independent(deal, picks, one_way, another_way):
    game = reach(deal, picks)
    before, history = game.state.tobytes(), game.history
    first, second = game.copy(), game.copy()
    for twin, way in ((first, one_way), (second, another_way)):
        for _ in go_on(twin, way):
            pass
    assert (game.state.tobytes(), game.history) == (before, history)
    for _ in go_on(game, one_way):
        pass
    assert game.state.tobytes() == first.state.tobytes()


@REPEATABLE
@given(deals, picks, st.integers(0, 2**32))
def test_a_redeal_keeps_all_that_the_player_to_decide_sees(deal, picks, seed):
    game = reach(deal, picks)
    twin = game.copy()
    decider = None if game.is_terminal else game.current_player
    twin.redeal(np.random.default_rng(seed), decider)
    check_consistency(twin)
    assert twin.position() == game.position()
    assert twin.areas() == game.areas()
    assert twin.legal_actions() == game.legal_actions()
    assert [twin.describe(action) for action in twin.legal_actions()] == [
        game.describe(action) for action in game.legal_actions()
    ]
    hides = game.ruleset.sizes.hides_hands and not game.is_terminal
    for player in [decider] if hides else range(game.num_players):
        assert same_observation(twin.observe(player), game.observe(player))
    drawn = int(game.state[0].drawn)
    assert twin.state[0].deck[:drawn].tolist() == game.state[0].deck[:drawn].tolist()


@REPEATABLE
@given(deals, picks)
def test_a_record_is_replayed_to_the_state_at_the_end_of_its_last_turn(deal, picks):
    states = [game.copy() for game in walk(deal, picks)]
    game = states[-1]
    replayed = Game.replay(json.loads(json.dumps(game.record())))
    turn_end = states[len(replayed.history)]
    assert replayed.state.tobytes() == turn_end.state.tobytes()
    assert replayed.history == turn_end.history
    assert replayed.record() == game.record()


# --- the players swapped ---


@REPEATABLE
@given(deals, picks)
def test_with_the_players_swapped_each_sees_what_the_other_saw(deal, picks):
    game = reach(deal, picks)
    twin = swap_players(game)
    check_consistency(twin)
    assert twin.legal_actions() == game.legal_actions()
    assert twin.scores == game.scores[::-1]
    assert twin.returns() == game.returns()[::-1]
    for player in range(game.num_players):
        assert same_observation(twin.observe(1 - player), game.observe(player))


@REPEATABLE
@given(deals, picks, picks)
def test_with_the_players_swapped_the_game_goes_on_the_same(deal, picks, further):
    game = reach(deal, picks)
    twin = swap_players(game)
    for _ in go_on(game, further):
        twin.step(game.history[-1])
        assert swap_players(twin).state.tobytes() == game.state.tobytes()
        mirrored = [[row[0], 1 - row[1], *row[2:]] for row in game.last_events.tolist()]
        assert sorted(twin.last_events.tolist()) == sorted(mirrored)


# --- the followers of a player renumbered ---


def renumber_followers(game):
    """Number the plain followers of both players the other way round."""
    state, plain = game.raw_states[0], game.ruleset.sizes.followers
    for name in ("follower_node", "follower_area"):
        state[name][:, :plain] = state[name][:, :plain][:, ::-1].copy()


@pytest.mark.parametrize("ruleset", PLAYED)
def test_which_of_his_followers_a_player_sent_makes_no_difference(ruleset):
    for seed in range(few(3, 1)):
        picks = np.random.default_rng(seed).integers(0, NUM_PICKS, 300).tolist()
        for number, game in enumerate(walk((ruleset, seed), picks)):
            if number == 0:
                twin = game.copy()
            else:
                twin.step(game.history[-1])
                assert sorted(twin.last_events.tolist()) == sorted(game.last_events.tolist())
            renumber_followers(twin)
            assert twin.legal_actions() == game.legal_actions()
            assert twin.position() == game.position()
            if number % 10 == 0 or game.is_terminal:
                check_consistency(twin)
                for player in range(game.num_players):
                    assert np.array_equal(twin.observe(player)["planes"], game.observe(player)["planes"])
        assert game.is_terminal


# --- the position as a value ---


@REPEATABLE
@given(deals, picks)
def test_the_areas_part_all_segments_on_the_board(deal, picks):
    game = reach(deal, picks)
    areas, position = game.areas(), game.position()
    segments = [segment for area in areas for segment in area.segments]
    assert len(segments) == len(set(segments))
    tiles = {tile.id: tile for tile in game.ruleset.components.tiles}
    on_tiles = {(cell, segment.name) for cell, (tile, _) in position.board.items() for segment in tiles[tile].segments}
    on_starts = {
        (start.id, segment.name) for start in game.ruleset.components.board.starts for segment in start.tile.segments
    }
    assert set(segments) == on_tiles | on_starts
    assert sum(sum(area.followers) for area in areas) == len(position.followers)


@REPEATABLE
@given(deals, picks)
def test_looking_changes_nothing(deal, picks):
    game = reach(deal, picks)
    before = game.state.tobytes()
    looks = [astuple(game.position()), game.areas(), str(game), repr(game), game.record(), game.legal_actions()]
    assert all(look is not None for look in looks)
    for action in game.legal_actions():
        game.describe(action)
    assert game.state.tobytes() == before
