"""Whole games on a box of one's own, through the game, the environments, records and replay."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.support.box import FILES, RULES, WALL, load_box, packaged_files, write_box
from tests.support.checking.consistency import check_consistency
from tests.support.games import finish, play_randomly
from tests.support.lockstep import follow
from tests.support.record_checker import check_record
from zamek_agents.datasets.rows import find_rows
from zamek_env import Game, RecordError, load_components
from zamek_env.base.rewards import REWARDS
from zamek_env.records.step_text import explain_points
from zamek_env.render import draw_text
from zamek_env.ruleset import get_ruleset, make_observation_space
from zamek_env.single import ZamekEnv
from zamek_env.vector import ZamekVectorEnv
from zamek_env.zamek_v0 import raw_env
from zamek_scripts import cli

pytestmark = pytest.mark.compiles

ONE_SPACE = WALL | {"interior": ["#"], "starts": [{"id": "A", "cell": [0, 0], "side": "S", "face": "m1"}]}

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def small_box(tmp_path_factory):
    return load_box(tmp_path_factory.mktemp("boxes"))


def test_everything_is_as_large_as_the_box(small_box):
    game = Game(components=small_box, seed=0)
    sizes = game.ruleset.sizes
    assert (sizes.cells, sizes.starts, sizes.tiles, sizes.towers, sizes.fields) == (9, 2, 8, 3, 12)
    assert game.num_actions == 4 * 9 + 1 + 6 + 2 * 2 + 2
    assert game.position().remaining.keys() | {game.position().tile} == {tile.id for tile in small_box.tiles}
    assert game.position().towers == {11, 4, 7}
    assert {start.id for start in small_box.board.starts} == {"north", "south"}


@pytest.mark.long
def test_whole_games_are_played_recorded_and_replayed(small_box):
    kinds, features = set(), set()
    for seed in range(100):
        game = finish(Game(components=small_box, seed=seed), seed)
        record = json.loads(json.dumps(game.record()))
        twin = Game.replay(record, small_box)
        assert twin.state.tobytes() == game.state.tobytes()
        scored = [entry for turn in record["turns"] for entry in turn["scored"]]
        kinds |= {entry["took"] for entry in scored}
        features |= {entry["feature"] for entry in scored} | {entry["reason"] for entry in record["end"]}
        tiles = [tile for turn in record["turns"] for tile in [*turn["discarded"], turn["tile"]] if tile]
        assert sorted(tiles) == sorted(tile.id for tile in small_box.tiles)
    assert kinds == {None, 1, 2, 3}
    assert features >= {"house", "road", "meadow", "family house", "token 3"}


def test_an_extra_turn_is_described_with_the_kind_of_its_token(small_box):
    """In the packaged box that is kind 1, here kind 2."""
    line = "zamek; 0 extra R4@0,1; board R4@0,1N; taken 4; tokens 2 : -"
    game = Game.parse_position(line, small_box, seed=1)
    texts = [game.describe(action) for action in game.legal_actions()]
    assert texts == ["end the turn without an extra turn", "use the token extra turn"]


def play_without_tokens(features, tmp_path):
    """Play some games on a box with these features, no tokens and no towers."""
    rules = RULES | {"features": features, "tokens": []}
    files = FILES | {"zamek.json": rules, "wall.json": WALL | {"towers": [], "towerless": []}}
    components = load_components(write_box(tmp_path / "box", files))
    for seed in range(4):
        for game in play_randomly(Game(components=components, seed=seed), seed):
            check_consistency(game)
        assert Game.replay(game.record(), components).scores == game.scores


def test_a_box_without_tokens_and_towers_can_be_played(tmp_path):
    play_without_tokens(RULES["features"], tmp_path)


def test_a_box_in_which_nothing_completes_can_be_played(tmp_path):
    """No area needs to know its tiles then, so there is no room for them."""
    wanted = ("name", "letter", "role", "edge", "middle", "mark", "mark_points")
    features = [
        {key: value for key, value in feature.items() if key in wanted} | {"completes": False}
        for feature in RULES["features"]
    ]
    play_without_tokens(features, tmp_path)


SMALL_GATES = [
    {"between": [0, 1], "side": "N", "column": 2, "start": "m1 r1 h1"},
    {"between": [3, 4], "side": "E", "row": 1},
    {"between": [6, 7], "side": "S", "column": 2},
    {"between": [9, 10], "side": "W", "row": 1},
]
NESTED = {"H1": ["h1"], "H2": ["h1"], "H3": ["h1", "h2"], "R1": ["r1"], "R2": ["r1"], "R3": ["r1", "r2", "r3"]}


@pytest.mark.long
def test_an_expansion_of_ones_own_can_be_played(tmp_path):
    """One special piece, so few nests that they run out, gates on a short track."""
    tiles = {
        name: {"tiles": [tile | {"nests": NESTED.get(tile["id"], [])} for tile in FILES[name]["tiles"]]}
        for name in ("roads.json", "houses.json")
    }
    more = {"name": "sokol", "extends": "zamek.json", "widened": True, "pieces": ["falconer"], "nests": 2}
    gates = {"name": "sokol-gates", "extends": "sokol.json", "halting_gates": True}
    wall = WALL | {"interior": ["###.", "####", ".##."], "gates": SMALL_GATES}
    files = FILES | tiles | {"wall.json": wall, "sokol.json": more, "sokol-gates.json": gates}
    components = load_components(write_box(tmp_path / "box", files), "sokol-gates")
    halted, emptied, pieces = 0, 0, set()
    for seed in range(20):
        for game in play_randomly(Game("sokol-gates", components=components, seed=seed), seed):
            check_consistency(game)
            assert game.observe(0) in make_observation_space(game.ruleset)
            now = game.position()
            halted += any(now.at_gate)
            emptied += now.nest_pool == 0
            pieces |= {piece for _, _, _, piece in now.followers}
        assert Game.replay(game.record(), components).scores == game.scores
    assert halted and emptied
    assert pieces == {"follower", "falconer"}


def test_the_environments_play_a_box_of_ones_own(small_box):
    env = ZamekEnv(components=small_box, reward="score")
    for seed in range(3):
        observation, info = env.reset(seed=seed)
        terminated = False
        while not terminated:
            assert observation in env.observation_space
            action = env.action_space.sample(info["action_mask"])
            observation, _, terminated, _, info = env.step(action)
        assert not info["illegal_action"]
    pair = raw_env(components=small_box)
    pair.reset(seed=1)
    for agent in pair.agent_iter():
        observation, _, terminated, _, _ = pair.last()
        assert observation in pair.observation_space(agent)
        pair.step(None if terminated else pair.action_space(agent).sample(observation["action_mask"]))
    assert pair.game.is_terminal


PACKAGED, ANOTHER = "not on the packaged components", "must be '[0-9a-f]{64}', not '[0-9a-f]{64}'"


def test_a_record_tells_the_components_unless_they_are_the_packaged_ones(small_box):
    record = Game(components=small_box, seed=0).record()
    assert record["components"] == small_box.digest
    assert "components" not in Game(seed=0).record()
    assert "components" not in Game(components=load_components(), seed=0).record()


def test_a_record_is_refused_on_other_components(small_box, tmp_path):
    """Also where the games could not be told apart otherwise: a point more for what nobody has scored yet."""
    features = [feature | {"role": "nobody"} for feature in RULES["features"]]
    other = load_components(write_box(tmp_path / "other", FILES | {"zamek.json": RULES | {"features": features}}))
    record, packaged = Game(components=small_box, seed=0).record(), Game(seed=0).record()
    untold = {key: value for key, value in record.items() if key != "components"}
    for given, components, problem in (
        (record, None, rf"components: it was played on '{small_box.digest}', {PACKAGED}"),
        (record, other, f"components: {ANOTHER}"),
        (record | {"components": None}, small_box, "components: must be '[0-9a-f]{64}', not null"),
        (untold, small_box, "components: is missing, so it was played on the packaged components, not on"),
        (packaged, small_box, "components: is missing"),
        (packaged | {"components": load_components().digest}, None, f"components: it was played on .*, {PACKAGED}"),
        (packaged, load_components(ruleset="sokol"), "ruleset: must be sokol, of which the components are, not zamek"),
    ):
        with pytest.raises(RecordError, match=rf"^record, {problem}") as raised:
            Game.replay(given, components)
        assert "\n" not in str(raised.value)
    assert Game.replay(record, small_box).record() == record
    assert Game.replay(packaged, load_components()).ruleset is Game.replay(packaged).ruleset


def test_components_must_come_from_load_components():
    with pytest.raises(TypeError, match=r"components must be a folder or come from load_components, not {}$"):
        Game(components={})


def test_the_packaged_tiles_may_lie_in_any_order(tmp_path):
    """Then the same deal gives other tiles, and the rules still hold."""
    files = packaged_files()
    files["zamek_tiles.json"]["tiles"].reverse()
    components = load_components(write_box(tmp_path / "box", files), "zamek")
    game = finish(Game(components=components, seed=5), 5)
    check_record(game.record(), follow(game))
    assert np.any(game.ruleset.tables != get_ruleset().tables)


NOTHING_FITS = {
    "zamek.json": RULES | {"tiles": ["roads.json"], "tokens": []},
    "wall.json": WALL
    | {"interior": ["##"], "starts": [WALL["starts"][0] | {"cell": [0, 0]}], "towers": [], "towerless": []},
    "roads.json": {"tiles": [{"id": "A", "n": "h1", "e": "h1", "s": "h1", "w": "h1"}]},
}


@pytest.mark.parametrize("opponent", [None, "random"])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_game_that_is_over_as_it_begins_ends_with_the_first_step(tmp_path, opponent, mode):
    """The only tile fits nowhere. No action counts, none is illegal, and nobody has won."""
    box = load_components(write_box(tmp_path / "box", NOTHING_FITS))
    env = ZamekEnv("zamek", opponent, components=box)
    many = ZamekVectorEnv(2, "zamek", opponent, components=box, autoreset_mode=mode)
    info, infos = env.reset(seed=1)[1], many.reset(seed=1)[1]
    for _ in range(2):
        assert info["current_player"] == -1 and info["action_mask"].all() and env.action_masks().all()
        assert (infos["current_player"] == -1).all() and infos["action_mask"].all()
        _, reward, terminated, _, info = env.step(0)
        _, rewards, ended, _, infos = many.step([0, 1])
        assert (reward, terminated, info["illegal_action"]) == (0, True, False)
        assert rewards.tolist() == [0, 0] and ended.all() and not infos["illegal_action"].any()
        info = env.reset()[1]
        if mode == "NextStep":
            infos = many.step([0, 0])[-1]


@pytest.mark.parametrize("command", [["warmup"], ["exploit", "random"]])
def test_what_decisions_are_needed_for_is_refused_where_there_are_none(tmp_path, refused, command):
    folder = write_box(tmp_path / "box", NOTHING_FITS)
    refusal = refused(cli.main, [*command, "--components", str(folder), "--workers", "1"])
    said = "--components: a game is over as it begins, as no tile fits: there is nothing to decide"
    assert refusal.splitlines()[-1] == f"{command[0]}: {said}"


def test_a_feature_whose_role_is_called_score_is_written_and_read_back(tmp_path):
    features = [each | {"role": "score"} if each["name"] == "road" else each for each in RULES["features"]]
    box = write_box(tmp_path / "box", FILES | {"zamek.json": RULES | {"features": features}})
    game = Game(components=load_components(box), seed=0)
    texts = []
    while not game.is_terminal:
        for action in game.legal_actions():
            texts.append(game.format_action(action))
            assert game.parse_action(texts[-1]) == action
        game.step(game.legal_actions()[-1])
    assert any(text.startswith("score ") for text in texts)


def test_an_area_that_is_paid_by_its_size_is_paid_for_its_marks_too(tmp_path):
    house, *others = RULES["features"]
    house = {key: value for key, value in house.items() if key != "points"}
    house |= {"size_points": [3, 7], "mark": "shields", "completed_mark_points": 5}
    tile = {"id": "T", "n": "h1", "e": "m1", "s": "m1", "w": "m1", "shields": ["h1"]}
    files = {
        "zamek.json": RULES | {"features": [house, *others], "tiles": ["tiles.json"]},
        "wall.json": ONE_SPACE,
        "tiles.json": {"tiles": [tile]},
    }
    game = Game(components=load_components(write_box(tmp_path / "box", files)), seed=0)
    for text in ("T@0,0N", "squire h1"):
        game.step(game.parse_action(text))
    assert game.scores == (8, 0)
    check_consistency(game)
    (entry,) = game.record()["turns"][0]["scored"]
    assert explain_points(game.ruleset, game.state[0], entry) == "3 by its size, 1 tile + 1 × 5 for shields"


def test_a_marker_that_an_area_does_not_move_takes_no_token(tmp_path):
    """A token lies on the tower of the field on which markers begin, and houses pay nothing."""
    house, *others = RULES["features"]
    files = {
        "zamek.json": RULES | {"features": [house | {"points": 0}, *others], "tiles": ["tiles.json"]},
        "wall.json": ONE_SPACE,
        "tiles.json": {"tiles": [{"id": "T", "n": "h1", "e": "m1", "s": "m1", "w": "m1"}]},
    }
    game = Game(components=load_components(write_box(tmp_path / "box", files)), seed=0)
    for text in ("T@0,0N", "squire h1"):
        game.step(game.parse_action(text))
    (entry,) = game.record()["turns"][0]["scored"]
    assert (entry["points"], entry["took"], game.position().towers) == (0, None, {11, 4, 7})


def test_the_prince_of_who_scores_a_tied_area_second_doubles_it_too(tmp_path):
    """On a table where ties pay: two roads, that of player 1 with his prince, are joined and completed by player 0."""
    rules = {"name": "inn", "extends": "carcassonne.json", "tiles": ["inn_tiles.json"], "pieces": ["prince"]}
    rules |= {"copies": {"X0": 1, "X1": 2, "X2": 1}, "table": {"start": "X0", "window": 3}}
    tiles = [
        {"id": "X0", "n": "f1", "e": "f1", "s": "f1", "w": "f1"},
        {"id": "X1", "n": "f1 r1 f1", "e": "f1", "s": "f1", "w": "f1"},
        {"id": "X2", "n": "f1 r1 f2", "e": "f2 r1 f1", "s": "f1", "w": "f1"},
    ]
    box = write_box(tmp_path / "box", {"inn.json": rules, "inn_tiles.json": {"tiles": tiles}})
    game = Game.from_deal(get_ruleset("inn", load_components(box)), range(3), ())
    for text in ("X1@0,1S", "thief r1", "X1@1,0E", "prince r1", "X2@1,1W", "-"):
        game.step(game.parse_action(text))
    assert game.is_terminal and game.scores == (3, 6)
    assert game.position().followers == ()
    check_consistency(game)


def test_special_pieces_of_up_to_five_players_are_printed(tmp_path):
    rules = {"name": "inn", "extends": "carcassonne.json", "pieces": ["prince", "falconer"]}
    game = Game("inn", 1, write_box(tmp_path / "box", {"inn.json": rules}), players=5)
    for piece, signs in (("prince", "♔♚♕♛♖"), ("falconer", "♗♝♘♞♙")):
        for player, sign in enumerate(signs):
            position = replace(game.position(), followers=((player, (0, 0), "c1", piece),))
            board = draw_text(game.ruleset.components, position).partition(f"{piece} of player 0, 1, 2, 3, 4")[0]
            assert board.count(sign) == 2  # on the tile, and in the legend


def test_an_area_closed_on_one_side_and_opened_on_another_goes_on(tmp_path):
    """Where a meadow touches houses, and the two may meet: the last of four tiles in a square closes the third."""
    house, road, meadow = RULES["features"]
    meadow = meadow | {"touches": "house", "touch_points": 3}
    start = {"id": "north", "cell": [0, 1], "side": "N", "face": "m1"}
    files = {
        "zamek.json": RULES | {"features": [house, road, meadow], "tokens": [], "tiles": ["tiles.json"]},
        "wall.json": WALL | {"interior": ["###", "###"], "starts": [start], "towers": [], "towerless": []},
        "tiles.json": {"tiles": [{"id": name, "n": "h1", "e": "h1", "s": "m1", "w": "m1"} for name in "ABCD"]},
    }
    components = load_components(write_box(tmp_path / "box", files))
    game = Game.from_deal(get_ruleset("zamek", components), range(4), ())
    for text in ("A@0,1E", "monk m1", "B@0,2S", "-", "C@1,2W", "-", "D@1,1W"):
        game.step(game.parse_action(text))
        check_consistency(game)
    game.step(game.parse_action("-"))
    assert game.is_terminal and game.scores == (0, 0)


def test_a_player_whose_turn_never_comes_has_no_rows_in_a_dataset(tmp_path):
    game = finish(
        Game(components=load_components(write_box(tmp_path / "box", FILES | {"wall.json": ONE_SPACE})), seed=0)
    )
    for reward in REWARDS:
        columns = find_rows(game, 0, reward).columns
        assert not columns["player"].any() and len(columns["reward"]) == len(game.history)
        assert columns["reward"][-1] == game.returns()[0] or reward != "win"
