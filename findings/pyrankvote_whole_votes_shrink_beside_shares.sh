#!/usr/bin/env bash
# A good guess: in `single_transferable_vote` of PyRankVote, as it may choose a few agents by their ranks in many games,
# each ballot has one vote. Where an agent gets more votes than it needs, what is too much goes to the next on its
# ballots in equal shares. Where an agent is rejected, each of its ballots goes on with the vote or share that it has.
#
# What happens: a rejected agent's votes go on in equal shares too, so ballots that already helped to elect one gain,
# and those that helped nobody shrink. Of 120 ballots for two seats 50 are for a, c, b, in this order, and 14 for c, d.
# a needs 40, so 10 votes go on to c, 0.2 a ballot. c is rejected, and its 24 votes go on: 10 to b and 14 to d by the
# usual rule, which elects d. PyRankVote hands on 0.375 a ballot, 18.75 to b and 5.25 to d, and b is elected. Nothing is
# said. As long as nobody has too many votes, as with one seat, all is well.
#
# tabulate 0.9.0, pyrankvote 2.0.6; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check tabulate==0.9.0 pyrankvote==2.0.6
"$folder/venv/bin/python" - <<'PYTHON'
from pyrankvote import Ballot, Candidate, single_transferable_vote

GIVEN = {"acb": 50, "cd": 14, "b": 29, "d": 27}

agents = {name: Candidate(name) for name in "abcd"}
ballots = [Ballot([agents[name] for name in order]) for order, count in GIVEN.items() for _ in range(count)]
election = single_transferable_vote(list(agents.values()), ballots, number_of_seats=2)
rounds = [
    {result.candidate.name: round(result.number_of_votes, 2) for result in votes.candidate_results}
    for votes in election.rounds
]
elected = sorted(agent.name for agent in election.get_winners())
print("votes in each round:", *(dict(sorted(votes.items())) for votes in rounds), "elected:", *elected)
assert rounds[1] == {"a": 40, "b": 29, "c": 24, "d": 27}
assert rounds[2] == {"a": 40, "b": 29 + 18.75, "c": 0, "d": 27 + 5.25} and elected == ["a", "b"]
PYTHON
