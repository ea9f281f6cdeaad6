"""A process in which a model decides as it is told, to be killed in the middle.

Run as a module with a database URL, the depot's URL, a thread id and the calls as JSON;
DAYBOOK_DIE_AT says where it dies.
"""

import asyncio
import json
import os
import sys

from daybook.state.fault_points import VARIABLE, arm, die_at
from tests.parcels.agent import parcels_agent


async def send(database_url: str, depot_url: str, thread_id: str, calls: str) -> None:
    """Let the model decide."""
    async with parcels_agent(database_url, depot_url) as agent:
        agent.model.then([(name, args) for name, args in json.loads(calls)], "done")
        arm(die_at(os.environ[VARIABLE]))
        await agent.talk(thread_id).say("go", "m-1")


if __name__ == "__main__":
    asyncio.run(send(*sys.argv[1:]))
