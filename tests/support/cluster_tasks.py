"""Tasks for workers, in a module that other processes can import."""

import os
from pathlib import Path


def square(number):
    return number * number


def tell_process(number):
    return number, os.getpid()


def refuse(number):
    raise ValueError(f"no {number} here")


def die_once(folder, number):
    """Return the square of `number`; the first process that is asked for it ends without a word."""
    mark = Path(folder) / str(number)
    with mark.open("a") as file:
        file.write("asked\n")
    if len(mark.read_text().splitlines()) == 1:
        os._exit(1)
    return square(number)


def die(number):
    os._exit(1)


def mark_node(folder):
    """Leave a file that says that this node was made ready."""
    (Path(folder) / f"{os.getpid()}.ready").write_text("")
