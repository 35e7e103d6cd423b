"""The colours of pictures are told apart by those who are colour-blind, and words can be read on what lies below them.

How colours look to them: G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, A physiologically-based model for
simulation of color vision deficiency, IEEE Transactions on Visualization and Computer Graphics 15 (2009), severity 1.
"""

from itertools import combinations

import numpy as np
import pytest

from zamek_env.render import palette

SEEN = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = np.array([0.9505, 1.0, 1.089])
CLEAR, VISIBLE = 30, 15  # differences in CIELAB; 2.3 is one that can just be seen
READABLE = 4.5  # contrast of words, by WCAG 2.1
GAMES = (("house", "pigsty", "meadow", "road", "chapel"), ("city", "field", "road"))  # grounds side by side


def linear(colour):
    """Return a colour `#rrggbb` as linear light."""
    parts = np.array([int(colour[first : first + 2], 16) for first in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def differ(first, second, sight):
    """Return how much two colours differ in CIELAB to somebody."""
    labs = []
    for colour in (first, second):
        x, y, z = TO_XYZ @ np.clip(np.array(SEEN[sight]) @ linear(colour), 0, 1) / WHITE
        x, y, z = (np.cbrt(part) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
        labs.append(np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)]))
    return np.linalg.norm(labs[0] - labs[1])


def contrast(first, second):
    light, dark = sorted(((TO_XYZ @ linear(colour))[1] for colour in (first, second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("sight", SEEN)
def test_players_and_grounds_are_told_apart(sight):
    assert differ(*palette.PLAYERS[:2], sight) > 2 * CLEAR
    for pair in combinations(palette.PLAYERS, 2):
        assert differ(*pair, sight) > CLEAR, pair
    assert differ(*palette.CHOICES, sight) > CLEAR
    for names in GAMES:
        for first, second in combinations(names, 2):
            fills = palette.LOOKS[first].fill, palette.LOOKS[second].fill
            assert differ(*fills, sight) > VISIBLE, (first, second)


def test_the_simulation_finds_what_it_is_for():
    """Red and green of one lightness are told apart by most people only."""
    red, green = "#c9603f", "#7d8a3b"
    assert differ(red, green, "normal") > 50 and differ(red, green, "deuteranopia") < VISIBLE


@pytest.mark.parametrize("name", ["PARCHMENT", "PAPER", "CLOTH"])
def test_words_can_be_read_in_light_and_in_dark(name):
    ground = getattr(palette, name)
    if name != "CLOTH":
        assert contrast(palette.WORDS, ground) > READABLE and contrast(palette.FAINT_WORDS, ground) > READABLE - 0.5
    assert contrast(palette.DARK[palette.WORDS], palette.DARK[ground]) > READABLE
    assert contrast(palette.DARK[palette.FAINT_WORDS], palette.DARK[ground]) > READABLE


def test_words_on_choices_and_players_can_be_read():
    for words, colour in (*zip(palette.CHOICE_INKS, palette.CHOICES, strict=True),):
        assert contrast(words, colour) > READABLE
    for words, colour in zip(palette.PLAYER_INK, palette.PLAYERS, strict=True):
        assert contrast(words, colour) > READABLE


def test_the_colours_that_dark_pictures_replace_mean_nothing_else():
    named = {name: value for name, value in vars(palette).items() if isinstance(value, str) and name.isupper()}
    for name, colour in named.items():
        assert [other for other, value in named.items() if value == colour] == [name]
    looks = {colour for look in palette.LOOKS.values() for colour in (look.fill, look.grain)}
    assert not palette.DARK.keys() & looks
