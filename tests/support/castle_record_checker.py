"""Check records of Castle, the card game (`castle-record/1`), by the format and the rules.

The steps of a record are applied to a board of their own and judged one by one. Only what the board says of itself is
shared with the reference engine: what fits where, what is protected, what may be moved.
"""

import math
from collections import Counter
from typing import Any

from tests.support.castle.cards import DEALT, list_cards
from tests.support.castle.complaints import ComplaintError, as_text, is_number, require
from tests.support.castle.replayed import Replayed

KEYS = {
    "format", "ruleset", "players", "seed", "agents", "hands", "decks", "exchange", "turns", "end", "hands_left",
    "decks_left", "winners", "returns",
}  # fmt: skip
MAY_LACK = {"actions"}
QUIET_TURNS = 200  # K9
LISTS = ("set", "give", "take")  # fields of steps that hold lists; `give` is one card elsewhere


def check_record(record: Any) -> list[str]:
    """Return what is wrong with a record, a sentence each; nothing where it is right.

    A game is replayed up to the first step that is wrong.
    """
    complaints = check_head(record)
    if complaints:
        return complaints
    try:
        result = replay(record)
    except ComplaintError as complaint:
        return [str(complaint)]
    return check_result(record, *result) + check_actions(record)


def check_head(record: Any) -> list[str]:
    """Return what is wrong with the fields and the deal."""
    if not isinstance(record, dict):
        return ["a record is an object"]
    if set(record) - MAY_LACK != KEYS:
        return [f"{key!r} is missing or too much" for key in sorted((set(record) - MAY_LACK) ^ KEYS, key=str)]
    players = record["players"]
    if not is_number(players) or players not in DEALT:
        return [f"players is {players!r}, not one of {list(DEALT)}"]
    complaints = []
    if (record["format"], record["ruleset"]) != ("castle-record/1", "castle-cards"):
        complaints.append(f"format and ruleset are {record['format']!r} and {record['ruleset']!r}")
    if record["seed"] is not None and not is_number(record["seed"]):
        complaints.append(f"seed is {record['seed']!r}, no whole number")
    agents = record["agents"]
    if not isinstance(agents, list) or len(agents) != players or not all(isinstance(name, str) for name in agents):
        complaints.append(f"agents is {agents!r}, not {players} names")
    return complaints + check_deal(record, players) + check_turns(record["turns"])


def check_actions(record: dict) -> list[str]:
    """Return what is wrong with the actions: those that begin a step must come in the order of the steps.

    The steps, which are right, may also be such that nobody had to decide.
    """
    actions = record.get("actions", [])
    if not isinstance(actions, list) or not all(isinstance(text, str) for text in actions):
        return [f"actions is {actions!r}, no list of texts"]
    steps = [step for turn in record["turns"] for step in turn["steps"] if "from" not in step]
    words = {"draw": "draw", "exchange": "give {give}", "play": "play {card}"}
    begun = iter([words[step["do"]].format(**step) for step in steps if step["do"] in words])
    first = next((text for text in actions if text.startswith(("draw", "give ", "play ")) and text not in begun), None)
    return [] if first is None else [f"actions has {first!r}, and no step of its own follows"]


def check_deal(record: dict, players: int) -> list[str]:
    """Return what is wrong with the cards dealt (K3)."""
    hand, deck, exchange = DEALT[players]
    for key, size in (("hands", hand), ("decks", deck)):
        piles = record[key]
        if not isinstance(piles, list) or len(piles) != players or not all(is_cards(pile, size) for pile in piles):
            return [f"{key} must be {players} lists of {size} cards"]
    if not is_cards(record["exchange"], exchange):
        return [f"exchange must be a list of {exchange} cards"]
    dealt = Counter(card for pile in [*record["hands"], *record["decks"], record["exchange"]] for card in pile)
    if dealt != Counter(list_cards(players)):
        return [f"the cards dealt are not those of a game of {players}"]
    return []


def is_cards(value: Any, size: int) -> bool:
    """Whether a value is a list of so many names."""
    return isinstance(value, list) and len(value) == size and all(isinstance(card, str) for card in value)


def check_turns(turns: Any) -> list[str]:
    """Return what is wrong with the form of turns and steps, whatever the rules say of them."""
    if not isinstance(turns, list) or not turns:
        return ["turns must be a list, and not empty"]
    complaints = []
    for number, turn in enumerate(turns):
        if not isinstance(turn, dict) or set(turn) != {"player", "steps"}:
            complaints.append(f"turns[{number}] must have the keys player and steps")
        elif not isinstance(turn["steps"], list) or not all(isinstance(step, dict) for step in turn["steps"]):
            complaints.append(f"turns[{number}].steps must be a list of objects")
        else:
            for step in turn["steps"]:
                lists = LISTS if step.get("do") == "swap" else LISTS[:1]
                if any(key in step and not isinstance(step[key], list) for key in lists):
                    complaints.append(f"turns[{number}]: {step} lacks a list")
    return complaints


