#!/usr/bin/env bash
# A good guess: making a `uvicorn.Config`, which only says how to serve, leaves the log handlers of other packages and
# what they write to alone.
#
# What happens: it applies its own logging configuration at once, and Python's `dictConfig` then closes all handlers
# that exist. That of absl closes its stream too, unless that is `sys.stderr` or `sys.stdout` at that moment. Who
# captures output replaces these, as pytest and notebooks do: where absl was imported under one stream (with optax,
# TensorBoard or OpenSpiel) and the server is made under another, the first stream is closed, and whatever writes to it
# later fails, far from the cause. `log_config=None` leaves logging alone.
#
# uvicorn 0.54.0, absl-py 2.5.1; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  uvicorn==0.54.0 absl-py==2.5.1
"$folder/venv/bin/python" - <<'PYTHON'
import io
import sys


async def app(scope, receive, send):
    pass


def is_closed_by(**settings):
    """Return whether a server closes the stream to which absl writes, made while output is captured elsewhere."""
    from absl import logging as absl_logging
    from uvicorn import Config

    kept, first = sys.stderr, io.StringIO()
    try:
        absl_logging.get_absl_handler().python_handler.stream = first  # as if absl was imported under it
        sys.stderr = io.StringIO()
        Config(app, **settings)
        return first.closed
    finally:
        sys.stderr = kept


closed = is_closed_by(log_config=None), is_closed_by()
print("absl's stream is closed without a log configuration and by default:", *closed)
assert closed == (False, True)
PYTHON
