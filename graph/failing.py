"""Where code of somebody else's failed, in words that hold nothing of what it said."""

from __future__ import annotations

import sysconfig
import traceback
from collections.abc import Sequence
from pathlib import Path
from traceback import FrameSummary

_INSTALLED = tuple(sysconfig.get_paths()[name] for name in ("stdlib", "platlib", "purelib"))


def failed_in(error: BaseException) -> str:
    """Name an error's type, and the file and line of an adopter's own that it came from.

    Its words are left out: they may hold anything.
    """
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return _place(error, error.filename, error.lineno)
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return type(error).__name__
    frame = _own(frames)
    return _place(error, frame.filename, frame.lineno or 0)


def _own(frames: Sequence[FrameSummary]) -> FrameSummary:
    for frame in reversed(frames):
        if not frame.filename.startswith(("<", *_INSTALLED)):
            return frame
    return frames[-1]


def _place(error: BaseException, file: str, line: int) -> str:
    return f"{type(error).__name__} in {Path(file).name}, line {line}"
