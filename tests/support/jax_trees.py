"""A stand-in for the one function of JAX that Minari's collector calls; JAX itself is large."""

import sys
import types


def map_tree(function, tree, *others):
    """Return `tree` with `function(leaf, *others)` in place of each leaf, `others` being built as it is or deeper."""
    if isinstance(tree, dict):
        if any(each.keys() != tree.keys() for each in others):
            raise ValueError(f"the keys of {others} must be {list(tree)}")
        return {key: map_tree(function, leaf, *(each[key] for each in others)) for key, leaf in tree.items()}
    if isinstance(tree, tuple):
        return tuple(map_tree(function, *leaves) for leaves in zip(tree, *others, strict=True))
    return function(tree, *others)


def stand_in_for_jax(monkeypatch):
    """Put the stand-in where JAX would be."""
    trees = types.ModuleType("jax.tree_util")
    trees.tree_map = map_tree
    package = types.ModuleType("jax")
    package.tree_util = trees
    monkeypatch.setitem(sys.modules, "jax", package)
    monkeypatch.setitem(sys.modules, "jax.tree_util", trees)
