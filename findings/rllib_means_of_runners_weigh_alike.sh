#!/usr/bin/env bash
# A good guess: a mean that RLlib's `MetricsLogger` collects from several runners of environments, such as
# `episode_return_mean`, or a win rate that is logged by `reduce="mean"`, is that of all games which they have played,
# or of the last `window` games.
#
# What happens: each runner reduces its values to their mean, the window's too, and hands on one number without a count.
# The algorithm takes the mean of these numbers. Where one runner has won all of 90 games and another has lost all of
# 10, 50 % are reported, not 90 %. Runners have such unequal numbers where games are of unequal length, so long games
# count for more. Log wins and games by `reduce="sum"`, and divide.
#
# numpy 2.4.6, gymnasium 1.2.2, ray 2.60.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  numpy==2.4.6 gymnasium==1.2.2 'ray[rllib]==2.60.0'
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import logging

logging.disable(logging.WARNING)

from ray.rllib.utils.metrics.metrics_logger import MetricsLogger


def collect(*runners, **options):
    """Return what an algorithm reports of the results that each of its runners has logged, after three iterations."""
    algorithm, loggers = MetricsLogger(root=True), [MetricsLogger() for _ in runners]
    for _ in range(3):
        for logger, results in zip(loggers, runners):
            for won in results:
                logger.log_value("won", won, **options)
        algorithm.aggregate([logger.reduce() for logger in loggers])
        reported = float(algorithm.peek("won"))
        algorithm.reduce()
    return round(reported, 3)


many, few = [1.0] * 90, [0.0] * 10
kinds = ({"reduce": "mean"}, {"reduce": "mean", "window": 100}, {"window": 100})
one, two = ([collect(*runners, **options) for options in kinds] for runners in ([many + few], [many, few]))
won, played = collect(many, few, reduce="sum"), collect([1.0] * 90, [1.0] * 10, reduce="sum")
print("share of 100 games won, by one runner:", one, "by two with 90 and 10 games:", two, "by sums:", won / played)
assert one == [0.9] * 3 and two == [0.5] * 3 and won / played == 0.9
PYTHON
