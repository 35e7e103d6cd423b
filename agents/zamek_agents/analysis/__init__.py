"""Game records analysed: where points come from, how much there is to choose from, and what choices cost."""

from zamek_agents.analysis.analyse import analyse
from zamek_agents.analysis.castle_summary import CastleAnalysis
from zamek_agents.analysis.summary import Analysis

__all__ = ["Analysis", "CastleAnalysis", "analyse"]
