"""The installed package: the wheel is built from a copy of the sources and tried out far from them."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest
import yaml

from tools.minimal_install import REQUIRED
from tools.oldest_versions import list_oldest
from tools.release import find_hindrances
from zamek_agents.ray_cluster import describe_installation
from zamek_env import __version__
from zamek_env.common.extras import PACKAGES
from zamek_env.common.messages import show_install

ROOT = Path(__file__).parents[2]
PACKAGES_AT = {
    "zamek_env": "zamek_env",
    "zamek_agents": "agents/zamek_agents",
    "zamek_scripts": "scripts/zamek_scripts",
}
LARGEST_DATA = 6_400_000  # bytes in the wheel: weights of networks, and a third of them suites of positions
LARGEST_CODE = 1_000_000  # bytes in the wheel
INSTALL_CLI = "`pip install 'zamek-env[cli]'`"
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from a copy so that nothing is left behind in the sources."""
    sources, folder = tmp_path_factory.mktemp("sources"), tmp_path_factory.mktemp("wheel")
    for place in PACKAGES_AT.values():
        shutil.copytree(ROOT / place, sources / place, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (*ROOT.glob("*.toml"), *ROOT.glob("*.md"), ROOT / "LICENSE"):
        shutil.copy(path, sources)
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder)]
    subprocess.run([*PIP, "wheel", *options, str(sources)], check=True, capture_output=True)
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def site(wheel, tmp_path_factory):
    """A folder with the wheel installed in it."""
    folder = tmp_path_factory.mktemp("site")
    options = ["--no-deps", "--no-index", "--target", str(folder)]
    subprocess.run([*PIP, "install", *options, str(wheel)], check=True, capture_output=True)
    return folder


def run(site, folder, *command):
    """Run a command of Python in `folder`, with what is installed in `site`, and return what it printed.

    Without compilation, which would take longer than all the rest; the kernels run as plain Python then.
    """
    environment = os.environ | {"PYTHONPATH": str(site), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, *command]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def read_project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_wheel_is_named_after_the_version_and_small(wheel):
    assert wheel.name == f"zamek_env-{__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as file:
        sizes = [(Path(info.filename).suffix == ".py", info.compress_size) for info in file.infolist()]
    assert sum(size for is_code, size in sizes if not is_code) < LARGEST_DATA
    assert sum(size for is_code, size in sizes if is_code) < LARGEST_CODE


def test_the_wheel_holds_every_module_and_all_data_under_names_of_our_own(wheel):
    expected = set()
    for name, folder in PACKAGES_AT.items():
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        expected |= {f"{name}/{path.relative_to(ROOT / folder).as_posix()}" for path in files}
    assert "zamek_env/data/zamek.json" in expected
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == expected


def test_the_installed_command_plays(site, tmp_path):
    zamek = str(site / "bin" / "zamek")
    printed = run(site, tmp_path, zamek, "evaluate", "--agents", "random", "random", "--games", "2", "--workers", "1")
    assert "random #2" in printed


@pytest.mark.long
def test_what_is_imported_is_what_was_installed(site, tmp_path):
    for name in PACKAGES_AT:
        printed = run(site, tmp_path, "-c", f"import {name}; print({name}.__file__)")
        assert Path(printed.strip()).is_relative_to(site)


def test_the_command_tells_what_a_cluster_would_need_to_be_the_same(site, tmp_path):
    code = "from zamek_agents.ray_cluster import describe_installation; print(describe_installation()['zamek_env'])"
    installed = run(site, tmp_path, "-c", code).strip()
    assert installed == describe_installation()["zamek_env"]


def test_the_citation_names_this_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    required = {"cff-version", "message", "title", "authors"}
    assert required <= cited.keys() <= required | {"type", "version", "license", "abstract", "keywords"}
    assert (cited["cff-version"], cited["version"], cited["license"]) == ("1.2.0", __version__, "MIT")
    assert all(author.keys() == {"name"} for author in cited["authors"]) and cited["type"] == "software"


