"""Compiled code is kept wherever something can be written, and nothing torn is run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba import types
from numba.core.itanium_mangler import mangle

from tests.support.games import IS_COMPILED
from zamek_env.compiler.code_cache import _CodeFiles

ROOT = Path(__file__).parents[2]
PROGRAM = """
import errno
import os
import sys
import tempfile

import numpy as np

READ_ONLY = tuple(filter(None, os.environ.get("READ_ONLY", "").split(os.pathsep)))
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def refuse_writes(event, arguments):  # in the folders READ_ONLY, also for root
    is_write = event in ("os.mkdir", "os.rename", "os.remove") or event == "open" and arguments[2] & WRITES
    if is_write and os.path.abspath(os.fsdecode(arguments[0])).startswith(READ_ONLY):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), arguments[0])


if READ_ONLY:
    sys.addaudithook(refuse_writes)
if "nowhere" in sys.argv:
    tempfile.tempdir = "/dev/null"
from zamek_env.compiler import code_cache
from zamek_env.compiler.jit import kernel


@kernel
def add_up(values):
    total = 0
    for value in values:
        total += value
    return total


def refuse(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


if __name__ == "__main__":
    if "full" in sys.argv:
        code_cache.write_sealed = refuse
    print(add_up(np.arange(4)), sum(add_up.stats.cache_hits.values()))
"""

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="nothing is compiled")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "adding.py").write_text(PROGRAM)
    return tmp_path / "kernels"


def run(folder, *arguments, **environment):
    """Run the program in `folder`; return what it printed, as (sum, how often compiled code was found), and stderr."""
    command = [sys.executable, folder / "adding.py", *arguments]
    plain = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment = {**plain, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split(), done.stderr


def test_the_first_compilation_is_told_once_in_each_folder(folder, tmp_path):
    """Code beside the sources may have been compiled with other settings of numba's: read if that is read-only."""
    first, printed = run(folder)
    assert first == ["6", "0"] and printed.count("compiling") == 1 and printed.count("\n") == 1
    assert run(folder) == (["6", "1"], "")
    assert run(folder, NUMBA_CACHE_DIR=str(tmp_path / "named"))[0] == ["6", "0"]
    assert run(folder, NUMBA_CACHE_DIR=str(tmp_path / "other"), READ_ONLY=str(folder)) == (["6", "1"], "")


@pytest.mark.long
def test_where_neither_sources_nor_home_can_be_written_to_a_temporary_folder_serves(folder, tmp_path):
    (folder / "__pycache__").write_text("in the way of a folder of this name, also for root")
    (tmp_path / "temporary").mkdir()
    nowhere = {"HOME": os.devnull, "XDG_CACHE_HOME": os.devnull, "TMPDIR": str(tmp_path / "temporary")}
    first, printed = run(folder, **nowhere)
    assert first == ["6", "0"] and printed.count("compiled code is kept in") == 1
    assert "set NUMBA_CACHE_DIR" in printed
    assert run(folder, **nowhere) == (["6", "1"], "")


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="temporary folders are each user's own")
@pytest.mark.long
def test_a_temporary_folder_that_others_can_write_to_is_not_used(folder, tmp_path):
    (folder / "__pycache__").write_text("")
    planted = tmp_path / "temporary" / f"zamek_env-{os.getuid()}"
    planted.mkdir(parents=True)
    planted.chmod(0o777)
    nowhere = {"HOME": os.devnull, "XDG_CACHE_HOME": os.devnull, "TMPDIR": str(tmp_path / "temporary")}
    assert run(folder, **nowhere)[0] == ["6", "0"]
    assert list(planted.iterdir()) == []


@pytest.mark.long
def test_where_nothing_can_be_written_nothing_is_kept(folder):
    (folder / "__pycache__").write_text("")
    found, printed = run(folder, "nowhere", HOME=os.devnull, XDG_CACHE_HOME=os.devnull)
    assert found == ["6", "0"] and printed.count("compiled code is not kept") == 1
    assert "set NUMBA_CACHE_DIR" in printed


@pytest.fixture
def homes(tmp_path):
    """The environment of a user whose home and temporary folder are empty."""
    folders = {"XDG_CACHE_HOME": tmp_path / "home", "TMPDIR": tmp_path / "temporary"}
    for path in folders.values():
        path.mkdir()
    return {name: str(path) for name, path in folders.items()}


