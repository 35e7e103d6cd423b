"""Compares agents: sets of games, round robins, statistics and reports."""

from zamek_env.common.extras import needs_extra

with needs_extra("cli", "the arena"):
    from zamek_agents.arena.comparison import compare
    from zamek_agents.arena.round_robin import RoundRobin, play
    from zamek_agents.arena.sets import line_up
    from zamek_agents.arena.standings import find_shares

__all__ = ["RoundRobin", "compare", "find_shares", "line_up", "play"]
