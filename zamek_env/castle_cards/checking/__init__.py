"""A state rebuilt from scratch and compared with what the engine kept."""
