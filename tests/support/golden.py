"""Lists whole games in annotated lines, for `golden/`, which `tests/engine/test_golden.py` replays line by line.

python -m tests.support.golden --update     play the games of `GAMES` and write all files anew
"""

import argparse
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from zamek_agents import make_agent
from zamek_env import Game
from zamek_env.components.house_rules import parse_option
from zamek_env.core.log import AREAS_PAID, DISCARDED, HOUSE_PAID, NESTS_PAID, PUT_BACK, SCORED

FOLDER = Path(__file__).parent / "golden"
CONTEXT = 3  # lines shown before the first one that differs
NO_LINE = "(no line)"
HEAD = re.compile(r"(?:ruleset (.+)\n)?(?:rules (.+)\n)?deal (\d+), players (.+)")
DECISION = re.compile(r" *\d+ player \d, [a-z ]+: (.+?) \(one of ")  # its action in notation
BASE = "zamek"  # the ruleset of which the files need not speak


class Deal(NamedTuple):
    """Which game is played, and by whom."""

    number: int
    first: str  # name of player 0
    second: str
    ruleset: str = BASE
    more: tuple[str, ...] = ()  # names of the others
    rules: str = ""  # house rules as a text

    @property
    def names(self):
        return self.first, self.second, *self.more

    def begin(self):
        """Return the game, new."""
        return Game(self.ruleset, self.number, None, len(self.names), parse_option(self.rules))


TWO, THREE = ("random", "random", "carcassonne"), ("random", "random", "carcassonne", ("random",))
GAMES = (  # what each shows
    Deal(5, "random", "random"),  # a shared victory
    Deal(6, "random", "random"),  # token 9, a discard
    Deal(7, "random", "random"),  # an extra turn
    Deal(27, "random", "random"),  # an extra turn, token 6
    Deal(31, "random", "random"),  # two discards, a last turn without a tile
    Deal(40, "random", "random"),  # hardly any points, a last turn without a tile
    Deal(52, "random", "random"),  # token 3, a discard
    Deal(64, "random", "random"),  # an extra turn
    Deal(86, "random", "random"),  # a shared victory
    Deal(1, "greedy", "greedy"),  # a shared victory at 97
    Deal(2, "greedy", "greedy"),  # tokens 2 and 3
    Deal(5, "greedy", "greedy"),  # ten tokens taken
    Deal(6, "greedy", "greedy"),  # tokens 6, 8 and 9
    Deal(16, "greedy", "greedy"),  # a shared victory, tokens 4, 6 and 8
    Deal(58, "greedy", "greedy"),  # a second lap before the end
    Deal(73, "greedy", "greedy"),  # many orders of scoring, a last turn without a tile
    Deal(17, "greedy", "random"),  # a second lap before the end
    Deal(101, "greedy", "random"),  # a discard, tokens 4 and 9
    Deal(42, "random", "greedy"),  # orders of scoring, a discard
    Deal(45, "random", "greedy"),  # tokens 2, 3 and 4, a discard
    Deal(4, "random", "random", "sokol"),
    Deal(57, "random", "random", "sokol"),
    Deal(21, "greedy", "greedy", "sokol"),
    Deal(37, "greedy", "greedy", "sokol"),
    Deal(29, "greedy", "random", "sokol"),
    Deal(12, "random", "random", "sokol-gates"),
    Deal(3, "greedy", "greedy", "sokol-gates"),
    Deal(43, "greedy", "greedy", "sokol-gates"),
    Deal(36, "random", "greedy", "sokol-gates"),
    Deal(1, "random", "random", "carcassonne-demo"),
    Deal(4, "greedy", "greedy", "carcassonne-demo"),  # a discard
    Deal(13, "random", "random", "carcassonne"),  # a shared victory
    Deal(7, "greedy", "greedy", "carcassonne"),  # a discard
    Deal(25, "greedy", "greedy", "carcassonne"),  # a shared victory, two monasteries
    Deal(27, "random", "random", "carcassonne-no-farmers"),  # a tied area, a discard
    Deal(1, "greedy", "random", "carcassonne", ("greedy",)),
    Deal(2, *THREE, rules="draw_ahead,table=5x5"),  # a discard
    Deal(4, *THREE, rules="hand=open,table=5x5"),  # a discarded hand
    Deal(12, *THREE, rules="hand=hidden,table=5x5"),
    Deal(3, *TWO, rules="back_into_bag,table=5x5"),  # tiles put back
    Deal(5, *TWO, rules="start_in_bag,table=5x5"),
    Deal(8, *TWO, rules="hole_plays_again,table=5x5"),  # two holes filled
    Deal(4, *TWO, rules="unfinished_pays_nothing,table=5x5"),  # fields paid
    Deal(2, *TWO, rules="table=5x7"),
    Deal(6, *TWO, rules="table=5x5,edges_complete"),
    Deal(2, *TWO, rules="table=5x5,small_city"),  # two of these completed
)


def play(deal):
    """Return the actions of the game of a `Deal`, in notation."""
    texts = []
    game, rng = deal.begin(), np.random.default_rng(deal.number)
    agents = [make_agent(name) for name in deal.names]
    while not game.is_terminal:
        action = agents[game.current_player].act(game, rng)
        texts.append(game.format_action(action))
        game.step(action)
    return texts


# --- writing ---


