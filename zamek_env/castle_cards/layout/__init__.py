"""The meaning of numbers: spaces, actions, entries of observations."""