@pytest.mark.long
@pytest.mark.parametrize("named", [False, True], ids=["beside the sources", "in NUMBA_CACHE_DIR"])
@pytest.mark.parametrize("can_keep", ["in the home", "in a temporary folder", "nowhere"])
def test_code_in_a_read_only_folder_is_read_and_nothing_is_written(folder, homes, tmp_path, named, can_keep):
    named = {"NUMBA_CACHE_DIR": str(tmp_path / "named")} if named else {}
    run(folder, **named)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    read_only = [folder, tmp_path / "named", *([homes["XDG_CACHE_HOME"]] if can_keep != "in the home" else [])]
    nowhere = ["nowhere"] if can_keep == "nowhere" else []
    found, printed = run(folder, *nowhere, **homes, **named, READ_ONLY=os.pathsep.join(map(str, read_only)))
    assert (found, printed) == (["6", "1"], "")
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}.items() <= before.items()


@pytest.mark.long
def test_code_that_a_read_only_folder_lacks_is_kept_in_a_temporary_one(folder, homes):
    read_only = {"READ_ONLY": os.pathsep.join([str(folder), homes["XDG_CACHE_HOME"]])}
    run(folder)
    (code,) = (folder / "__pycache__").glob("*.nbc")
    code.unlink()
    found, printed = run(folder, **homes, **read_only)
    assert found == ["6", "0"] and f"kept in {homes['TMPDIR']}" in printed and "set NUMBA_CACHE_DIR" in printed
    assert run(folder, **homes, **read_only) == (["6", "1"], "")
    assert not code.exists()


def spoilt(contents):
    """Yield ways in which a file can be torn or changed."""
    middle = len(contents) // 2
    yield contents[:middle]
    yield contents[:middle] + bytes([contents[middle] ^ 1]) + contents[middle + 1 :]


@pytest.mark.long
def test_a_torn_file_of_compiled_code_is_thrown_away(folder):
    run(folder)
    (kept,) = (folder / "__pycache__").glob("*.nbc")
    whole = kept.read_bytes()
    for contents in spoilt(whole):
        kept.write_bytes(contents)
        assert run(folder)[0] == ["6", "0"]
        assert run(folder)[0] == ["6", "1"]


def test_a_full_disk_does_not_stop_what_was_compiled(folder):
    found, printed = run(folder, "full")
    assert found == ["6", "0"] and printed.count("compiled code is not kept: No space left on device") == 1


# --- code of other sources ---

MODULES = {  # of two packages, one below the other's folder; each takes something from the one before
    "game/rules/numbers.py": "BASE = 10\n",
    "game/rules/sums.py": """
from zamek_env.compiler.jit import kernel

from game.rules.numbers import (
    BASE,
)


@kernel
def add_base(value):
    return value + BASE
""",
    "players/tables.py": "from zamek_env.compiler import bits\nSTEP = 1\n",
    "players/deep/choice.py": """
from zamek_env.compiler.jit import kernel

from game.rules import sums
from .. import tables

STEP = tables.STEP
add_base = sums.add_base


@kernel
def choose(value):
    return add_base(value) + STEP


@kernel
def keep(value):
    return value
""",
    "players/unused.py": "",
    "run.py": """
from players.deep.choice import choose, keep
from players import unused

if __name__ == "__main__":
    print(choose(1), keep(1), *(sum(kernel.stats.cache_hits.values()) for kernel in (choose, keep)))
""",
}


@pytest.fixture
def packages(tmp_path):
    for name, source in MODULES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
    return tmp_path


def run_packages(folder):
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}", "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, folder / "run.py"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def edit(folder, name, old, new):
    source = (folder / name).read_text()
    assert old in source
    (folder / name).write_text(source.replace(old, new))


@pytest.mark.long
def test_an_edit_of_whatever_a_kernel_takes_something_from_compiles_it_anew(packages):
    assert run_packages(packages) == ["12", "1", "0", "0"]
    assert run_packages(packages) == ["12", "1", "1", "1"]
    edit(packages, "game/rules/numbers.py", "10", "20")  # another package, through a third module
    assert run_packages(packages) == ["22", "1", "0", "0"]
    edit(packages, "players/tables.py", "STEP = 1", "STEP = 2")  # a folder above
    assert run_packages(packages) == ["23", "1", "0", "0"]
    edit(packages, "game/rules/sums.py", "value + BASE", "value - BASE")
    assert run_packages(packages) == ["-17", "1", "0", "0"]
    assert run_packages(packages) == ["-17", "1", "1", "1"]


