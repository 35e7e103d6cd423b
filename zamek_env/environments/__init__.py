"""What the environments of all games share; `zamek_env.single`, `vector` and `aec` are those of tiles."""
