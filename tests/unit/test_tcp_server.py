"""The tests' own server leaves no connection open, however early its world ends."""

import asyncio
import gc
import socket
import warnings

from daybook.state.clock import SYSTEM
from tests.unit.tcp_server import tcp_server


def test_a_connection_that_is_made_as_all_ends_is_closed():
    async def talk(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.read()

    async def ends_at_once(others: list[socket.socket]) -> None:
        async with tcp_server(talk) as port:
            others.append(socket.create_connection(("127.0.0.1", port)))
            while not asyncio.all_tasks() - {asyncio.current_task()}:
                await SYSTEM.sleep(0)

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", ResourceWarning)
        others: list[socket.socket] = []
        asyncio.run(ends_at_once(others))
        for other in others:
            other.close()
        gc.collect()
    assert [str(one.message) for one in told] == []
