"""Writes the tables of actions, observations and rewards in `docs/environments.md` and `docs/environments/`.

Usage: python docs/tables.py [--update]        without --update it names the pages that are out of date
"""

import argparse
import itertools
import re
import textwrap
from pathlib import Path

import gymnasium

import zamek_env  # noqa: F401 - registers the environments
from zamek_env.base.rewards import ILLEGAL_REWARD, SCORE_UNIT
from zamek_env.castle_cards.components.box import FIRST_OUTSIDE, FIRST_SLOT, MAX_PLAYERS, MIN_PLAYERS
from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.layout.actions import (
    CARD_BASE,
    DECLINE,
    DRAW,
    GIVE_BASE,
    LEVEL_BASE,
    NUM_ACTIONS,
    PAWN_BASE,
    PLAY_BASE,
    PLAYER_BASE,
    SPACE_BASE,
)
from zamek_env.castle_cards.layout.observation import find_layout
from zamek_env.castle_cards.layout.rows import NUM_ROWS, find_row_layout
from zamek_env.components.box_folder import RULESETS
from zamek_env.layout.actions import CHOOSE, EXTRA, PHASE_NAMES, PLACE, SCORE, SEND
from zamek_env.ruleset import get_ruleset

DOCS = Path(__file__).parent
OVERVIEW = DOCS / "environments.md"
_GENERATED = re.compile(r"(<!-- begin: (\w+) -->\n\n).*?(\n\n<!-- end -->)", re.DOTALL)
_NUMBERED = re.compile(r"_(\d+)$")
_MANY = 12  # items of a group, from which on only the first and the last are named

COLUMNS = {  # of an area, in the words of the page
    "present": "1 if there is such an area; otherwise all entries of it are 0",
    "worth": "points if it were completed as it is, for a meadow or field those at the end; never doubled by a prince",
    "open_ports": "open ports",
    "my_followers": "my followers in it",
    "their_followers": "the opponent's followers in it",
    "nests": "falcon nests on it",
}


