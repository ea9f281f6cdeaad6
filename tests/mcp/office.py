"""An MCP server that rents rooms out: a process of its own.

It has a file for what really happened, which is the judge of every test. Run as a module it talks
over stdio. Over HTTP its tools can be described otherwise, made tasks, and taken away while it
runs: POST /otherwise.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, ClassVar

import anyio
import uvicorn
from mcp.server.fastmcp import FastMCP
from mcp.types import Tool, ToolAnnotations, ToolExecution
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

READS = ToolAnnotations(readOnlyHint=True)

FULL, HANGS, DIES, DIES_FIRST = "Full", "Hangs", "Dies", "Dies first"
"""Rooms: one that is refused, one that is booked and never answered, and the server's own death."""


class Office(FastMCP):
    """List some tools as run as tasks alone."""

    tasks: ClassVar[set[str]] = set()

    async def list_tools(self) -> list[Tool]:
        listed = await super().list_tools()
        for one in listed:
            if one.name in self.tasks:
                one.execution = ToolExecution(taskSupport="required")
        return listed


def open_office(book: Path, port: int) -> FastMCP:
    """Make the server; what it does is appended to `book`, a line each."""
    office = Office("office", host="127.0.0.1", port=port)

    def happened(what: str, **about: Any) -> dict[str, Any]:
        lines = done(book)
        one = {"what": what, "id": f"{what[0].upper()}-{len(lines) + 1}", **about}
        with book.open("a") as file:
            file.write(json.dumps(one) + "\n")
        return one

    @office.tool(annotations=READS)
    def list_rooms(day: str) -> dict[str, Any]:
        """List the rooms that are free on a day."""
        return {"rooms": [{"room": "Barn", "seats": 12}], "day": day}

    @office.tool(annotations=READS)
    def peek(room: str) -> dict[str, Any]:
        """Look into a room."""
        return happened("peeked", room=room)

    @office.tool(annotations=READS)
    def find_bookings(reference: str) -> dict[str, Any]:
        """Find bookings by their reference."""
        return {"bookings": [one for one in done(book) if one.get("reference") == reference]}

    @office.tool()
    async def book_room(room: str, title: str, reference: str = "") -> dict[str, Any]:
        """Book a room."""
        if room == FULL:
            raise ValueError("FULL: the room is taken")
        if room == DIES_FIRST:
            happened("died")
            os._exit(1)
        one = happened("booked", room=room, title=title, reference=reference)
        if room == DIES:
            os._exit(1)
        if room == HANGS:
            await anyio.Event().wait()
        return one

    @office.tool(annotations=ToolAnnotations(idempotentHint=True))
    def book_once(room: str, idempotency_key: str) -> dict[str, Any]:
        """Book a room, once under a key."""
        known = [one for one in done(book) if one.get("key") == idempotency_key]
        return known[0] if known else happened("booked", room=room, key=idempotency_key)

    @office.tool(annotations=ToolAnnotations(destructiveHint=True))
    def cancel_booking(booking_id: str) -> dict[str, Any]:
        """Cancel a booking."""
        return happened("cancelled", booking_id=booking_id)

    @office.custom_route("/otherwise", methods=["POST"])
    async def otherwise(request: Request) -> Response:
        said = await request.json()
        known = office._tool_manager._tools
        if "is_task" in said:
            office.tasks.add(said["tool"])
        elif "description" in said:
            known[said["tool"]].description = said["description"]
        else:
            del known[said["tool"]]
        return JSONResponse({})

    return office


def done(book: Path) -> list[dict[str, Any]]:
    """Return what really happened, in order."""
    return [json.loads(line) for line in book.read_text().splitlines()] if book.exists() else []


def main(book: Path, port: int, tell: Connection) -> None:
    """Serve over HTTP until somebody ends this process; tell the port."""
    sock = socket.create_server(("127.0.0.1", port))
    app = open_office(book, port).streamable_http_app()
    tell.send(sock.getsockname()[1])
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[sock])


def main_stdio(book: Path) -> None:
    """Serve whoever started this process, and write down what it was given."""
    print("a word to nobody", file=sys.stderr)  # noqa: T201
    started = {"what": "started", "pid": os.getpid(), "env": dict(os.environ)}
    with book.open("a") as file:
        file.write(json.dumps(started) + "\n")
    open_office(book, 0).run("stdio")


if __name__ == "__main__":
    main_stdio(Path(sys.argv[1]))
