"""Shows Castle, the card game, to people: a picture, their hand, and where each choice lies."""

from typing import Any

import numpy as np

from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.components.cards import NAMES, ZONE_OF, describe_rules
from zamek_env.castle_cards.notation.action_line import Option, format_option, format_space, name_space
from zamek_env.castle_cards.notation.position import SECRET_PHASES
from zamek_env.castle_cards.records.shape import read_space
from zamek_env.castle_cards.records.step_text import Step, describe, describe_step, record_news, record_steps
from zamek_env.castle_cards.records.write import begin_turns
from zamek_env.castle_cards.render.colours import PLAYERS
from zamek_env.castle_cards.render.picture import draw_parts
from zamek_env.castle_cards.render.text import draw_text
from zamek_env.choices import format_value
from zamek_env.common.player_names import Sentence, name_player
from zamek_env.evaluation import Evaluation
from zamek_scripts.playing.presenter import Choice, Presenter, ViewRequest

_OF_EXCHANGE = ("take", "swap-take", "award", "counsel")  # phases in which a card of the exchange is chosen
_OF_HAND = ("swap-give", "steal-give", "pass-on")  # phases in which a card of the hand is chosen
_TARGETS = {"Assassin": "to remove", "Magician": "to put into the exchange", "Fairy": "to move to the outside"}
_TASKS: dict[str, str] = {  # by phase; `card` is whose effect is carried out or which is played
    "action": "draw a card, exchange one, or play one",
    "take": "choose the card of the exchange that you take",
    "place": "choose where you play the {card}",
    "target": "{card}: choose a card {target}",
    "move-from": "{card}: choose the card that is moved",
    "move-to": "{card}: choose where it is moved",
    "pile": "{card}: choose the card whose pawn changes",
    "level": "{card}: choose the pawn",
    "swap-give": "{card}: choose a card of your hand for the exchange",
    "swap-take": "{card}: choose a card of the exchange that you take",
    "steal-give": "{card}: you drew {stolen}; choose the card that you give in return",
    "award": "{card}: choose the card of the exchange that {other} gets",
    "pass-on": "{card}: choose the card that you pass to the left",
    "counsel": "{card}: choose the card of the exchange that you play",
    "arrange": "{card}: choose which card is laid next",
    "pawn": "{card}: choose the pawn that comes to the next card",
}
_PLAYER_TASKS = {"Courtesan": "from whose hand you draw a card", "Witch": "who gets a card of the exchange"}


