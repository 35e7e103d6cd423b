"""Turns one game into rows: it is replayed, and each player observes it before deciding."""

from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from zamek_agents.datasets.columns import MAX_NOTATION, Layout, name_shown, pack_masks
from zamek_agents.datasets.sources import Judge, Values
from zamek_env.core.rewards import REWARD_WIN, REWARDS, find_lead, find_reward
from zamek_env.game_protocol import find_encoding

Seen = dict[str, npt.NDArray[Any]]  # the arrays of `Layout.seen`


class GameRows(NamedTuple):
    """The rows of one game."""

    columns: dict[str, npt.NDArray[Any]]  # by name, as `columns.py` says
    last: list[Seen]  # what each player sees at the end
    is_dict: bool  # whether players see a dict of arrays, or one array


def find_rows(
    game: Any, number: int, reward: str = "win", values: Values | None = None, layout: Layout | None = None
) -> GameRows:
    """Return the rows of a finished game, which has that `number` in its dataset.

    `reward` is one of `zamek_env.core.rewards.REWARDS`; other games than those of tiles are rewarded with their
    results. `values` are those that `find_values` found. `layout` is that of the dataset; None: the default of such
    games. Raises `ValueError` where notation takes more than `MAX_NOTATION` characters, or observations do not match
    their space.
    """
    held = layout or Layout.of(game)
    history, encoding = game.history, find_encoding(game, held.parts)

    def look(position: Any, player: int) -> Seen:
        return name_shown(encoding.look(position, player), encoding.parts)

    lists: dict[str, list[Any]] = {name: [] for name in (*held.columns, "notation")}
    for position, action in game.retrace():
        player = position.current_player
        for name, array in look(position, player).items():
            lists[name].append(array)
        lists["mask"].append(position.legal_action_mask())
        lists["scores"].append(position.scores)
        lists["player"].append(player)
        lists["notation"].append(_format(position, action))
    lists |= {"game": [number] * len(history), "decision": [*range(len(history))], "action": [*history]}
    players = np.array(lists["player"])
    kind = REWARDS.index(reward) if reward in encoding.rewards else REWARD_WIN
    lists |= _find_results(game, players, np.array(lists["scores"]), kind)
    lists["mask"] = [*pack_masks(np.array(lists["mask"]))]
    columns = {name: np.array(lists[name], column.dtype) for name, column in held.columns.items()}
    for name, column in held.columns.items():
        if columns[name].shape[1:] != column.shape:
            raise ValueError(f"{name} must be of shape {column.shape}, not {columns[name].shape[1:]}")
    columns["notation"] = np.array(lists["notation"])
    if values is not None:
        columns["values"] = values.values
    last = [look(game, player) for player in range(held.players)]
    return GameRows(columns, last, isinstance(encoding.space, spaces.Dict))


def find_values(game: Any, number: int, judge: Judge) -> Values:
    """Return what the `judge` thinks of each choice in a finished game, which has that `number` in its dataset."""
    rng = judge.new_chance(number)
    found = [judge.judge(position, rng) for position, _ in game.retrace()]
    values = np.concatenate([evaluation.values.astype(np.float32) for evaluation in found])
    return Values(judge.agent.name, judge.seed, number, values, found[0].unit)


def _format(position, action):
    """Return `action` as text."""
    text = position.format_action(action)
    if len(text) > MAX_NOTATION:
        raise ValueError(f"an action takes more than {MAX_NOTATION} characters to write: {text[:MAX_NOTATION]}…")
    return text


def _find_results(game, players, scores, kind):
    """Return {column: rows} of reward, of that `kind`, outcome and lead."""
    returns = game.returns()
    final = np.array([find_lead(game.scores, player) for player in range(game.num_players)])
    rewards = np.zeros(len(players))
    for player in range(game.num_players):
        rows = np.flatnonzero(players == player).tolist()  # none where the game was over before the player's first turn
        before = 0  # ahead as far as rewarded, as in the environments
        for row, following in zip_longest(rows, rows[1:]):
            is_over = following is None
            if kind == REWARD_WIN:
                rewards[row] = returns[player] if is_over else 0
            else:
                lead = find_lead(game.scores if is_over else scores[following], player)
                rewards[row] = find_reward(kind, lead, before, is_over)
                before = lead
    return {"reward": rewards, "outcome": np.array(returns)[players], "lead": final[players]}
