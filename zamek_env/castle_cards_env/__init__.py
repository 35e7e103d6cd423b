"""The environments of castle-cards."""
