"""What of the libraries must know that time is virtual and chance is seeded, set once a process.

All that is replaced asks the life that is under way; without one it is what it was.
"""

from __future__ import annotations

import logging
import os
import random
import ssl
import sys
import time  # noqa: TID251 - what the libraries read is replaced
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from daybook.state.clock import SYSTEM
from evals.sim.loop import VirtualLoop
from evals.sim.sessions import DAWN, follow_connections, wait, wait_connected
from evals.sim.shop import IN_USE

_life: list[tuple[VirtualLoop, random.Random]] = []

_urandom, _monotonic, _time = os.urandom, time.monotonic, time.time


def _bytes(count: int) -> bytes:
    return _life[-1][1].randbytes(count) if _life else _urandom(count)


def _elapsed() -> float:
    return _life[-1][0].time() if _life else _monotonic()


def _epoch() -> float:
    return DAWN.timestamp() + _life[-1][0].time() if _life else _time()


def _now() -> datetime:
    return DAWN + timedelta(seconds=_life[-1][0].time()) if _life else SYSTEM.now()


def _uuid(*_: Any, **__: Any) -> uuid.UUID:
    """Make an id that sorts by time, as the libraries want of theirs."""
    stamp = int(_epoch() * 1e6)
    _ids[0] += 1
    number = (stamp << 68) | (_ids[0] & 0xFFFFF) << 48 | int.from_bytes(_bytes(6), "big")
    number = number & ~(0xF << 76) | 0x7 << 76
    number = number & ~(0x3 << 62) | 0x2 << 62
    return uuid.UUID(int=number & (1 << 128) - 1)


_ids = [0]


def set_up() -> None:
    """Replace what reads time or chance; once, when all is imported."""
    import httpx._transports.default
    import langchain_core.utils.uuid as core_uuid
    import psycopg.waiting as waiting

    from daybook.demo.shop import clock as shop_clock
    from daybook.nodes.running import identity
    from daybook.tools.shop.services import SHOP_CONTRACT

    os.urandom = _bytes
    random._urandom = _bytes  # type: ignore[attr-defined]
    time.monotonic, time.time = _elapsed, _epoch
    time.time_ns = lambda: int(_epoch() * 1e9)
    _replaced(_monotonic, _elapsed)
    waiting.wait_async, waiting.wait_conn_async = wait, wait_connected  # type: ignore[assignment]
    follow_connections()
    _replaced(shop_clock.now, _now)
    identity.WORKER = "simulated"
    # An adopter's word on what else their shop answers (`evals.sim.shop`).
    told = replace(SHOP_CONTRACT, in_progress={IN_USE})
    _replaced(SHOP_CONTRACT, told)
    # Nothing here is secure, and reading what to trust takes longer than a purchase.
    context = ssl.create_default_context()
    httpx._transports.default.create_ssl_context = lambda *_, **__: context  # type: ignore[attr-defined]
    _replaced(core_uuid.uuid7, _uuid)
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    # What a dead process leaves is freed after its life, and cannot end well.
    sys.unraisablehook = lambda _: None


_OURS = ("daybook", "psycopg", "lang", "http", "h11", "anyio", "aiosmtp", "uvicorn", "starlette")


def _replaced(original: Any, by: Any) -> None:
    for module in list(sys.modules.values()):
        for name, value in list(vars(module).items()) if hasattr(module, "__dict__") else ():
            if value is original and module.__name__.startswith(_OURS):
                setattr(module, name, by)


@contextmanager
def playing(loop: VirtualLoop, seed: object) -> Iterator[None]:
    """Let a life be under way: its time and its chance are everybody's."""
    import langgraph.checkpoint.base.id as checkpoint_id

    random.seed(f"library {seed}")
    _ids[0] = 0
    checkpoint_id._last_v6_timestamp = None
    _life.append((loop, random.Random(f"bytes {seed}")))
    try:
        yield
    finally:
        _life.pop()
        random.seed()
