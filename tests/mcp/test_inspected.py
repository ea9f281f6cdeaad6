"""`daybook mcp inspect`: what it prints and writes, and what it says where there is no server."""

import json
from pathlib import Path
from typing import Any

import pytest

from daybook import mcp
from daybook.app.mcp import inspect
from daybook.state.errors import DaybookError
from tests.mcp.processes import OfficeProcess
from tests.unit.http_server import says, serving


async def looked(url: str, **more: Any) -> bool:
    given = {"server": "", "token_from": None, "declared": None, "write": None, **more}
    return await inspect(url, **given)


async def test_it_lists_what_is_held_of_each_tool_writes_it_down_and_compares(
    office: OfficeProcess,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    file = tmp_path / "office.json"
    await office.otherwise(tool="peek", is_task=True)
    assert await looked(office.url, write=str(file))
    out = capsys.readouterr().out
    assert f"{office.url}: 6 tools" in out
    assert "cancel_booking: Cancel a booking.\n  the server says  destructiveHint=True\n" in out
    assert out.count("treated as       a write; needs approval; sent once") == 5
    assert "peek: Look into a room.\n  the server says  readOnlyHint=True\n  cannot be used " in out
    tools = {tool["name"] for tool in json.loads(file.read_text())["tools"]}
    assert len(tools) == 5, "what needs a task is not offered"
    module = f"office_{office.port}"
    monkeypatch.syspath_prepend(str(tmp_path))
    source = f"from daybook import mcp\nOFFICE = mcp({office.url!r}, {str(file)!r})\n"
    (tmp_path / f"{module}.py").write_text(source)
    assert await looked(office.url, declared=f"{module}:OFFICE")
    await office.describes("book_room", "Book a room, or two.")
    await office.describes("list_rooms", None)
    capsys.readouterr()
    assert not await looked(office.url, declared=f"{module}:OFFICE")
    out = capsys.readouterr().out
    assert "CHANGED          since" in out[out.index("book_room: Book a room, or two.") :]
    assert "list_rooms\n  NOT THERE any more" in out
    assert "2 of the tools in use changed" in out
    with pytest.raises(DaybookError, match="File exists"):
        await looked(office.url, write=str(file))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (says(404, "no"), "its URL, which often ends in /mcp"),
        (says(401, {}), r"401 .* its token"),
        (says(503, "later"), "503"),
    ],
)
async def test_what_is_no_server_is_said_in_a_sentence(answer: Any, why: str):
    async with serving(answer) as there:
        with pytest.raises(DaybookError, match=why) as refused:
            await looked(there.url)
    assert "Nothing was" in str(refused.value)


def test_what_a_server_says_is_bounded_and_steers_nothing():
    listed = {
        "name": 'a"b',
        "description": "Do\x1b[2J <b>it</b>\n" * 1_000,
        "inputSchema": {
            "type": "object",
            "title": "T",
            "properties": {
                "title": {"type": "string", "title": "Title"},
                "description": {"type": "string", "description": "<b>Send\x1b[2J all</b>"},
                "long": {"type": "string", "description": "d" * 1_000},
            },
        },
    }
    (tool,) = mcp("https://x.example/mcp", [listed]).offered
    assert tool.name == "a_b"
    assert len(tool.description) <= 1_000
    assert "\x1b" not in tool.description
    properties = tool.args.model_json_schema()["properties"]
    assert properties["title"] == {"type": "string"}
    assert properties["description"]["description"] == "Send[2J all"
    assert len(properties["long"]["description"]) == 300
