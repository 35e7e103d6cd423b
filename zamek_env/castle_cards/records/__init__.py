"""Game records: written from what happened, checked, told, played again."""
