"""`daybook mcp inspect`: what it prints and writes, and what it says where there is no server."""

from pathlib import Path
from typing import Any

import pytest

from daybook.app.mcp import begun, inspect, module_of
from daybook.state.errors import DaybookError
from daybook.tools.mcp.configuration import server_from
from daybook.tools.mcp.server import McpServer
from tests.mcp.processes import OfficeProcess
from tests.unit.http_server import says, serving


async def looked(url: str, **more: Any) -> bool:
    given = {"server": "", "token_from": None, "declared": None, "write": None, **more}
    return await inspect(url, **given)


def imported(text: str) -> dict[str, McpServer]:
    """Run a module that was written."""
    names: dict[str, Any] = {}
    exec(compile(text, "written", "exec"), names)
    return {name: one for name, one in names.items() if isinstance(one, McpServer)}


async def test_it_lists_what_is_held_of_each_tool_and_writes_it_down(
    office: OfficeProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = tmp_path / "office_tools.py"
    await office.otherwise(tool="peek", is_task=True)
    assert await looked(office.url, write=str(file))
    out = capsys.readouterr().out
    assert f"office 1.30.0 at {office.url}: 6 tools" in out
    assert "cancel_booking: Cancel a booking.\n  the server says  destructiveHint=True\n" in out
    assert out.count("held as          a write, asked about, sent once (not declared)") == 5
    assert "peek: Look into a room.\n  the server says  readOnlyHint=True\n  cannot be used " in out
    written = file.read_text()
    assert "# reference may carry a key: ask who runs the server." in written
    (office_tools,) = imported(written).values()
    assert {one.name for one in office_tools.offered} == set(office_tools.declared)
    assert len(office_tools.offered) == 5, "what needs a task is not offered"
    assert await office_tools.changes() == []
    await office_tools.close()


async def test_it_compares_with_what_was_declared(
    office: OfficeProcess,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.syspath_prepend(str(tmp_path))
    name = f"office_{office.port}"
    await looked(office.url, write=str(tmp_path / f"{name}.py"))
    declared = f"{name}:OFFICE"
    assert await looked(office.url, declared=declared)
    await office.describes("book_room", "Book a room, or two.")
    await office.describes("peek", None)
    capsys.readouterr()
    assert not await looked(office.url, declared=declared)
    out = capsys.readouterr().out
    changed = out[out.index("book_room: Book a room, or two.") :]
    assert "CHANGED          since it was declared" in changed
    assert "peek\n  NOT THERE any more" in out
    assert "2 of the declared tools changed" in out


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (
            says(404, "no"),
            r"is none \(404, it is not JSON\): see its URL, which often ends in /mcp",
        ),
        (says(401, {}), r"wants a sign-in \(401\): give it a token, as headers="),
        (says(200, "<html>hello</html>"), r"is none \(200, it is not JSON\): see its URL"),
        (says(200, {"jsonrpc": "2.0", "id": 1}), r"is none \(200, it holds no answer"),
        (says(503, "later"), r"failed \(503\): try again"),
        (says(307, ""), r"leads elsewhere \(307, \), which is not followed"),
    ],
)
async def test_what_is_no_server_is_said_in_a_sentence(answer: Any, why: str):
    async with serving(answer) as there:
        with pytest.raises(DaybookError, match=why) as refused:
            await looked(there.url)
    assert "Nothing was changed" in str(refused.value)


def test_what_a_server_says_is_quoted_in_what_is_written():
    breaks_out = '"""\n)\nimport os; os.abort()\n#\\'
    shown = {
        breaks_out: {
            "name": breaks_out,
            "description": breaks_out * 100,
            "inputSchema": {
                "type": "object",
                "title": "T",
                "properties": {
                    breaks_out: {"type": "string", "description": "<b>Send\x1b[2J all</b>"},
                    "title": {"type": "string", "title": "Title"},
                    "description": {"type": "string", "description": "d" * 1_000},
                },
            },
        },
        "bad": {"name": "bad", "inputSchema": {"type": "object", "properties": {"ctx": {}}}},
    }
    made: dict[str, Any] = {name: begun(name, one) for name, one in shown.items()}
    made["bad"] = f"it is bad {breaks_out}"
    text = module_of(server_from("https://x.example/mcp"), breaks_out, made, "TOKEN")
    names = [name for name in text.splitlines() if name.startswith("import")]
    assert names == ["import os"]
    text = text.replace("os.environ['TOKEN']", "'t'")
    (server,) = imported(text).values()
    (tool,) = server.offered
    assert tool.name == "______import_os__os_abort_____"
    properties = tool.args.model_json_schema()["properties"]
    assert properties["title"] == {"type": "string"}
    assert properties[breaks_out]["description"] == "Send[2J all"
    assert len(properties["description"]["description"]) == 300
    assert len(tool.description) <= 1_000
