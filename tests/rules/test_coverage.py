"""Every rule has a test here and a section in a document of rules, and the two name each other."""

import pytest

from tests.support import rule_index
from tests.support.castle_cards.reference.board import ZONE
from tests.support.rule_index import DOCUMENTS, RULES, collect_rules

documents = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)


def read(path):
    return path.read_text(encoding="utf-8")


def test_every_rule_has_a_test():
    covered = {rule for rules in collect_rules().values() for rule in rules}
    assert [rule for rule in RULES if rule not in covered] == []


def test_every_test_names_rules_that_exist():
    wrong = {test: rules for test, rules in collect_rules().items() if not rules or set(rules) - set(RULES)}
    assert wrong == {}


def test_every_card_has_two_tests_at_least():
    named = [rule for rules in collect_rules().values() for rule in rules]
    assert [card for card in ZONE if named.count(card) < 2] == []


@documents
def test_every_rule_has_its_section_in_its_document(path):
    assert [rule for rule, _ in rule_index.find_sections(read(path))] == DOCUMENTS[path]


@documents
def test_every_section_ends_with_the_list_of_the_tests_of_its_rule(path):
    stale = [
        rule
        for rule, section in rule_index.find_sections(read(path))
        if not section.rstrip("\n").endswith(f"\n\n{rule_index.write_list(rule)}")
    ]
    assert stale == [], "write the lists anew by `python -m tests.support.rule_index --update` and read the difference"


@documents
def test_an_update_writes_the_lists_anew_and_nothing_else(path):
    document = read(path)
    assert rule_index.update_lists(document) == document
    fresh, stale = rule_index.write_list(DOCUMENTS[path][7]), "Tests: 1 in gone,\n2 in another that was removed"
    assert fresh in document
    assert rule_index.update_lists(document.replace(fresh, stale)) == document
    assert rule_index.update_lists(document.replace(f"\n\n{fresh}", "")) == document
