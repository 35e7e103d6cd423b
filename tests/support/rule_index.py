"""Lists in the documents of rules, at the end of each rule's section, the tests in `tests/rules/` that name the rule.

python -m tests.support.rule_index --update     write these lists anew, and nothing else of the documents

The rules of Castle, the card game, are its numbered ones and the cards, each by its name.
"""

import argparse
import importlib
import pkgutil
import re
import textwrap
from collections import Counter
from pathlib import Path

import tests.rules
from tests.support.castle_cards.reference.board import ZONE


def number_rules(*counts):
    """Return the numbers of rules by letter and how many there are."""
    return [f"{letter}{number}" for letter, count in counts for number in range(1, count + 1)]


DOCS = Path(__file__).parents[2] / "docs"
DOCUMENTS = {  # the rules of each, in its order
    DOCS / "rules.md": number_rules(("Z", 31), ("S", 12), ("C", 12), ("H", 9)),
    DOCS / "castle_cards.md": [*number_rules(("K", 13)), *sorted(ZONE)],
}
RULES = [rule for rules in DOCUMENTS.values() for rule in rules]
WIDTH = 120

_HEADING = re.compile(r"^(?=#{2,3} )", re.MULTILINE)
_RULE = re.compile(rf"### (?:([ZSCHK]\d+)\. |({'|'.join(sorted(ZONE))})\n)")
_LIST = re.compile(r"^Tests: .*(?:\n.+)*", re.MULTILINE)


def collect_rules():
    """Return {(module, test): rules named by its markers}, in the order of the modules, of all tests of rules."""
    found = {}
    for module in pkgutil.iter_modules(tests.rules.__path__):
        if module.name == "test_coverage":  # is about the tests, not about the rules
            continue
        for name, test in vars(importlib.import_module(f"tests.rules.{module.name}")).items():
            if name.startswith("test_"):
                marks = getattr(test, "pytestmark", [])
                found[module.name, name] = [rule for mark in marks if mark.name == "rule" for rule in mark.args]
    return found


def write_list(rule):
    """Return the list of the tests of `rule`: how many of which modules."""
    counts = Counter(module for (module, _), rules in collect_rules().items() if rule in rules)
    named = ", ".join(f"{count} in [{module}](../tests/rules/{module}.py)" for module, count in counts.items())
    return textwrap.fill(f"Tests: {named}", WIDTH, break_long_words=False, break_on_hyphens=False)


def find_sections(text):
    """Return (rule, text) of each section of the document that is about a rule, in its order."""
    parts = [(_RULE.match(part), part) for part in _HEADING.split(text)]
    return [(found[1] or found[2], part) for found, part in parts if found]


def update_lists(text):
    """Return the document with the list of tests of every rule written anew, or added where a section has none."""
    parts = []
    for part in _HEADING.split(text):
        found = _RULE.match(part)
        parts.append(_update_section(found[1] or found[2], part) if found else part)
    return "".join(parts)


def _update_section(rule, section):
    due = write_list(rule)
    if _LIST.search(section):
        return _LIST.sub(lambda _: due, section, count=1)
    body = section.rstrip("\n")
    return f"{body}\n\n{due}{section[len(body) :]}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", required=True, help="write the lists of tests anew")
    parser.parse_args()
    for document in DOCUMENTS:
        document.write_text(update_lists(document.read_text(encoding="utf-8")), encoding="utf-8")
