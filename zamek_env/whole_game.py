"""Games that others play from the first decision to the last."""

from collections.abc import Iterator

from zamek_env.errors import EndlessGameError
from zamek_env.game_protocol import GameProtocol

# of a game. The rules of Castle set no limit: players may take back each other's cards again and again. Games of random
# players have some 300, and games of tiles have fewer than this by their rules.
MOST_DECISIONS = 100_000


def take_turns(game: GameProtocol) -> Iterator[int]:
    """Yield who is to decide, again and again until `game` is over; whoever loops over it plays the decision.

    Raises `EndlessGameError` where that is not so after `MOST_DECISIONS`.
    """
    for _ in range(MOST_DECISIONS):
        if game.is_terminal:
            return
        yield game.current_player
    if not game.is_terminal:
        raise EndlessGameError(
            f"a game has not ended after {MOST_DECISIONS:,} decisions: players who undo what the other did may go on "
            "for ever; let an agent decide at random after some time"
        )
