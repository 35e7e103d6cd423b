#!/usr/bin/env bash
# A good guess: `Tournament(names, style="round_robin")` of versupy has the champion with the most wins, once each
# match has had its `set_winner`. `style="swiss"` pairs players of equal wins who have not met, and a round of either
# is one game for each.
#
# What happens: `Tournament.set_winner` counts no win. The champion of a round robin is who was named first, even who
# lost all games, and `get_results()` is empty. Swiss rounds all pair the first with the second, the third with the
# fourth and so on, and the standings are the list that was given. A round of a round robin is the next slice of all
# pairs: of eight players the first plays four games in round 1, and none of the last three plays. Nothing is said.
# Count `get_winner()` of each match. `style="single"` of 8 players is right.
#
# versupy 0.1.0; December 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check versupy==0.1.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from versupy.tournament import Tournament

PLAYERS = "abcdefgh"


def play(style):
    """Play a tournament in which the later name wins. Return it, and its rounds as pairs of names."""
    tournament = Tournament(list(PLAYERS), style=style)
    rounds = []
    matches = tournament.get_current_round_matches()
    while matches and not tournament.is_tournament_over():
        rounds.append([match.competitor_a.name + match.competitor_b.name for match in matches])
        for match in matches:
            tournament.set_winner(match, max(match.competitor_a, match.competitor_b, key=lambda one: one.name))
        matches = tournament.advance_to_next_round()
    return tournament, rounds


robin, rounds = play("round_robin")
swiss, paired = play("swiss")
single, _ = play("single")
standings = [one.name for one in swiss.tournament.get_standings()]
champions = robin.get_champion().name, single.get_champion().name
print(f"champions {champions}, where h wins all games; first round {rounds[0]};", end=" ")
print(f"{len(paired)} swiss rounds, all {paired[0]}; standings {''.join(standings)}")
assert robin.get_results() == []
assert champions == ("a", "h") and rounds[0] == ["ab", "ac", "ad", "ae"] and sum(map(len, rounds)) == 28
assert len(paired) == 7 and all(one == ["ab", "cd", "ef", "gh"] for one in paired) and standings == list(PLAYERS)
PYTHON