@pytest.mark.long
def test_an_edit_of_what_no_kernel_takes_anything_from_changes_nothing(packages):
    run_packages(packages)
    edit(packages, "players/unused.py", "", "STEP = 3\n")
    assert run_packages(packages) == ["12", "1", "1", "1"]


@pytest.mark.long
def test_code_of_a_function_that_moved_to_another_line_is_removed(packages):
    run_packages(packages)
    folder = packages / "players/deep/__pycache__"
    other = folder / "choice.choose-1.py399.0.nbc"  # of another version of Python
    other.touch()
    edit(packages, "players/deep/choice.py", "STEP = tables", "# a line more\nSTEP = tables")
    run_packages(packages)
    assert other.exists()
    kept = sorted(path.name.partition("-")[0] for path in folder.iterdir() if path != other)
    assert kept == ["choice.choose", "choice.keep"]


@pytest.mark.long
def test_code_of_other_sources_is_not_run_though_its_file_has_the_same_name(packages):
    run_packages(packages)
    (code,) = (packages / "players/deep/__pycache__").glob("choice.choose-*.nbc")
    stale = code.read_bytes()
    edit(packages, "players/tables.py", "STEP = 1", "STEP = 2")
    run_packages(packages)
    code.write_bytes(stale)
    assert run_packages(packages)[0] == "13"


MORE = """
from numba import njit

from game.rules.sums import add_base
from players.deep.choice import choose
from zamek_env.compiler.jit import kernel


@kernel
def add_often(value):
    return add_base(choose(value)) + add_base(value)


@njit
def add_elsewhere(value):
    return add_often(value) + choose(value)


if __name__ == "__main__":
    print(add_often(1), add_elsewhere(1), add_base(1))
"""


@pytest.mark.long
def test_a_kernel_that_another_process_compiled_is_linked_and_called_by_itself(packages):
    run_packages(packages)
    parts = {path: path.stat().st_mtime_ns for path in packages.glob("**/linked_*.nbc")}
    assert {path.name.partition("-")[0] for path in parts} == {"linked_sums.add_base"}
    (packages / "run.py").write_text(MORE)
    assert run_packages(packages) == ["33", "45", "11"]
    assert {path: path.stat().st_mtime_ns for path in parts} == parts
    assert run_packages(packages) == ["33", "45", "11"]


def test_code_is_found_by_its_key_alone_until_it_is_compiled_anew(tmp_path):
    first, second = (_CodeFiles([str(tmp_path)], "kernel-1.py311", "sources") for _ in range(2))
    other = _CodeFiles([str(tmp_path)], "kernel-12.py311", "sources")
    first.save("for one ruleset", 1)
    second.save("for another", 2)  # as by another process
    other.save("for one ruleset", 3)
    assert [files.load("for one ruleset") for files in (first, second, other)] == [1, 1, 3]
    first.flush()
    assert second.load("for one ruleset") is second.load("for another") is None and other.load("for one ruleset") == 3


@pytest.mark.long
def test_without_parts_numba_compiles_by_itself(packages):
    edit(
        packages,
        "run.py",
        "from players.deep",
        "from zamek_env.compiler import jit\njit.LINKS_KERNELS = False\nfrom players.deep",
    )
    assert run_packages(packages) == ["12", "1", "0", "0"]
    assert not list(packages.glob("**/linked_*.nbc")) and list(packages.glob("**/*.nbc"))
    assert run_packages(packages) == ["12", "1", "1", "1"]


def test_every_kernel_of_the_agents_depends_on_the_constants_of_the_components():
    from zamek_agents.value import choice
    from zamek_env.compiler import jit
    from zamek_env.components import model

    used, waiting = set(), [choice.__name__]
    while waiting:
        module = waiting.pop()
        if module not in used:
            used.add(module)
            waiting.extend(jit._read_module(module)[1])
    assert {model.__name__, jit.__name__, "zamek_env.layout.actions", "zamek_agents.value.survey"} <= used
    assert not any(name.startswith(("numpy", "numba", "gymnasium")) for name in used)


def test_code_for_fields_of_other_shapes_has_another_name():
    two, three = (types.NestedArray(types.int32, (length,)) for length in (2, 3))
    assert mangle("kernel", [two]) != mangle("kernel", [three])
