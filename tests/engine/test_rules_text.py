"""House rules as a text, as they are given on a command line."""

import pytest

from zamek_env.components.house_rules import HOUSE_RULES, parse_rules, vary
from zamek_env.components.json_entry import ComponentError
from zamek_env.load import load_components


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("draw_ahead", {"draw_ahead": True}),
        ("hand=hidden, small_city", {"hand": "hidden", "small_city": True}),
        ("table=9x11,edges_complete=true", {"table": [9, 11], "edges_complete": True}),
        ("draw_ahead=false,table=none", {"draw_ahead": False, "table": None}),
        (",".join(HOUSE_RULES), dict.fromkeys(HOUSE_RULES, True)),
    ],
)
def test_a_text_names_rules(text, rules):
    assert parse_rules(text) == rules


def test_what_a_text_names_is_in_force():
    house = vary(load_components(ruleset="carcassonne"), 3, parse_rules("hand=open,table=9x11")).house
    assert (house.hand, house.table, house.draw_ahead) == ("open", (9, 11), False)


@pytest.mark.parametrize("text", ["", "draw", "draw_ahead,draw_ahead=false", "small_city,", "=true"])
def test_a_text_that_names_no_rule_is_refused(text):
    with pytest.raises(ValueError, match="rules must name"):
        parse_rules(text)


@pytest.mark.parametrize("text", ["draw_ahead=perhaps", "hand", "table=9", "table=9x99999", "table=2x3"])
def test_a_value_that_cannot_be_is_refused_as_it_is_used(text):
    with pytest.raises(ComponentError, match="rules"):
        vary(load_components(ruleset="carcassonne"), rules=parse_rules(text))


@pytest.mark.parametrize(("text", "given"), [("table=9", "'9'"), ("table", "True"), ("table=9x99999", "'9x99999'")])
def test_how_a_table_is_typed_is_told(text, given):
    with pytest.raises(ComponentError, match=rf"table: must be ROWSxCOLUMNS, such as table=9x11, .*, not {given}$"):
        vary(load_components(ruleset="carcassonne"), rules=parse_rules(text))


def test_how_a_hand_is_typed_is_told():
    with pytest.raises(
        ValueError, match=r"must name some of draw_ahead, hand=open or hand=hidden, .*, not 'hand:open'"
    ):
        parse_rules("hand:open")
    with pytest.raises(ComponentError, match=r"hand: must be hand=open or hand=hidden, not True$"):
        vary(load_components(ruleset="carcassonne"), rules=parse_rules("hand"))
