"""Observations: everything public can be read back from them, and nothing hidden changes them (rule Z31)."""

import re
from collections import Counter

import numpy as np
import pytest

from tests.support.box import load_box
from tests.support.decoded import Decoded
from tests.support.games import few, play_greedily, play_randomly, same_observation, swap_players
from tests.support.lockstep import WALLED, box_of
from tests.support.reference import new_game
from tests.support.reference.land import Land
from tests.support.reference.table import WalledTable
from tests.support.rulesets import IS_COMPILED, PLAYED
from zamek_env import Game
from zamek_env import ruleset as ruleset_module
from zamek_env.castle_cards import CastleCards
from zamek_env.components.box_folder import RULESETS
from zamek_env.components.model import NUM_ROTATIONS
from zamek_env.core import engine
from zamek_env.core.tables import OWNED_VECTOR_GROUPS, VECTOR_GROUPS
from zamek_env.layout.actions import OVER, PHASE_NAMES
from zamek_env.layout.observation import Group, Layout
from zamek_env.observer import Observer, read_frames
from zamek_env.ruleset import Ruleset, get_ruleset, make_observation_space
from zamek_env.single import ZamekEnv

ADDED = Group("more", ("a", "b", "c"), 1, 1, "nothing")


def rearrange(layout):
    """Return a `Layout` with the groups in the opposite order and one more in their midst."""
    groups = layout.groups[::-1]
    middle = len(groups) // 2
    return Layout([*groups[:middle], ADDED, *groups[middle:]])


def make_rearranged(ruleset, monkeypatch):
    """Return a `Ruleset` like that one, with planes and vector rearranged."""
    monkeypatch.setattr(ruleset_module, "plane_layout", lambda *_: rearrange(ruleset.planes))
    monkeypatch.setattr(ruleset_module, "vector_layout", lambda *_: rearrange(ruleset.vector))
    return ruleset_module.Ruleset(ruleset.components)


def find_moved(before, after):
    """Return the numbers in the `Layout` `after` of all that stands in `before`."""
    return [after.find(name) for name in before.names]


def check_public_state(game, observer):
    """Compare all that an observation says with what the game says of itself."""
    position = game.position()
    seen = Decoded(game.ruleset, game.observe(observer), observer)
    assert seen.phase == position.phase
    assert seen.tile == position.tile
    shown = set(seen.cells)
    assert seen.board == {cell: tile for cell, tile in position.board.items() if cell in shown}
    assert seen.followers == tuple(standing for standing in position.followers if standing[1] in shown)
    assert seen.cell == position.cell or position.tile is None or position.cell not in shown
    assert seen.remaining == position.remaining
    assert seen.values("tiles_left") == position.remaining.total()
    assert seen.each("scores") == position.scores
    if fields := game.ruleset.sizes.fields:
        assert seen.each("fields") == tuple(score % fields for score in position.scores)
    assert seen.each("supplies") == position.supplies
    assert seen.pieces == position.pieces
    assert seen.nests == (*position.nests, position.nest_pool)
    assert seen.at_gate == position.at_gate
    assert seen.each("family_houses") == position.family_houses
    assert seen.tokens("tokens") == position.tokens
    assert seen.tokens("fresh_tokens") == position.fresh_tokens
    assert {int(field) for field, given in seen.values("towers").items() if given} == position.towers
    components = game.ruleset.components
    start = [tile.id for tile in components.laid] if components.start_tile else []
    placed = Counter(name for name, _ in seen.board.values()) - Counter(start)
    known = seen.remaining + placed + Counter([seen.tile] if seen.phase == "place" else [])
    if seen.board.keys() == position.board.keys():
        assert Counter(tile.id for tile in components.tiles) - known == position.discarded
    if position.phase == "over":
        assert not seen.values("my_decision")
    elif seen.player is None:
        assert observer != game.current_player == position.player
    else:
        assert seen.player == game.current_player == position.player


PLAYERS = {"random": (play_randomly, few(3, 1)), "greedy": (play_greedily, few(3, 0))}
POSITIONS = [(ruleset, player) for ruleset in RULESETS for player in PLAYERS]


@pytest.fixture(scope="module", params=POSITIONS, ids="-".join)
def positions(request):
    """All positions of some games; as plain Python every eighth and the last."""
    ruleset, player = request.param
    play, count = PLAYERS[player]
    games = (enumerate(play(Game(ruleset, seed=seed), seed)) for seed in range(count))
    return [game.copy() for each in games for number, game in each if number % few(1, 8) == 0 or game.is_terminal]


