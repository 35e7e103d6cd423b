"""Counts the sequences of decisions from fixed positions, by the fast engine and by the reference engine.

    python -m tests.support.perft               count with both engines and compare with what is stored
    python -m tests.support.perft --update      store it anew, where both engines agree

Of the files in `tests/support/data/`, `perft.json` holds the positions of the base game, `perft_sokol.json` those of
Sokół, `perft_carcassonne.json` those of Carcassonne, `perft_house.json` those of Carcassonne for other numbers of
players and by house rules.

A sequence ends after `depth` decisions or, before that, with the game. Each position is reached from a deal by stored
actions in notation; how they were chosen stands beside them. Where counts disagree, they are split by the first
decision.
"""

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tqdm import tqdm

from tests.support.games import after
from tests.support.lockstep import as_decision, twin_of
from zamek_agents import make_agent
from zamek_env import Game
from zamek_env.compiler.jit import kernel
from zamek_env.components.house_rules import parse_option
from zamek_env.core import legality, rules

FOLDER = Path(__file__).parent / "data"
BASE = "zamek"
NEXT = "; "  # between actions


@dataclass(frozen=True)
class Origin:
    """How a position was reached, and how deep it is counted."""

    name: str
    deal: int
    player: str  # name of the agent that chose the actions for both sides
    rng: int  # seed of its generator
    decisions: int  # how many it took
    depth: int
    ruleset: str = BASE
    players: int = 2
    rules: str = ""  # house rules as a text

    @property
    def file(self):
        """The stored file to which it belongs."""
        if self.players != 2 or self.rules:
            return FOLDER / "perft_house.json"
        game = "" if self.ruleset == BASE else f"_{self.ruleset.split('-')[0]}"
        return FOLDER / f"perft{game}.json"


ORIGINS = (
    Origin("the opening", 1, "random", 1, 0, 5),
    Origin("a middle game, a follower to send", 7, "random", 7, 39, 4),
    Origin("a middle game with an extra turn in hand", 11, "greedy", 11, 40, 5),
    Origin("three tiles left, a choice of scorings and towers", 38, "random", 38, 84, 4),
    Origin("four tiles left, tokens for scoring and an extra turn", 5, "greedy", 5, 124, 5),
    Origin("three tiles left, of which one may fit nowhere", 37, "greedy", 37, 106, 4),
    Origin("two tiles left, to be scored with or without a token", 31, "greedy", 31, 115, 5),
    Origin("two tiles left, an extra turn to decide, orders of scoring", 14, "greedy", 14, 129, 5),
    Origin("the last tile but one, to its very end", 8, "greedy", 8, 109, 6),
    Origin("the last tile, scored with or without a token", 5, "greedy", 5, 132, 5),
    Origin("Sokół: the opening", 1, "random", 1, 0, 4, "sokol"),
    Origin("Sokół: two tiles left, four ways of scoring", 37, "greedy", 37, 172, 5, "sokol"),
    Origin("Sokół: two tiles left, nests to take", 45, "greedy", 45, 171, 4, "sokol"),
    Origin("Sokół: the last tile but one, a prince to send", 36, "greedy", 36, 141, 5, "sokol"),
    Origin("gates: two tiles left, points to lose", 1, "random", 1, 103, 5, "sokol-gates"),
    Origin("gates: three tiles left, gates ahead", 36, "greedy", 36, 135, 4, "sokol-gates"),
    Origin("gates: two tiles left, an extra turn to decide", 3, "greedy", 3, 172, 5, "sokol-gates"),
    Origin("gates: the last tile but one, a marker on a gate", 25, "greedy", 25, 145, 4, "sokol-gates"),
    Origin("Carcassonne: the opening of the demo", 1, "random", 1, 0, 4, "carcassonne-demo"),
    Origin("Carcassonne: the opening", 2, "random", 2, 0, 4, "carcassonne"),
    Origin("Carcassonne: a middle game, farmers to send", 4, "greedy", 4, 24, 4, "carcassonne"),
    Origin("Carcassonne: the demo, two tiles left", 1, "greedy", 1, 69, 4, "carcassonne-demo"),
    Origin("Carcassonne: the demo, a follower to send, two tiles left", 39, "random", 39, 65, 4, "carcassonne-demo"),
    Origin("Carcassonne: a follower to send, two tiles left", 13, "greedy", 13, 100, 4, "carcassonne"),
    Origin("Carcassonne: the last tile but one, to its very end", 23, "greedy", 23, 98, 5, "carcassonne"),
    Origin("Carcassonne: no farmers, two tiles left", 1, "greedy", 1, 100, 4, "carcassonne-no-farmers"),
    Origin("Carcassonne: no farmers, the last tile may fit nowhere", 34, "greedy", 34, 93, 5, "carcassonne-no-farmers"),
    Origin("Three players: a middle game", 3, "random", 3, 30, 4, "carcassonne", 3),
    Origin("Five players: the end of a small table", 2, "random", 2, 33, 4, "carcassonne", 5, "table=5x5"),
    Origin("One player: the beginning", 5, "random", 5, 4, 4, "carcassonne", 1),
    Origin("Drawing ahead: the end of a small table", 2, "random", 2, 36, 4, "carcassonne", 3, "draw_ahead,table=5x5"),
    Origin("An open hand: a middle game", 4, "random", 4, 15, 4, "carcassonne", 3, "hand=open,table=5x5"),
    Origin("A hidden hand: the end of a small table", 12, "random", 12, 50, 4, "carcassonne", 2,
           "hand=hidden,table=5x5"),
    Origin("Back into the bag: the end of a small table", 3, "random", 3, 36, 4, "carcassonne", 2,
           "back_into_bag,table=5x5"),
    Origin("Hands back into the bag: the end of a small table", 6, "random", 6, 45, 4, "carcassonne", 2,
           "hand=open,back_into_bag,table=5x5"),
    Origin("The start tile in the bag: the opening", 5, "random", 5, 0, 4, "carcassonne", 2, "start_in_bag"),
    Origin("A hole plays again: holes to fill", 8, "random", 8, 37, 6, "carcassonne", 2, "hole_plays_again,table=5x5"),
    Origin("What is unfinished pays nothing: the end of a small table", 4, "random", 4, 36, 5, "carcassonne", 2,
           "unfinished_pays_nothing,table=5x5"),
    Origin("An edge: the end of a small table", 2, "random", 2, 40, 4, "carcassonne", 3, "table=5x5"),
    Origin("Edges complete: the end of a small table", 6, "random", 6, 36, 4, "carcassonne", 2,
           "table=5x5,edges_complete"),
    Origin("Small cities: a middle game", 2, "random", 2, 20, 4, "carcassonne", 2, "table=5x5,small_city"),
)  # fmt: skip


