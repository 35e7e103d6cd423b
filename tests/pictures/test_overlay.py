"""Overlays of pictures: choices, the last move, hints; light and dark; and pictures in videos and notebooks."""

import re
import xml.etree.ElementTree as ET

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.wrappers import RecordVideo

from tests.support.box import write_box
from tests.support.games import play_greedily, play_randomly
from tests.support.videos import stand_in_for_moviepy
from zamek_env import Game, load_components
from zamek_env.choices import find_choices, find_location, format_value, make_overlay
from zamek_env.evaluation import PROBABILITY, Evaluation
from zamek_env.hints import find_hints
from zamek_env.notation.action_line import write_segment
from zamek_env.render import Choice, Overlay, draw_rgb, draw_svg, palette
from zamek_env.render.overlay import name_location

SVG = "{http://www.w3.org/2000/svg}"
FAMILIES = ("zamek", "sokol-gates", "carcassonne-demo")


def draw(game, **options):
    return draw_svg(game.ruleset.components, game.position(), **options)


def find_groups(svg, kind):
    return [element for element in ET.fromstring(svg).iter(f"{SVG}g") if element.get("class") == kind]


def first_of_each_phase(ruleset):
    seen = set()
    for seed in range(5):
        for game in play_greedily(Game(ruleset, seed=seed), seed):
            if game.phase not in seen and not game.is_terminal:
                seen.add(game.phase)
                yield game


# --- choices ---


@pytest.mark.parametrize("ruleset", FAMILIES)
def test_every_legal_action_with_a_place_can_be_clicked_there(ruleset):
    for game in first_of_each_phase(ruleset):
        choices = find_choices(game)
        placed = [action for actions in choices.values() for action in actions]
        nowhere = [action for action in game.legal_actions() if action not in placed]
        assert sorted(placed + nowhere) == game.legal_actions()
        assert all(game.format_action(action) in ("-", "extra", "end") for action in nowhere)
        groups = find_groups(draw(game, overlay=make_overlay(game)), "choice")
        assert {group.get("data-location") for group in groups} == set(map(name_location, choices))
        for group in groups:
            assert group.get("tabindex") == "0" and group.find(f"{SVG}title").text


def test_a_location_is_where_the_notation_says():
    for game in first_of_each_phase("zamek"):
        for location, actions in find_choices(game).items():
            for text in map(game.format_action, actions):
                if game.phase == "place":
                    assert text.partition("@")[2][:-1] == name_location(location)
                elif game.phase == "send":
                    assert text.rpartition(" ")[2] == location[2]
                else:
                    assert text.split()[1] == name_location(location)


@pytest.mark.parametrize("name", ["r1", "-", "a.b c", "ü/é"])
def test_a_segment_is_named_as_in_notation(name):
    assert name_location((2, -3, name)) == write_segment((2, -3), name)


def test_an_evaluation_shows_at_each_place_as_good_as_the_best_there():
    game = Game("carcassonne-demo", seed=2)
    legal = game.legal_actions()
    values = np.linspace(-9, 3, len(legal))
    values[0] = np.nan
    evaluation = Evaluation(legal, values, "points")
    overlay = make_overlay(game, evaluation, last=(0, 0))
    weights = {choice.location: choice.weight for choice in overlay.choices}
    assert weights[find_location(game, legal[-1])] == 1
    for location, actions in find_choices(game).items():
        best = max(actions, key=lambda action: np.nan_to_num(evaluation.value_of(action), nan=-99))
        loss = evaluation.loss(best)
        assert weights[location] == (None if np.isnan(loss) else pytest.approx(max(0, 1 - loss / 6)))
    svg = draw(game, overlay=overlay)
    assert format_value(evaluation, legal[-1]) == "+3.0" and ">+3.0</text>" in svg
    assert [group.get("data-cell") for group in find_groups(svg, "last")] == ["0,0"]


def test_a_share_is_told_in_percent():
    evaluation = Evaluation([3, 5], np.array([0.25, np.nan]), "probability")
    assert [format_value(evaluation, action) for action in (3, 5)] == ["25%", "?"]


