"""What lies in the box: cards, how they are dealt, pawns."""