@pytest.mark.compiles
def test_the_public_state_of_a_small_box_can_be_read_back(tmp_path):
    components = load_box(tmp_path)
    for seed in range(few(20, 5)):
        for game in play_randomly(Game(components=components, seed=seed), seed):
            check_public_state(game, seed % 2)


@pytest.mark.compiles
@pytest.mark.parametrize(
    ("players", "rules"),
    [(1, {}), (3, {}), (5, {"table": [7, 9]}), (2, {"draw_ahead": True}), (3, {"hand": "hidden", "start_in_bag": True}),
     (4, {"hand": "open", "back_into_bag": True})],
)  # fmt: skip
def test_every_player_sees_the_public_state_and_the_hands_that_are_shown(players, rules):
    game = Game("carcassonne-demo", 5, players=players, rules=rules)
    for number, _ in enumerate(play_randomly(game)):
        observer = number % players
        if number % few(1, 4) == 0:
            check_public_state(game, observer)
            shown = [hand if rules.get("hand") == "open" else [-1] * len(hand) for hand in game.state[0].hand.tolist()]
            if shown:
                shown[observer] = game.state[0].hand[observer].tolist()
            names = tuple(tuple(None if tile < 0 else game.ruleset.tile(tile).id for tile in hand) for hand in shown)
            assert Decoded(game.ruleset, game.observe(observer), observer).hands == (names or ((),) * players)


def check_codes(game, observer):
    """Compare codes with the planes that they stand for, and with their bounds."""
    ruleset, seen = game.ruleset, game.observe(observer, observation=("planes", "codes"))
    assert (seen["codes"] <= ruleset.codes.high).all()
    planes = ruleset.code_planes[np.arange(len(ruleset.codes)), seen["codes"]].sum(-2)
    np.testing.assert_array_equal(planes, seen["planes"])


@pytest.mark.parametrize("observer", [0, 1])
@pytest.mark.parametrize("check", [check_public_state, check_codes])
def test_the_public_state_can_be_read_back_and_planes_are_a_sum_over_codes(check, positions, observer):
    for game in positions:
        check(game, observer)


@pytest.mark.compiles
@pytest.mark.parametrize("players", [1, 5])
def test_any_number_of_players_has_codes(players):
    for number, game in enumerate(play_randomly(Game("carcassonne-demo", 5, players=players))):
        check_codes(game, number % players)


@pytest.mark.skipif(IS_COMPILED, reason="compiled code keeps its constants")
def test_features_beyond_those_of_one_code_have_another(monkeypatch):
    components = get_ruleset("sokol").components
    for module in ("layout.observation", "core.planes", "core.tabulation"):
        monkeypatch.setattr(f"zamek_env.{module}.CODE_BITS", 2)
    ruleset = Ruleset(components)
    assert ruleset.codes.names[3:] == ("my_areas", "my_areas_1", "their_areas", "their_areas_1")
    monkeypatch.setattr("zamek_env.tile_game.get_ruleset", lambda *_: ruleset)
    for number, game in enumerate(play_randomly(Game("sokol", 2))):
        check_codes(game, number % 2)


@pytest.mark.parametrize("observer", [0, 1])
def test_the_tokens_seen_are_those_taken_from_towers(positions, observer):
    for game in positions:
        state = game.state[0]
        taken = Counter(state.token_deal[: len(state.tower_taken)][state.tower_taken == 1].tolist())
        seen = Decoded(game.ruleset, game.observe(observer), observer).values("seen_tokens")
        kinds = [token.kind for token in game.ruleset.components.tokens]
        assert {int(kind): count for kind, count in seen.items()} == {kind: taken[kind] for kind in kinds}


def test_the_legal_actions_can_be_read_back(positions):
    for game in positions:
        actions = game.ruleset.actions
        seen = Decoded(game.ruleset, game.observe(game.position().player), game.position().player)
        board = game.ruleset.components.board
        legal = [
            actions.place(board.find_number(cell), rotation)
            for cell in seen.cells
            for rotation in range(NUM_ROTATIONS)
            if seen.plane("fits", cell)[rotation]
        ]
        if seen.phase == "send":
            legal = [actions.send(None), *(actions.send(*choice) for choice in sendable(game, seen))]
        if seen.phase == "score":
            slots = [slot for slot in range(game.ruleset.sizes.slots) if seen.area(f"slot_{slot}")]
            usable = seen.values("slot_token")
            legal = [actions.score(slot, used) for slot in slots for used in range(1 + usable[str(slot)])]
        if seen.phase == "extra turn":
            legal = [actions.extra_turn(used) for used in (False, True)]
        if seen.phase == "choose":  # of the tiles held, those that fit somewhere
            held = [actions.choose(slot) for slot, name in enumerate(seen.hands[seen.player]) if name]
            assert {*game.legal_actions()} <= {*held}
            continue
        shown = range(4 * game.ruleset.sizes.window_cells)
        assert legal == [action for action in game.legal_actions() if action in shown or action >= actions.send_base]


