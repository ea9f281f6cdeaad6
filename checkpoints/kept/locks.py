"""The locks of a kept program, as its users see them (`daybook.checkpoints.kept.keeper`)."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from daybook.checkpoints.kept.process import START_LOCK, USERS_LOCK, open_lock


@contextmanager
def only_starter(folder: Path) -> Iterator[None]:
    """Hold the start lock."""
    lock = open_lock(folder / START_LOCK)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        # Unlocked by name and not by closing alone: a thread may have forked a child meanwhile,
        # which holds a copy of the descriptor for as long as it lives.
        fcntl.flock(lock, fcntl.LOCK_UN)
        os.close(lock)


def nobody_uses(folder: Path) -> bool:
    """Say whether the last use is gone; under the start lock, so that no newcomer comes."""
    probe = open_lock(folder / USERS_LOCK)
    try:
        fcntl.flock(probe, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return not _is_shareable(probe)  # nor by us: the keeper has it and is stopping
    else:
        return True  # even before the keeper had its turn
    finally:
        os.close(probe)


def is_held(path: Path) -> bool:
    """Say whether some process holds the lock exclusively."""
    probe = open_lock(path)
    try:
        return not _is_shareable(probe)
    finally:
        os.close(probe)


def _is_shareable(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def wait_until_free(path: Path) -> None:
    """Block until nobody holds the lock exclusively."""
    lock = open_lock(path)
    try:
        fcntl.flock(lock, fcntl.LOCK_SH)
    finally:
        os.close(lock)
