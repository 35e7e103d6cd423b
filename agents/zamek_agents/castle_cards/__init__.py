"""Agents for Castle, the card game: greedy play by a table of worths, and a search on redealt games."""
