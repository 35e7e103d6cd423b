"""The engine's chance once more, in Python's whole numbers: how tiles are shuffled by a deal's number, a bag shaken.

It follows the description in `zamek_env/base/chance.py`; nothing is imported from there.
"""

BITS_32, BITS_64 = 2**32 - 1, 2**64 - 1


class Chance:
    """Marsaglia's xorshift64."""

    def __init__(self, word):
        self.word = word

    @classmethod
    def of_deal(cls, number):
        """Return the chance of the deal of that number."""
        low, high = number & BITS_32, number >> 32
        for _ in range(2):
            low = scramble(low ^ 0x9E3779B9 ^ high)
            high = scramble(high ^ low)
        chance = cls(high << 32 | low | 1)
        for _ in range(8):
            chance.draw()
        return chance

    def draw(self):
        """Return the next 32 random bits."""
        self.word ^= self.word << 13 & BITS_64
        self.word ^= self.word >> 7
        self.word ^= self.word << 17 & BITS_64
        return self.word >> 32

    def shuffle(self, values):
        """Return the values in random order."""
        values = list(values)
        for last in range(len(values) - 1, 0, -1):
            other = self.draw() * (last + 1) >> 32
            values[last], values[other] = values[other], values[last]
        return values


def scramble(word):
    """Return a 32-bit word that depends on every bit of `word`."""
    for _ in range(2):
        word = (word ^ word >> 16) * 0x45D9F3B & BITS_32
    return word ^ word >> 16


def deal(number, tiles, tokens):
    """Return (the tiles by their numbers in the order of drawing, what shakes the bag) of the deal of that number.

    `tiles` and `tokens` are how many there are.
    """
    chance = Chance.of_deal(number)
    deck = chance.shuffle(range(tiles))
    chance.shuffle(range(tokens))
    high, low = chance.draw(), chance.draw()
    return deck, Chance(high << 32 | low | 1)
