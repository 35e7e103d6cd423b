"""Game records: written from what happened, checked, put into words, played again."""
