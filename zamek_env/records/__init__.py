"""Games as JSON, which are checked by playing them again, and games set up at a position."""
