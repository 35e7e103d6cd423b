"""Tests of records, notation and words."""
