"""The decisions to which frozen agents are held: `data/frozen.json`.

    python -m tests.support.frozen      adds the decisions of agents and rulesets that are not there yet

What is there stays as it is: those are the decisions that an agent made when it got its name.
"""

import json
from pathlib import Path

import numpy as np

from tests.support.games import play
from zamek_agents import make_agent
from zamek_agents.frozen import FROZEN
from zamek_env import Game
from zamek_env.fair_play import ask

PATH = Path(__file__).parent / "data" / "frozen.json"
RULESETS = ("zamek", "sokol", "carcassonne")
POSITIONS = 30  # of a ruleset
GAMES = 3  # of `greedy` from which they come


def read():
    """Return {ruleset: {"positions": lines, "decisions": {agent: actions in notation}}}."""
    return json.loads(PATH.read_text(encoding="ascii")) if PATH.is_file() else {}


def decide(name, lines):
    """Return what the agent of that name does in each position, in notation; chance follows from its number."""
    agent, actions = make_agent(name), []
    for number, line in enumerate(lines):
        game = Game.parse_position(line, seed=0)
        actions.append(game.format_action(ask(agent.act, game, np.random.default_rng(number))))
    return actions


def choose_positions(ruleset):
    """Return positions of games of `greedy` as lines, from all over each game, where there is something to choose."""
    lines = []
    for seed in range(GAMES):
        games = (game for game in play(Game(ruleset, seed=seed), make_agent("greedy"), seed) if not game.is_terminal)
        found = [game.format_position() for game in games if len(game.legal_actions()) > 1]
        lines += [found[number] for number in np.linspace(0, len(found) - 1, POSITIONS // GAMES).astype(int)]
    return lines


def main():
    """Add what is missing."""
    held = read()
    for ruleset in RULESETS:
        kept = held.setdefault(ruleset, {})
        lines = kept.setdefault("positions", choose_positions(ruleset))
        decisions = kept.setdefault("decisions", {})
        for name in FROZEN:
            if name not in decisions:
                decisions[name] = decide(name, lines)
                print(f"{ruleset}: {name}")
        PATH.write_text(json.dumps(held, indent=1) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
