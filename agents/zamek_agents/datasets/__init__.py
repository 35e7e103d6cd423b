"""Games as training data: written in several formats, read back with checks, and compared with the rules."""

from zamek_agents.datasets.columns import unpack_masks, unpack_values
from zamek_agents.datasets.export import ExportOptions, Verified, export, verify
from zamek_agents.datasets.npz import NpzDataset, read_npz
from zamek_agents.datasets.sources import (
    FinishedGame,
    Judge,
    Match,
    Values,
    judge_games,
    play_games,
    play_match,
    read_games,
)

__all__ = [
    "ExportOptions",
    "FinishedGame",
    "Judge",
    "Match",
    "NpzDataset",
    "Values",
    "Verified",
    "export",
    "judge_games",
    "play_games",
    "play_match",
    "read_games",
    "read_npz",
    "unpack_masks",
    "unpack_values",
    "verify",
]
