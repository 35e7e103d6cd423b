"""The components: cards, how they are dealt, pawns."""
