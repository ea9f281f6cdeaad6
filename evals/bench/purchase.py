"""What one purchase costs the serving process: three runs and four effects, over a true shop.

`python -m evals.bench.purchase URL FOLDER PURCHASES` prints it, in milliseconds: a process of its
own, as the one that serves is, where no garbage of others is looked through.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time  # noqa: TID251  (of the CPU, which is no time of day)
import uuid
from pathlib import Path

from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from daybook.checkpoints.postgres import open_postgres
from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.nodes.running.work import Resources
from daybook.tools.shop.domain import SHOP
from daybook.tools.shop.services import reach_shop
from evals.bench.agents import ScriptedModel
from evals.servers import SKU, open_shop

_WARM_UP = 3
_DECIDES: tuple[AIMessage, ...] = (
    AIMessage("", tool_calls=[{"name": "add_to_cart", "args": {"sku": SKU}, "id": "a"}]),
    AIMessage("It is in the cart."),
    AIMessage("", tool_calls=[{"name": "checkout", "args": {}, "id": "b"}]),
    AIMessage("Thank you."),
)


class _Buyer(ScriptedModel):
    """Decide on one purchase after the other."""

    asked: int = 0

    def decide(self, super_step: int) -> AIMessage:
        """Return the next message of a purchase."""
        message = _DECIDES[self.asked % len(_DECIDES)].model_copy()
        self.asked += 1
        return message


async def purchase_cpu_ms(url: str, folder: Path, purchases: int) -> float:
    """Buy a few times; return the median processor time of this process, in milliseconds.

    Args:
        url: an empty database.
        folder: for the shop, which is a process of its own.
        purchases: how many are measured.

    Raises:
        RuntimeError: a purchase did not have its four effects.
    """
    async with open_shop(folder) as shop:
        services = await reach_shop(shop.url, shop.smtp_url)
        try:
            async with open_postgres(
                url, tenant_id="default", stored_types=SHOP.restored_types
            ) as postgres:
                resources = Resources(
                    postgres=postgres,
                    model=_Buyer(),
                    services=services,
                    promises=services.guarantees,
                    world=services.shop_id,
                )
                graph = build(SHOP, lambda: resources, postgres.saver)
                taken = [await _bought(graph) for _ in range(_WARM_UP + purchases)]
        finally:
            await services.close()
        happened = len(await shop.effects())
        if happened != 4 * len(taken):
            raise RuntimeError(f"{len(taken)} purchases had {happened} effects")
        return statistics.median(taken[_WARM_UP:])


async def _bought(graph: GuardedGraph) -> float:
    thread = {"thread_id": str(uuid.uuid4()), "user_id": "ada", "role": "customer"}
    config: RunnableConfig = {"configurable": thread}
    began = time.process_time()
    for given in ("add boots to the cart", "check out"):
        said = {"role": "user", "content": given, "id": str(uuid.uuid4())}
        await graph.ainvoke({"messages": [said]}, config)
    await graph.ainvoke(Command(resume={"decisions": [{"type": "approve"}]}), config)
    return (time.process_time() - began) * 1000


if __name__ == "__main__":
    _, database, place, count = sys.argv
    print(asyncio.run(purchase_cpu_ms(database, Path(place), int(count))))