def list_lines(deal, texts):
    """Yield the lines of the game of a `Deal`: a head, each decision and what came of it, the end.

    `texts` are the actions in notation. The first that is none, or illegal, is named and ends it.
    """
    game = deal.begin()
    towers, kinds = game.ruleset.components.board.token_towers, game.state[0].token_deal.tolist()
    yield from [f"ruleset {deal.ruleset}"] * (deal.ruleset != BASE)
    yield from [f"rules {deal.rules}"] * bool(deal.rules)
    yield f"deal {deal.number}, players {' and '.join(deal.names)}"
    if towers:
        yield f"tokens {', '.join(f'{kind} on {tower[0]}' for tower, kind in zip(towers, kinds, strict=False))}"
    yield ""
    yield from list_events(game)
    for number, text in enumerate(texts, start=1):
        try:
            action = game.parse_action(text)
            does = game.describe(action)
        except ValueError as error:
            yield f"{number:3} {error}"
            return
        legal = len(game.legal_actions())
        yield f"{number:3} player {game.current_player}, {game.phase}: {text} (one of {legal}): {does}"
        before = describe_status(game)
        game.step(action)
        yield from list_events(game)
        if describe_status(game) != before:
            yield f"    {describe_status(game)}"
    yield ""
    yield describe_result(game)


def describe_status(game):
    """Return what the players have."""
    position = game.position()
    columns = {"scores": position.scores, "supplies": position.supplies}
    if any(feature.family_house for feature in game.ruleset.components.features):
        columns |= {"family houses": position.family_houses}
    if game.ruleset.components.nests:
        columns |= {"nests": position.nests, "special pieces": [" ".join(held) or "-" for held in position.pieces]}
    text = ", ".join(f"{name} {':'.join(map(str, held))}" for name, held in columns.items())
    text += "".join(f", player {player} on a gate" for player in range(game.num_players) if position.at_gate[player])
    if game.ruleset.sizes.hand_size:
        hands = [game.position(player).hands[player] for player in range(game.num_players)]
        text += f", hands {' : '.join(' '.join(tile or '-' for tile in hand) for hand in hands)}"
    for name, held in (("tokens", position.tokens), ("new tokens", position.fresh_tokens)):
        if any(held):
            text += f", {name} {' : '.join(_format_tokens(tokens) for tokens in held)}"
    return text


def _format_tokens(tokens):
    return " ".join(str(kind) for kind, count in sorted(tokens.items()) for _ in range(count)) or "-"


def list_events(game):
    """Yield one line for each thing that the last decision brought."""
    ruleset = game.ruleset
    for event, player, subject, tiles, points, token, score, took, nests in game.last_events.tolist():
        if event in (DISCARDED, PUT_BACK):
            yield f"    player {player} {'discards' if event == DISCARDED else 'puts back'} {ruleset.tile(subject).id}"
        elif event == SCORED:
            segment = ruleset.segment_of_node(subject)
            tile = ruleset.tile(int(ruleset.tables[0].node_tile[subject])).id
            text = (
                f"    player {player} scores {points}: {segment.feature} of {tiles} tiles at {segment.name} of {tile}"
            )
            text += f", with token {token}" if token else ""
            text += f"; now {score}" + (f", takes token {took}" if took else "")
            yield text + (f", takes nests: {nests}" if nests else "")
        else:
            yield f"    player {player} gets {points} for {_name_reason(ruleset, event, subject)}"


def _name_reason(ruleset, event, subject):
    if event == AREAS_PAID:
        feature = ruleset.components.features[subject]
        return f"unfinished {feature.name}" if feature.completes else feature.name
    return {HOUSE_PAID: "the family house", NESTS_PAID: "the nests"}.get(event, f"token {subject}")


def describe_result(game):
    """Return how the game ended, or that it has not."""
    if not game.is_terminal:
        return f"not over: player {game.current_player} is to decide {game.phase!r}"
    winners = [str(player) for player, points in enumerate(game.scores) if points == max(game.scores)]
    points, others = ":".join(map(str, game.scores)), game.num_players - len(winners)
    if len(winners) == 1:
        return f"{points}, player {winners[0]} wins"
    return f"{points}, the victory is shared" + f" by players {' and '.join(winners)}" * (others > 0)


# --- comparing ---


def replay(lines):
    """Return the lines of the same game as it is played now: same deal, same players, same actions."""
    ruleset, rules, number, names = HEAD.match("\n".join(lines)).groups("")
    first, second, *more = names.split(" and ")
    texts = [found[1] for line in lines if (found := DECISION.match(line))]
    return list(list_lines(Deal(int(number), first, second, ruleset or BASE, tuple(more), rules), texts))


def find_difference(stored, played):
    """Return the first line that differs, with the lines before it; "" where none does."""
    length = max(len(stored), len(played))
    padded = [lines + [NO_LINE] * (length - len(lines)) for lines in (stored, played)]
    for number, (due, found) in enumerate(zip(*padded, strict=True)):
        if due != found:
            before = [f"        {line}" for line in stored[max(0, number - CONTEXT) : number]]
            return "\n".join([f"line {number + 1} differs:", *before, f"stored  {due}", f"played  {found}"])
    return ""


# --- the files ---


def name_file(number, deal):
    """Return what the file of a `Deal` of that number in the list is called."""
    rules = list(parse_option(deal.rules) or ())
    return "_".join([f"{number:02}", deal.ruleset, *rules, *deal.names, f"{deal.number}.txt"])


def update():
    """Play all games and write their files; others are removed."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for number, deal in enumerate(tqdm(GAMES, unit="game"), start=1):
        lines = list_lines(deal, play(deal))
        (FOLDER / name_file(number, deal)).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", required=True, help="write all stored games anew")
    parser.parse_args()
    update()
