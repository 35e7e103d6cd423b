"""Makes a `Story` of a recorded game of tiles: each decision in pictures and words, what it scored and why."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from zamek_agents.base import Evaluating
from zamek_agents.named_ruleset import name_table
from zamek_env import Game
from zamek_env.choices import find_location, locate
from zamek_env.hints import find_hints
from zamek_env.layout.actions import PLACE
from zamek_env.notation.action_line import list_legal
from zamek_env.notation.explain import describe
from zamek_env.records.step_text import describe_news
from zamek_env.records.write import Recorder, deal_again
from zamek_env.render import Hint, Overlay, draw_parts
from zamek_env.render.overlay import RADIUS, Location, find_anchor, name_location
from zamek_env.render.svg import UNIT
from zamek_scripts.replaying.story import Moment, Outline, StoryBuilder

SHOWN_NEXT = 12  # tiles of the deck that are named


class TileStoryBuilder(StoryBuilder):
    """Makes a story of a `game` that `Game.replay` returned."""

    def __init__(self, game: Game, names: Sequence[str], agent: Evaluating | None = None) -> None:
        state = game.state[0]
        seed, end = "" if game.seed is None else f", seed {game.seed}", "" if game.is_terminal else ", not over"
        super().__init__(f"{name_table(game.ruleset)}{seed}{end}", game.history, names, agent)
        # of a game that is not over, and follows from no seed, nobody knows the rest of the deck
        self._known = state.deck.size if game.is_terminal or game.seed is not None else int(state.drawn)
        self._recorder = Recorder(deal_again(game))
        self._last: tuple[int, int] | None = None
        self._turn = 0

    def make_title(self, scores: Sequence[int]) -> str:
        return f"{' – '.join(self.names)} {':'.join(map(str, scores))}"

    def make_moments(self) -> Iterator[Moment]:
        """Yield the moments, the first before any decision."""
        yield self._draw(sentences=tuple(self._describe_news()))
        for action in self._actions:
            yield self._make_moment(action)

    def _make_moment(self, action: int) -> Moment:
        game = self._recorder.game
        player, text = game.current_player, game.format_action(action)
        words = describe(game.ruleset, game.state[0], action, self.names)
        thoughts = self.think(game, action)
        if game.ruleset.actions.phase_of(action) == PLACE:
            self._turn += 1
            row, column, *_ = find_location(game, action) or (0, 0)
            self._last = row, column
        self._recorder.step(action)
        sentences = (f"{words}.", *self._describe_news())
        return self._draw(player=player, action=text, sentences=sentences, thoughts=thoughts)

    def _describe_news(self):
        return describe_news(self._recorder, self._recorder.news, self.names)

    # --- pictures ---

    def _draw(self, **fields: Any) -> Moment:
        game = self._recorder.game
        state, components = game.state[0], game.ruleset.components
        hints = find_hints(game.ruleset, state, self.names)
        pointed = Hint("", frozenset(segment for hint in hints for segment in hint.segments))
        towers = zip(components.board.token_towers, state.token_deal.tolist(), state.tower_taken.tolist(), strict=False)
        tokens = {first: kind for (first, _), kind, taken in towers if not taken}  # on towers, by their first fields
        overlay = Overlay(last=self._last, revealed=tokens)
        views = draw_parts(components, game.position(), overlay=overlay, hints=[pointed], names=self.names)
        return Moment(
            views, game.scores, self._turn, areas=_describe_areas(hints), hidden=self._describe_hidden(state), **fields
        )

    def _describe_hidden(self, state: np.record) -> tuple[str, ...]:
        tile = self._recorder.game.ruleset.tile
        rest = [tile(number).id for number in state.deck[int(state.drawn) : self._known].tolist()]
        if not rest:
            return ()
        more = f" and {len(rest) - SHOWN_NEXT} more" if len(rest) > SHOWN_NEXT else ""
        return (f"Next in the deck: {', '.join(rest[:SHOWN_NEXT])}{more}.",)

    # --- thoughts ---

    def describe_choices(self, game: Game, actions: Sequence[int]) -> dict[int, tuple[str, Outline | None]]:
        components, position, locations = game.ruleset.components, game.position(), locate(game, actions)
        outlines: dict[Location | None, Outline | None] = {None: None}
        for location in locations.values():
            if location is not None and location not in outlines:
                outlines[location] = _find_outline(location, find_anchor(components, position, location))
        texts = list_legal(game.ruleset, game.state[0])
        return {action: (text, outlines[locations[action]]) for action, text in zip(actions, texts, strict=True)}


def _find_outline(location: Location, anchor: tuple[float, float] | None) -> Outline:
    row, column, *_ = location
    if anchor is None:
        return Outline(column * UNIT, row * UNIT, UNIT)
    left, top = ((start + middle - RADIUS) * UNIT for start, middle in zip((column, row), anchor, strict=True))
    return Outline(round(left), round(top), round(2 * RADIUS * UNIT), is_round=True)


def _describe_areas(hints: tuple[Hint, ...]) -> dict[str, str]:
    """Return {segment in notation: the first segment of its area, and the area's tooltip}."""
    described: dict[str, str] = {}
    for hint in hints:
        names = sorted(name_location((*where, name)) for where, name in hint.segments if not isinstance(where, str))
        described |= dict.fromkeys(names, "|".join([*names[:1], hint.text]))
    return described
