#!/usr/bin/env bash
# A good guess: `copy()` of a `ConnectN` of connectNvironment is the same position, so that a search may play on it
# and leave the game as it is.
#
# What happens: the copy has the size, the patterns and the player to move, and an empty board. Where three stones of
# the next player stand in a column, none of seven copies is won by a move, though one move wins. Nothing is said.
# Take `copy.deepcopy`. A game from `string_notation()` has its stones, and is not over even where it was won.
#
# numpy 2.4.6, scipy 1.17.1, connectNvironment 1.0.2; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 scipy==1.17.1 connectNvironment==1.0.2
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import copy

from connectNvironment import ConnectN


def winning(game, copied):
    """Return the columns that win at once, each tried on a copy."""
    columns = []
    for column in game.get_legal_actions():
        other = copied(game)
        other.step(column)
        if other.is_game_over:
            columns.append(int(column))
    return columns


game = ConnectN()
for column in (3, 0, 3, 0, 3, 1):
    game.step(column)
said, right = winning(game, ConnectN.copy), winning(game, copy.deepcopy)
stones = [int((one.board > 0).sum()) for one in (game, game.copy())]
game.step(3)
again = ConnectN(string_notation=game.string_notation())
print(f"stones {stones[0]} and in a copy {stones[1]}; moves that win: {said} by copies, {right} by deepcopy;", end=" ")
print(f"over: {game.is_game_over}, and {again.is_game_over} from its notation")
assert stones == [6, 0] and said == [] and right == [3]
assert game.is_game_over and not again.is_game_over and (again.board == game.board).all()
PYTHON
