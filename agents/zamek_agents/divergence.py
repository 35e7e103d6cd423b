"""Learning that went astray."""


class DivergedError(ArithmeticError):
    """What is learned is no longer finite, or worse than nothing; the message says in one line by how much."""
