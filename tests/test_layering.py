"""Who may import whom."""

import ast
import re
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = {"zamek_env": "zamek_env", "zamek_agents": "agents", "zamek_scripts": "scripts"}  # imported as: its folder
HEAVY = {"torch", "stable_baselines3", "sb3_contrib", "tensorboard", "ray", "wandb"}
OPTIONAL = {  # what nobody else imports, and what it is made for
    "sb3": {"stable_baselines3", "sb3_contrib", "torch"},
    "row_network": {"torch"},
    "cuda": {"torch"},
    "jax": {"jax", "jaxlib"},
}
ON_REQUEST = {  # imported only where somebody asks for it
    "agents/benchmark/learn_dqn.py": {"zamek_env.row_network"},
    "agents/benchmark/learn_sb3.py": {"zamek_env.sb3"},
    "agents/benchmark/practice.py": {"zamek_env.sb3"},
    "agents/benchmark/row_policy.py": {"zamek_env.row_network"},
    "scripts/warmup.py": {"zamek_env.jax"},
    "zamek_env/sb3.py": {"zamek_env.row_network"},
    "zamek_env/vector.py": {"zamek_env.cuda.vector"},
}


@cache
def modules_imported(path, with_hints=True):
    """Return the full names of all that a file imports, also inside functions; relative ones are made full.

    `with_hints` says whether those count that are imported for type hints only, and never when the code runs.
    """
    package = path.relative_to(ROOT).with_suffix("").parts
    tree = ast.parse(path.read_text(encoding="utf-8"))
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    ignored = set() if with_hints else {node for block in blocks for part in block.body for node in ast.walk(part)}
    found = set()
    for node in set(ast.walk(tree)) - ignored:
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


def test_the_core_and_what_lies_below_it_need_nothing_but_numpy_and_numba():
    allowed = sys.stdlib_module_names | {"zamek_env", "numpy", "numba", "llvmlite"}
    for folder in ("components", "layout", "core"):
        for path in (*files_of(f"zamek_env/{folder}"), *files_of(f"zamek_env/castle_cards/{folder}")):
            assert packages_imported(path) <= allowed, path


def read_layers():
    """Return {package: names in order} as `docs/architecture.md` lists them."""
    sections = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("\n### ")[1:]
    tables = {section.partition("\n")[0]: section.partition("\n## ")[0] for section in sections}
    return {
        package: re.findall("`(.*?)`", " ".join(re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)))
        for package, table in tables.items()
    }


def find_folder(package):
    """Return the folder of a package by the name it is imported under."""
    first, *rest = package.split(".")
    return Path(PACKAGES[first], *rest)


def list_packages():
    """Return the names of all packages that hold a module beside `__init__`."""
    for name, folder in PACKAGES.items():
        for init in (ROOT / folder).rglob("__init__.py"):
            yield ".".join([name, *init.parent.relative_to(ROOT / folder).parts])


LAYERS = read_layers()


def test_every_package_has_a_table():
    assert sorted(LAYERS) == sorted(list_packages())


@pytest.mark.parametrize("package", LAYERS)
def test_arrows_go_one_way_only(package):
    folder, order = ROOT / find_folder(package), LAYERS[package]
    below = [path for path in files_of(find_folder(package)) if path.parent != folder or path.name != "__init__.py"]
    assert sorted({path.relative_to(folder).with_suffix("").parts[0] for path in below}) == sorted(order)
    for path in below:
        module = path.relative_to(folder).with_suffix("").parts[0]
        for name in modules_imported(path, with_hints=False):
            other = name.removeprefix(f"{package}.").partition(".")[0] if name.startswith(f"{package}.") else module
            assert other == module or order.index(other) < order.index(module), f"{path} imports {name}"


@pytest.mark.parametrize("folder", PACKAGES.values())
def test_modules_are_imported_by_their_full_names(folder):
    for path in files_of(folder):
        assert not any(
            isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(ast.parse(path.read_text("utf-8")))
        ), path


def test_the_environment_needs_no_agents_no_scripts_and_nothing_for_training():
    ours = {"agents", "zamek_agents", "scripts", "zamek_scripts", "tests"}
    for path in files_of("zamek_env"):
        module = path.relative_to(ROOT / "zamek_env").with_suffix("").parts[0]
        assert not packages_imported(path) & (ours | HEAVY - OPTIONAL.get(module, set())), path