def make_table(head, rows):
    """Return a table in Markdown; `head` holds the names of the columns."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)


def show_span(first, size):
    """Return the numbers of `size` entries from `first` on, as text."""
    return f"{first}" if size == 1 else f"{first:,} – {first + size - 1:,}"


def show_number(value):
    """Return a number without zeros that say nothing; a fraction of 1 stays one."""
    inverse = 1 / value if value else 0
    if 0 < value < 1 and abs(inverse - round(inverse)) < 1e-9:
        return f"1/{round(inverse):,}"
    return f"{round(value, 3):,g}"


def show_values(values):
    """Return one number for a group, or the smallest and the largest of its entries."""
    numbers = sorted({values} if isinstance(values, int | float) else set(values))
    return show_number(numbers[0]) if len(numbers) == 1 else f"{show_number(numbers[0])} … {show_number(numbers[-1])}"


def show_items(items):
    """Return the labels of the entries of a group."""
    named = items if len(items) <= _MANY else (items[0], "…", items[-1])
    return ", ".join(map(str, named))


# --- environments.md ---


def list_environments():
    """Return {ruleset: id} of the environments registered by this package, of each the newest version."""
    own = (spec for spec in gymnasium.registry.values() if str(spec.entry_point).startswith("zamek_env."))
    return {spec.kwargs["ruleset"]: spec.id for spec in own if "ruleset" in spec.kwargs}


def write_sizes():
    """Return the table of the environments and of the sizes of their spaces."""
    ids = list_environments()
    rows = []
    for name in RULESETS:
        ruleset = get_ruleset(name)
        shape = " × ".join(map(str, (*ruleset.components.board.shape, len(ruleset.planes))))
        row = [f"`{ids[name]}`", f"[`{name}`](environments/{name}.md)", f"{ruleset.num_actions:,}", shape]
        row += [len(ruleset.vector), f"{ruleset.num_rows} × {len(ruleset.rows)}"]
        rows.append([*row, len(ruleset.components.tiles)])
    return make_table(["environment", "`ruleset=`", "actions", "planes", "vector", "rows", "tiles in the deck"], rows)


def write_rewards():
    """Return the table of the rewards."""
    rows = [
        [
            '`"win"`',
            "at the end: +1 for a win, 0 for a shared victory, −1 for a loss; "
            "[of more than two players](rulesets.md#two-to-five-at-the-table) −1 shared out among those who lose",
        ],
        ['`"score"`', f"at the end: (own points − opponent's points) ÷ {SCORE_UNIT}"],
        ['`"delta"`', f"after every step: the change of (own points − opponent's points) ÷ {SCORE_UNIT}"],
    ]
    illegal = f"after an illegal action, unless it raises: {ILLEGAL_REWARD:g}, and the episode ends".replace("-", "−")
    return make_table(["`reward=`", "reward"], [*rows, ["any", illegal]])


def write_overview(text):
    """Return the text of `environments.md` with its tables updated."""
    tables = {"sizes": write_sizes, "rewards": write_rewards}
    return _GENERATED.sub(lambda found: found[1] + tables[found[2]]() + found[3], text)


# --- a page for each ruleset ---


def write_actions(ruleset):
    """Return the table of actions."""
    layout, board = ruleset.actions, ruleset.components.board
    first, *special = (piece.name for piece in ruleset.components.pieces)
    pieces = (f"a {first}", *(f"the {name}" for name in special))
    bases = {
        PLACE: 0, SEND: layout.send_base, SCORE: layout.score_base, EXTRA: layout.extra_base, CHOOSE: layout.choose_base
    }  # fmt: skip
    spaces = "the spaces row by row" if not board.num_spots else (
        f"the {board.window} × {board.window} cells of the window row by row, then {board.num_spots} cells beyond it"
    )  # fmt: skip
    meanings = {
        PLACE: f"4 × code of the cell + rotation in clockwise quarter turns; codes count {spaces}",
        SEND: "; then ".join(
            ["send nobody", *(f"{piece}, to segment 0 … {layout.segments - 1} of the tile" for piece in pieces)]
        ),
        SCORE: f"2 × slot of the area (0 … {layout.slots - 1}) + 1 if a token of kind 2 or 3 is used on it",
        EXTRA: "0: no extra turn; 1: spend a token of kind 1 for one",
        CHOOSE: "lay the tile in that slot of the hand",
    }
    ends = [*list(bases.values())[1:], layout.num_actions]
    rows = [
        [show_span(base, end - base), PHASE_NAMES[phase], meanings[phase]]
        for (phase, base), end in zip(bases.items(), ends, strict=True)
        if end > base
    ]
    return make_table(["numbers", "phase", "meaning, counted from the first number"], rows)


def write_codes(ruleset):
    """Return the table of codes."""
    codes = ruleset.codes
    rows = [[codes[group.name].start, f"`{group.name}`", f"0 … {group.high}", group.meaning] for group in codes.groups]
    return make_table(["code", "name", "values", "meaning; 0 where there is nothing"], rows)


def write_planes(ruleset):
    """Return the table of planes."""
    planes = ruleset.planes
    rows = [
        [show_span(planes[group.name].start, group.size), f"`{group.name}`", show_items(group.items),
         f"0 … {show_values(group.high)}", group.meaning]
        for group in planes.groups
    ]  # fmt: skip
    return make_table(["planes", "group", "items", "values", "meaning"], rows)


def write_vector(ruleset):
    """Return the table of entries of the vector; groups that differ in their number only share a row."""
    rows = []
    for (_, meaning), run in itertools.groupby(ruleset.vector.groups, key=_find_kind):
        groups = list(run)
        first, size = groups[0], sum(group.size for group in groups)
        name = f"`{first.name}`" if len(groups) == 1 else f"`{first.name}` … `{groups[-1].name}`"
        each = "[an area](#an-area)" if first.items[:1] == ("present",) else show_items(first.items)
        items = each if len(groups) == 1 else f"{each} each, {first.size} entries"
        start = ruleset.vector[first.name].start
        scale, high = ("", "") if len(groups) > 1 else (show_values(first.scale), show_values(first.high))
        rows.append([show_span(start, size), name, items, scale, high, meaning])
    return make_table(["entries", "group", "items", "scale", "maximum", "meaning"], rows)


def _find_kind(group):
    """Return what groups have in common that differ in their number only."""
    return _NUMBERED.sub("", group.name), group.meaning


def write_rows(ruleset):
    """Return the table of the columns of a row."""
    rows = ruleset.rows
    lines = [
        [show_span(rows[group.name].start, group.size), f"`{group.name}`", show_items(group.items), group.meaning]
        for group in rows.groups
    ]
    return make_table(["columns", "group", "items", "meaning"], lines)


def write_area(ruleset):
    """Return the table of the entries of one area."""
    area = next(group for group in ruleset.vector.groups if group.name == "segment_0")
    features = {feature.name for feature in ruleset.components.features}
    rows = []
    for number, item in enumerate(area.items):
        meaning = COLUMNS.get(item) or (f"1 if it is a {item}" if item in features else _describe_special(item))
        rows.append([number, f"`{item}`", show_number(area.scale[number]), show_number(area.high[number]), meaning])
    return make_table(["entry", "item", "scale", "maximum", "meaning"], rows)


def _describe_special(item):
    owner, _, piece = item.partition("_")
    return f"1 if my {piece} is in it" if owner == "my" else f"1 if the opponent's {piece} is in it"


PAGE = """# {id}: actions and observations

