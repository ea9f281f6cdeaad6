"""The example of the page on the HTTP API does what it says."""

import re
from pathlib import Path

import pytest

from tests.apart.servers import PROJECT
from tests.conftest import Shop
from tests.dev_server import DevServer

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGE = Path(PROJECT).with_name("docs") / "http_api.md"


async def test_the_pages_example_buys_through_the_server(served: DevServer, shop: Shop, capsys):
    [code] = re.findall(r"```python\n(import asyncio.*?)```", PAGE.read_text(), re.DOTALL)
    body = code.replace("http://127.0.0.1:2024", served.url).replace("asyncio.run(main())", "")
    namespace: dict = {}
    exec(compile(body, "http_api.md", "exec"), namespace)
    await namespace["main"]()
    printed = capsys.readouterr().out
    assert "Check out for 131.90 USD" in printed
    assert "Your order is placed" in printed
    assert shop.happened() == ["reserve", "charge", "order", "mail"]
