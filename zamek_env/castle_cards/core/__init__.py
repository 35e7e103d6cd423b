"""The engine: arrays and kernels. Start reading in `rules.py`."""
