"""A process that returns an item of an order, and is killed at a moment of it.

Run as a module with the URLs of a database and a retailer, a world, and the moment.
"""

import asyncio
import sys
from typing import Any

from daybook.state.fault_points import arm, die_at
from evals.tau_retail.data import find
from tests.apart.recorded.runs import retail_agent
from tests.conversation import Conversation

RETURN: dict[str, Any] = {
    "order_id": "#W2378156",
    "item_ids": ["1151293680"],
    "payment_method_id": "credit_card_9513926",
}


async def return_item(database: str, retailer: str, world: str, moment: str) -> None:
    """Let the model decide a return, and die at the moment."""
    async with retail_agent(find(), database, retailer, world) as agent:
        agent.model.then([("return_delivered_order_items", RETURN)])
        arm(die_at(moment))
        await Conversation(agent.graph, thread=world).say("yes", "m-1")


if __name__ == "__main__":
    asyncio.run(return_item(*sys.argv[1:]))
