"""Runs the tests in several ways: compiled, as plain Python, and with every index checked; and looks at the sources.

    python -m tests.support.ways [compiled] [plain] [checked] [quick] [lint]       by default the first three

The first is shown as it goes. The others run beside it with as many workers, stepping back, and are shown when all are
done. So every core has something to do while tests wait for processes, and to the end. `lint` runs no tests: it checks
style and type hints.

Compiled kernels that read or write beyond an array go on silently; the other ways notice it. numba does not look at its
settings when it finds compiled code, so the checked kernels are kept in a folder of their own. What is compiled is
compiled first, by processes that end with it: to compile takes much memory, and two that need the same kernel would
both compile it.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from tests.support.rulesets import CHECKED, COMPILED, IS_PROOF, SHORTEST
from zamek_env.make_game import FAMILIES
from zamek_scripts import warmup_cards
from zamek_scripts.shared_args import count_cores
from zamek_scripts.warmup import PARTS, compile_all

ROOT = Path(__file__).parents[2]
MOST_WORKERS = 4
BESIDE = "2"  # how far what runs beside the first way steps back: it should end with it, and fill its pauses till then
BYTECODE = {"PYTHONDONTWRITEBYTECODE": ""}  # kept, since tests start many processes, each of which would make it anew
CORE = (  # all tests of the kernels that are quick enough without compilation
    "tests/rules",
    "tests/test_actions.py",
    "tests/test_castle_lockstep.py",
    "tests/test_consistency.py",
    "tests/test_core.py",
    "tests/test_drawn.py",
    "tests/test_endgame.py",
    "tests/test_game.py",
    "tests/test_golden.py",
    "tests/test_invariants.py",
    "tests/test_lockstep.py",
    "tests/test_observation.py",
    "tests/test_perft.py",
    "tests/test_published_agents.py",
    "tests/test_ways.py",
    "tests/test_within_arrays.py",
)
OTHER = (  # more that plays rules or components which are not compiled daily
    "tests/libraries/test_dataset_reading.py::test_minari_is_told_of_no_environment_where_components_are_ones_own",
    "tests/libraries/test_datasets.py::test_games_of_any_number_of_players_by_house_rules_are_rows",
    "tests/libraries/test_datasets.py::test_minari_recovers_an_environment_for_as_many_players_by_the_same_house_rules",
    "tests/libraries/test_fair_play.py::test_a_concealed_copy_keeps_nothing_of_the_deal",
    "tests/libraries/test_imitation.py::test_a_network_chooses_what_is_legal_also_beyond_the_window",
    "tests/libraries/test_ppo.py::test_it_names_who_judges_the_games_that_it_does_not_know",
    "tests/libraries/test_self_play.py::test_an_agent_as_opponent_decides_as_it_does_in_a_game_and_changes_nothing",
    "tests/libraries/test_training_libraries.py::test_games_joined_of_several_house_rules_are_those_of_each_and_count_together",
    "tests/test_aec.py::test_carcassonne_has_a_name_of_its_own",
    "tests/test_aec.py::test_pettingzoos_api_test_is_content_with_other_rulesets",
    "tests/test_aec.py::test_pettingzoos_registry_makes_it",
    "tests/test_aec.py::test_pictures_of_a_game_on_a_table_have_one_shape",
    "tests/test_agents.py::test_an_agent_makes_ready_for_each_ruleset_it_meets",
    "tests/test_agents_at_tables.py",
    "tests/test_analysis.py::test_games_of_two_rulesets_are_refused",
    "tests/test_analysis.py::test_games_of_any_number_of_players_by_house_rules_are_analysed",
    "tests/test_analysis.py::test_games_of_other_numbers_of_players_or_other_house_rules_are_refused",
    "tests/test_analysis.py::test_games_on_components_of_ones_own_are_analysed_on_these",
    "tests/test_arena.py::test_results_are_refused_once_the_components_are_others",
    "tests/test_benchmark_variants.py::test_a_policy_is_shown_the_entries_that_it_knows_by_name",
    "tests/test_benchmark_variants.py::test_games_by_all_its_rules_are_played_to_their_end",
    "tests/test_comparing.py::test_all_rulesets_have_keys_of_their_own",
    "tests/test_comparing.py::test_games_of_other_rulesets_and_other_things_are_unequal",
    "tests/test_comparing.py::test_whatever_is_public_changes_the_key",
    "tests/test_consistency_table.py",
    "tests/test_bound_kernel.py::test_each_ruleset_has_calls_of_its_own",
    "tests/test_explain.py::test_spots_are_counted_beyond_the_window_only",
    "tests/test_explain.py::test_what_is_said_of_an_action_names_what_lies_there_and_the_rule",
    "tests/test_frozen.py::test_a_frozen_agent_without_weights_for_the_ruleset_says_so",
    "tests/test_frozen.py::test_decisions_differ_enough_to_tell_agents_apart",
    "tests/test_interchange.py",
    "tests/test_locations.py",
    "tests/test_moves.py",
    "tests/test_notation.py::test_an_area_may_be_named_by_any_segment_of_it",
    "tests/test_notation_page.py",
    "tests/test_open_table.py::test_cells_beyond_the_window_have_spots_one_each",
    "tests/test_open_table.py::test_the_frontier_grows_by_two_cells_a_tile_at_most",
    "tests/test_openspiel.py::test_copies_of_a_tile_are_one_outcome_of_chance",
    "tests/test_opponents.py::test_an_opponent_without_weights_for_the_ruleset_is_refused_before_any_game",
    "tests/test_opponents.py::test_gymnasium_takes_the_name_of_an_opponent",
    "tests/test_overlay.py::test_a_hint_tells_what_each_player_would_score_where_ties_pay_both",
    "tests/test_overlay.py::test_a_video_of_a_game_is_recorded",
    "tests/test_own_box.py",
    "tests/test_pickles.py::test_an_aec_environment_is_small_and_whole",
    "tests/test_pickles.py::test_another_process_reads_them",
    "tests/test_play.py::test_hints_that_fail_are_no_failure_of_the_game",
    "tests/test_play_hidden.py::test_of_tiles_in_hands_the_page_shows_the_viewers_own_and_those_that_lie_open",
    "tests/test_play_session.py::test_a_whole_game_is_played_by_what_is_shown",
    "tests/test_player_names.py::test_play_calls_players_by_their_names_alone",
    "tests/test_player_names.py::test_replay_calls_players_by_the_names_of_the_panel_alone",
    "tests/test_position_line.py",
    "tests/test_refining.py::test_games_that_are_over_too_soon_have_no_decisions",
    "tests/test_refining.py::test_of_three_players_a_choice_is_worth_its_own_position_where_nothing_is_played_on",
    "tests/test_refining.py::test_of_three_players_games_end_with_the_points_of_each",
    "tests/test_render_width.py::test_every_tile_of_a_board_in_parts_is_drawn_once",
    "tests/test_replay.py::test_a_record_is_refused_or_it_is_what_happened",
    "tests/test_replay.py::test_payments_of_two_areas_may_not_be_exchanged",
    "tests/test_replay_page.py::test_games_on_components_of_ones_own_are_told",
    "tests/test_replay_table.py",
    "tests/test_rows.py::test_rows_say_what_the_reference_engine_finds",
    "tests/test_show.py::test_greedy_plays_in_place_of_an_agent_that_needs_weights_on_components_of_ones_own",
    "tests/test_single.py::test_gymnasiums_checker_is_content_with_a_box_of_ones_own",
    "tests/test_single_states.py::test_a_state_of_other_components_is_refused",
    "tests/test_step_text.py::test_a_hint_counts_what_the_prince_doubles",
    "tests/test_step_text.py::test_news_of_the_expansion_name_prince_and_nests",
    "tests/test_played.py::test_games_of_any_number_of_players_by_house_rules_are_measured",
    "tests/test_suites.py::test_a_choice_that_ends_the_game_is_worth_what_its_player_wins_by",
    "tests/test_suites.py::test_star25_names_who_plays_the_games_that_it_does_not_play",
    "tests/test_suites.py::test_suites_are_made_of_any_number_of_players_and_house_rules",
    "tests/test_touching.py",
    "tests/test_transcription_tables.py::test_a_folder_may_say_otherwise_whether_there_are_farmers",
    "tests/test_incremental.py::test_the_same_holds_where_fields_are_paid_nothing_for_what_they_touch",
    "tests/test_value.py::test_every_open_area_opens_to_cells_and_no_other_does",
)
PROVEN = (  # in all ways, in the proof
    *CORE,
    "tests/test_castle_engine.py",
    "tests/test_castle_golden.py",
    "tests/test_castle_perft.py",
    "tests/test_repeatable.py",
)
ALL = (("tests", "--ignore=tests/libraries"), ("tests/libraries",))  # one after the other
QUICK = ("tests/rules", "tests/test_core.py", "tests/test_drawn.py", "tests/test_golden.py", "tests/test_layering.py")
LINT = (("ruff", "check"), ("ruff", "format", "--check"), ("mypy",))  # modules with their arguments
WITHIN = ("tests/test_ways.py", "tests/test_within_arrays.py", "tests/test_lockstep.py", "tests/test_castle_engine.py")


@dataclass(frozen=True)
class Way:
    """How tests are run."""

    environment: dict[str, str]
    tests: tuple[str, ...]  # files and folders; none for all there are, those with large libraries apart
    compiled: tuple[tuple[str, str], ...] = ()  # (ruleset name, part) as `zamek warmup` names it


WAYS = {
    "compiled": Way(
        {} if IS_PROOF else {"ZAMEK_TESTS": "warm"},
        (),
        (
            *product(dict.fromkeys((*COMPILED, SHORTEST)), ["games"]),
            *product(COMPILED, ["environments"]),
            *product(COMPILED[:1], [part for part in PARTS if part not in ("games", "environments")]),
            *product(FAMILIES, warmup_cards.PARTS),
        ),
    ),
    "plain": Way(
        {"NUMBA_DISABLE_JIT": "1"} | ({} if IS_PROOF else {"ZAMEK_TESTS": "rest"}),
        PROVEN if IS_PROOF else (*CORE, *OTHER),
    ),
    "checked": Way(
        {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(ROOT / "build" / "checked kernels")},
        PROVEN if IS_PROOF else WITHIN,
        tuple(product((*CHECKED, *FAMILIES), ("games",))),
    ),
    "quick": Way({"NUMBA_DISABLE_JIT": "1"}, QUICK),
}
KNOWN = (*WAYS, "lint")
USUAL = ("compiled", "plain", "checked")


def run_tests(names, workers):
    """Run the tests in each of the ways `names`, the first beside the others. Returns whether all passed."""
    first, *others = names
    if not others:
        return _run(first, workers)
    command = ["nice", "-n", BESIDE, sys.executable, "-m", "tests.support.ways", *others]
    command += ["--workers", str(workers)]
    with (
        tempfile.TemporaryFile() as output,
        _ended(subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=output)) as rest,
    ):
        passed = _run(first, workers)
        passed &= rest.wait() == 0
        output.seek(0)
        print(output.read().decode(errors="replace"), end="", flush=True)
    return passed


@contextmanager
def _ended(process):
    """End the process with the block, however that ends."""
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def _run(name, workers):
    print(f"--- {name} ---", flush=True)
    started = time.monotonic()
    passed = _run_all(LINT) if name == "lint" else _test(WAYS[name], workers)
    print(f"--- {name}: {'passed' if passed else 'FAILED'} in {time.monotonic() - started:.0f} s ---", flush=True)
    return passed


def _test(way, workers):
    several = ("--numprocesses", str(workers), "--dist", "loadfile")  # by file: its tests share kernels and fixtures
    pytest = ("pytest", "--quiet", "-p", "no:cacheprovider", *(several if workers > 1 else ()))
    with set_variables(BYTECODE | way.environment):
        if way.compiled:
            compile_all(way.compiled, None, workers)
        return _run_all((*pytest, *tests) for tests in ((way.tests,) if way.tests else ALL))


def _run_all(modules):
    """Run modules with their arguments, each of them, also after one that failed. Returns whether none did."""
    failed = [module for module in modules if subprocess.run([sys.executable, "-m", *module], cwd=ROOT).returncode]
    return not failed


@contextmanager
def set_variables(variables):
    """Set environment variables for the processes that the block starts."""
    before = {**os.environ}
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def main():
    """Run the tests in the ways named; exit with 1 where a test fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "ways", nargs="*", metavar="way", help=f"one of {', '.join(KNOWN)}; by default {', '.join(USUAL)}"
    )
    parser.add_argument("--workers", type=int, default=min(count_cores(), MOST_WORKERS), help="processes that test")
    arguments = parser.parse_args()
    names = arguments.ways or [*USUAL]
    if not set(names) <= set(KNOWN):
        parser.error(f"a way must be one of {', '.join(KNOWN)}")
    sys.exit(not run_tests(names, arguments.workers))


if __name__ == "__main__":
    main()