def test_a_release_needs_a_dated_section_a_citation_a_clean_tree_and_a_new_version():
    dated, cited = "# Changelog\n\n## 0.3.0 (2026-12-01)\n\n## 0.2.0 (2026-11-28)\n", "type: software\nversion: 0.3.0\n"
    assert find_hindrances("0.3.0", dated, cited, [], ["v0.2.0"]) == []
    for changelog in (dated.replace("2026-12-01", "unreleased"), dated.replace("0.3.0", "0.3.1"), ""):
        (said,) = find_hindrances("0.3.0", changelog, cited, [], [])
        assert said == "CHANGELOG.md must begin with `## 0.3.0 (YEAR-MONTH-DAY)`"
    assert find_hindrances("0.3.0", dated, "version: 0.2.0\n", ["a.py", "b.py"], ["v0.3.0"]) == [
        "CITATION.cff must name version 0.3.0",
        "everything must be committed, and these files are not: a.py, b.py",
        "there is a tag v0.3.0 already: raise the version in zamek_env/version.py",
    ]


def test_pages_name_the_wheel_of_this_version():
    pages = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), *(ROOT / "examples").glob("*.yaml")]
    named = [version for page in pages for version in re.findall(r"zamek_env-(\d[\d.]*\d)", page.read_text("utf-8"))]
    assert named and set(named) == {__version__}


def test_the_environment_requires_four_packages():
    required = {re.split("[<>=]", requirement)[0] for requirement in read_project()["dependencies"]}
    assert required == REQUIRED


def run_bare(*arguments):
    """Run `tools/minimal_install.py`, which refuses all packages but those required."""
    program = str(ROOT / "tools" / "minimal_install.py")
    return subprocess.run([sys.executable, "-I", program, *arguments], capture_output=True, text=True, encoding="utf-8")


def test_games_environments_and_agents_need_no_more_than_is_required():
    done = run_bare()
    assert (done.returncode, done.stdout) == (0, "bare: passed\n"), done.stderr


@pytest.mark.parametrize("arguments", [("show",), ("--version",)])
def test_the_command_says_which_extra_it_needs(arguments):
    done = run_bare(*arguments)
    words = rf"zamek: the command zamek needs \w+, which is not installed; install it by {re.escape(INSTALL_CLI)}"
    assert done.returncode == 2 and done.stdout == "" and re.fullmatch(f"{words}\n", done.stderr)


def test_extras_are_those_that_messages_name():
    extras, holders = read_project()["optional-dependencies"], packages_distributions()
    for extra, modules in PACKAGES.items():
        named = {re.split(r"[\[<>=; ]", each)[0].replace("-", "_") for each in extras[extra]}
        held = {name.lower().replace("-", "_") for module in modules for name in holders.get(module, ())}
        assert named & (held | set(modules)), extra


def test_messages_say_what_to_install_in_one_way_and_name_extras_that_there_are():
    named = set()
    for path in chain.from_iterable((ROOT / folder).rglob("*.py") for folder in PACKAGES_AT.values()):
        text = path.read_text(encoding="utf-8")
        assert "pip install" not in text or path.name == "messages.py", path
        named |= set(re.findall(r"needs_extra\(['\"](\w+)", text))
    assert named and named <= set(read_project()["optional-dependencies"])
    assert show_install("play") == f"`pip install '{read_project()['name']}[play]'`"


def test_every_requirement_is_pinned_to_a_tested_version():
    project = read_project()
    requirements = chain(project["dependencies"], *project["optional-dependencies"].values())
    pinned = {line.partition("==")[0] for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line}
    named = {requirement.split(">")[0].split("[")[0].strip() for requirement in requirements}
    assert named - {project["name"]} <= pinned


def test_the_oldest_versions_are_those_that_requirements_allow():
    extras = {"train": ["torch>=2.8", "c[d]>=3", "a>=1.2"], "docs": ["e>=1"]}
    project = {"dependencies": ["a>=1.2,<2", "b"], "optional-dependencies": extras}
    assert list_oldest(project, ["a==1.9", "torch==2.13.0"]) == ["a==1.2", "c==3", "torch==2.13.0"]
