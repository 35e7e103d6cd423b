"""What a page is told: everything once, and afterwards only what it does not know."""

import json

import numpy as np
import pytest

from tests.test_play_session import DEMO, begin
from zamek_scripts.playing.server import ViewDelta

MOST = 40_000  # bytes between decisions


class Page:
    """Puts together what it is told, as the script of the page does."""

    def __init__(self):
        self.lines, self.moves, self.known = {}, [], None

    def hear(self, news):
        self.lines |= news["lines"]
        self.moves = self.moves[: news["first"]] + news["moves"]
        self.known = news["revision"]
        pictures = ["\n".join(self.lines[number] for number in numbers) + "\n" for numbers in news["pictures"]]
        told = {key: value for key, value in news.items() if key not in ("first", "lines")}
        return told | {"pictures": pictures, "moves": self.moves}


@pytest.mark.parametrize("ruleset", ["zamek", "sokol", DEMO, "carcassonne"])
def test_a_page_that_is_told_little_knows_everything(ruleset):
    session, delta, page, rng = begin(ruleset=ruleset), ViewDelta(), Page(), np.random.default_rng(0)
    sizes = []
    while not session.game.is_terminal:
        news = delta.tell(session.view(), page.known)
        sizes.append(len(json.dumps(news)))
        assert page.hear(news) == session.view()
        choices = session.view()["choices"]
        session.move(session.state, choices[rng.integers(len(choices))]["action"])
        if session.played.can_undo and rng.random() < 0.2:
            session.undo(session.state)
    assert max(sizes[1:]) < MOST and np.mean(sizes[1:]) < MOST / 2


def test_a_page_that_has_missed_much_is_told_everything():
    session, delta, rng = begin(ruleset=DEMO), ViewDelta(), np.random.default_rng(0)
    first = delta.tell(session.view(), None)
    for _ in range(40):
        choices = session.view()["choices"]
        session.move(session.state, choices[rng.integers(len(choices))]["action"])
        delta.tell(session.view(), None)
    assert Page().hear(delta.tell(session.view(), first["revision"])) == session.view()


def test_lines_of_the_past_are_told_as_they_were():
    session, delta, page, rng = begin(ruleset=DEMO), ViewDelta(), Page(), np.random.default_rng(0)
    page.hear(delta.tell(session.view(), None))
    for _ in range(6):
        choices = session.view()["choices"]
        session.move(session.state, choices[rng.integers(len(choices))]["action"])
        page.hear(delta.tell(session.view(), page.known))
    for played in range(session.view()["played"] + 1):
        past = session.past(played)
        told = delta.tell_past(past, page.known)
        page.lines |= told["lines"]
        text = "\n".join(page.lines[number] for number in told["pictures"][0]) + "\n"
        assert text == past["pictures"][0] and past["scores"] == told["scores"]
        assert 'class="choice"' not in text
