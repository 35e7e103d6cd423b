"""Games on a GPU: the same kernels, one thread a game, with PyTorch tensors as arrays."""
