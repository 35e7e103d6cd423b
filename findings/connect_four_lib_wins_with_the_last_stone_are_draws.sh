#!/usr/bin/env bash
# A good guess: `ConnectFourJudge.is_game_over()` of connect-four-lib says `WIN` once four stones are in a row, and
# `DRAW` once the board is full and nobody has four. `analyze` gives a million to whoever has won.
#
# What happens: it looks first whether 42 stones have been played. So who wins with the last stone has drawn, and
# `analyze`, which the engine's search goes by, says 0 for it. It is the second player whose wins are lost. Of 20,000
# random games 63 fill the board, and 11 of these have a row of four: one draw of six is a win. Nothing is said. Call
# `check_win(move)` before the move is added: it looks at the stones alone.
#
# duo-game-lib 0.1.2, connect-four-lib 1.3.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check duo-game-lib==0.1.2 connect-four-lib==1.3.1
"$folder/venv/bin/python" - <<'PYTHON'
import random
from collections import Counter

from connect_four_lib.connect_four_judge import ConnectFourJudge
from duo_game_lib.game_state import GameState

GAMES = 20_000


def has_four(board):
    """Say whether four cells in a row, column or diagonal hold stones of one player."""
    cells = {(x, y): stone for x, column in enumerate(board) for y, stone in enumerate(column) if stone}
    for (x, y), stone in cells.items():
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            if all(cells.get((x + i * dx, y + i * dy)) == stone for i in range(4)):
                return True
    return False


random.seed(0)
results = Counter()
for _ in range(GAMES):
    judge = ConnectFourJudge()
    while judge.is_game_over() == GameState.CONTINUE:
        judge.add_move(str(random.choice(judge.get_valid_moves())))
    if len(judge.get_all_moves()) == 42:
        results[has_four(judge.board), judge.is_game_over().name, judge.analyze(2)] += 1
print(f"of {GAMES} games that filled the board: (four in a row, result, value for the second player)", dict(results))
assert set(results) == {(True, "DRAW", 0), (False, "DRAW", 0)} and results[True, "DRAW", 0] > 5
PYTHON