def sendable(game, seen):
    """Return the (segment, kind of piece) that can be sent by what the player to decide sees (Z12, S4, C3, C8)."""
    components = game.ruleset.components
    special = [piece.name for piece in components.special_pieces]
    areas = {n: area for n in range(game.ruleset.sizes.segments) if (area := seen.area(f"segment_{n}"))}
    if not components.farmers:
        areas = {n: area for n, area in areas.items() if area[0] != "field"}
    open_areas = [n for n, area in areas.items() if area[0] == "meadow" or area[2] > 0]
    plain = [(n, 0) for n in areas if seen.values("supplies")["my"]]
    mine = seen.pieces[seen.player]
    return plain + [(n, kind) for kind, name in enumerate(special, start=1) if name in mine for n in open_areas]


# --- areas ---


def table_of(seen):
    """Return a castle or an open table of the reference engine with what an observation shows lying on it."""
    box = box_of(seen.ruleset.name)
    table = new_game(box, [box.tiles["tiles"][0]["id"]], {}).table
    table.board = seen.board
    table.followers = list(seen.followers)
    return table


def worth_of(table, area):
    """Return the points of an area of the reference engine as it is, but for a prince: completed, or at the end."""
    if area.feature == "field":
        return 3 * len(table.cities_touched(area))
    if area.feature == "meadow":
        return 3 * area.shrines
    return area.points if isinstance(area, Land) else area.points(None) // area.prince_factor(area.controller)


def described(ruleset, table, area, observer):
    """Return an area of the reference engine as `Decoded.area` does."""
    mine, theirs = area.followers[observer], area.followers[1 - observer]
    nests = [area.nests] if ruleset.components.nests else []
    pieces = [piece.name for piece in ruleset.components.special_pieces]
    stands = [int(area.has(player, piece)) for piece in pieces for player in (observer, 1 - observer)]
    return area.feature, worth_of(table, area), area.open_ports, mine, theirs, *nests, *stands


def test_the_planes_show_the_faces_and_who_has_followers_in_their_areas(positions):
    for number, game in enumerate(positions):
        observer = number % 2
        seen = Decoded(game.ruleset, game.observe(observer), observer)
        table = table_of(seen)
        area_at = {spot: area for area in table.areas() for spot in area.segments}
        for cell in seen.board:
            ports, printed = table.ports(cell), printed_on(table, cell)
            shown = {}
            for feature in game.ruleset.components.features:
                if feature.surrounded:
                    assert seen.plane(feature.name, cell) == [len(printed.get(feature.name, []))]
                    continue
                named = game.ruleset.planes.names[game.ruleset.planes[feature.name]]
                at = [int(name.partition(".")[2]) for name in named]
                shown |= {
                    port: feature.letter
                    for port, given in zip(at, seen.plane(feature.name, cell), strict=True)
                    if given
                }
            assert shown == {port: name[0] for port, name in ports.items()}
            marks = [mark for name in ("shrines", "stocks", "shields") for mark in printed.get(name, [])]
            assert seen.plane("marks", cell) == [len(marks)]
            if game.ruleset.components.nests:
                assert seen.plane("nests", cell) == [len(printed.get("nests", []))]
            there = [area_at[cell, name] for name in table.segments(cell)]
            there += [area for area in area_at.values() if area.feature == "monastery" and is_around(cell, area)]
            for side, player in zip(seen.sides, seen.players, strict=True):
                held = {area.feature for area in there if area.followers[player]}
                due = [int(f.name in held) for f in game.ruleset.components.features if f.completes]
                assert seen.plane(f"{side}_area", cell) == due


def printed_on(table, cell):
    """Return what the reference engine reads of the tile on `cell`."""
    return table.component(cell) if isinstance(table, WalledTable) else table.tile_on(cell)


def is_around(cell, monastery):
    """Return whether `cell` is one of those that count for a monastery."""
    ((middle, _),) = monastery.segments
    return max(abs(cell[0] - middle[0]), abs(cell[1] - middle[1])) == 1


