"""The meaning of numbers: sizes of arrays, actions, entries of observations."""