# --- the fast engine ---


@kernel
def count_sequences(tables, states, logs, masks):
    """Return how many sequences of up to `depth` decisions begin in `states[0]`.

    Spoils `depth` more states and as many masks of legal actions, one a row.
    """
    t, log, depth = tables[0], logs[0], len(masks)
    following = np.zeros(depth + 1, np.int64)  # the next action to try at each level
    level, count = 0, 0
    while level >= 0:
        if level == depth or rules.is_terminal(states[level]):
            count += 1
            level -= 1
            continue
        if following[level] == 0:
            legality.write_mask(t, states[level], masks[level])
        action = find_set(masks[level], following[level])
        if action < 0:
            level -= 1
            continue
        following[level] = action + 1
        level += 1
        following[level] = 0
        states[level : level + 1] = states[level - 1 : level]
        rules.step(t, states[level], log, action)
    return count


@kernel
def find_set(mask, first):
    """Return the first index of `mask` that is set, from `first` on, or -1."""
    for number in range(first, len(mask)):
        if mask[number]:
            return number
    return -1


def count(game, depth):
    """Return how many sequences of up to `depth` decisions the fast engine finds from `game`."""
    ruleset = game.ruleset
    states, masks = ruleset.new_states(depth + 1), np.zeros((depth, ruleset.num_actions), np.bool_)
    states[0] = game.state[0]
    return int(count_sequences(ruleset.tables, states, ruleset.new_log(), masks))


def split(game, depth):
    """Return {action: how many of the sequences begin with it}."""
    return {action: count(after(game, action), depth - 1) for action in game.legal_actions()}


# --- the reference engine ---


def read_actions(entry):
    """Return the actions that lead to the position of an entry, in notation."""
    return entry["actions"].split(NEXT) if entry["actions"] else []


def begin(entry):
    """Return the game of an entry, new; two play it by no house rules where it names no others."""
    return Game(entry["ruleset"], entry["deal"], None, entry.get("players"), parse_option(entry.get("rules", "")))


def reach_game(entry):
    """Return the game at the position of an entry of the stored files."""
    game = begin(entry)
    for text in read_actions(entry):
        game.step(game.parse_action(text))
    return game


