"""Tests of pages, in a browser too."""
