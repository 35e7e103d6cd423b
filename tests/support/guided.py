"""An agent of somebody's own that chooses as a file says, which may change."""

GUIDED = """
class Guided:
    def __init__(self, path):
        with open(path) as file:
            self.place = int(file.read())

    def act(self, game, rng):
        return game.legal_actions()[self.place]
"""


def write_guided(folder):
    """Return the name of such an agent, and the file that says which of the legal actions it chooses, 0 for now."""
    (folder / "guided.py").write_text(GUIDED)
    (folder / "place").write_text("0")
    return f"{folder}/guided.py:Guided({str(folder / 'place')!r})", folder / "place"
