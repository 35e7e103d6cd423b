"""What `info` of a vector environment holds: under each key an array, and under `_key` in which games it counts."""

from typing import Any

import numpy as np
import numpy.typing as npt

from zamek_env.environments.obs_buffers import ObsBatch


def make_info(
    masks: npt.NDArray[np.int8],
    players: npt.NDArray[np.int64],
    deals: npt.NDArray[np.int64],
    everyone: npt.NDArray[np.bool_],
    nobody: npt.NDArray[np.bool_],
) -> dict[str, Any]:
    """Return what `info` says of all games after a step in which no action was illegal.

    `everyone` and `nobody`, bool `(n,)`, are all ones and all zeros, and are handed out as they are.
    """
    return {
        "action_mask": masks,
        "_action_mask": everyone,
        "current_player": players,
        "_current_player": everyone,
        "deal": deals,
        "_deal": everyone,
        "illegal_action": nobody,
        "_illegal_action": everyone,
    }


def make_result_info(
    ended: npt.NDArray[np.bool_], illegal: npt.NDArray[np.bool_], result: dict[str, npt.NDArray[Any]]
) -> dict[str, Any]:
    """Return what `info` says of the games that `ended`, some of them by an `illegal` action, with their `result`."""
    counts = ended.copy()
    inner = {f"_{name}": counts for name in result}  # Gymnasium's wrappers look for these inside `result` too
    return {"result": result | inner, "_result": counts, "illegal_action": illegal}


def make_last_info(
    ended: npt.NDArray[np.bool_],
    games: list[int],
    illegal: npt.NDArray[np.bool_],
    players: npt.NDArray[np.int64] | np.int64,
    deals: npt.NDArray[np.int64],
    last: ObsBatch,
) -> dict[str, Any]:
    """Return what `info` holds in addition under SAME_STEP: `final_obs` and `final_info` of the `games` that `ended`.

    `deals`, `players` (who was to decide, -1 for nobody) and `last` (what was shown) are those of the ended episodes.
    """
    seen = np.empty(len(ended), object)  # of None
    masks = np.zeros(last.masks.shape, last.masks.dtype)
    for game in games:  # mostly few, and numpy takes longer to find out which they are
        seen[game], masks[game] = last.pick(game), last.masks[game]
    info = {
        "action_mask": masks,
        "_action_mask": ended.copy(),
        "current_player": ended * players,
        "_current_player": ended.copy(),
        "deal": ended * deals,
        "_deal": ended.copy(),
        "illegal_action": illegal.copy(),
        "_illegal_action": ended.copy(),
    }
    return {"final_obs": seen, "_final_obs": ended.copy(), "final_info": info, "_final_info": ended.copy()}
