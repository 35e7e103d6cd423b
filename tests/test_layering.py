"""Who may import whom."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE_ORDER = (  # each imports only from those before it
    "code_cache", "jit", "bits", "open_table", "components", "highest_score", "sizes", "actions",
    "observation_layout", "shown", "limits", "box_folder", "entry", "which_ruleset", "faces", "widening", "walls",
    "ruleset_file", "transcription", "tables", "tabulation", "state", "log", "track", "areas", "pieces", "nests",
    "placement", "scoring", "ending", "chance", "legality", "rules", "playout", "greedy", "planes", "observation",
    "engine", "rewards", "batch", "ruleset",
)  # fmt: skip
ENV_ORDER = (
    "version", "core", "errors", "checks", "printing", "threads", "places", "position", "explain", "render", "record",
    "record_shape", "replay", "game", "fair_play", "spaces", "board", "holdings", "consistency", "single", "vector",
    "aec", "zamek_v0", "carcassonne_v0",
)  # fmt: skip
HEAVY = {"torch", "stable_baselines3", "sb3_contrib", "tensorboard"}


def modules_imported(path):
    """Return the full names of all that a file imports, also inside functions; relative ones are made full."""
    package = path.relative_to(ROOT).with_suffix("").parts
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join([*package[: len(package) - node.level], *([node.module] if node.module else [])])
            module = base if node.level else node.module
            found |= {module} | {f"{module}.{alias.name}" for alias in node.names}
    return found


def files_of(folder):
    return sorted(path for path in (ROOT / folder).rglob("*.py") if "__pycache__" not in path.parts)


def packages_imported(path):
    return {name.partition(".")[0] for name in modules_imported(path)}


def test_the_core_needs_nothing_but_numpy_numba_and_itself():
    allowed = sys.stdlib_module_names | {"zamek_env", "numpy", "numba", "llvmlite"}
    for path in files_of("zamek_env/core"):
        assert packages_imported(path) <= allowed, path
        own = {name for name in modules_imported(path) if name.startswith("zamek_env")}
        assert all(name.startswith("zamek_env.core") for name in own), path


@pytest.mark.parametrize(
    "folder, prefix, order", [("zamek_env/core", "zamek_env.core.", CORE_ORDER), ("zamek_env", "zamek_env.", ENV_ORDER)]
)
def test_arrows_go_one_way_only(folder, prefix, order):
    modules = {path.relative_to(ROOT / folder).with_suffix("").parts[0] for path in files_of(folder)} - {"__init__"}
    assert modules == set(order)
    for path in files_of(folder):
        module = path.relative_to(ROOT / folder).with_suffix("").parts[0]
        if module == "__init__":
            continue
        for name in modules_imported(path):
            other = name.removeprefix(prefix).partition(".")[0] if name.startswith(prefix) else module
            assert other == module or order.index(other) < order.index(module), f"{path} imports {name}"


def test_the_environment_needs_no_agents_no_scripts_and_nothing_for_training():
    for path in files_of("zamek_env"):
        assert not packages_imported(path) & {"agents", "zamek_agents", "scripts", "zamek_scripts", "tests", *HEAVY}, (
            path
        )


def test_agents_need_no_scripts():
    for path in files_of("agents"):
        assert not packages_imported(path) & {"scripts", "zamek_scripts", "tests"}, path


def test_pictures_know_no_rules():
    allowed = {"components", "transcription", "observation_layout"}
    for path in files_of("zamek_env/render"):
        core = {name.split(".")[2] for name in modules_imported(path) if name.startswith("zamek_env.core.")}
        assert core <= allowed, path


def test_the_reference_knows_nothing_of_the_engine():
    checkers = [ROOT / "tests" / f"{name}.py" for name in ("record_checker", "record_form")]
    for path in [*files_of("tests/reference"), *checkers]:
        assert not packages_imported(path) & {"zamek_env", "zamek_agents", "numpy"}, path
        own = {name for name in modules_imported(path) if name.startswith("tests.")}
        assert all(name.startswith(("tests.reference", "tests.record_form")) for name in own), path


def test_only_the_decorator_compiles():
    """All kernels are compiled alike: one decorator, no options of numba elsewhere. Bits are machine instructions."""
    for path in files_of("zamek_env"):
        compilers = {"numba.njit", "numba.jit", "numba.vectorize", "numba.guvectorize", "numba.stencil"}
        assert path.name == "jit.py" or not modules_imported(path) & compilers, path
        assert path.name in ("code_cache.py", "jit.py", "bits.py") or not packages_imported(path) & {
            "numba",
            "llvmlite",
        }, path
