"""Shared by the environments of all games; `zamek_env.single`, `vector` and `zamek_v0` are those of tiles."""
