"""What docs/merchants.md shows is what works, at the office that it speaks of."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from daybook import Registry
from daybook.domain import McpServer
from tests.mcp.agent import Shown

PAGE = (Path(__file__).parents[2] / "docs/merchants.md").read_text()


def test_the_example_of_the_page_is_declared_as_it_says(
    shown: Shown, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OFFICE_TOKEN", "t-0123456789")
    monkeypatch.chdir(tmp_path)
    used = [shown[name] for name in ("find_bookings", "cancel_booking", "book_room")]
    Path("office.json").write_text(json.dumps({"tools": used}))
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(example, "docs/merchants.md", "exec"), names)
    office = names["OFFICE"]
    assert isinstance(office, McpServer)
    assert "t-0123456789" not in repr(vars(office))
    registry = Registry(office.offered, office.steps)
    assert registry.effect("book_room").probe is not None
    kinds = {tool.name: tool.kind for tool in office.offered}
    assert kinds == {"find_bookings": "read", "cancel_booking": "write", "book_room": "write"}