def test_the_label_of_a_place_names_the_best_actions_there_first():
    game = Game("carcassonne-demo", seed=2)
    legal = game.legal_actions()
    evaluation = Evaluation(legal, np.arange(len(legal), dtype=float), "points")
    labels = {choice.location: choice.label for choice in make_overlay(game, evaluation).choices}
    for location, actions in find_choices(game).items():
        best = [f"{game.format_action(action)} +{legal.index(action)}.0" for action in reversed(actions)]
        assert labels[location] == "; ".join(best)


def test_a_share_is_weighed_by_the_best_share():
    game = Game("carcassonne-demo", seed=2)
    first, *_, last = find_choices(game).values()
    shares = dict.fromkeys(game.legal_actions(), 0.1) | {first[0]: 0.4, last[0]: 0.2}
    evaluation = Evaluation([*shares], np.array([*shares.values()]), PROBABILITY)
    weights = [choice.weight for choice in make_overlay(game, evaluation).choices]
    assert weights == pytest.approx([1.0, *[0.25] * (len(weights) - 2), 0.5])


def test_an_area_of_the_opponent_is_scored_where_it_lies():
    board = "board Z35@7,9E Z39@8,8E Z57@8,9N Z49@9,8W; pieces 7,9.r1 8,8.h1 : -; waiting 7,9.r1 8,8.h1 : -"
    game = Game.parse_position(f"zamek; 1 score Z49@9,8; {board}", seed=1)
    assert {*find_choices(game)} == {(7, 9, "r1"), (8, 8, "h1")}


def test_nothing_is_worth_less_than_nothing_by_rounding():
    evaluation = Evaluation([3, 5, 8], np.array([-0.04, 0.04, -0.06]), "points")
    assert [format_value(evaluation, action) for action in (3, 5, 8)] == ["+0.0", "+0.0", "-0.1"]


def test_an_overlay_that_does_not_fit_is_refused():
    game = Game(seed=1)
    with pytest.raises(ValueError, match=r"overlay: there is no segment 'h9' on \(0, 0\)"):
        draw(game, overlay=Overlay([Choice((0, 0, "h9"), "")]))
    with pytest.raises(ValueError, match=r"weight must lie in 0 to 1, or be None, not 1\.5"):
        Choice((0, 0), "", weight=1.5)
    with pytest.raises(ValueError, match="theme must be one of auto, light, dark, not 'blue'"):
        draw(game, theme="blue")


def test_what_cannot_be_drawn_is_refused_by_name():
    game = Game(seed=1)
    for wrong in ({"overlay": 5}, {"hints": 5}):
        with pytest.raises(TypeError, match=f"{next(iter(wrong))} must be .* not 5"):
            draw(game, **wrong)
    with pytest.raises(TypeError, match=r"^choices of an overlay must be of Choice, not 5$"):
        draw(game, overlay=Overlay([5]))
    with pytest.raises(TypeError, match=r"^hints must be of Hint, as find_hints makes them, not 'h'$"):
        draw(game, hints=iter("hint"))
    with pytest.raises(TypeError, match=r"components must be Components, .* not None"):
        draw_svg(None, game.position())


def test_what_a_label_says_is_text_and_no_markup():
    game = Game(seed=1)
    label = "</title><script>alert(1)</script>"
    svg = draw(game, overlay=Overlay([Choice((3, 4), label, mark="<b>")]))
    assert "<script" not in svg
    (group,) = find_groups(svg, "choice")
    assert group.find(f"{SVG}title").text == label


# --- hints ---


@pytest.mark.parametrize("ruleset", FAMILIES)
def test_every_segment_on_the_board_says_who_holds_its_area(ruleset):
    *_, game = (each for each, _ in zip(play_greedily(Game(ruleset, seed=3), 3), range(70), strict=False))
    hints = find_hints(game.ruleset, game.state[0])
    assert [hint.segments for hint in hints] == [area.segments for area in game.areas()]
    groups = find_groups(draw(game, hints=hints), "area")
    cells = {f"{row},{column}" for row, column in game.position().board}
    assert {group.get("data-at").partition(".")[0] for group in groups} == cells
    for area, hint in zip(game.areas(), hints, strict=True):
        first, second = area.followers
        assert hint.text.startswith(f"{area.feature} of {area.tiles} tile")
        assert ("nobody stands there" in hint.text) == (not first and not second and "complete" not in hint.text)
        assert ("held by player 1" in hint.text) == (second > first)


