"""A ruleset whose observations hold the same in another order, to see that everything is found by name."""

from zamek_env import ruleset as ruleset_module
from zamek_env.layout.observation import Group, Layout

ADDED = Group("more", ("a", "b", "c"), 1, 1, "nothing")


def rearrange(layout):
    """Return a `Layout` with the groups in the opposite order and one more in their midst."""
    groups = layout.groups[::-1]
    middle = len(groups) // 2
    return Layout([*groups[:middle], ADDED, *groups[middle:]])


def make_rearranged(ruleset, monkeypatch):
    """Return a `Ruleset` like that one, with planes and vector rearranged."""
    monkeypatch.setattr(ruleset_module, "plane_layout", lambda *_: rearrange(ruleset.planes))
    monkeypatch.setattr(ruleset_module, "vector_layout", lambda *_: rearrange(ruleset.vector))
    return ruleset_module.Ruleset(ruleset.components)


def find_moved(before, after):
    """Return the numbers in the `Layout` `after` of all that stands in `before`."""
    return [after.find(name) for name in before.names]
