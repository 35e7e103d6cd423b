#!/usr/bin/env bash
# A good guess: of 7 games, an `IndexSampler` of Grain with two shards, one epoch and `drop_remainder=False` gives one
# process 4 games and the other 3, as the options say: all are evaluated. With `drop_remainder=True` one is left out.
#
# What happens: one is left out either way, and with `drop_remainder=False` without a warning. The games are shared out
# as 4 and 3, but each process reads half of 7, rounded down. In 3 epochs each reads 10 games: who has 4 does not come
# to the end of the third pass, and who has 3 begins a fourth. `SequentialSampler` loses the last game as well. Read in
# one process, or give all processes as many games.
#
# numpy 2.4.6, grain 0.2.18; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 grain==0.2.18
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import logging

logging.disable(logging.WARNING)

from grain.python import DataLoader, IndexSampler, SequentialSampler, ShardOptions

GAMES = 7


def read(make, processes):
    """Return the games that each process reads."""
    shards = [ShardOptions(process, processes, drop_remainder=False) for process in range(processes)]
    return [list(DataLoader(data_source=range(GAMES), sampler=make(shard))) for shard in shards]


def index(epochs):
    """Return a function that makes the sampler of a shard for so many epochs."""
    return lambda shard: IndexSampler(GAMES, shard_options=shard, shuffle=False, num_epochs=epochs, seed=1)


def sequential(shard):
    """Return the sampler that reads a shard once, in order."""
    return SequentialSampler(GAMES, shard_options=shard)


alone, once, often, ordered = read(index(1), 1), read(index(1), 2), read(index(3), 2), read(sequential, 2)
print("of games 0 to 6 one process reads", alone, "two", once, "three epochs:", often, "in order:", ordered)
assert alone == [[0, 1, 2, 3, 4, 5, 6]] and once == [[0, 1, 2], [4, 5, 6]]
assert [len(games) for games in often] == [10, 10] and sorted(sum(ordered, [])) == [0, 1, 2, 3, 4, 5]
PYTHON
