"""Writes, checks, describes and replays game records."""
