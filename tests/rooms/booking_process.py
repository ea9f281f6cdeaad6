"""A process that books a room, to be killed in the middle.

Run as a module with a database URL, the office's URL and a thread id.
"""

import asyncio
import sys

from tests.rooms.agent import rooms_agent


async def book(database_url: str, office_url: str, thread_id: str) -> None:
    """Note a meeting, book the room and approve."""
    async with rooms_agent(database_url, office_url) as agent:
        talk = await agent.asked_to_book(thread_id)
        await talk.approve()


if __name__ == "__main__":
    asyncio.run(book(*sys.argv[1:]))
