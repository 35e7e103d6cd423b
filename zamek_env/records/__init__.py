"""Games in writing: locations, positions, records and their replay."""
