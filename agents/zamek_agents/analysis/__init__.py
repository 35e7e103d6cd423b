"""Analyses game records: the sources of points, the numbers of choices, and the costs of choices."""

from zamek_agents.analysis.analyse import analyse
from zamek_agents.analysis.castle_summary import CastleAnalysis
from zamek_agents.analysis.summary import Analysis

__all__ = ["Analysis", "CastleAnalysis", "analyse"]
