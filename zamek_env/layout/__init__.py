"""What the numbers mean: sizes of arrays, actions, entries of observations."""
