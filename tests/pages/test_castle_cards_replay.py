"""Records of Castle, the card game, as pages: checked by the rules, hands only at the switch, stepped through."""

import json
import re
from collections import Counter
from itertools import islice

import pytest

from tests.pages.test_replay_page import LARGEST, check_alone
from tests.support import browser as browsers
from tests.support.browser import opened
from tests.support.games import play_randomly
from zamek_agents import make_agent
from zamek_env import RecordError
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.components.cards import CARDS, KIND_OF, NAMES
from zamek_env.castle_cards.notation.position import SECRET_PHASES
from zamek_env.castle_cards.notation.position_line import write_cards
from zamek_env.castle_cards.records.step_text import describe_step
from zamek_env.castle_cards.render.colours import PLAYERS
from zamek_env.render.svg import UNIT
from zamek_scripts import cli
from zamek_scripts.replaying.replay_castle_cards import UNSEEN
from zamek_scripts.replaying.replay_page import make_page, make_story, pack

browser = browsers.browser  # the fixture
PHONE = {"viewport": {"width": 360, "height": 640}, "color_scheme": "dark"}


def play(players=3, seed=3, most=10**6):
    """Return a game of random play, up to `most` decisions."""
    *_, game = islice(play_randomly(CastleCards(players, seed=seed), seed), most + 1)
    return game


@pytest.fixture(scope="module")
def story():
    return make_story(play().record(["a", "b", "<b>c</b>"]))


def test_a_record_is_told_decision_by_decision(story):
    game = play()
    assert len(story.moments) == 1 + len(game.history) and story.look.measure == "cards left"
    assert [-score for score in game.scores] == [*story.moments[-1].scores]
    won = " and ".join(story.players[player] for player in game.winners)
    assert story.title == f"a – b – <b>c</b>: {won} won" and story.about == "castle-cards, 3 players, seed 3"
    assert pack(story)["look"]["has_hands"] is True
    assert all(moment.sentences for moment in story.moments) and story.moments[-1].sentences[-1].endswith("won.")
    for moment in story.moments:
        assert [line[: line.index(":")] for line in moment.hidden[-3:]] == [
            f"{name} has in hand" for name in story.players
        ]
    turns = [moment.turn for moment in story.moments]
    assert turns == sorted(turns) and turns[-1] <= len(game.record()["turns"])
    page = make_page(story)
    assert len(page.encode()) < LARGEST / 4
    check_alone(page)


def test_every_moment_says_who_decided_and_what_all_see_of_it(story):
    game = CastleCards(3, seed=3)
    for action, moment in zip(play().history, story.moments[1:], strict=True):
        is_secret = game.phase in SECRET_PHASES
        assert moment.player == game.current_player
        assert moment.action == (UNSEEN if is_secret else game.format_action(action))
        game.step(action)
        assert list(moment.scores) == [-score for score in game.scores]


def test_hands_and_decks_are_listed_as_they_were_dealt(story):
    record = play().record()
    assert list(story.moments[0].hidden) == [
        f"{name} has in hand: {write_cards(Counter(hand))}. "
        f"Next in the deck: {', '.join(deck[:5])} and {len(deck) - 5} more."
        for name, hand, deck in zip(story.players, record["hands"], record["decks"], strict=True)
    ]


def test_the_page_tells_at_every_moment_what_lies_where(story):
    data, areas, gone = pack(story), {}, 0
    for moment, packed in zip(story.moments, data["moments"], strict=True):
        for where, number in packed["areas"].items():
            gone += number == -1
            areas[where] = data["words"][number] if number >= 0 else None
        assert {where: text for where, text in areas.items() if text} == moment.areas
    assert gone > 0  # cards leave the board


def find_changed(moment):
    """Return where the views of a moment mark what has changed."""
    return set(re.findall('class="change" data-where="([^"]+)"', "".join(moment.views)))


