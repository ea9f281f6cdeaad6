"""A provider that follows a script: OpenAI's API, chat completions and responses, on real sockets."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from daybook.state.clock import SYSTEM
from tests.unit.tcp_server import tcp_server

APIS = {"chat": "gpt-5-mini", "responses": "gpt-5-pro"}
"""Each API and a model by whose name it is chosen."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Request:
    """Hold one request as it came over the wire."""

    path: str
    headers: Mapping[str, str]
    body: Json

    @property
    def is_chat(self) -> bool:
        return self.path.endswith("/chat/completions")

    @property
    def tools(self) -> dict[str, Json]:
        """Return the functions that the model is offered, by name; the APIs differ by a level."""
        sent = [tool["function"] if self.is_chat else tool for tool in self.body["tools"]]
        assert {tool["type"] for tool in self.body["tools"]} == {"function"}
        return {tool["name"]: tool for tool in sent}

    @property
    def results(self) -> list[str]:
        """Return what the calls of the conversation came to, in order."""
        if self.is_chat:
            return [text_in(m["content"]) for m in self.body["messages"] if m["role"] == "tool"]
        items = self.body["input"]
        outputs = [item for item in items if item.get("type") == "function_call_output"]
        return [text_in(item["output"]) for item in outputs]


def text_in(content: str | list[Json]) -> str:
    """Return a message's text, which may stand in blocks."""
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


@dataclass(frozen=True)
class Turn:
    """Hold what the model says in one answer.

    Attributes:
        calls: names with arguments; text is sent as it is, anything else as JSON.
        ends: how the provider says that it ended, in the words of chat completions; the usual way
            where it is empty, and not at all where it is None.
    """

    text: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    ends: str | None = ""

    def stream(self, request: Request) -> bytes:
        """Write the answer as a stream of the API that was asked, in small pieces."""
        calls = [(name, a if isinstance(a, str) else json.dumps(a)) for name, a in self.calls]
        ends = ("tool_calls" if calls else "stop") if self.ends == "" else self.ends
        if request.is_chat:
            events = [f"data: {json.dumps(event)}\n\n" for event in _chat(self.text, calls, ends)]
            return "".join([*events, "data: [DONE]\n\n" if ends else ""]).encode()
        return "".join(
            f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
            for event in _response(self.text, calls, ends)
        ).encode()


Answer = Callable[[asyncio.StreamWriter, Request], Awaitable[None]]
Scripted = str | list[tuple[str, Any]] | Turn | Answer


