"""Shared by the environments of all games; `zamek_env.single`, `vector` and `aec` are those of tiles."""