def test_a_hint_counts_the_points_so_far():
    game = Game.parse_position("zamek; 0 place Z33; board Z17@2,0E; pieces 2,0.r1 : -", seed=1)
    (road,) = [area for area in game.areas() if ((2, 0), "r1") in area.segments]
    (text,) = [hint.text for hint in find_hints(game.ruleset, game.state[0]) if hint.segments == road.segments]
    assert "held by player 0" in text
    assert re.search(rf"{road.tiles} tiles?, {road.open_ports} open; .*; \d+ points? so far", text)


@pytest.mark.plays("carcassonne")
@pytest.mark.parametrize(
    ("pieces", "worth"),
    [
        ("0,-1.r1 : 0,1.r1", "3 points"),
        ("0,-1.r1 : prince@0,1.r1", "3 points for player 0, 6 points for player 1"),
        ("prince@0,1.r1 : 0,-1.r1", "6 points for player 0, 3 points for player 1"),
    ],
)
def test_a_hint_tells_what_each_player_would_score_where_ties_pay_both(pieces, worth, tmp_path):
    rules = {"name": "princes", "extends": "carcassonne.json", "pieces": ["prince"]}
    own = load_components(write_box(tmp_path / "box", {"princes.json": rules}), "princes")
    game = Game.parse_position(f"princes; 0 place J; board U@0,-1N U@0,1N; pieces {pieces}", own, seed=1)
    (text,) = [hint.text for hint in find_hints(game.ruleset, game.state[0]) if "road" in hint.text]
    assert text.endswith(f"held by player 0 and player 1; {worth} so far")


# --- light and dark ---


def test_dark_pictures_differ_only_in_what_lies_under_the_game():
    *_, game = play_randomly(Game(seed=1))
    light, dark, auto = (draw(game, theme=theme) for theme in ("light", "dark", "auto"))
    for bright, dim in palette.DARK.items():
        assert f'="{bright}"' not in dark
        assert f'="{dim}"' in dark or bright not in light
    assert "prefers-color-scheme" in auto and "<style" not in light + dark
    assert re.sub("<style>.*?</style>\n", "", auto) == light
    for picture in (light, dark, auto):
        ET.fromstring(picture)


# --- pixels, notebooks, videos ---


def test_pixels_show_the_overlay():
    game = Game(seed=1)
    components, position = game.ruleset.components, game.position()
    plain, over = draw_rgb(components, position, 300), draw_rgb(components, position, 300, overlay=make_overlay(game))
    assert plain.shape == over.shape and not np.array_equal(plain, over)


def test_a_notebook_shows_the_board():
    svg = Game("carcassonne-demo", seed=1)._repr_svg_()
    assert svg.startswith("<svg") and "nobody stands there" in svg


@pytest.mark.parametrize("env_id", ["Zamek-v0", pytest.param("CarcassonneDemo-v0", marks=pytest.mark.compiles)])
def test_a_video_of_a_game_is_recorded(env_id, tmp_path, monkeypatch):
    """With moviepy a file is written; without it, a stand-in takes the frames that it would be handed."""
    written = []
    try:
        import moviepy  # noqa: F401
    except ImportError:
        written = stand_in_for_moviepy(monkeypatch)
    env = RecordVideo(gym.make(env_id, opponent="random", render_mode="rgb_array"), str(tmp_path / "videos"))
    _, info = env.reset(seed=3)
    for _ in range(3):
        _, _, _, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    env.close()
    if not written:
        assert [path.suffix for path in (tmp_path / "videos").iterdir()] == [".mp4"]
        return
    ((frames, fps),) = written
    assert fps == 2 and len(frames) == 4
    assert {frame.shape for frame in frames} == {frames[0].shape} and frames[0].dtype == np.uint8
    assert not frames[0].shape[0] % 2 and not frames[0].shape[1] % 2
