"""Count the functions of the write path that one approved write enters.

Between the approver's answer and the model's next decision; each function once, without those that
have no name (comprehensions, lambdas).
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from langgraph.types import Command

from daybook import Confirmed, Domain, FlowTable, Outcome, Prompt, Registry, build, write
from daybook.checkpoints.embedded.postgres import embedded_postgres
from daybook.checkpoints.postgres import open_postgres
from daybook.nodes.running.work import Resources
from daybook.testing import ScriptedModel

_PATH = Path("nodes") / "effects"


@write(operation=lambda args: f"order/{args['order_id']}/invoice")
async def send_invoice(order_id: str, *, ctx: Any) -> Outcome:
    """Send the invoice of an order."""
    return Confirmed({"invoice": order_id})


_DESK = Domain(
    name="desk",
    registry=Registry([send_invoice]),
    flow=FlowTable("ready", {}, {"ready": frozenset({"send_invoice"})}),
    prompt=Prompt(system="You send invoices."),
)


async def functions_entered(url: str) -> set[str]:
    """Return the functions of `nodes/effects` that one approved write enters.

    Args:
        url: of a database.
    """
    stored = _DESK.restored_types
    async with open_postgres(url, tenant_id="default", stored_types=stored) as postgres:
        model = ScriptedModel()
        model.then([("send_invoice", {"order_id": "O-1"})], "done")
        resources = Resources(postgres=postgres, model=model)
        agent = build(_DESK, lambda: resources, postgres.saver)
        config: Any = {"configurable": {"thread_id": "write-path", "user_id": "ada"}}
        await agent.ainvoke({"messages": [("user", "send it")]}, config)
        with _counted() as entered:
            await agent.ainvoke(Command(resume={"decisions": [{"type": "approve"}]}), config)
    return entered


@contextmanager
def _counted() -> Iterator[set[str]]:
    entered: set[str] = set()
    is_answered = False

    def enter(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal is_answered
        code = frame.f_code
        folder, name = Path(code.co_filename).parent, code.co_name
        if event != "call" or folder.parts[-2:] != _PATH.parts:
            return
        is_answered |= name == "approve"
        if is_answered and not name.startswith("<"):
            entered.add(f"{Path(code.co_filename).stem}.{code.co_qualname}")

    sys.setprofile(enter)
    try:
        yield entered
    finally:
        sys.setprofile(None)


def measured() -> int:
    """Count them on a Postgres of its own."""
    with tempfile.TemporaryDirectory() as home, embedded_postgres(Path(home)) as server:
        return len(asyncio.run(functions_entered(server.url)))
