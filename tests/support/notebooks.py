"""Executes the notebooks, and stores what they print and draw.

    python -m tests.support.notebooks --update [NAME …]     execute the notebooks, or those named, and store the outputs

Of what Jupyter notes besides, nothing is kept: a notebook that is executed twice is the same file. In a cell that
begins with `# Settings` stand the numbers that decide how long a notebook takes. Tests replace them by those of
`QUICK`.
"""

import argparse
import re
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from tqdm import tqdm

FOLDER = Path(__file__).parents[2] / "notebooks"
PATHS = tuple(sorted(FOLDER.glob("*.ipynb")))
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
SETTINGS = "# Settings"
QUICK = {  # name of the notebook -> settings with which it runs in seconds
    "3_train_and_evaluate": "lengths, deals = (4, 8), 2",
    "4_heuristic_and_learned": "deals, calibration_games = 2, 3",
    "5_search": "looks, budgets, deals, workers = (4, 8, 16), (2, 4), 2, 1",
    "6_hidden_information": "worlds = 5",
}
TIMEOUT = 600  # seconds a cell
MOST_PICTURE_BYTES = 300_000  # a notebook
_ABSOLUTE = re.compile(r"(?<![\w.:/<])/(?:home|root|tmp|usr|work|var|Users|private)/|[A-Z]:\\\\")


def read(path: Path) -> NotebookNode:
    """Return the notebook in a file. Raises where it is none of the format."""
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    return book


def execute(book: NotebookNode, folder: Path) -> NotebookNode:
    """Execute a notebook in `folder`, and return it with its outputs. Raises where a cell does."""
    resources = {"metadata": {"path": str(folder)}}
    return NotebookClient(book, timeout=TIMEOUT, resources=resources, coalesce_streams=True).execute()


def run_code(book: NotebookNode) -> None:
    """Run the code of a notebook in this process and the current folder, without Jupyter. Raises what a cell raises."""
    names = {"__name__": "__main__"}
    for cell in list_code(book):
        source = re.sub("^%.*", "", cell.source, flags=re.MULTILINE)  # what only Jupyter understands
        exec(compile(source, f"<{source[:40]!r}>", "exec"), names)


def make_quick(book: NotebookNode, name: str) -> NotebookNode:
    """Give a notebook the settings of `QUICK`, if it has any."""
    if name in QUICK:
        (cell,) = (cell for cell in list_code(book) if cell.source.startswith(SETTINGS))
        cell.source += f"\n{QUICK[name]}"
    return book


def list_code(book: NotebookNode) -> list[NotebookNode]:
    """Return the cells that hold code."""
    return [cell for cell in book.cells if cell.cell_type == "code"]


def strip(book: NotebookNode) -> NotebookNode:
    """Leave of a notebook its cells, the outputs, and the name of its kernel."""
    book.metadata = {"kernelspec": KERNEL}
    for number, cell in enumerate(book.cells):
        cell.metadata, cell.id = {}, f"cell-{number}"
        for output in cell.get("outputs", ()):
            if "metadata" in output:
                output.metadata = {}
    return book


def list_printed(book: NotebookNode) -> list[str]:
    """Return what each cell of code printed."""
    return [
        "".join(output.text for output in cell.outputs if output.output_type == "stream") for cell in list_code(book)
    ]


def count_picture_bytes(book: NotebookNode) -> int:
    """Return how much room the pictures in the outputs take."""
    return sum(
        len("".join(content))
        for cell in list_code(book)
        for output in cell.outputs
        for kind, content in output.get("data", {}).items()
        if kind.startswith("image/")
    )


def find_faults(book: NotebookNode) -> list[str]:
    """Return what is wrong with the outputs that a notebook holds; nothing where they can be shown to readers."""
    faults = []
    for number, cell in enumerate(list_code(book), 1):
        kinds = {output.output_type for output in cell.outputs}
        errors = {output.name for output in cell.outputs if output.output_type == "stream"} - {"stdout"}
        faults += [f"cell {number} ended with an error"] if "error" in kinds else []
        faults += [f"cell {number} wrote to stderr"] if errors else []
        faults += [] if cell.execution_count == number else [f"cell {number} was not executed in its place"]
    text = nbformat.writes(book)
    faults += [f"{found!r} begins a path of some machine" for found in _ABSOLUTE.findall(text)]
    if (size := count_picture_bytes(book)) > MOST_PICTURE_BYTES:
        faults.append(f"pictures take {size:,} bytes, more than {MOST_PICTURE_BYTES:,}")
    if nbformat.writes(strip(nbformat.from_dict(book))) != text:
        faults.append("it holds notes of Jupyter's")
    return faults


def update(paths: list[Path]) -> None:
    """Execute notebooks, and store them with their outputs."""
    for path in tqdm(paths, unit="notebook"):
        with tempfile.TemporaryDirectory() as folder:
            book = strip(execute(read(path), Path(folder)))
        if faults := find_faults(book):
            raise SystemExit(f"{path.name} is left as it was: {'; '.join(faults)}")
        path.write_text(f"{nbformat.writes(book)}\n", encoding="utf-8")


def main() -> None:
    """Execute the notebooks that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", required=True, help="store the outputs")
    parser.add_argument("names", nargs="*", help="such as 1_first_game; by default all")
    names = parser.parse_args().names or [path.stem for path in PATHS]
    if unknown := sorted(set(names) - {path.stem for path in PATHS}):
        parser.error(f"names must be of {', '.join(path.stem for path in PATHS)}, not {', '.join(unknown)}")
    update([path for path in PATHS if path.stem in names])


if __name__ == "__main__":
    main()
