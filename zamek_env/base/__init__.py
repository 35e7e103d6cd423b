"""The parts that the engines of all games share: records, chance, episodes and rewards."""
