"""The knowledge of a player of castle-cards, entry by entry, read from a game in the plainest way."""

from collections import Counter

from zamek_env.castle_cards.components.cards import CARDS, NAMES, PAWNS
from zamek_env.castle_cards.notation.action_line import list_piles, name_space

COPIES = {card.name: card.copies for card in CARDS}
COURT = [card.name for card in CARDS if card.zone == "court"]
SHOWS_CARD, SHOWS_SOURCE = ("take", "place"), ("move to", "level")


def expect_entries(game, observer):
    """Return {name: entry} of all entries of the observation that are not 0."""
    state, count = game.state[0], game.num_players
    seat = {player: (player - observer) % count for player in range(count)}
    phase, is_mine = game.phase, game.current_player == observer
    found = Counter()
    found |= expect_cards("hand", game.hand(observer))
    found |= expect_cards("exchange", game.position().exchange) | expect_cards("removed", game.position().removed)
    found[f"phase.{PHASES[phase]}"] = found[f"turn.{seat[game.turn_player]}"] = 1
    if not game.is_terminal:
        found[f"decider.{seat[game.current_player]}"] = 1
    found["actions_left"], found["is_first"] = state.actions_left / 2, int(state.is_first)
    found["quiet"], found["has_played"] = state.quiet / 200, int(state.has_played)
    if state.effect >= 0:
        found[f"effect.{NAMES[state.effect]}"] = 1
        found["part"] = state.part / 8
    found["is_counseled"] = int(state.is_counseled)
    for player in range(count):
        hand, deck = game.hand(player).total(), int(state.deck_size[player])
        found[f"hand_size.{seat[player]}"], found[f"deck_size.{seat[player]}"] = hand / 56, deck / 13
        found[f"pawns.{seat[player]}"] = game.position().pawns_left[player] / max(PAWNS)
        if player != observer:
            found |= expect_cards(f"known_{seat[player]}", name_counts(state.known[observer, player]))
            found |= expect_cards(f"shown_{seat[player]}", name_counts(state.known[player, observer]))
    found |= expect_cards("unseen", count_unseen(game, observer))
    found |= expect_choices(state, phase, is_mine, observer, seat)
    found |= expect_piles(state, phase, is_mine, seat)
    return {name: value for name, value in found.items() if value}


def name_counts(counts):
    return Counter({NAMES[kind]: int(number) for kind, number in enumerate(counts) if number})


def expect_cards(group, cards):
    return Counter({f"{group}.{name}": number / COPIES[name] for name, number in cards.items()})


def count_unseen(game, observer):
    """Return the cards that lie in decks, or in hands of others where the observer does not know of them."""
    state = game.state[0]
    unseen = Counter()
    for player in range(game.num_players):
        unseen.update(NAMES[kind] for kind in state.deck[player, : state.deck_size[player]])
        if player != observer:
            unseen += game.hand(player) - name_counts(state.known[observer, player])
    return unseen


def expect_choices(state, phase, is_mine, observer, seat):
    found = Counter()
    picked = state.picked[: state.progress].tolist()
    if is_mine and phase in SHOWS_CARD:
        found[f"card.{NAMES[state.card]}"] = 1
    if is_mine and phase in ("steal-give", "award"):
        found[f"other.{seat[int(state.other)]}"] = 1
    if phase == "steal-give" and (is_mine or state.other == observer):
        found[f"stolen.{NAMES[state.stolen]}"] = 1
    if phase == "pass-on" and not is_mine and state.picked[observer] >= 0:
        found[f"passed.{NAMES[state.picked[observer]]}"] = 1
    if is_mine and phase != "pass-on":
        found["progress"] = state.progress / 12
    if is_mine and phase in ("swap-give", "swap-take"):
        found |= expect_cards("swapped", Counter(NAMES[kind] for kind in picked))
        found |= Counter({f"card.{NAMES[kind]}": 1 for kind in picked[state.part :]})
    if is_mine and phase == "arrange":
        found |= Counter({f"arranged_{number}.{NAMES[kind]}": 1 for number, kind in enumerate(picked)})
        found |= Counter({f"arranging.{name}": 1 for name in COURT if state.arranging_kinds >> NAMES.index(name) & 1})
    if is_mine and phase == "pawn":
        owners = ["none" if pawn < 0 else seat[pawn] for pawn in picked]
        found |= Counter({f"spied_{number}.{owner}": 1 for number, owner in enumerate(owners)})
        left = {seat.get(player, "none"): int(pawns) for player, pawns in enumerate(state.pawns_left) if pawns}
        found |= Counter({f"spying.{owner}": pawns / 12 for owner, pawns in left.items()})
    return found


def expect_piles(state, phase, is_mine, seat):
    found, soldiers = Counter(), 0
    outside = [space for space in list_piles(state) if space[0] == "outside"]
    for space, pile in list_piles(state).items():
        name = pile[0][0]
        group = {"siege": f"siege_{space[1]}", "outside": f"outside_{name.replace(' ', '_')}"}.get(space[0])
        if group is None:
            group = f"space_{space[0]}_{space[1]}"
            found[f"{group}.{name}"] = 1
        if space[0] == "outside":
            if name == "Soldier":
                group, soldiers = f"{group}_{soldiers}", soldiers + 1
            found[f"{group}.rank"] = (outside.index(space) + 1) / 47
        found[f"{group}.height"] = len(pile) / 5
        for level, (_, pawn) in enumerate(pile):
            if pawn is not None:
                found[f"{group}.pawn_{level}_{seat[pawn]}"] = 1
        if state.last_space >= 0 and name_space(state, int(state.last_space)) == space:
            found[f"{group}.last"] = state.last_height / 5
        found[f"{group}.chosen"] = expect_chosen(state, phase, is_mine, space)
    return found


def expect_chosen(state, phase, is_mine, space):
    chosen = 0
    if is_mine and phase.replace("-", " ") in SHOWS_SOURCE and name_space(state, int(state.source)) == space:
        chosen = 1
    is_swapping = phase in ("pile", "level") and NAMES[state.effect] == "Conspirator" and state.progress
    if is_mine and is_swapping and name_space(state, int(state.picked[0])) == space:
        chosen = (int(state.picked[1]) + 1) / 5
    return chosen


PHASES = {  # as positions call them: as observations do
    "move-from": "move from", "move-to": "move to", "swap-give": "swap: give", "swap-take": "swap: take",
    "steal-give": "steal: give", "pass-on": "pass on",
}  # fmt: skip
PHASES |= {word: word for word in (
    "action", "take", "place", "target", "pile", "level", "player", "award", "counsel", "arrange", "pawn", "over",
)}  # fmt: skip
