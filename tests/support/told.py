"""An agent of somebody's own that chooses as a file says, which may change."""

TOLD = """
class Told:
    def __init__(self, path):
        with open(path) as file:
            self.place = int(file.read())

    def act(self, game, rng):
        return game.legal_actions()[self.place]
"""


def write_told(folder):
    """Return the name of such an agent, and the file that says which of the legal actions it chooses, 0 for now."""
    (folder / "told.py").write_text(TOLD)
    (folder / "place").write_text("0")
    return f"{folder}/told.py:Told({str(folder / 'place')!r})", folder / "place"
