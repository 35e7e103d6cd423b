"""`zamek warmup` compiles all that the other commands need."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.games import IS_COMPILED
from zamek_env.components.house_rules import parse_option
from zamek_env.ruleset import get_ruleset
from zamek_scripts.warmup import Args, find_rulesets, list_tasks

ROOT = Path(__file__).parents[2]
RULESET = "zamek"
LATER = {
    "evaluate": "--agents greedy mcts:simulations=8 expectimax:width=2,tiles=2 --games 2 --workers 1",
    "train-value": "--games 2 --match-deals 1 --report-every 2",
    "train": "--steps 8 --rollout 4 --games 2 --past-games 1 --opponent-games 1 --batch 8",
}


def run(command, *arguments, cwd=ROOT):
    """Run `zamek` with these arguments; return its exit code, what it printed, and what it said."""
    program = "import sys; from zamek_scripts.cli import main; sys.exit(main(sys.argv[1:]))"
    environment = os.environ | {"COLUMNS": "200"}
    done = subprocess.run(
        [sys.executable, "-c", program, command, *arguments], cwd=cwd, env=environment, capture_output=True, text=True
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.long
@pytest.mark.skipif(not IS_COMPILED, reason="nothing is compiled")
def test_after_a_warm_up_no_command_has_anything_to_compile(tmp_path):
    code, printed, said = run("warmup", RULESET)
    assert (code, printed) == (0, f"compiled: {RULESET}\n"), said
    for command, options in LATER.items():
        out = ["--out", str(tmp_path / command)]
        code, _, said = run(command, "--ruleset", RULESET, *options.split(), *out)
        assert code == 0, said
        assert "compiling" not in said


@pytest.mark.parametrize(
    ("rulesets", "parts", "message"),
    [
        (("castle-cards",), ("endgames", "benchmark"), "agents, mcts, train for castle-cards, not"),
        (("zamek", "castle-cards"), ("endgames",), "agents, mcts, train for castle-cards, not"),
        ((), (), "for zamek, not none"),
    ],
)
def test_parts_of_which_a_ruleset_has_none_are_refused(rulesets, parts, message):
    args = Args(rulesets, parts=parts)
    with pytest.raises(ValueError, match=f"--parts must name one or more of .*{message}"):
        list_tasks(args, find_rulesets(args))


def test_only_rulesets_with_such_a_part_are_compiled_where_none_is_named():
    args = Args(parts=("endgames",))
    tasks = list_tasks(args, find_rulesets(args))
    assert ("zamek", "endgames") in tasks and "castle-cards" not in dict(tasks)


@pytest.mark.parametrize("varied", [{"players": 3}, {"rules": "back_into_bag"}])
def test_other_numbers_of_players_and_house_rules_have_the_parts_that_take_them(varied):
    args = Args(("carcassonne",), **varied)
    rulesets = find_rulesets(args)
    assert rulesets["carcassonne"] == get_ruleset("carcassonne", None, args.players, parse_option(args.rules))
    parts = [part for _, part in list_tasks(args, rulesets)]
    assert parts == ["games", "environments", "agents", "expectimax", "mcts", "jax"]


@pytest.mark.parametrize(
    ("rulesets", "message"),
    [
        ((), "need the name of a ruleset"),
        (("carcassonne", "castle-cards"), "are for games of tiles only: castle-cards"),
    ],
)
def test_players_and_rules_are_for_tiles_that_are_named(rulesets, message):
    with pytest.raises(ValueError, match=f"--players and --rules {message}"):
        find_rulesets(Args(rulesets, players=3))


@pytest.mark.long
def test_an_unknown_ruleset_is_refused_before_anything_is_compiled():
    code, printed, said = run("warmup", "zamek", "chess")
    assert (code, printed) == (2, "")
    assert said.startswith("warmup: a ruleset must be one of zamek, sokol, ") and ", not 'chess'; " in said
    assert said.count("\n") == 1