def test_the_planes_of_empty_spaces_show_where_the_tile_fits(positions):
    for game in positions:
        seen = Decoded(game.ruleset, game.observe(0), 0)
        table = table_of(seen)
        placements = table.placements(seen.tile) if seen.phase == "place" else []
        for cell in set(seen.cells) - set(seen.board):
            beside = [table.neighbour(cell, side) for side in range(4)]
            touches = any(location is not None and table.is_filled(location) for location in beside)
            assert seen.plane("frontier", cell) == [touches]
            assert seen.plane("fits", cell) == [(cell, rotation) in placements for rotation in range(NUM_ROTATIONS)]
            assert not seen.plane("tile", cell)[0]


def test_nothing_is_shown_outside_the_wall():
    game = Game(seed=1)
    seen = Decoded(game.ruleset, game.observe(0), 0)
    assert sorted(seen.cells) == sorted(game.ruleset.components.board.cells)
    outside = np.ones(game.ruleset.components.board.shape, bool)
    outside[tuple(np.transpose(seen.cells))] = False
    assert not seen.planes[outside].any()


def test_the_areas_in_the_vector_are_those_of_the_board(positions):
    for number, game in enumerate(positions):
        observer = number % 2
        seen = Decoded(game.ruleset, game.observe(observer), observer)
        table = table_of(seen)
        for side, player in zip(seen.sides, seen.players, strict=True):
            given = [seen.area(f"{side}_area_{n}") for n in range(game.ruleset.sizes.pieces)]
            due = [table.area_of(cell, name) for owner, cell, name, _ in seen.followers if owner == player]
            areas = [described(game.ruleset, table, area, observer) for area in due]
            assert Counter(filter(None, given)) == Counter(areas)
        segments = [None] * game.ruleset.sizes.segments
        if seen.phase == "send":
            tile = next(tile for tile in seen.kinds if tile.id == seen.tile)
            areas = [table.area_of(seen.cell, segment.name) for segment in tile.segments]
            segments[: len(areas)] = [
                described(game.ruleset, table, area, observer) if area.followers == [0, 0] else None for area in areas
            ]
        assert [seen.area(f"segment_{n}") for n in range(len(segments))] == segments


@pytest.mark.parametrize("ruleset", WALLED)
def test_the_slots_are_the_areas_that_wait_to_be_scored(ruleset):
    met = 0
    for seed in range(28, 28 + few(40, 1)):  # in the first of these games somebody chooses what is scored first
        for number, game in enumerate(play_randomly(Game(ruleset, seed=seed), seed)):
            if game.phase != "score" and number % few(1, 8):
                continue
            for observer in (0, 1):
                seen = Decoded(game.ruleset, game.observe(observer), observer)
                slots = [seen.area(f"slot_{n}") for n in range(game.ruleset.sizes.slots)]
                if game.phase != "score":
                    assert not any(slots) and not seen.values("scoring_mine")
                    continue
                complete = [area for area in table_of(seen).areas() if area.is_complete and area.controller is not None]
                scorer = game.current_player if any(a.controller == game.current_player for a in complete) else None
                scorer = 1 - game.current_player if scorer is None else scorer
                due = [described(game.ruleset, None, area, observer) for area in complete if area.controller == scorer]
                assert Counter(filter(None, slots)) == Counter(due)
                assert seen.values("scoring_mine") == (scorer == observer)
                met += 1
    assert met


# --- what is hidden (rule Z31) ---


def test_what_is_hidden_changes_neither_observation_nor_mask(positions):
    rng = np.random.default_rng(0)
    for game in positions:
        for observer in (0, 1, 0, 1):
            other = game.copy()
            other.redeal(rng, observer)
            assert same_observation(game.observe(observer), other.observe(observer))
            if observer == game.current_player:
                assert np.array_equal(other.legal_action_mask(), game.legal_action_mask())


# --- players swapped ---


def test_swapped_players_see_each_others_observations(positions):
    for game in positions:
        twin = swap_players(game)
        assert np.array_equal(twin.legal_action_mask(), game.legal_action_mask())
        for observer in (0, 1):
            assert same_observation(game.observe(observer), twin.observe(1 - observer))


# --- the shape of it ---


