"""Analyses game records: the sources of points, the numbers of choices, and the costs of choices."""

from zamek_agents.analysis.summary import Analysis, CastleCardsAnalysis, analyse

__all__ = ["Analysis", "CastleCardsAnalysis", "analyse"]
