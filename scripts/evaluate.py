"""Let agents play each other: the same as `zamek evaluate`."""

import sys

if __name__ == "__main__":  # processes that this one starts import the file too
    from zamek_scripts.cli import main

    sys.exit(main(["evaluate", *sys.argv[1:]]))
