"""A recorded game as a page that replays it: `zamek replay` without its command line."""