def test_nobody_imports_what_is_made_for_an_optional_package():
    for path in [path for folder in PACKAGES.values() for path in files_of(folder)]:
        for name in OPTIONAL:
            made = re.compile(rf"zamek_env\.{name}\b")
            allowed = "|".join(ON_REQUEST.get(path.relative_to(ROOT).as_posix(), ["nothing"]))
            others = {module for module in modules_imported(path) if not re.match(rf"({allowed})\b", module)}
            assert path.is_relative_to(ROOT / "zamek_env" / name) or not any(map(made.match, others)), path


def test_agents_need_no_scripts():
    for path in files_of("agents"):
        assert not packages_imported(path) & {"scripts", "zamek_scripts", "tests"}, path


def test_settings_of_torch_come_before_anything_that_may_load_it():
    settings = 0
    for path in files_of("scripts"):
        imported = set()
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(node.module.partition(".")[0])
            elif "environ.setdefault" in ast.unparse(node):
                settings += 1
                assert imported <= sys.stdlib_module_names, path
    assert settings > 0


def test_pictures_know_no_rules():
    allowed = (
        "zamek_env.render",
        "zamek_env.components.model",
        "zamek_env.components.token_words",
        "zamek_env.checks",
        "zamek_env.extras",
        "zamek_env.printing",
        "zamek_env.messages",
        "zamek_env.player_names",
    )
    for path in files_of("zamek_env/render"):
        own = {name for name in modules_imported(path, with_hints=False) if name.startswith("zamek_env.")}
        assert all(name.startswith(allowed) for name in own), path


def test_the_reference_knows_nothing_of_the_engine():
    checkers = [ROOT / "tests" / "support" / f"{name}.py" for name in ("record_checker", "record_form", "told_game")]
    for path in [*files_of("tests/support/reference"), *checkers]:
        assert not packages_imported(path) & {"zamek_env", "zamek_agents", "numpy"}, path
        own = {name for name in modules_imported(path) if name.startswith("tests.")}
        assert all(
            name.startswith(("tests.support.reference", "tests.support.record_form", "tests.support.told_game"))
            for name in own
        ), path


def test_the_reference_of_castle_knows_nothing_of_the_engine():
    folder, allowed = "tests/support/castle", ("tests.support.castle", "tests.support.castle_reference")
    others = [ROOT / "tests" / "support" / f"{name}.py" for name in ("castle_reference", "castle_record_checker")]
    for path in [*files_of(folder), *others]:
        assert packages_imported(path) <= sys.stdlib_module_names | {"tests"}, path
        own = {name for name in modules_imported(path) if name.startswith("tests.")}
        assert all(name.startswith(allowed) for name in own), path


def list_rebound(function):
    """Return the parameters of a function, as `ast` has it, that are bound to something else in it."""
    given = function.args
    parameters = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    names, rebound = {parameter.arg for parameter in parameters if parameter} - {"_"}, []

    def visit(node):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef | ast.AugAssign):
            return  # the last may change what the caller holds, as an array
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in names:
            rebound.append(f"line {node.lineno}: {node.id}")
        for child in ast.iter_child_nodes(node):
            visit(child)

    for statement in function.body:
        visit(statement)
    return rebound


@pytest.mark.parametrize("folder", PACKAGES.values())
def test_no_parameter_is_bound_anew(folder):
    """Who reads on must not have to ask whether a name still means what the caller gave."""
    for path in files_of(folder):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert list_rebound(node) == [], f"{path}: {node.name}"


def test_only_the_decorator_compiles():
    """All kernels are compiled alike: one decorator, no options of numba elsewhere.

    Counting bits and fetching into the cache are machine instructions, numba puts no array on the stack, and what runs
    on a GPU is linked here. XLA calls functions that find their arguments in memory.
    """
    may_compile = {"code_cache", "parts", "jit", "bits", "prefetch", "copying", "scratch", "machine"}
    may_compile |= {"bodies", "moves", "ptx", "ffi", "tiles", "cards", "drawing"}
    for path in files_of("zamek_env"):
        compilers = {"numba.njit", "numba.jit", "numba.vectorize", "numba.guvectorize", "numba.stencil"}
        assert path.name == "jit.py" or not modules_imported(path) & compilers, path
        assert path.stem in may_compile or not packages_imported(path) & {"numba", "llvmlite"}, path
