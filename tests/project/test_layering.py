"""Layers: modules import only those below them."""

import ast
import re
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {  # imported as: its folder
    "zamek_env": "zamek_env",
    "zamek_agents": "agents/zamek_agents",
    "zamek_scripts": "scripts/zamek_scripts",
}
HEAVY = {"torch", "stable_baselines3", "sb3_contrib", "tensorboard", "ray", "wandb"}
OPTIONAL = {  # what nobody else imports, and what it is made for
    "sb3": {"stable_baselines3", "sb3_contrib", "torch"},
    "row_network": {"torch"},
    "cuda": {"torch"},
    "jax": {"jax", "jaxlib"},
}
LAYERS = {  # the folders of each package, each above those that it needs
    "zamek_env": (
        "common", "components", "layout", "compiler", "base", "core", "notation", "records", "render",
        "interchange", "environments", "castle_cards", "cuda", "openspiel", "jax",
    ),
    "zamek_env.castle_cards": ("components", "layout", "core", "notation", "records", "render"),
    "zamek_agents": (
        "castle_cards", "value", "search", "ppo", "arena", "analysis", "suites", "datasets", "benchmark", "exploit",
    ),
    "zamek_scripts": ("replaying", "playing"),
}  # fmt: skip
ON_REQUEST = {  # imported only where somebody asks for it
    "agents/zamek_agents/benchmark/learn_dqn.py": {"zamek_env.row_network"},
    "agents/zamek_agents/benchmark/learn_gumbel.py": {"zamek_env.row_network"},
    "agents/zamek_agents/benchmark/learn_sb3.py": {"zamek_env.sb3"},
    "agents/zamek_agents/benchmark/practice.py": {"zamek_env.sb3"},
    "agents/zamek_agents/ppo/agent.py": {"zamek_env.sb3"},
    "agents/zamek_agents/ppo/imitation.py": {"zamek_env.sb3"},
    "agents/zamek_agents/ppo/learner.py": {"zamek_env.sb3"},
    "agents/zamek_agents/ppo/policy.py": {"zamek_env.sb3"},
    "agents/zamek_agents/ppo/self_play.py": {"zamek_env.sb3"},
    "scripts/zamek_scripts/warmup.py": {"zamek_env.jax"},
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
    for folder in ("components", "layout", "compiler", "base", "core"):
        for path in (*files_of(f"zamek_env/{folder}"), *files_of(f"zamek_env/castle_cards/{folder}")):
            assert packages_imported(path) <= allowed, path


@pytest.mark.parametrize("folder", ["compiler", "base", "environments", "castle_cards"])
def test_what_is_made_for_other_games_too_knows_nothing_of_the_engine_of_tiles(folder):
    for path in files_of(f"zamek_env/{folder}"):
        assert not any(f"{name}.".startswith("zamek_env.core.") for name in modules_imported(path)), path


def find_folder(package):
    """Return the folder of a package by the name it is imported under."""
    first, *rest = package.split(".")
    return ROOT / Path(PACKAGES[first], *rest)


def list_packages():
    """Return the names of all packages."""
    for name, folder in PACKAGES.items():
        for init in (ROOT / folder).rglob("__init__.py"):
            yield ".".join([name, *init.parent.relative_to(ROOT / folder).parts])


@cache
def find_imports(package):
    """Return {each module and folder of a package: what it imports of the others}; type hints do not count."""
    folder = find_folder(package)
    imports = {}
    for path in files_of(folder):
        if path == folder / "__init__.py":
            continue
        module = path.relative_to(folder).with_suffix("").parts[0]
        below = imports.setdefault(module, set())
        for name in modules_imported(path, with_hints=False):
            if name.startswith(f"{package}."):
                below.add(name.removeprefix(f"{package}.").partition(".")[0])
        below.discard(module)
    return imports


def find_all_below(imports, module):
    """Return all that a module imports, directly or by way of others."""
    found, left = set(), [module]
    while left:
        new = imports[left.pop()] - found
        found |= new
        left += new
    return found


@pytest.mark.parametrize("package", sorted(list_packages()))
def test_modules_and_folders_of_a_package_import_each_other_in_one_direction(package):
    imports = find_imports(package)
    assert {below for each in imports.values() for below in each} <= imports.keys()
    TopologicalSorter(imports).prepare()  # raises a CycleError that shows a circle


@pytest.mark.parametrize("folder", PACKAGES.values())
def test_no_module_of_ours_is_imported_for_type_hints_only(folder):
    """Who names a class in a hint depends on it: a hint that could not be a plain import would close a circle."""
    for path in files_of(folder):
        hinted = modules_imported(path) - modules_imported(path, with_hints=False)
        assert not {name.partition(".")[0] for name in hinted} & PACKAGES.keys(), path


@pytest.mark.parametrize("package", LAYERS)
def test_folders_import_only_those_before_them(package):
    imports, order = find_imports(package), LAYERS[package]
    for place, folder in enumerate(order):
        assert find_all_below(imports, folder) & set(order) <= set(order[:place]), folder


def test_every_folder_is_a_layer():
    folders = {package.rpartition(".")[::2] for package in list_packages() if "." in package}
    assert {(package, folder) for package, order in LAYERS.items() for folder in order} == folders


@pytest.mark.parametrize("package", ["zamek_env", "zamek_agents"])
def test_the_page_of_the_architecture_shows_the_layers_in_order(package):
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = "\n".join(re.findall(r"^\| (`.*?) \|", page, re.MULTILINE))
    assert tuple(re.findall(rf"`{PACKAGES[package]}/(\w+)/`", named)) == LAYERS[package]


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
    for path in files_of(PACKAGES["zamek_agents"]):
        assert not packages_imported(path) & {"scripts", "zamek_scripts", "tests"}, path


def test_settings_of_torch_come_before_anything_that_may_load_it():
    settings = 0
    for path in files_of(PACKAGES["zamek_scripts"]):
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
        "zamek_env.components.token_text",
        "zamek_env.common.checks",
        "zamek_env.common.extras",
        "zamek_env.common.printing",
        "zamek_env.common.messages",
        "zamek_env.common.player_names",
        "zamek_env.notation.position",  # what they show
    )
    for path in files_of("zamek_env/render"):
        own = {name for name in modules_imported(path, with_hints=False) if name.startswith("zamek_env.")}
        assert all(name.startswith(allowed) for name in own), path


