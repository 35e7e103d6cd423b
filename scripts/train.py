"""Train a player: the same as `zamek train`."""

import sys

if __name__ == "__main__":  # processes that this one starts import the file too
    from zamek_scripts.cli import main

    sys.exit(main(["train", *sys.argv[1:]]))
