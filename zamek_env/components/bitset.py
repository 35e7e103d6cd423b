"""Bit sets in arrays of 32-bit words: how many words hold a number of bits."""

WORD_BITS = 32


def num_words(bits: int) -> int:
    """Return how many words hold `bits` bits."""
    return -(-bits // WORD_BITS)
