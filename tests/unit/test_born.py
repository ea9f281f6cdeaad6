"""What a request would write into a new thread is noted, and no body is read before it is bounded."""

import json
from typing import Any

import pytest

from daybook.app.server.layers.born import SUPERSTEPS, Born
from daybook.app.server.layers.of_domain import OfDomain
from daybook.app.server.layers.redacting import Redacting
from daybook.app.server.layers.stack import LAYERS


def scope(path: str) -> dict[str, Any]:
    return {"type": "http", "method": "POST", "path": path, "headers": [], "query_string": b""}


@pytest.mark.parametrize(
    ("path", "body", "noted"),
    [
        ("/threads", {"supersteps": [{"updates": []}]}, True),
        ("/threads/", {"supersteps": [{"updates": []}]}, True),
        ("/threads", {"supersteps": []}, False),
        ("/threads", {"metadata": {"supersteps": [1]}}, False),
        ("/threads/search", {"supersteps": [1]}, None),
    ],
)
async def test_what_a_thread_would_be_born_with_is_noted_and_the_body_goes_on(
    path: str, body: Any, noted: bool | None
):
    given = [{"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}]
    reached: list[Any] = []

    async def receive() -> Any:
        return given.pop()

    async def server(scope: Any, receive: Any, send: Any) -> None:
        reached.extend([scope.get(SUPERSTEPS), json.loads((await receive())["body"])])

    await Born(server)(scope(path), receive, None)  # type: ignore[arg-type]
    assert reached == [noted, body]


async def test_what_stands_before_the_limits_reads_no_body():
    kinds = [layer.cls for layer in LAYERS]
    assert kinds.index(Redacting) < kinds.index(Born)
    reached: list[str] = []

    async def receive() -> Any:
        raise AssertionError("a body is read")

    async def server(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope["path"])

    # What a domain hears has limits of its own.
    for kind in [one for one in kinds[: kinds.index(Redacting)] if one is not OfDomain]:
        await kind(server)(scope("/threads"), receive, None)  # type: ignore[arg-type, call-arg]
    assert set(reached) == {"/threads"}