def test_every_moment_marks_what_the_turn_has_changed_so_far(story):
    """A mark stays until somebody has done something in a later turn."""
    game = play()
    turns = game.record()["turns"]
    laid = [[step["at"] for step in turn["steps"] if step["do"] == "play"] for turn in turns]
    seen = 0
    for number, moment in enumerate(story.moments):
        if number + 1 < len(story.moments) and story.moments[number + 1].turn == moment.turn:
            continue  # others follow in this turn
        places = {
            "{},{}".format(*at) if isinstance(at[0], int) else "{} {}".format(*at) for at in laid[moment.turn - 1]
        }
        there = {where for where in places if where in moment.areas}
        begun = CastleCards.from_history(game.dealt_state, game.history[:number]).record()["turns"]
        if moment.turn and moment.turn == len(begun):
            assert there <= find_changed(moment), (number, moment.sentences)
            seen += len(there)
    assert seen > 20 and find_changed(story.moments[0]) == set()


def test_every_card_is_told_with_its_rule(story):
    told = {}
    for moment in story.moments:
        told |= moment.areas
    for where in ("exchange Soldier", "0,0"):
        assert told[where].startswith(f"{where}|")
    assert told["exchange Soldier"] == "exchange Soldier|" + CARDS[KIND_OF["Soldier"]].rule
    tops = [text.partition("|")[2].partition("\n") for where, text in told.items() if where[0] in "0123456"]
    for head, _, rules in tops:
        card = min((name for name in NAMES if head.startswith(name)), key=lambda name: -len(name))
        assert rules.startswith(f"{card}: {CARDS[KIND_OF[card]].rule}")


def test_all_steps_are_told_and_hidden_cards_apart():
    counts = Counter()
    for seed in range(8):
        game = play(players=2 + seed % 4, seed=seed)
        for turn in game.record()["turns"]:
            for step in turn["steps"]:
                counts[step["do"]] += 1
                seen, hidden, _ = describe_step(turn["player"], step)
                assert seen.endswith(".") and bool(hidden) == (step["do"] in ("draw", "give", "steal"))
                if hidden:
                    assert step["card"] in hidden and step["card"] not in seen
    assert len(counts) >= 12


@pytest.mark.long
def test_no_hand_is_told_but_at_the_switch():
    """What is shown without the switch would be the same if another hidden card had been chosen or drawn."""
    secret = 0
    for seed in (0,):
        game = CastleCards(4, seed=seed)
        story = make_story(play(4, seed).record())
        for action, moment in zip(play(4, seed).history, story.moments[1:], strict=True):
            if game.phase in SECRET_PHASES:
                secret += 1
                card = game.format_action(action).removeprefix("card ")
                assert moment.action == UNSEEN and card not in " ".join(moment.sentences)
                assert card in " ".join(moment.hidden)
            game.step(action)
    assert secret
    first = story.moments[0]
    assert first.hidden[0].startswith("The first player has in hand: ") and " Next in the deck: " in first.hidden[0]


def test_what_an_agent_thinks_is_told():
    record = play(2, most=12).record()
    story = make_story(record, agent=make_agent("ismcts:simulations=20"))
    assert story.about.endswith(", not over") and story.title == "First player – Second player"
    for moment in story.moments[1:]:
        (played,) = [option for option in moment.thoughts.options if option.is_played]
        assert played.text == moment.action
        assert (played.outline is not None) == bool(re.match(r"at (\d|siege)", played.text))
        if cell := re.fullmatch(r"at (\d),(\d)", played.text):  # in the south-eastern corner of the space
            row, column = int(cell[1]), int(cell[2])
            left, top, side = played.outline.left / UNIT, played.outline.top / UNIT, played.outline.side / UNIT
            assert (left + side, top + side) == pytest.approx((column + 1, row + 1), abs=0.02)


def test_a_record_that_breaks_a_rule_makes_no_page():
    record = play(most=20).record()
    record["turns"][1]["player"] = 0
    with pytest.raises(RecordError, match=r"turns\[1\], player"):
        make_story(record)
    with pytest.raises(ValueError, match="--components is for games of tiles only"):
        make_story(play(most=3).record(), "somewhere")


