"""An agent of your own: it takes the most points that its next few decisions of this turn can bring.

Play it by: zamek evaluate --agents "examples/my_agent.py:MyAgent(depth=2)" greedy --games 20
"""


class MyAgent:
    def __init__(self, depth=1):
        if not 1 <= depth <= 3:
            raise ValueError(f"depth must lie in 1 to 3, not {depth}")
        self.name = f"my agent, depth {depth}"
        self.depth = depth  # decisions of its own that it looks ahead

    def act(self, game, rng):
        """Return a legal action. `game` is a copy: it may be played on, and its hidden tiles are dealt at random."""
        worth = {action: self.look_ahead(game, action, self.depth) for action in game.legal_actions()}
        best = max(worth.values())
        return int(rng.choice([action for action in worth if worth[action] == best]))

    def look_ahead(self, game, action, depth):
        """Return the points of the player to decide after `action`, and the best it can do next in the same turn."""
        player, after = game.current_player, game.copy()
        after.step(action)
        if depth == 1 or after.current_player != player:
            return after.scores[player]
        return max(self.look_ahead(after, following, depth - 1) for following in after.legal_actions())
