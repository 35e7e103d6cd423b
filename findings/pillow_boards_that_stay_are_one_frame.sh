#!/usr/bin/env bash
# A good guess: a film of a game that Pillow saves with `save_all=True` has as many frames as pictures were given, so
# the frame with the number of a decision shows the board after it.
#
# What happens: a picture that equals the one before it is no frame of its own in GIF, PNG and WebP. Where three of six
# pictures repeat the one before, as in decisions that do not change the board, `n_frames` is 3, and all numbers behind
# the first repetition are off. The frame that stays is shown for as long as all of them, so the film looks right. TIFF
# and AVIF keep all six. Add up `duration` to find a decision, or save as one of these.
#
# pillow 13.0.0; November 2026.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pillow==13.0.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import io

from PIL import Image

BOARDS = ("red", "red", "blue", "blue", "blue", "red")


def film(kind):
    """Return how long each frame of the saved boards is shown, in hundredths of a second, where the format says so."""
    first, *others = (Image.new("RGB", (16, 16), board) for board in BOARDS)
    file = io.BytesIO()
    first.save(file, kind, save_all=True, append_images=others, duration=100)
    saved, shown = Image.open(file), []
    for frame in range(saved.n_frames):
        saved.seek(frame)
        saved.load()
        shown.append(saved.info.get("duration", 0) / 100)
    return shown


films = {kind: film(kind) for kind in ("GIF", "PNG", "WEBP", "TIFF", "AVIF")}
print("frames of six boards, three of which repeat the one before:", films)
assert films["GIF"] == films["PNG"] == films["WEBP"] == [2, 3, 1]
assert len(films["TIFF"]) == len(films["AVIF"]) == 6
PYTHON
