"""The examples in the docstrings of what adopters use run, and there are some."""

import doctest
import importlib
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from daybook.state.clock import SYSTEM
from daybook.state.effects.deadline import Deadline
from daybook.tools import kinds
from daybook.tools.services.http import HttpService
from tests.unit.http_server import says, serving

ROOT = Path(__file__).parents[2]
MODULES = [
    ".".join(("daybook", *file.relative_to(ROOT).with_suffix("").parts))
    for room in ("graph", "nodes", "state", "tools")
    for file in sorted((ROOT / room).rglob("*.py"))
    if re.search(r"^ +Example:\n +>>>", file.read_text(), re.MULTILINE)
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_do_what_they_say(name: str):
    examples = [
        one for one in doctest.DocTestFinder().find(importlib.import_module(name)) if one.examples
    ]
    assert examples
    runner = doctest.DocTestRunner()
    for one in examples:
        runner.run(one)
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.parametrize(
    ("name", "args", "sent"),
    [("write", {"order_id": "O-1"}, "POST /invoices"), ("hybrid", {"room": "Barn"}, "POST /holds")],
)
async def test_the_example_of_an_effect_sends_what_it_says(name, args, sent):
    """Declaring it runs nothing of its body."""
    (example,) = doctest.DocTestFinder(recurse=False).find(getattr(kinds, name), name, kinds)
    doctest.DocTestRunner().run(example, clear_globs=False)
    (effect,) = [one for one in example.globs.values() if isinstance(one, kinds.EffectTool)]
    async with serving(says(200, {"id": "1"})) as service:
        client = HttpService(service.url)
        ctx = SimpleNamespace(
            services=client, key="order/1", deadline=Deadline(SYSTEM.monotonic() + 5)
        )
        await effect.run(**args, ctx=ctx)
        await client.close()
    assert service.requests[0].startswith(sent)
