"""Tests of docs, examples, packaging, and how files are read and written."""
