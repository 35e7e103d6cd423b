"""A stand-in for moviepy, which takes the frames that it would be handed."""

import sys
import types


def stand_in_for_moviepy(monkeypatch):
    """Put the stand-in where moviepy would be, and return the list of (frames, fps) that are to be written."""
    written = []

    class ImageSequenceClip:
        def __init__(self, frames, fps):
            written.append((frames, fps))

        def write_videofile(self, path, **options):
            pass

        def close(self):
            pass

    for name in ("moviepy", "moviepy.video", "moviepy.video.io", "moviepy.video.io.ImageSequenceClip"):
        module = types.ModuleType(name)
        module.ImageSequenceClip = ImageSequenceClip
        monkeypatch.setitem(sys.modules, name, module)
    return written