@pytest.mark.parametrize(
    "folder, checker", [("reference", "record_checker"), ("castle_cards/reference", "castle_cards/record_checker")]
)
def test_the_references_know_nothing_of_the_engine(folder, checker):
    for path in [*files_of(f"tests/support/{folder}"), ROOT / "tests" / "support" / f"{checker}.py"]:
        assert packages_imported(path) <= sys.stdlib_module_names | {"tests"}, path
        own = {name for name in modules_imported(path) if name.startswith("tests.")}
        assert all(f"{name}.".startswith(f"tests.support.{folder.replace('/', '.')}.") for name in own), path


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
    on a GPU is linked here. XLA calls functions that find their arguments in memory, as do kernels of bound arguments.
    """
    elsewhere = {"cuda/bodies", "cuda/ptx", "jax/castle_cards", "jax/drawing", "jax/ffi", "jax/tiles"}
    elsewhere = {f"zamek_env/{name}.py" for name in elsewhere}
    for path in files_of("zamek_env"):
        compilers = {"numba.njit", "numba.jit", "numba.vectorize", "numba.guvectorize", "numba.stencil"}
        assert path.name == "jit.py" or not modules_imported(path) & compilers, path
        may_use_numba = path.parent.name == "compiler" or str(path.relative_to(ROOT)) in elsewhere
        assert may_use_numba or not packages_imported(path) & {"numba", "llvmlite"}, path
