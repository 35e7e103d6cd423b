"""The engine: arrays and kernels."""