def reach(entry):
    """Return (game, reference game) at the position of an entry of the stored files."""
    game = begin(entry)
    twin = twin_of(game)
    for text in read_actions(entry):
        action = game.parse_action(text)
        decision = as_decision(game, action)
        game.step(action)
        twin.play(decision)
    return game, twin


def reference_count(twin, depth):
    """Return how many sequences of up to `depth` decisions the reference engine finds from `twin`."""
    if depth == 0 or twin.phase == "over":
        return 1
    decisions = twin.decisions()
    if depth == 1:
        return len(decisions)
    return sum(reference_count(reference_after(twin, decision), depth - 1) for decision in decisions)


def reference_after(twin, decision):
    """Return a reference game one decision on; `twin` stays as it is."""
    other = twin.copy()
    other.play(decision)
    return other


# --- comparing ---


def affordable_depth(entry, plays):
    """Return how deep the reference can count if it may play about so many decisions at its deepest level."""
    return max(
        depth for depth, played in enumerate([1, 1, *entry["counts"]][: len(entry["counts"]) + 1]) if played <= plays
    )


def compare(entry, depth, reference_depth):
    """Return what is wrong with the counts of `entry` to `depth`, those of the reference to its own, "" if nothing."""
    game, twin = reach(entry)
    for number, stored in enumerate(entry["counts"][:depth], start=1):
        found = {"engine": count(game, number)}
        if number <= reference_depth:
            found["reference"] = reference_count(twin, number)
        if set(found.values()) != {stored}:
            head = f"{entry['name']}, depth {number}: stored {stored}, found {found}"
            return "\n".join([head, *list_split(game, twin, number)])
    return ""


def list_split(game, twin, depth):
    """Return one line a first decision: how many sequences each engine finds after it, marked where they differ."""
    ours = split(game, depth)
    theirs = {decision: reference_count(reference_after(twin, decision), depth - 1) for decision in twin.decisions()}
    lines = []
    for action, found in ours.items():
        due = theirs.pop(as_decision(game, action), 0)
        lines.append(
            f"{'  ' if found == due else '! '}{found:8} {due:8}  {game.format_action(action)}: {game.describe(action)}"
        )
    lines += [f"! {0:8} {due:8}  {decision}" for decision, due in theirs.items()]
    return ["    engine reference  first decision", *lines]


# --- the stored file ---


def load():
    """Return the stored entries, in the order of `ORIGINS`; where an entry names no ruleset it is the base game's."""
    files = dict.fromkeys(origin.file for origin in ORIGINS)
    stored = [json.loads(file.read_text(encoding="utf-8"))["positions"] for file in files]
    return [{"ruleset": BASE} | entry for entries in stored for entry in entries]


def make_entry(origin):
    """Play to the position of `origin` and return its entry, without counts."""
    named = {"name": origin.name, "ruleset": origin.ruleset, "deal": origin.deal}
    named |= {"players": origin.players} if origin.players != 2 else {}
    named |= {"rules": origin.rules} if origin.rules else {}
    game, agent = begin(named), make_agent(origin.player)
    rng, texts = np.random.default_rng(origin.rng), []
    for _ in range(origin.decisions):
        action = agent.act(game, rng)
        texts.append(game.format_action(action))
        game.step(action)
    who = f"two {origin.player} players" if origin.players == 2 else f"{origin.player}, {origin.players} at the table"
    made = f"{origin.decisions} decisions by {who}, generator {origin.rng}"
    return named | {"made": made, "actions": NEXT.join(texts)}


def update():
    """Write the files anew. Exits where the engines disagree."""
    stored = {}
    for origin in tqdm(ORIGINS, unit="position"):
        entry = make_entry(origin)
        game, _ = reach(entry)
        entry["counts"] = [count(game, depth) for depth in range(1, origin.depth + 1)]
        if problem := compare(entry, origin.depth, origin.depth):
            sys.exit(problem)
        if origin.ruleset == BASE:
            del entry["ruleset"]
        stored.setdefault(origin.file, []).append(entry)
    for file, entries in stored.items():
        content = {"command": "python -m tests.support.perft --update", "positions": entries}
        file.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main():
    """Update the files, or compare them with both engines to the full depth."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="store all positions anew")
    if parser.parse_args().update:
        update()
        return
    for entry in tqdm(load(), unit="position"):
        if problem := compare(entry, len(entry["counts"]), len(entry["counts"])):
            sys.exit(problem)


if __name__ == "__main__":
    main()
