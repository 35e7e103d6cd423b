"""`Game`: one game as a checked, friendly object over one state record; `TileGame` plays it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Self, overload

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from zamek_env.base.chance import check_deal, draw_deal
from zamek_env.base.rewards import REWARDS
from zamek_env.common.checks import check_flag, check_whole
from zamek_env.errors import IllegalActionError
from zamek_env.game_protocol import Encoding
from zamek_env.hints import find_hints
from zamek_env.layout.observation import PLANE_PARTS, check_parts
from zamek_env.load import AnyComponents
from zamek_env.notation.explain import describe
from zamek_env.notation.position import Area, Position, read_areas, read_position
from zamek_env.notation.position_line import format_position, write_key
from zamek_env.observer import Observation, Observer
from zamek_env.records.deal_from_moves import play_moves
from zamek_env.records.replay import replay_record
from zamek_env.records.set_up import set_up
from zamek_env.records.write import deal_again, make_record
from zamek_env.render import draw_rgb, draw_svg, draw_text
from zamek_env.render.svg import AUTO
from zamek_env.ruleset import get_ruleset, make_observation_space
from zamek_env.tile_game import TileGame


class Game(TileGame):
    """A game of `ruleset`, dealt from `seed` and ready for player 0's first placement.

    Args:
        ruleset: one of `zamek_env.RULESETS`, or with `components` the name of a ruleset of your own.
        seed: number of the deal, 0 to 2**63 - 1; the same number deals the same tiles and tokens. None: a random deal.
            `game.seed` and `repr(game)` show it, and who knows it can deal the game again and see all that is hidden.
        components: a folder with component files of your own, or what `zamek_env.load_components` returned.
        players: how many play, 1 to 5 on a table, 2 within a wall; None: as many as the components say, which is 2.
        rules: house rules by their names, such as `{"draw_ahead": True}` (`docs/rulesets.md`); those that are not named
            are as the ruleset has them.

    Raises `ValueError` for an unknown ruleset, for `components` of another ruleset or a seed out of range,
    `ComponentError` for a folder whose files cannot be right, `TypeError` for a seed that is no whole number or for
    `components` of another kind.
    """

    @classmethod
    def from_moves(
        cls,
        ruleset: str,
        moves: Iterable[str],
        players: int | None = None,
        components: AnyComponents = None,
        seed: int | None = None,
        rules: Mapping[str, Any] | None = None,
    ) -> Self:
        """Return the game after `moves`, actions in notation (`docs/notation.md`), such as one played elsewhere.

        The tiles are drawn in the order in which the moves place them. `discard C` is a move too: the tile was drawn
        and fitted nowhere (rules Z11, C1). What the moves do not tell is dealt by `seed`: the tiles that come later,
        and all tokens. A move `-`, to send nobody, may be left out, and may be given where nobody can be sent. The
        other arguments are as for `Game`.

        Raises `ValueError`, with the number of the move, counted from 1, where one is no action or is illegal, and for
        a discarded tile that fits somewhere, `TypeError` where the moves are no texts, and what `Game` raises.
        """
        return cls._take_over(play_moves(get_ruleset(ruleset, components, players, rules), moves, seed))

    @classmethod
    def _take_over(cls, game: TileGame) -> Self:
        """Return a game of this class that takes over the state of `game`, which must not be used any more."""
        twin = cls.__new__(cls)
        twin.__dict__ |= game.__dict__
        return twin

    # --- looking ---

    @property
    def observation_space(self) -> spaces.Dict:
        """The space of what `observe` returns by default."""
        return make_observation_space(self.ruleset)

    @overload
    def observe(
        self, player: int | None = None, flat: Literal[False] = False, observation: Sequence[str] = PLANE_PARTS
    ) -> Observation: ...

    @overload
    def observe(
        self, player: int | None, flat: Literal[True], observation: Sequence[str] = PLANE_PARTS
    ) -> npt.NDArray[np.float32]: ...

    @overload
    def observe(
        self, player: int | None = None, *, flat: Literal[True], observation: Sequence[str] = PLANE_PARTS
    ) -> npt.NDArray[np.float32]: ...

    @overload
    def observe(
        self, player: int | None = None, flat: bool = False, observation: Sequence[str] = PLANE_PARTS
    ) -> Observation | npt.NDArray[np.float32]: ...

    def observe(
        self, player: int | None = None, flat: bool = False, observation: Sequence[str] = PLANE_PARTS
    ) -> Observation | npt.NDArray[np.float32]:
        """Return the observation, as environments give it, of `player`, by default the one whose turn it is.

        It is a dict of the parts that `observation` names: `planes`, uint8 `(rows, columns, planes)`, `codes`, uint8 or
        uint16 `(rows, columns, codes)`, `vector`, float32 `(entries,)`, and for `"rows"` `row_actions`, int16
        `(rows,)`, and `rows`, int8 `(rows, columns)`. With `flat` it is one row of float32, these in the order of their
        names. All arrays are new. Raises `TypeError` or `ValueError` for a bad player or bad parts, or where `flat` is
        neither True nor False.
        """
        observer = Observer(self.ruleset, observation)
        look = observer.look_flat if check_flag("flat", flat) else observer.look
        return look(self, player)[0]

    def encode(self, observation: Sequence[str] = PLANE_PARTS) -> Encoding:
        """Return the encoding of games of this ruleset by those parts of an observation. Raises as `observe` does."""
        parts, observer = check_parts(observation), Observer(self.ruleset, observation)
        space = make_observation_space(self.ruleset, parts)
        return Encoding(space, lambda game, player: observer.look(game, player)[0], parts, REWARDS)

    def describe(self, action: int | np.integer) -> str:
        """Return what a legal `action` would do, in words. Raises as `step` does."""
        number = check_whole("action", action)
        rules = self.ruleset
        in_range = 0 <= number < rules.num_actions
        if not in_range or not rules.engine.is_legal.call(rules.tables, self._states, 0, number):
            raise IllegalActionError(self.why_illegal(number))
        return describe(rules, self._states[0], number)

    def position(self, viewer: int | None = None) -> Position:
        """Return everything public as a `Position`, with what only the player `viewer` sees, such as a hidden hand.

        Raises `ValueError` for another `viewer`.
        """
        return read_position(self.ruleset, self._states[0], self._check_observer(viewer, "viewer"))

    def areas(self) -> tuple[Area, ...]:
        """Return all areas on the board as a tuple of `Area`."""
        return read_areas(self.ruleset, self._states[0])

    def draw_svg(self, theme: str = AUTO) -> str:
        """Return everything public as an SVG picture, whose tooltips say what areas are worth and to whom.

        `theme` is `light`, `dark`, or `auto`: the viewer's preference decides. Raises `ValueError` for another. To lay
        choices over the board, see `zamek_env.render.draw_svg`.
        """
        hints = find_hints(self.ruleset, self._states[0])
        return draw_svg(self.ruleset.components, self.position(), hints=hints, theme=theme)

    def draw_rgb(self, size: int = 640) -> npt.NDArray[np.uint8]:
        """Return everything public as pixels, `uint8[size, width, 3]`, as `zamek_env.render.draw_rgb` does.

        Raises `ValueError` unless `size` lies in 1 to 10,000, `TypeError` where it is no whole number.
        """
        return draw_rgb(self.ruleset.components, self.position(), size)

    # --- positions ---

    def format_position(self, viewer: int | None = None) -> str:
        """Return everything public as one line of text (`docs/notation.md`), with `viewer` also that player's hand.

        Raises `ValueError` for another `viewer`.
        """
        return format_position(self.ruleset, self._states[0], self._check_observer(viewer, "viewer"))

    @classmethod
    def parse_position(cls, text: str, components: AnyComponents = None, seed: int | None = None) -> Self:
        """Return a game at the position that `format_position` writes as `text`; what is hidden is dealt by `seed`.

        It begins there: its history is empty, it has no `seed`, and it cannot be recorded.
        `components` and `seed` are as for `Game`. Raises `ValueError` naming section and word where `text` is no
        position from which play can go on, `TypeError` where it is no text, and what `Game` raises.
        """
        number = draw_deal(np.random.default_rng()) if seed is None else check_deal("seed", seed)
        ruleset, states = set_up(text, components, number)
        return cls._make(ruleset, states, start=text)

    def public_key(self, player: int | None = None) -> bytes:
        """Return a key for transposition tables: 32 bytes, equal for games that look the same to `player`.

        It depends neither on anything hidden nor on how the position was reached. It includes the hand of `player`,
        where others do not see it (rules H1, H2); otherwise the key is the same for all players and for None. It takes
        some 0.4 ms, as long as dozens of moves. Raises `ValueError` for another player.
        """
        return write_key(self.ruleset, self._states[0], self._check_observer(player, "player"))

    # --- records ---

    def record(self, players: Sequence[str] | None = None) -> dict[str, Any]:
        """Return the game record as a dict for `json.dump`; a turn still in progress is left out.

        It holds the seed and every token on a tower, so do not show it to a player before the end.
        `players` are the names to write into it, None for `player 0`, `player 1` … Raises `ValueError` unless there is
        one for each, and for a game that was set up at a position, or that has hands or a shaken bag (rules H1–H3) and
        was made from a state or redealt: what was played before is not known.
        """
        return make_record(self, players)

    def retrace(self) -> Iterator[tuple[Self, int]]:
        """Yield the game before each decision, and the action played there; it is one game, which is stepped on.

        Raises `ValueError` where it is not known how it was dealt.
        """
        again = deal_again(self)
        for action in self.history:
            yield again, action
            again.step(action)

    @classmethod
    def replay(cls, record: Mapping[str, Any], components: AnyComponents = None) -> Self:
        """Return the game that `record`, a dict, describes, after its last turn.

        A game on components of your own needs them: `components` are what `load_components` returned, or the folder.

        Raises `RecordError`, naming turn and field, where the record is malformed, the rules say otherwise, or the game
        was played on other `components`, and `ComponentError` for a folder whose files cannot be right.
        """
        return cls._take_over(replay_record(record, components))

    def __str__(self) -> str:
        return draw_text(self.ruleset.components, self.position())

    def _repr_svg_(self) -> str:
        """Return the board as SVG, for notebooks."""
        return self.draw_svg()

    def __repr__(self) -> str:
        scores = ":".join(map(str, self.scores))
        return f"<Game {self.ruleset.name}, seed {self.seed}, {self.phase}, {scores}>"
