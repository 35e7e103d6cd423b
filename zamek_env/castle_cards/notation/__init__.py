"""Options and positions in words and as lines of text."""