def test_the_command_writes_the_page(tmp_path, capsys):
    path = tmp_path / "castle.jsonl"
    path.write_text(json.dumps(play(2, most=5).record()) + "\n")
    assert cli.main(["replay", str(path)]) == 0
    check_alone(path.with_suffix(".html").read_text())


def test_evaluate_writes_replays(tmp_path):
    folder = tmp_path / "pages"
    arguments = ["--ruleset", "castle-cards", "--agents", "random", "greedy", "--games", "2", "--replays", "1"]
    cli.main(["evaluate", *arguments, "--workers", "1", "--html", str(folder)])
    assert [path.name for path in sorted(folder.iterdir())] == ["game-1.html", "index.html"]
    assert "castle-cards, 2 players" in (folder / "index.html").read_text()


@pytest.mark.parametrize(("most", "settings"), [(20, PHONE), pytest.param(1000, {}, marks=pytest.mark.long)])
def test_a_game_is_stepped_through_to_its_end(most, settings, browser, tmp_path):
    path, story = tmp_path / "game.html", make_story(play(most=most).record())
    path.write_text(make_page(story))
    with opened(browser, path.as_uri(), **settings) as page:
        assert page.locator("#players b").all_text_contents() == [str(left) for left in story.moments[0].scores]
        for _ in story.moments:
            page.keyboard.press("ArrowRight")
        assert page.locator("#players b").all_text_contents() == [str(left) for left in story.moments[-1].scores]
        assert page.locator("#told p").last.text_content() == story.moments[-1].sentences[-1]
        page.keyboard.press("h")
        assert page.locator("#told .secret").first.text_content() == story.moments[-1].hidden[0]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.locator("#players .pawn").all_text_contents() == ["0", "1", "2"]
        page.locator("#views [data-at]").first.dispatch_event("click")
        page.locator("#legend summary").click()
        assert page.locator("#legend li").count() > len(NAMES)


def test_players_have_one_colour_each_on_the_whole_page(browser, tmp_path):
    path = tmp_path / "game.html"
    path.write_text(make_page(make_story(play(most=20).record())))
    with opened(browser, path.as_uri()) as page:
        shown = [
            page.locator(selector).evaluate_all(f"parts => parts.map((part) => getComputedStyle(part).{name})")
            for selector, name in (
                ("#players .player", "borderLeftColor"),
                ("#players .pawn", "backgroundColor"),
                ("#curve .sample .line", "stroke"),
            )
        ]
        rgb = [
            f"rgb({', '.join(str(int(colour[first : first + 2], 16)) for first in (1, 3, 5))})" for colour in PLAYERS
        ]
        assert shown == [rgb[:3]] * 3
        listed = page.locator("#moves li").evaluate_all(
            "lines => lines.map((line) => getComputedStyle(line).borderLeftColor)"
        )
        assert set(listed[1:]) == set(rgb[:3])


@pytest.mark.parametrize("settings", [PHONE, pytest.param({}, marks=pytest.mark.long)])
def test_what_a_card_beside_the_castle_does_is_said_and_its_place_stands_out(settings, browser, tmp_path):
    path = tmp_path / "game.html"
    path.write_text(make_page(make_story(play(most=20).record())))
    with opened(browser, path.as_uri(), **settings) as page:
        chip = page.locator("#views [data-at='exchange Soldier']")
        chip.scroll_into_view_if_needed()
        chip.dispatch_event("click")
        assert page.locator("#pointed").inner_text() == f"exchange Soldier: {CARDS[KIND_OF['Soldier']].rule}"
        assert page.locator("#views .pointed").get_attribute("data-at") == "exchange Soldier"
        page.keyboard.press("Home")
        page.keyboard.press("a")
        assert page.locator("#views .pointed").count() == 1
