"""Tests of pictures and of text for any stream."""
