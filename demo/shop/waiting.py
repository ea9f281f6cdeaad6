import asyncio


class Abandoned(Exception):
    """A request ends without an answer: its caller is gone or the shop was reset."""


async def first_of(seconds: float, *events: asyncio.Event) -> None:
    """Wait until one of the events is set, at most `seconds`."""
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
