"""Makes a `Story` of a recorded game of Castle, the card game: each decision in pictures and words, and all hands."""

from collections.abc import Iterator, Sequence
from typing import Any

from zamek_agents.base import Evaluating
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.components.cards import CARDS, KIND_OF, NAMES, describe_rules
from zamek_env.castle_cards.notation.action_line import Option as CastleCardsOption
from zamek_env.castle_cards.notation.action_line import format_option, format_space
from zamek_env.castle_cards.notation.position import SECRET_PHASES
from zamek_env.castle_cards.notation.position_line import write_cards
from zamek_env.castle_cards.records.step_text import Step, describe, describe_step, record_steps
from zamek_env.castle_cards.records.write import begin_turns, forced_draws
from zamek_env.castle_cards.render.colours import PLAYER_INK, PLAYERS
from zamek_env.castle_cards.render.picture import describe_pile, draw_parts, find_corner, make_legend
from zamek_env.common.player_names import Sentence, tell_player
from zamek_env.render.svg import UNIT
from zamek_scripts.replaying.story import Look, Moment, Outline, StoryBuilder

UNSEEN = "card …"  # what is written of an action that others do not see
DISC = 0.42  # of a side: the diameter of what shows how good a choice is
SHOWN_NEXT = 5  # cards of a deck that are named


class CastleCardsStoryBuilder(StoryBuilder):
    """Makes a story of a `game` that `CastleCards.replay` returned."""

    look: Look = Look(
        "cards left", (3, 2), tuple(zip(PLAYERS, PLAYER_INK, strict=True)), has_hands=True, legend=make_legend()
    )

    def __init__(self, game: CastleCards, names: Sequence[str], agent: Evaluating | None = None) -> None:
        start = game.dealt_state
        assert start is not None  # a record holds the deal
        seed, end = "" if game.seed is None else f", seed {game.seed}", "" if game.is_terminal else ", not over"
        super().__init__(f"castle-cards, {game.num_players} players{seed}{end}", game.history, names, agent)
        self._game, self._draws, self._winners = CastleCards.from_history(start, ()), game.draws, game.winners
        self._states, self._turns = start, begin_turns(start)
        self._last: list[Step] = []  # the steps of the turn in which anything has happened last

    def make_title(self, scores: Sequence[int]) -> str:
        won = self._name_winners()
        return " – ".join(self.names) + (f": {won} won" if won else "")

    def _name_winners(self):
        return " and ".join(self.names[player] for player in self._winners)

    def make_moments(self) -> Iterator[Moment]:
        """Yield the moments, the first before any decision."""
        yield self._draw(0, sentences=("The cards are dealt.",), hidden=self._describe_hidden())
        for number, action in enumerate(self._actions):
            yield self._make_moment(number, action)

    def _make_moment(self, number: int, action: int) -> Moment:
        game, turn = self._game, len(self._turns)
        player, is_secret = game.current_player, game.phase in SECRET_PHASES
        name, words = game.format_action(action), describe(game.raw_states[0], action, self.names)
        thoughts = self.think(game, action)
        news = self._step(number, action)
        who = tell_player(player, self.names, "decides")
        sentences = [each.seen for each in news] or [f"{who} unseen." if is_secret else f"{words}."]
        hidden = [each.hidden for each in news if each.hidden]
        if self._game.is_terminal:
            sentences.append(f"{self._name_winners() or 'Nobody'} won.")
        if is_secret and not hidden:
            hidden = [f"{who}: {words}."]
        return self._draw(
            turn,
            player=player,
            action=UNSEEN if is_secret else name,
            sentences=tuple(sentences),
            hidden=(*hidden, *self._describe_hidden()),
            thoughts=thoughts,
        )

    def _step(self, number: int, action: int) -> list[Sentence]:
        """Play an action; return its effects."""
        draws = self._draws.get(number, {})
        with forced_draws(self._game.raw_states, draws):
            self._game.step(action)
        is_first = not self._turns[-1]["steps"]  # of its turn
        with forced_draws(self._states, draws):
            steps = record_steps(self._states, action, self._turns)
        if steps and is_first:
            self._last = []
        self._last += [step for _, step in steps]
        return [describe_step(player, step, self.names) for player, step in steps]

    # --- pictures, and what players do not see ---

    def _draw(self, turn: int, **fields: Any) -> Moment:
        position = self._game.position()
        left = tuple(seat.hand + seat.deck for seat in position.seats)
        words = {
            format_space(space): f"{describe_pile(pile, self.names)}\n{describe_rules(reversed(pile.cards))}"
            for space, pile in position.piles.items()
        }
        for place, cards in (("exchange", position.exchange), ("removed", position.removed)):
            words |= {f"{place} {card}": CARDS[KIND_OF[card]].rule for card in cards}
        areas = {where: f"{where}|{told}" for where, told in words.items()}
        return Moment(
            draw_parts(position, last=self._last, has_rules=False, names=self.names), left, turn, areas=areas, **fields
        )

    def _describe_hidden(self) -> tuple[str, ...]:
        state = self._game.raw_states[0]
        lines = []
        for player in range(self._game.num_players):
            hand = write_cards(self._game.hand(player)) or "no card"
            deck = state.deck[player, : state.deck_size[player]][::-1].tolist()
            rest = f" and {len(deck) - SHOWN_NEXT} more" if len(deck) > SHOWN_NEXT else ""
            drawn = ", ".join(NAMES[kind] for kind in deck[:SHOWN_NEXT])
            lines.append(
                f"{tell_player(player, self.names, 'has')} in hand: {hand}."
                + (f" Next in the deck: {drawn}{rest}." if deck else "")
            )
        return tuple(lines)

    # --- thoughts ---

    def describe_choices(self, game: CastleCards, actions: Sequence[int]) -> dict[int, tuple[str, Outline | None]]:
        options = zip(actions, game.options(), strict=True)
        return {action: (format_option(option), _find_outline(option)) for action, option in options}


def _find_outline(option: CastleCardsOption) -> Outline | None:
    """Return a disc in the corner of the space of the castle that an option names; None for another option."""
    corner = find_corner(option[1]) if option[0] == "space" else None
    if corner is None:
        return None
    left, top = (round((start + 1 - DISC) * UNIT) for start in corner)
    return Outline(left, top, round(DISC * UNIT), is_round=True)
