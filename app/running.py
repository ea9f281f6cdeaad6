"""Run a command's work to its end, or to where a person interrupts it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

from daybook.app.telling import tell_aside

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run it; where a person interrupts it, say so and exit with status 130."""
    try:
        return asyncio.run(work)
    except KeyboardInterrupt:
        tell_aside(
            "\nInterrupted. Nothing is lost: what was under way goes on from where it stood."
        )
        sys.exit(130)
