"""Turns as the game record writes them, and the record they make up, of any of the games."""


def new_turn(player: int) -> dict:
    """A turn in which nothing has happened yet."""
    return {
        "player": player,
        "discarded": [],
        "tile": None,
        "cell": None,
        "rotation": None,
        "follower": None,
        "scored": [],
        "extra_turn": False,
    }


def scores_after(turns: list[dict], players: int) -> list[int]:
    """All players' scores after these turns: what the last area of each left."""
    scores = [0] * players
    for turn in turns:
        for entry in turn["scored"]:
            scores[entry["player"]] = entry["score"]
    return scores


def copy_turn(turn: dict) -> dict:
    """A turn's record that shares no list or dict with the game."""
    put_back = {"put_back": list(turn["put_back"])} if "put_back" in turn else {}
    return (
        turn
        | put_back
        | {
            "discarded": list(turn["discarded"]),
            "cell": None if turn["cell"] is None else list(turn["cell"]),
            "follower": None if turn["follower"] is None else dict(turn["follower"]),
            "scored": [entry | {"at": list(entry["at"])} for entry in turn["scored"]],
        }
    )


def make_record(game, head: dict, seed, players) -> dict:
    """The record of a game; of one in progress its finished turns, with the scores as they stood after them.

    `head` is what the game writes at the top beside the names of format, deal and players.
    """
    record = {"format": "zamek-record/1", "seed": seed, "players": list(players), **head}
    record["turns"] = [copy_turn(turn) for turn in game.turns]
    if game.phase == "over":
        return record | {"end": game.end_entries(), "scores": list(game.scores)}
    return record | {"finished": False, "scores": scores_after(game.turns, len(game.scores))}
