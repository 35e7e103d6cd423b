"""A position of castle-cards as one line of ASCII, and back again.

POSITION NOTATION
    castle-cards:3; 1 target Archer; turn 0 left 2 quiet 3; board 0,0 Archer:0, 1,2 King:1+Knight:-, siege N Siege
    Engine:2, outside 4 Dragon:1; exchange 2 Soldier, Thief; removed Spy; hands 4:5:3; decks 2:2:1;
    known - : Spy : -; last 0,0; won 2

    (one line; broken here)

    castle-cards:3        three players
    1 target Archer       player 1 decides in the phase `target`, of the Archer's effect; `- over` at the end
    turn 0 left 2 quiet 3 whose turn it is, how many actions are left of it, turns in a row without a card played
    board                 the piles: space, then the cards from the lowest up, each with its pawn, `-` for none
    exchange, removed     cards, with their number where it is not 1
    hands, decks          numbers of cards, by player
    known                 cards that the viewer knows to be in the hand of each player
    last                  where the card lies that an Enchanter would take back
    won                   the winners, once the game is over

    Sections that hold nothing are left out. Cards are sorted by name, piles as `CastleCardsPosition.piles` says.
"""

from collections import Counter
from collections.abc import Mapping

from zamek_env.castle_cards.components.box import MAX_PLAYERS, MIN_PLAYERS
from zamek_env.castle_cards.components.cards import NAMES
from zamek_env.castle_cards.notation.action_line import Space, format_space, parse_space
from zamek_env.castle_cards.notation.position import PHASE_WORDS, CastleCardsPosition, Pile, Seat
from zamek_env.common.messages import show
from zamek_env.components.box_folder import CASTLE_CARDS

NOTHING = "-"
_SECTIONS = ("turn", "board", "exchange", "removed", "hands", "decks", "known", "last", "won")


def format_position(position: CastleCardsPosition) -> str:
    """Return a position as one line of text."""
    seats = position.seats
    decider = NOTHING if position.current_player < 0 else position.current_player
    sections = {
        "turn": f"{position.turn_player} left {position.actions_left} quiet {position.quiet_turns}",
        "board": ", ".join(f"{format_space(space)} {_write_pile(pile)}" for space, pile in position.piles.items()),
        "exchange": write_cards(position.exchange),
        "removed": write_cards(position.removed),
        "hands": ":".join(str(seat.hand) for seat in seats),
        "decks": ":".join(str(seat.deck) for seat in seats),
        "known": " : ".join(write_cards(seat.known) or NOTHING for seat in seats),
        "last": "" if position.last_played is None else format_space(position.last_played),
        "won": " ".join(map(str, position.winners)),
    }
    if not any(seat.known for seat in seats):
        sections["known"] = ""
    phase = f"{decider} {position.phase}" + (f" {position.card}" if position.card else "")
    written = [f"{name} {sections[name]}" for name in _SECTIONS if sections[name]]
    return "; ".join([f"{CASTLE_CARDS}:{len(seats)}", phase, *written])


