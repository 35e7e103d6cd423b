"""What the numbers mean: spaces, actions, entries of observations."""
