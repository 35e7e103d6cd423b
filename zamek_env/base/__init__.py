"""What the engines of all games are built on: records, chance, episodes and rewards."""
