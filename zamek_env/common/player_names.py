"""The names of players, and how sentences call them: by the numbers of their seats where `names` is empty."""

from collections.abc import Sequence
from typing import NamedTuple

from zamek_env.common.messages import show, show_count

YOU = "You"  # the name of the player who reads the sentences
ORDINALS = ("first", "second", "third", "fourth", "fifth")  # of players, in the order in which they play
_PLAIN = {"has": "have", "passes": "pass"}  # verbs with `You`, where it is not one letter that is left out


def check_names(players: Sequence[str] | None, count: int) -> list[str]:
    """Return the names of `count` players as a list; for None `player 0`, `player 1` ….

    Raises `ValueError` unless `players` are as many names.
    """
    names = [f"player {number}" for number in range(count)] if players is None else players
    is_row = isinstance(names, list | tuple)
    if not is_row or len(names) != count or not all(isinstance(name, str) for name in names):
        wanted = "two names" if count == 2 else show_count(count, "name")
        raise ValueError(f"players must be {wanted}, not {show(players)}")
    return [str(name) for name in names]


def name_seat(player: int) -> str:
    """Return the name of a player who has no other, such as `First player`."""
    return f"{ORDINALS[player].capitalize()} player"


def label_players(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of all players: with their seats where several have one name; "" is none."""
    return tuple(
        (name if names.count(name) == 1 else f"{name} ({ORDINALS[player]})") if name else name_seat(player)
        for player, name in enumerate(names)
    )


def name_player(player: int, names: Sequence[str]) -> str:
    """Return how sentences call a player: by their name in `names`; by number where there are none."""
    if not names:
        return f"player {player}"
    return {YOU: "you", name_seat(player): f"the {ORDINALS[player]} player"}.get(names[player], names[player])


def tell_player(player: int, names: Sequence[str], verb: str) -> str:
    """Return a player and what they do, at the beginning of a sentence: `Player 0 scores`, or `You score`."""
    who = name_player(player, names)
    is_name = bool(names) and who == names[player]  # which stays as it is
    return f"{who if is_name else who[0].upper() + who[1:]} {conjugate(verb, player, names)}"


def conjugate(verb: str, player: int, names: Sequence[str]) -> str:
    """Return a `verb` of the third person as what a player does."""
    if not names or names[player] != YOU:
        return verb
    return _PLAIN.get(verb) or verb.removesuffix("s")


def name_hand(player: int, names: Sequence[str]) -> str:
    """Return how sentences call the hand of a player."""
    who = name_player(player, names)
    return "your hand" if who == "you" else f"the hand of {who}"


def name_turn(player: int, names: Sequence[str]) -> str:
    """Return how sentences call the turn of a player."""
    who = name_player(player, names)
    return "your turn" if who == "you" else f"turn of {who}"


def name_pawn(player: int, names: Sequence[str]) -> str:
    """Return how sentences call a pawn of a player."""
    who = name_player(player, names)
    return "a pawn of yours" if who == "you" else f"a pawn of {who}"


def name_owned(card: str, player: int, names: Sequence[str]) -> str:
    """Return how sentences call a card on which a pawn of a player lies: `King of player 0`, or `King (you)`."""
    return f"{card} ({name_player(player, names)})" if names else f"{card} of player {player}"


class Sentence(NamedTuple):
    """Something that has happened, in a sentence."""

    seen: str  # by all
    hidden: str = ""  # the same with what only some know; "" where all know it
    knowing: tuple[int, ...] = ()  # the players who know it

    def words_for(self, viewer: int | None) -> str:
        """Return the words for `viewer`, a player or None for somebody who sees only what all see."""
        return self.hidden if viewer in self.knowing else self.seen
