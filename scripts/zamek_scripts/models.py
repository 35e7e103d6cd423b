"""List the models that come with the package, or those in folders, and check their files."""

import json
from dataclasses import dataclass
from pathlib import Path

import tyro
from rich.table import Table

from zamek_agents.pretrained import Model, list_models, read_model
from zamek_env.common.messages import escape
from zamek_scripts.terminal import make_console, reporting_refusals

_KIBIBYTE = 1024


@dataclass
class Args:
    folders: tyro.conf.Positional[tuple[Path, ...]] = ()
    """folders of models of your own, as `agent.save_pretrained(folder)` writes them; none: those of the package"""
    json: bool = False
    """print them as JSON"""


def main(args: Args) -> None:
    """Print the models. Exits with code 2 where one is damaged."""
    with reporting_refusals("models"):
        models = [read_model(folder) for folder in args.folders] if args.folders else list_models()
    if args.json:
        print(json.dumps([model.make_entries() | {"path": str(model.path)} for model in models], indent=1))
        return
    console = make_console()
    for model in models:
        console.print(make_table(model))


def make_table(model: Model) -> Table:
    """Return the metadata of a model as a table of two columns; unprintable characters are escaped."""
    table = Table(show_header=False, box=None, title=f"{model.agent} for {model.trained_for.ruleset}")
    table.title_justify = "left"
    for name, text in (
        ("strength", model.strength or "not stated"),
        ("command", model.command or "not stated"),
        ("file", f"{model.path}, {model.size / _KIBIBYTE:,.0f} KiB"),
        ("sha256", model.digest),
    ):
        table.add_row(f"  {name}", escape(text))
    return table
