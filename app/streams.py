"""Standard input, output and error, which a command may be started without, or lose."""

from __future__ import annotations

import os
import sys

FULL = (
    "What was to be written could not be: no space is left there. What was done before stands; "
    "`daybook threads` says where each conversation stands."
)


def opened() -> bool:
    """Open what this process was started without, and tell whether standard output was closed."""
    was_closed = sys.stdout is None
    # Else Python has None there, and the next file or connection gets its number.
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    return was_closed


def flushed() -> str | None:
    """Write out what is left of standard output.

    Returns:
        What to say where that fails, nothing where its reader has gone (`| head`) and knows; None
        where all is written.
    """
    try:
        sys.stdout.flush()
    except OSError as error:
        # Else the interpreter says it once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return "" if isinstance(error, BrokenPipeError) else FULL
    return None
