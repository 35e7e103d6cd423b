"""Castle, the card game: arrays and kernels. Start reading in `rules.py`."""