@dataclass
class Provider:
    """Answer each request with the next item of the script, and record it.

    It fails the test when the script is over, so that a request too many is seen.

    Attributes:
        always: what is answered whatever the script says, while it is set.
        models: names that it lists; None where it has no such list (404).
        lists: headers of the requests for that list.
    """

    port: int = 0
    script: list[Answer] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    always: Answer | None = None
    models: list[str] | None = None
    lists: list[Mapping[str, str]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def then(self, *turns: Scripted) -> None:
        """Go on with text, calls, a turn, or something worse."""
        self.script += [_answer(turn) for turn in turns]

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hold one conversation: a request and what is answered to it."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        body = await reader.readexactly(int(length[1]) if length else 0)
        first, *lines = head.split("\r\n")
        headers = {n.lower(): v for n, _, v in (line.partition(": ") for line in lines) if n}
        if first.startswith("GET /v1/models "):
            self.lists.append(headers)
            await _list_models(self.models, writer)
            return
        request = Request(first.split()[1], headers, json.loads(body))
        self.requests.append(request)
        assert self.always or self.script, "the provider was asked once more than it knows"
        await (self.always or self.script.pop(0))(writer, request)

    @asynccontextmanager
    async def away(self) -> AsyncIterator[None]:
        """Refuse connections for a while."""
        await self.down()
        yield
        await self.up()

    async def up(self) -> None:
        """Listen, on the same port as before."""
        self._open = AsyncExitStack()
        self.port = await self._open.enter_async_context(tcp_server(self.talk, self.port))

    async def down(self) -> None:
        """Listen no more: connections are refused."""
        await self._open.aclose()


@asynccontextmanager
async def providing() -> AsyncIterator[Provider]:
    """Run a provider for one test."""
    provider = Provider()
    await provider.up()
    try:
        yield provider
    finally:
        await provider.down()


def sends(stream: Callable[[Request], bytes]) -> Answer:
    """Send a stream as it stands, and end it in order."""

    async def answer(writer: asyncio.StreamWriter, request: Request) -> None:
        body = stream(request)
        whole = _chunk(body) + _chunk(b"") if body else _chunk(b"")
        writer.write(_head("transfer-encoding: chunked") + whole)
        await writer.drain()

    return answer


def status(code: int, said: str = "no", **headers: str) -> Answer:
    """Answer with an error, as OpenAI writes it; underscores in header names are hyphens."""
    body = json.dumps({"error": {"message": said, "type": "x", "param": None, "code": None}})
    shown = {
        "content-type": "application/json",
        "content-length": str(len(body)),
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }

    async def answer(writer: asyncio.StreamWriter, request: Request) -> None:
        lines = [f"HTTP/1.1 {code} X", *(f"{n}: {v}" for n, v in shown.items()), "", body]
        writer.write("\r\n".join(lines).encode())
        await writer.drain()

    return answer


def cut(turn: Turn, after: int) -> Answer:
    """Drop the connection after so many bytes of the stream; HTTP can see that it was cut."""

    async def answer(writer: asyncio.StreamWriter, request: Request) -> None:
        writer.write(_head("transfer-encoding: chunked") + _chunk(turn.stream(request)[:after]))
        await writer.drain()

    return answer


def ends_early(turn: Turn, after: int) -> Answer:
    """End the stream after so many bytes; to HTTP it looks like the end of the answer."""

    async def answer(writer: asyncio.StreamWriter, request: Request) -> None:
        writer.write(_head("connection: close") + turn.stream(request)[:after])
        await writer.drain()

    return answer


def stalls(turn: Turn, after: int) -> Answer:
    """Send so many bytes of the stream, and then nothing, with the connection open."""

    async def answer(writer: asyncio.StreamWriter, request: Request) -> None:
        await cut(turn, after)(writer, request)
        await asyncio.Event().wait()

    return answer


def drips(turn: Turn, seconds: float, hung_up: asyncio.Event | None = None) -> Answer:
    """Send one event of the stream each so many seconds; a turn that has no end is left open.

    Args:
        hung_up: is set when the other side has closed the connection.
    """

    async def answer(writer: asyncio.StreamWriter, request: Request) -> None:
        writer.write(_head("transfer-encoding: chunked"))
        try:
            for event in turn.stream(request).split(b"\n\n")[:-1]:
                writer.write(_chunk(event + b"\n\n"))
                await writer.drain()
                await SYSTEM.sleep(seconds)
                if writer.is_closing():
                    return
            if turn.ends is None:
                await asyncio.Event().wait()
            writer.write(_chunk(b""))
        finally:
            if hung_up is not None:
                hung_up.set()

    return answer


async def is_silent(writer: asyncio.StreamWriter, request: Request) -> None:
    """Never answer; the provider's end closes the connection."""
    await asyncio.Event().wait()


async def last_result(writer: asyncio.StreamWriter, request: Request) -> None:
    """Say what the last call came to."""
    await _answer(request.results[-1])(writer, request)


async def _list_models(names: list[str] | None, writer: asyncio.StreamWriter) -> None:
    body = json.dumps({"data": [{"id": name} for name in names or ()]})
    code = 404 if names is None else 200
    writer.write(f"HTTP/1.1 {code} X\r\ncontent-length: {len(body)}\r\n\r\n{body}".encode())
    await writer.drain()


def _answer(turn: Scripted) -> Answer:
    if callable(turn):
        return turn
    if isinstance(turn, str):
        turn = Turn(turn)
    said = turn if isinstance(turn, Turn) else Turn(calls=tuple(turn))
    return sends(said.stream)


def _head(framing: str) -> bytes:
    return f"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n{framing}\r\n\r\n".encode()


def _chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def _pieces(text: str) -> Iterator[str]:
    return (text[start : start + 7] for start in range(0, len(text), 7))


def _chat(text: str, calls: list[tuple[str, str]], ends: str | None) -> Iterator[Json]:
    def event(delta: Json, finish: str | None = None) -> Json:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {**about, "choices": [choice]}

    about = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    yield event({"role": "assistant", "content": ""})
    for piece in _pieces(text):
        yield event({"content": piece})
    for index, (name, args) in enumerate(calls):
        function = {"name": name, "arguments": ""}
        first = {"index": index, "id": f"c{index}", "type": "function", "function": function}
        yield event({"tool_calls": [first]})
        for piece in _pieces(args):
            yield event({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    if ends is not None:
        yield event({}, ends)
        usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        yield {**about, "choices": [], "usage": usage}


def _response(text: str, calls: list[tuple[str, str]], ends: str | None) -> Iterator[Json]:
    about: Json = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m"}
    about |= {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    yield {"type": "response.created", "response": {**about, "status": "in_progress", "output": []}}
    output: list[Json] = []
    if text:
        place: Json = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
        item: Json = {"id": "msg_1", "type": "message", "role": "assistant", "content": []}
        yield {"type": "response.output_item.added", "output_index": 0, "item": item}
        part = {"type": "output_text", "text": "", "annotations": []}
        yield {"type": "response.content_part.added", **place, "part": part}
        for piece in _pieces(text):
            yield {"type": "response.output_text.delta", **place, "delta": piece}
        yield {"type": "response.output_text.done", **place, "text": text}
        item = {**item, "status": "completed", "content": [{**part, "text": text}]}
        yield {"type": "response.output_item.done", "output_index": 0, "item": item}
        output.append(item)
    for index, (name, args) in enumerate(calls, len(output)):
        item = {"id": f"fc_{index}", "type": "function_call", "call_id": f"c{index}", "name": name}
        place = {"item_id": item["id"], "output_index": index}
        added = {**item, "arguments": "", "status": "in_progress"}
        yield {"type": "response.output_item.added", "output_index": index, "item": added}
        for piece in _pieces(args):
            yield {"type": "response.function_call_arguments.delta", **place, "delta": piece}
        yield {"type": "response.function_call_arguments.done", **place, "arguments": args}
        item |= {"arguments": args, "status": "completed"}
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
        output.append(item)
    usage: Json = {"input_tokens": 11, "output_tokens": 7, "total_tokens": 18}
    usage |= {"input_tokens_details": {"cached_tokens": 0}}
    usage |= {"output_tokens_details": {"reasoning_tokens": 0}}
    whole = {**about, "output": output, "usage": usage}
    if ends in ("stop", "tool_calls"):
        yield {"type": "response.completed", "response": {**whole, "status": "completed"}}
    elif ends is not None:
        why = {"reason": {"length": "max_output_tokens"}.get(ends, ends)}
        whole |= {"status": "incomplete", "incomplete_details": why}
        yield {"type": "response.incomplete", "response": whole}
