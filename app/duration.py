"""Durations as people read them."""

from __future__ import annotations

from datetime import timedelta


def duration(lasted: timedelta) -> str:
    """Write how long something lasted, in the two largest units that matter."""
    ms = round(lasted.total_seconds() * 1000)
    if ms < 1_000:
        return f"{ms} ms"
    seconds = ms / 1000
    if seconds < 60:
        return f"{seconds:.1f}".removesuffix(".0") + " s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    days, hours = divmod(hours, 24)
    return f"{days} days {hours} h" if hours else f"{days} days"