def replay(record: dict) -> tuple[Replayed, str, list[int]]:
    """Return the state at the end, how it came to an end, and who won."""
    game, quiet = Replayed(record["hands"], record["decks"], record["exchange"]), 0
    for number, turn in enumerate(record["turns"]):
        game.player = number % record["players"]
        require(as_text(turn["player"]) == as_text(game.player), f"turns[{number}] is the turn of {game.player}")
        game.steps = list(turn["steps"])
        try:
            has_played, end = replay_turn(game)
            require(not game.steps, f"{game.steps[:1]} follows the end of the turn")
        except ComplaintError as complaint:
            at = len(turn["steps"]) - len(game.steps)
            raise ComplaintError(f"turns[{number}], before steps[{at}]: {complaint}") from None
        quiet = 0 if has_played else quiet + 1
        if end is None and quiet == QUIET_TURNS:
            end = ("quiet", with_fewest(game))
        if end is not None:
            require(number == len(record["turns"]) - 1, f"turns[{number + 1}] follows the end of the game")
            return game, *end
    raise ComplaintError("the game does not come to its end")


def replay_turn(game: Replayed) -> tuple[bool, tuple[str, list[int]] | None]:
    """Return whether a card was played in the turn, and end and winners if the game is over."""
    game.actions_left, is_first, has_played = 2, True, False
    while game.actions_left:
        legal, must_be_king = count_actions(game, is_first)
        if not legal:
            game.expect({"do": "pass"})
            break
        is_first = False
        game.actions_left -= 1
        do = game.peek().get("do")
        require(do == "play" or not must_be_king, f"{game.peek()}: the Herald has the King played")
        if do == "draw":
            draw(game, legal)
        elif do == "exchange":
            exchange(game, legal)
        else:
            require(not must_be_king or game.peek().get("card") == "King", "the Herald has the King played")
            game.play_card(game.hands[game.player], "card at legal", legal)
            has_played = True
            if end := find_end(game):
                return True, end
    return has_played, None


def count_actions(game: Replayed, is_first: bool) -> tuple[int, bool]:
    """Return how many actions are legal, and whether the Herald leaves the King alone."""
    hand, kinds = +game.hands[game.player], len(+game.exchange)
    if is_first and hand["King"] and any(card.name == "Herald" for _, _, card in game.board.cards()):
        spaces = len(game.board.fitting("King"))
        if spaces:
            return spaces, True
    plays = sum(len(game.board.fitting(card)) for card in hand)
    return bool(game.decks[game.player]) + len(hand) * kinds + plays, False


def draw(game: Replayed, legal: int) -> None:
    """The top card of the own deck goes to the hand."""
    deck = game.decks[game.player]
    require(bool(deck), "a card is drawn from an empty deck")
    card = deck.pop(0)
    game.expect({"do": "draw", "card": card, "legal": legal})
    game.hands[game.player][card] += 1


def exchange(game: Replayed, legal: int) -> None:
    """A card of the hand is exchanged."""
    step = game.take_step("exchange", "give take legal")
    require(as_text(step["legal"]) == as_text(legal), f"{step}: legal is {legal}")
    game.take_card(game.exchange, step["take"], "in the exchange")
    game.take_card(game.hands[game.player], step["give"], "in the hand")
    game.hands[game.player][step["take"]] += 1
    game.exchange[step["give"]] += 1


def find_end(game: Replayed) -> tuple[str, list[int]] | None:
    """Return end and winners if the play of a card has ended the game (K9)."""
    for player in game.clockwise():
        if not game.hands[player].total() and not game.decks[player]:
            return "empty", [player]
    everything = game.exchange.copy()
    for cards in [*game.hands, *game.decks]:
        everything.update(cards)
    if any(game.board.fitting(card) for card in +everything):
        return None
    return "stalled", with_fewest(game)


def with_fewest(game: Replayed) -> list[int]:
    """The players with the fewest hand cards."""
    counts = [hand.total() for hand in game.hands]
    return [player for player, count in enumerate(counts) if count == min(counts)]


def check_result(record: dict, game: Replayed, end: str, winners: list[int]) -> list[str]:
    """Return what is wrong with the fields that state the result."""
    losers = len(game.hands) - len(winners)
    shares = (
        [1 / len(winners) if player in winners else -1 / losers for player in range(len(game.hands))] if losers else []
    )
    due = {
        "end": end,
        "hands_left": [hand.total() for hand in game.hands],
        "decks_left": [len(deck) for deck in game.decks],
        "winners": winners,
    }
    complaints = [
        f"{key} is {record[key]!r}, but the rules give {value!r}"
        for key, value in due.items()
        if as_text(record[key]) != as_text(value)
    ]
    returns, expected = record["returns"], shares or [0.0] * len(game.hands)
    is_form = isinstance(returns, list) and len(returns) == len(expected)
    if not is_form or not all(
        isinstance(given, float) and math.isclose(given, right, abs_tol=1e-9)
        for given, right in zip(returns, expected, strict=True)
    ):
        complaints.append(f"returns is {returns!r}, but the rules give {expected}")
    return complaints