def parse_position(text: str) -> CastleCardsPosition:
    """Return what `format_position` writes as `text`.

    Raises `ValueError`, naming the section, where it is no such line, `TypeError` where it is no text.
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {show(text)}")
    head, *parts = text.split("; ")
    name, _, number = head.partition(":")
    if name != CASTLE_CARDS or number not in map(str, range(MIN_PLAYERS, MAX_PLAYERS + 1)):
        allowed = f"{CASTLE_CARDS}:{MIN_PLAYERS} to {CASTLE_CARDS}:{MAX_PLAYERS}"
        raise ValueError(f"a position must begin with {allowed}, not {show(head)}")
    if not parts:
        raise ValueError("a position must say which player decides what")
    sections: dict[str, str] = {}
    for section in parts[1:]:
        word, _, rest = section.partition(" ")
        if word not in _SECTIONS or word in sections or not rest:
            raise ValueError(f"a section must be one of {', '.join(_SECTIONS)}, each once, not {show(section)}")
        sections[word] = rest
    try:
        position = _read(int(number), parts[0], sections)
    except ValueError as error:
        raise ValueError(f"the position {show(text)}: {error}") from error
    if format_position(position) != text:
        raise ValueError(f"the position {show(text)} must be written as {show(format_position(position))}")
    return position


def _read(count, decision, sections):
    """Return the position that the sections describe; sections left out are empty."""
    players = [str(player) for player in range(count)]
    decider, _, asked = decision.partition(" ")
    phase, _, card = asked.partition(" ")
    _check("who decides", decider, [*players, NOTHING])
    _check("the phase", phase, PHASE_WORDS)
    turn, *rest = sections.get("turn", "").split(" ")
    if len(rest) != 4 or rest[::2] != ["left", "quiet"]:
        raise ValueError(f"turn must be like 0 left 2 quiet 3, not {show(sections.get('turn', ''))}")
    known = sections.get("known", " : ".join([NOTHING] * count)).split(" : ")
    columns = [_read_numbers(name, sections.get(name, ""), count) for name in ("hands", "decks")]
    if len(known) != count:
        raise ValueError(f"known must be of {count} players, not of {len(known)}")
    return CastleCardsPosition(
        seats=tuple(
            Seat(hand, deck, _read_cards("known", "" if cards == NOTHING else cards))
            for hand, deck, cards in zip(*columns, known, strict=True)
        ),
        turn_player=int(_check("turn", turn, players)),
        current_player=-1 if decider == NOTHING else int(decider),
        phase=phase,
        card=_check("the card", card, NAMES) if card else None,
        actions_left=_read_number("left", rest[1]),
        quiet_turns=_read_number("quiet", rest[3]),
        last_played=parse_space(sections["last"]) if "last" in sections else None,
        piles=_read_board(sections.get("board", ""), players),
        exchange=_read_cards("exchange", sections.get("exchange", "")),
        removed=_read_cards("removed", sections.get("removed", "")),
        winners=tuple(int(_check("won", winner, players)) for winner in sections.get("won", "").split()),
    )


def _write_pile(pile: Pile) -> str:
    owners = (NOTHING if pawn is None else pawn for pawn in pile.pawns)
    return "+".join(f"{card}:{owner}" for card, owner in zip(pile.cards, owners, strict=True))


def write_cards(cards: Mapping[str, int]) -> str:
    """Return cards, {name: number}, as text, such as `2 Soldier, Thief`."""
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in sorted(cards.items()) if count)


def _read_board(text: str, players: list[str]) -> dict[Space, Pile]:
    piles: dict[Space, Pile] = {}
    for entry in text.split(", ") if text else ():
        words = entry.split(" ")
        cut = 2 if words[0] in ("siege", "outside") else 1
        space, cards, pawns = parse_space(" ".join(words[:cut])), [], []
        for part in " ".join(words[cut:]).split("+"):
            card, _, owner = part.partition(":")
            cards.append(_check("a card of the board", card, NAMES))
            pawns.append(None if _check("a pawn", owner, [*players, NOTHING]) == NOTHING else int(owner))
        if space in piles:
            raise ValueError(f"board names {format_space(space)} twice")
        piles[space] = Pile(tuple(cards), tuple(pawns))
    return piles


def _read_cards(section: str, text: str) -> Counter[str]:
    cards: Counter[str] = Counter()
    for entry in text.split(", ") if text else ():
        number, _, name = entry.partition(" ") if entry[:1].isdigit() else ("1", "", entry)
        cards[_check(f"a card of {section}", name, NAMES)] += _read_number(section, number)
    return cards


def _read_numbers(section: str, text: str, count: int) -> list[int]:
    numbers = text.split(":")
    if len(numbers) != count:
        raise ValueError(f"{section} must be {count} numbers, not {show(text)}")
    return [_read_number(section, number) for number in numbers]


def _read_number(section: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise ValueError(f"{section} must hold whole numbers, not {show(text)}")
    return int(text)


def _check(what, given, allowed):
    if given not in allowed:
        raise ValueError(f"{what} must be one of {', '.join(allowed)}, not {show(given)}")
    return given
