"""Builds what is to be published, tries it, and says what to do next: `make release`.

The source archive and the wheel are built from what is committed, the wheel from the archive. Each is installed into an
environment of its own, where `minimal_install.py` plays with the required packages alone, and the command runs with the
extra.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from email.parser import HeaderParser
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
CONSTRAINTS = ROOT / "constraints.txt"
BARE = ROOT / "tools" / "minimal_install.py"


def find_hindrances(version, changelog, cited, changed, tags):
    """Return in sentences why `version` cannot be released; nothing where it can.

    `changelog` and `cited` are the texts of `CHANGELOG.md` and `CITATION.cff`, `changed` are files that are not
    committed, and `tags` those of the history.
    """
    said = []
    if (top := re.search(r"^## (.*)$", changelog, re.MULTILINE)) is None or not re.fullmatch(
        rf"{re.escape(version)} \(\d{{4}}-\d\d-\d\d\)", top[1]
    ):
        said.append(f"CHANGELOG.md must begin with `## {version} (YEAR-MONTH-DAY)`")
    if f"\nversion: {version}\n" not in cited:
        said.append(f"CITATION.cff must name version {version}")
    if changed:
        said.append(f"everything must be committed, and these files are not: {', '.join(changed)}")
    if f"v{version}" in tags:
        said.append(f"there is a tag v{version} already: raise the version in zamek_env/version.py")
    return said


def run(*command, **options):
    """Run a command, and return what it printed. Exits where it fails, with what it said."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, encoding="utf-8", **options)
    if done.returncode:
        sys.exit(f"release: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def build(sources):
    """Build the source archive from a folder with what is committed, and the wheel from it; return both files."""
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    code = "import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])"
    run(sys.executable, "-c", code, DIST, cwd=sources)
    (archive,) = DIST.iterdir()
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel")
    run(*pip, "--no-deps", "--no-build-isolation", "--wheel-dir", DIST, archive)
    (wheel,) = DIST.glob("*.whl")
    return archive, wheel


def check_metadata(wheel, version):
    """Check what an index reads of the wheel."""
    with ZipFile(wheel) as file:
        (name,) = (name for name in file.namelist() if name.endswith(".dist-info/METADATA"))
        found = HeaderParser().parsestr(file.read(name).decode())
    expected = {"Name": "zamek-env", "Version": version, "Description-Content-Type": "text/markdown"}
    wrong = {field: found[field] for field, value in expected.items() if found[field] != value}
    if wrong or not found.get_payload().startswith("# zamek_env"):
        sys.exit(f"release: the metadata of {wheel.name} are wrong: {wrong or 'no README'}")


def try_installed(file, folder, version):
    """Install a file into an environment of its own in `folder`, and play there."""
    run(sys.executable, "-m", "venv", folder)
    python = folder / "bin" / "python"
    install = (python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    settings = os.environ | {"PIP_CONSTRAINT": str(CONSTRAINTS), "NUMBA_DISABLE_JIT": "1"}
    run(*install, file, env=settings, cwd=folder)
    run(python, "-I", BARE, env=settings, cwd=folder)
    run(*install, f"{file}[cli]", env=settings, cwd=folder)
    zamek = folder / "bin" / "zamek"
    if (said := run(zamek, "--version", env=settings, cwd=folder)) != f"zamek {version}\n":
        sys.exit(f"release: {file.name} says {said!r}")
    run(zamek, "evaluate", "--agents", "random", "random", "--games", "2", env=settings, cwd=folder)


def main():
    """Build, try, and say what to do next."""
    read = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("CHANGELOG.md", "CITATION.cff")}
    version = re.search('__version__ = "(.*)"', (ROOT / "zamek_env" / "version.py").read_text(encoding="utf-8"))[1]
    changed = [line[3:] for line in run("git", "status", "--porcelain", cwd=ROOT).splitlines()]
    tags = run("git", "tag", cwd=ROOT).split()
    if hindrances := find_hindrances(version, read["CHANGELOG.md"], read["CITATION.cff"], changed, tags):
        sys.exit("\n".join(f"release: {said}" for said in hindrances))
    with tempfile.TemporaryDirectory() as place:
        sources, packed = Path(place) / "sources", Path(place) / "sources.tar"
        run("git", "archive", "--output", packed, "HEAD", cwd=ROOT)
        shutil.unpack_archive(packed, sources, filter="data")
        files = build(sources)
        check_metadata(files[1], version)
        for file in files:
            print(f"built {file.relative_to(ROOT)}, {file.stat().st_size / 1e6:.1f} MB; trying it", flush=True)
            try_installed(file, Path(place) / file.suffix[1:], version)
    print(
        f"\n{version} is ready. What is left, in this order:\n\n"
        f"    make test\n"
        f"    git tag --annotate v{version} --message {version}\n"
        f"    git push --follow-tags\n"
        f"    python -m twine upload dist/{files[0].name} dist/{files[1].name}    # twine: pip install twine\n\n"
        "Then begin the next section of CHANGELOG.md."
    )


if __name__ == "__main__":
    main()