class CastleCardsPresenter(Presenter):
    """Shows a `CastleCards`: players see their own hand only."""

    colours, measure, is_spread, advisers = PLAYERS, "cards left", True, ("ismcts",)

    def list_choices(self, game: CastleCards) -> list[Choice]:
        """Return the legal actions as `Presenter` does, and where they lie.

        `location` is one of `zamek_env.castle_cards.render.picture.draw_parts`, or one of a button: `hand` and a card,
        or the action itself.
        """
        return [
            {"action": format_option(option), "words": self.describe(game, action), "location": _locate(game, option)}
            for action, option in zip(game.legal_actions(), game.options(), strict=True)
        ]

    def describe(self, game: CastleCards, action: int) -> str:
        return describe(game.raw_states[0], action, self.names)

    def count(self, game: CastleCards) -> list[int]:
        return [-score for score in game.scores]

    def turn_of(self, game: CastleCards) -> int:
        return game.turn_player

    def task(self, game: CastleCards) -> str:
        state, phase = game.raw_states[0], game.phase
        effect = game.position().card or ""
        if phase == "player":
            return f"{effect}: choose {_PLAYER_TASKS.get(effect, 'a player')}"
        return _TASKS.get(phase, phase).format(
            card=NAMES[state.card] if phase == "place" else effect,
            target=_TARGETS.get(effect, "to take back"),
            stolen=NAMES[state.stolen],
            other=name_player(int(state.other), self.names),
        )

    def pictures(self, game: CastleCards, request: ViewRequest) -> list[str]:
        marks = _find_marks(self.list_choices(game), game, request.evaluation) if request.may_choose else {}
        last = [step for _, _, step in self._list_steps(request)]
        return [*draw_parts(game.position(request.viewer), marks, last, names=self.names)]

    def sum_up(self, request: ViewRequest) -> list[dict[str, Any]]:
        """Return each step as a sentence, except those of the viewer; immediate repetitions are told once."""
        told: list[dict[str, Any]] = []
        for decider, player, step in self._list_steps(request):
            if decider == player == request.viewer:
                continue
            words = describe_step(player, step, self.names).words_for(request.viewer)
            if told and told[-1]["words"] == words:
                told[-1]["times"] += 1
            else:
                told.append({"player": player, "words": words, "places": _list_places(step), "times": 1})
        return told

    def _list_steps(self, request: ViewRequest) -> list[tuple[int, int, Step]]:
        """Return the last steps, each with who decided and whose turn it was."""
        steps = []
        for game, text in request.recent:
            states = game.state
            found = record_steps(states, self.read(game, text), begin_turns(states))
            steps += [(game.current_player, player, step) for player, step in found]
        return steps

    def list_buttons(self, game: CastleCards, request: ViewRequest) -> list[dict[str, Any]]:
        """Return the hand of the viewer, card by card, and whatever has no place in the picture.

        A card has its `zone`, and in `rule` what it does.
        """
        if request.viewer is None:
            return []
        hand = game.hand(request.viewer)
        held = {card: hand[card] for card in sorted(hand, key=NAMES.index)}
        buttons = {f"hand {card}": card if count == 1 else f"{count} × {card}" for card, count in held.items()}
        for choice in self.list_choices(game) if request.may_choose else ():
            location, option = choice["location"], choice["action"]
            if location.startswith("hand "):  # the card that the Courtesan drew is still in the other hand
                buttons.setdefault(location, f"{location.removeprefix('hand ')}, which you drew")
            elif location == option and not option.startswith("player "):
                buttons[location] = choice["words"]
        return [{"location": location, "words": words} | _tell_card(location) for location, words in buttons.items()]

    def text(self, game: CastleCards, viewer: int | None) -> str:
        return draw_text(game.position(viewer), hand=None if viewer is None else game.hand(viewer), names=self.names)

    def is_open(self, game: CastleCards, action: int) -> bool:
        return game.phase not in SECRET_PHASES

    def describe_news(self, game: CastleCards, action: int) -> list[Sentence]:
        """Return the effects of `action` beyond its own description."""
        states = game.state
        news = record_news(states, action, begin_turns(states), self.names)
        is_said = game.phase != "action" and news and not news[0].hidden  # the words of later phases say the first
        return news[1:] if is_said else news

    def reveals(self, before: CastleCards, after: CastleCards) -> bool:
        player = before.current_player
        return after.is_terminal or _find_unlearnt(before, player) != _find_unlearnt(after, player)


def _list_places(step: Step) -> list[str]:
    """Return the spaces that a step names, in notation."""
    places = [step.get("at"), step.get("to"), *(at for at, *_ in step.get("set", ()))]
    return [format_space(space) for space in map(read_space, places) if space]


def _tell_card(location: str) -> dict[str, str]:
    """Return the zone and the rule of the card of the hand that a location names; nothing of another one."""
    place, _, card = location.partition(" ")
    return {"zone": ZONE_OF[card], "rule": describe_rules([card])} if place == "hand" else {}


def _find_marks(choices: list[Choice], game: CastleCards, evaluation: Evaluation | None) -> dict[str, str]:
    """Return {location: the worth of the best choice there, or "" without an adviser}."""
    marks: dict[str, str] = {choice["location"]: "" for choice in choices}
    if evaluation is None:
        return marks
    locations = dict(zip(game.legal_actions(), (choice["location"] for choice in choices), strict=True))
    for action in sorted(locations, key=lambda action: np.nan_to_num(evaluation.value_of(action), nan=-np.inf)):
        marks[locations[action]] = format_value(evaluation, action)
    return marks


def _find_unlearnt(game: CastleCards, player: int) -> tuple[Any, ...]:
    """Return a value that changes whenever `player` learns of something hidden, or somebody else has decided."""
    state = game.raw_states[0]
    others = [other for other in range(game.num_players) if other != player]
    hidden = state.hand[others].astype(int) - state.known[player, others]
    sizes = state.deck_size.tolist()
    return hidden.tolist(), sizes, state.generator.tolist(), int(state.stolen), int(state.turns)


def _locate(game: CastleCards, option: Option) -> str:
    word, *rest = option
    if word in ("give", "play"):
        return f"hand {rest[0]}"
    if word == "card" and game.phase in (*_OF_HAND, *_OF_EXCHANGE):
        return f"{'hand' if game.phase in _OF_HAND else 'exchange'} {rest[0]}"
    if word == "space":
        return format_space(rest[0])
    if word == "level":
        state = game.raw_states[0]
        return format_space(name_space(state, int(state.source)))
    if word in ("player", "pawn") and rest[0] is not None:
        return f"player {rest[0]}"
    return format_option(option)