This page is written from the code by `python docs/tables.py --update`. [Environments](../environments.md) explains how
to use it, and lists the rewards.

    gymnasium.make("{id}")          # ruleset="{name}": vector and rows
    gymnasium.make("{first_id}")          # planes and vector

## Actions

`Discrete({num_actions})`. `info["action_mask"]` says which are legal.

{actions}

## Planes

`observation["planes"]`, uint8, shape {shape}: rows, columns, planes. All are 0 where there is nothing.
`my` is the player who observes, `their` the opponent. The items of a feature are its
[ports](../rules.md#z6-sides-and-ports), at the rotation in which the tile lies.

{planes}

## Codes

`observation["codes"]`, {code_dtype}, shape {code_shape}: rows, columns, codes. They say the same as planes.
[Environments](../environments.md#codes) shows how planes are made of them.

{codes}

## Vector

`observation["vector"]`, float32, shape ({entries},). An entry is a value × its scale.

{vector}

### An area

{an_area}

## Rows

`observation["rows"]`, int8, shape ({num_rows}, {columns}), has a row for each legal action.
`observation["row_actions"]`, int16, shape ({num_rows},), has the numbers of these actions, ascending, then −1. Columns
of `my` and `their` say what changes by the action itself, columns of `free` what is there after it.
[Environments](../environments.md#rows) explains more.

{rows}
"""


TABLES = {  # by the heading above it on the page
    "actions": write_actions,
    "planes": write_planes,
    "codes": write_codes,
    "vector": write_vector,
    "an-area": write_area,
    "rows": write_rows,
}


def write_page(name):
    """Return the text of the page of the ruleset called `name`."""
    ruleset = get_ruleset(name)
    return PAGE.format(
        id=list_environments()[name],
        name=name,
        num_actions=ruleset.num_actions,
        shape=(*ruleset.components.board.shape, len(ruleset.planes)),
        entries=len(ruleset.vector),
        code_dtype=ruleset.frame_dtype(("codes",))["codes"].base,
        code_shape=(*ruleset.components.board.shape, len(ruleset.codes)),
        first_id=list_environments()[name].replace("-v1", "-v0"),
        num_rows=ruleset.num_rows,
        columns=len(ruleset.rows),
        **{heading.replace("-", "_"): write_once(heading, name) for heading in TABLES},
    )


def write_once(heading, name):
    """Return the table under a heading, or a link to the page of a ruleset that has the same: variants come last."""
    table = TABLES[heading](get_ruleset(name))
    by_variants = sorted(RULESETS, key=lambda ruleset: ruleset.count("-"))
    for earlier in itertools.takewhile(lambda other: other != name, by_variants):
        if TABLES[heading](get_ruleset(earlier)) == table:
            return f"The table is that of [{list_environments()[earlier]}]({earlier}.md#{heading})."
    return table


# --- castle-cards ---

CARD_ACTIONS = (  # the first number of each group, what follows it
    (DRAW, "`draw` the top card of the player's own deck"),
    (DECLINE, "`decline`: leave out an optional part of the effect"),
    (GIVE_BASE, "`give` a hand card, to exchange it, by kind"),
    (PLAY_BASE, "`play` a hand card, by kind"),
    (CARD_BASE, "`card`, by kind; its purpose depends on the phase"),
    (SPACE_BASE, "`space` of the castle, row by row"),
    (SPACE_BASE + FIRST_SLOT, "`space`: the slots N, E, S, W"),
    (SPACE_BASE + FIRST_OUTSIDE, "`space`: the places outside that are taken, the oldest first, then a new one"),
    (LEVEL_BASE, "`level` of a pile, 0 at the bottom"),
    (PLAYER_BASE, "`player`"),
    (PAWN_BASE, "`pawn` of a player; the last one: no pawn"),
)

CARD_PAGE = """# CastleCards-v1: actions and observations

This page is written from the code by `python docs/tables.py --update`.
[Playing Castle](../castle_cards_environment.md) explains how to use it.

    gymnasium.make("CastleCards-v1", players=3)     # vector and rows
    gymnasium.make("CastleCards-v0", players=3)     # the vector alone

## Actions

`Discrete({num_actions})`. `info["action_mask"]` says which are legal. Kinds of cards are numbered in this order:
{kinds}.

{actions}

## Vector

`observation["vector"]`, with `CastleCards-v0` `observation` itself: float32. An entry is a value × its scale. Players
are counted from the observer on: 0 is the observer, 1 the left neighbour. For each number of players, a column gives
the first entry of each group.

{entries}

## Rows

`observation["rows"]`, int8, has {num_rows} rows: one for each legal action, then rows of 0.
`observation["row_actions"]`, int16, has the numbers of these actions, ascending, then −1. Players are counted from the
one to decide on. For each number of players, a column gives the first column of each group.
[Playing Castle](../castle_cards_environment.md#rows) explains more.

{columns}
"""


def write_card_page():
    """Return the text of the page of castle-cards."""
    starts = [start for start, _ in CARD_ACTIONS] + [NUM_ACTIONS]
    meanings = [meaning for _, meaning in CARD_ACTIONS]
    rows = [[show_span(a, b - a), meaning] for a, b, meaning in zip(starts[:-1], starts[1:], meanings, strict=True)]
    kinds = textwrap.fill(", ".join(NAMES), 118)
    return CARD_PAGE.format(
        num_actions=NUM_ACTIONS,
        kinds=kinds,
        actions=make_table(["numbers", "action"], rows),
        entries=write_card_vector(),
        num_rows=NUM_ROWS,
        columns=write_card_rows(),
    )


def write_card_rows():
    """Return the table of the columns of a row."""
    layouts = [find_row_layout(players) for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)]
    rows = [
        [f"`{group.name}`", *(layout[group.name].start for layout in layouts), show_items(group.items), group.meaning]
        for group in layouts[-1].groups
    ]
    counts = [f"{players} players" for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)]
    rows.append(["(all)", *map(len, layouts), "", "number of columns"])
    return make_table(["group", *counts, "items", "meaning"], rows)


def write_card_vector():
    """Return the table of entries of the vector; groups of one meaning share a row."""
    layouts = {players: find_layout(players) for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)}
    rows = []
    for meaning, run in itertools.groupby(layouts[MAX_PLAYERS].groups, key=lambda group: group.meaning):
        groups = list(run)
        first, name = groups[0], f"`{groups[0].name}`" + (f" … `{groups[-1].name}`" if len(groups) > 1 else "")
        starts = [layout[first.name].start if first.name in layout else "" for layout in layouts.values()]
        rows.append([name, *starts, show_items(first.items), show_values(first.scale), meaning])
    rows.append(["(all)", *map(len, layouts.values()), "", "", "number of entries"])
    heads = [f"{players} players" for players in layouts]
    return make_table(["group", *heads, "items", "scale", "meaning"], rows)


def write_all():
    """Return {path: text} of all pages that hold generated tables."""
    pages = {DOCS / "environments" / f"{name}.md": write_page(name) for name in RULESETS}
    pages[DOCS / "environments" / "castle-cards.md"] = write_card_page()
    return pages | {OVERVIEW: write_overview(OVERVIEW.read_text(encoding="utf-8"))}


def find_stale():
    """Return {path: text} of the pages that are not as the code is."""
    pages = write_all().items()
    return {path: text for path, text in pages if not path.exists() or path.read_text(encoding="utf-8") != text}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="update the tables")
    update = parser.parse_args().update
    for path, text in find_stale().items():
        print(f"{'written' if update else 'out of date'}: {path.relative_to(DOCS.parent)}")
        if update:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
