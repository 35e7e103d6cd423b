"""`zamek play` without its command line: a game at which people and agents sit, on a page or in a terminal."""
