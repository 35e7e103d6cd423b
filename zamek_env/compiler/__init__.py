"""Compiles the kernels of all games by numba: what they call is linked, code is kept, Python calls it fast."""
