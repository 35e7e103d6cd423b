"""The environments of castle-cards for Gymnasium; `zamek_env.castle_cards_v0` is that for PettingZoo."""