def test_observations_lie_in_the_space_and_are_new_each_time(positions):
    before = None
    for game in positions:
        space = make_observation_space(game.ruleset)
        now = [game.observe(observer) for observer in (0, 1)]
        for observation in now:
            assert observation in space
            assert observation["planes"].dtype == np.uint8 and observation["vector"].dtype == np.float32
        for part in ("planes", "vector"):
            assert not np.shares_memory(now[0][part], now[1][part])
            assert not np.shares_memory(now[0][part], game.raw_states)
            assert before is None or not np.shares_memory(now[0][part], before[0][part])
        before = now


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("layout", ["planes", "vector"])
def test_names_are_unique_and_each_has_a_scale_and_a_bound(layout, ruleset):
    table = getattr(Game(ruleset, seed=1).ruleset, layout)
    assert len(set(table.names)) == len(table) == len(table.scale) == len(table.high)
    assert len({group.name for group in table.groups}) == len(table.groups)
    starts = np.cumsum([0] + [group.size for group in table.groups[:-1]])
    assert [table[group.name].start for group in table.groups] == starts.tolist()
    assert table[table.groups[-1].name].stop == len(table)
    assert table.table().count("\n") + 1 == len(table.groups)
    assert (table.scale > 0).all() and (table.high > 0).all()


@pytest.mark.compiles
def test_whatever_stood_in_a_frame_is_overwritten(tmp_path):
    for game in (*(Game(ruleset, seed=1) for ruleset in PLAYED), Game(components=load_box(tmp_path), seed=1)):
        ruleset, frames = game.ruleset, game.ruleset.new_frames(2)
        assert frames["vector"].shape == (2, len(ruleset.vector))
        for number, old in enumerate((7, 9)):
            frames[number : number + 1].view(np.uint8)[:] = old
            engine.write_frame(ruleset.tables, game.raw_states, ruleset.new_canvases(1), frames[number:], 0, 0, False)
        for part in ("vector", "squares", "mask"):
            assert np.array_equal(frames[0][part], frames[1][part])


@pytest.mark.parametrize("name", RULESETS)
def test_kernels_know_every_group_of_the_vector(name):
    owned = [f"{owner}_{group}" for owner in ("my", "their") for group in OWNED_VECTOR_GROUPS]
    groups = [re.sub(r"_\d+$", "", group.name) for group in get_ruleset(name).vector.groups]
    listed = {f"{owner}_{group}" for owner in ("my", "their") for group in ("area", "hand")}
    assert set(groups) <= {*VECTOR_GROUPS, *owned, *listed, "segment", "slot"}


@pytest.mark.parametrize("name", ["sokol-gates", "carcassonne"])
def test_whoever_moves_or_adds_a_group_changes_nothing_else(name, monkeypatch):
    plain = get_ruleset(name)
    moved = make_rearranged(plain, monkeypatch)
    planes, entries = find_moved(plain.planes, moved.planes), find_moved(plain.vector, moved.vector)
    canvases, frames = moved.new_canvases(1), moved.new_frames(1)
    for number, game in enumerate(play_randomly(Game(name, seed=3), 3)):
        if number % few(1, 6) == 0 or game.is_terminal:
            engine.write_frame(moved.tables, game.raw_states, canvases, frames, 0, number % 2, False)
            seen = {part: array[0] for part, array in read_frames(moved, frames).items()}
            due = game.observe(number % 2)
            assert np.array_equal(seen["planes"][..., planes], due["planes"])
            assert np.array_equal(seen["vector"][entries], due["vector"])
            assert not seen["planes"][..., moved.planes[ADDED.name]].any()
            assert not seen["vector"][moved.vector[ADDED.name]].any()


def test_the_observation_of_the_base_game_has_nothing_of_its_expansions():
    ruleset = Game(seed=1).ruleset
    assert (len(ruleset.planes), len(ruleset.vector), ruleset.num_actions) == (46, 461, 330)
    names = " ".join((*ruleset.planes.names, *ruleset.vector.names))
    assert not [word for word in ("special", "nest", "gate", "prince", "falconer", "chapel") if word in names]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_full_castle_of_high_scores_still_fits_the_bounds(ruleset):
    game = Game(ruleset, seed=1)
    for _ in play_randomly(game, 1):
        pass
    state = game.raw_states[0]
    state.score[:] = 999
    state.phase = OVER
    assert game.observe(0) in make_observation_space(game.ruleset)


