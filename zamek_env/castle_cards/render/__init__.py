"""Pictures of a position: for a terminal, as SVG, as pixels."""
