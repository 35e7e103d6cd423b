"""The command `zamek`: runs the script called like its first argument."""

import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from keyword import iskeyword

try:  # for the second or two that this takes, in which Ctrl-C may come
    from zamek_env import __version__
    from zamek_env.common.extras import MissingExtraError, needs_extra, needs_train_extra

    with needs_extra("cli", "the command zamek"):
        from zamek_scripts.command_line import parse
        from zamek_scripts.terminal import BAD_INPUT, any_output, reporting_refusals
except KeyboardInterrupt:
    print("zamek: interrupted", file=sys.stderr)
    raise SystemExit(130) from None  # `terminal.INTERRUPTED`, which may not be there yet
except MissingExtraError as error:
    print(f"zamek: {error}", file=sys.stderr)
    raise SystemExit(2) from None  # `terminal.BAD_INPUT`, which is not there

COMMANDS = {
    "show": "let agents play one game and print its board",
    "play": "play against an agent, in the browser or the terminal",
    "train": "train a player",
    "train-value": "learn the evaluation of the agent `value`",
    "refine-value": "improve that evaluation: fit it to many games and valued choices",
    "evaluate": "let agents play each other and say who wins how often",
    "import": "take over games that people played elsewhere, checked move by move",
    "convert": "write recorded games for other programs",
    "export": "write games as data to learn from",
    "benchmark": "run learners on fixed tasks, with counted budgets, against opponents that never change",
    "regret": "measure how many points the decisions of agents lose",
    "exploit": "measure how much an opponent made to beat an agent wins against it",
    "replay": "make a page that replays a recorded game in the browser",
    "analyse": "make a report of game records",
    "models": "list the models that come with the package, and check them",
    "warmup": "compile everything for some rulesets or all, so that no later command has to",
}
# Settings of torch's threads, read when it is loaded. In training, waiting threads must sleep, or everything nearly
# stops once the CPUs are shared; elsewhere one position at a time, or one of many learners, is too little to share.
THREADS, TRAINING_THREADS = ("OMP_NUM_THREADS", "1"), ("OMP_WAIT_POLICY", "PASSIVE")
USAGE = "\n".join(
    [
        "usage: zamek COMMAND [OPTIONS]",
        "",
        *(f"  {command:<14}{purpose}" for command, purpose in COMMANDS.items()),
        "",
        "zamek COMMAND --help lists the options of a command, zamek --version the version.",
    ]
)


def name_module(command: str) -> str:
    """Return the module of a command; none may be named like a Python keyword."""
    return f"{command}_" if iskeyword(command) else command.replace("-", "_")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `zamek` with these arguments, by default those of the command line, and return its exit code."""
    with any_output():
        return run(sys.argv[1:] if arguments is None else arguments)


def run(arguments: Sequence[str]) -> int:
    """Run the command that `arguments` begin with, and return its exit code."""
    command, *options = arguments or ["--help"]
    if command in ("--help", "-h"):
        print(USAGE)
        return 0
    if command == "--version":
        print(f"zamek {__version__}")
        return 0
    if command not in COMMANDS:
        near = "".join(f"; did you mean {name}?" for name in get_close_matches(command, COMMANDS, 1))
        print(f"zamek: the command must be one of {', '.join(COMMANDS)}, not {command!r}{near}", file=sys.stderr)
        return BAD_INPUT
    os.environ.setdefault(*(TRAINING_THREADS if command == "train" else THREADS))
    try:
        with needs_extra("cli", f"zamek {command}"), needs_train_extra(f"zamek {command}"):
            script = import_module(f"zamek_scripts.{name_module(command)}")  # here, because training imports torch
    except MissingExtraError as error:
        print(f"zamek: {error}", file=sys.stderr)
        return BAD_INPUT
    with reporting_refusals(command):
        args = parse(script.Args, options, prog=f"zamek {command}", description=script.__doc__)
    script.main(args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