def test_a_name_that_is_none_is_told_with_those_like_it():
    layout = get_ruleset("zamek").vector
    for name, like in (("scroes", "scores"), (0, "")):
        with pytest.raises(KeyError, match=f"there is no group {name!r}, names like it are {like}"):
            layout[name]
    with pytest.raises(KeyError, match="there is no group"):
        layout[["scores"]]
    with pytest.raises(TypeError, match="not iterable"):
        list(layout)
    said = r"there is no group 'phase\.send', .*; find\('phase\.send'\) returns the number"
    with pytest.raises(KeyError, match=said):
        layout["phase.send"]
    with pytest.raises(ValueError, match=r"^there is no entry 'phase\.sedn', names like it are phase\.send, "):
        layout.find("phase.sedn")


def test_phases_are_named_as_in_the_game():
    assert [name.partition(".")[2] for name in Game(seed=1).ruleset.vector.names[1:6]] == list(PHASE_NAMES[:-1])


@pytest.mark.parametrize("ruleset", WALLED)
def test_tokens_of_every_kind_are_shown_before_each_player(ruleset):
    game = Game(ruleset, seed=1)
    held = game.raw_states[0]["tokens"], game.raw_states[0]["fresh_tokens"]
    for number, tokens in enumerate(held):
        tokens[:, 1:] = [[(kind + player + number) % 3 for kind in range(1, tokens.shape[1])] for player in range(2)]
    position = game.position()
    assert {1, 2, 3} <= {kind for tokens in (*position.tokens, *position.fresh_tokens) for kind in tokens}
    for player in range(2):
        seen = Decoded(game.ruleset, game.observe(player), player)
        assert seen.tokens("tokens") == position.tokens
        assert seen.tokens("fresh_tokens") == position.fresh_tokens


@pytest.mark.parametrize("ruleset", RULESETS)
def test_who_looks_again_sees_the_same_whatever_was_looked_at_before(ruleset):
    games = [game.copy() for number, game in enumerate(play_randomly(Game(ruleset, seed=5), 5)) if number % 20 == 9]
    observer = Observer(games[0].ruleset)
    for game in (games[-1], games[0], Game(ruleset, seed=6), games[0]):
        for player in (0, 0, 1, 1, 0):
            seen, due = observer.look(game, player)[0], game.observe(player)
            assert all(np.array_equal(seen[part], due[part]) for part in ("planes", "vector"))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_who_follows_a_game_sees_the_same_as_who_comes_to_it(ruleset):
    """Also where some decisions are not looked at, what is hidden is dealt anew, or another game comes in between."""
    game, rng = Game(ruleset, seed=8), np.random.default_rng(3)
    observer, other = Observer(game.ruleset), game.copy()
    for number in range(few(400, 40)):
        if game.is_terminal:
            game = Game(ruleset, seed=9)
        for player in (*rng.integers(2, size=rng.integers(3)).tolist(), None):
            seen, mask, decider, scores = observer.look(game, player)
            due, due_mask, *others = Observer(game.ruleset).look(game, player)
            assert all(np.array_equal(seen[part], due[part]) for part in ("planes", "vector"))
            assert np.array_equal(mask, due_mask) and [decider, scores] == others
        for _ in range(rng.integers(1, 4)):
            if not game.is_terminal:
                game.step(int(rng.choice(game.legal_actions())))
        if number % 7 == 0:
            game.redeal(rng)
        if number % 11 == 0:
            observer.look(other)


@pytest.mark.plays("sokol")
def test_an_observer_refuses_a_game_of_another_ruleset():
    observer, game = Observer(Game("zamek").ruleset), Game("sokol", seed=3)
    with pytest.raises(ValueError, match=r"game must be of the ruleset 'zamek' of this observer, not <Game sokol"):
        observer.look(game)
    before = game.state.tobytes()
    with pytest.raises(ValueError, match="game must be of the ruleset 'zamek'"):
        observer.play(game, game.legal_actions()[0], False)
    assert game.state.tobytes() == before
    with pytest.raises(ValueError, match="game must be of the ruleset 'zamek' of this observer, not"):
        observer.look(CastleCards(2, seed=1))


def test_a_game_is_observed_as_the_environment_does():
    env = ZamekEnv()
    seen, info = env.reset(seed=4)
    rng, ended = np.random.default_rng(4), False
    while not ended:
        seen, _, ended, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        game = env.game
        assert same_observation(game.observe(), seen)
        if not ended:
            assert same_observation(game.observe(info["current_player"]), seen)
        row = np.concatenate([seen["planes"].ravel(), seen["vector"]], dtype=np.float32)
        assert game.observe(flat=True).dtype == np.float32 and np.array_equal(game.observe(flat=True), row)
