"""Every numbered rule has a test here and a section in `docs/rules.md`, and the two name each other."""

import pytest

from tests.support import rule_index
from tests.support.rule_index import RULES, collect_rules


@pytest.fixture(scope="module")
def document():
    return rule_index.DOCUMENT.read_text(encoding="utf-8")


def test_every_rule_has_a_test():
    covered = {rule for rules in collect_rules().values() for rule in rules}
    assert [rule for rule in RULES if rule not in covered] == []


def test_every_test_names_rules_that_exist():
    wrong = {test: rules for test, rules in collect_rules().items() if not rules or set(rules) - set(RULES)}
    assert wrong == {}


def test_every_rule_has_its_section_in_the_document(document):
    assert [rule for rule, _ in rule_index.find_sections(document)] == RULES


def test_every_section_ends_with_the_list_of_the_tests_of_its_rule(document):
    stale = [
        rule
        for rule, section in rule_index.find_sections(document)
        if not section.rstrip("\n").endswith(f"\n\n{rule_index.write_list(rule)}")
    ]
    assert stale == [], "write the lists anew by `python -m tests.support.rule_index --update` and read the difference"


def test_an_update_writes_the_lists_anew_and_nothing_else(document):
    assert rule_index.update_lists(document) == document
    fresh, stale = rule_index.write_list("Z14"), "Tests: 1\n- gone, 1: a test that was removed"
    assert fresh in document
    assert rule_index.update_lists(document.replace(fresh, stale)) == document
    assert rule_index.update_lists(document.replace(f"\n\n{fresh}", "")) == document
