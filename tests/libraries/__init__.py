"""Tests that load PyTorch, pyarrow or Ray: run apart, so that no process holds these and all else in memory."""
