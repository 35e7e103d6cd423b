"""Analyses game records: the sources of points, the numbers of choices, and the costs of choices."""

from zamek_agents.analysis.summary import Analysis, CastleAnalysis, analyse

__all__ = ["Analysis", "CastleAnalysis", "analyse"]
