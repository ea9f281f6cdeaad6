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

MODULES = {
    "daybook.graph.build": ["build"],
    "daybook.graph.serve": ["served"],
    "daybook.state.effects.bind": ["take", "take_all", "take_into"],
    "daybook.state.effects.exact": ["inexact", "read_exactly"],
    "daybook.state.flow": ["FlowTable"],
    "daybook.state.effects.guarantees": ["Guarantees"],
    "daybook.state.effects.outcome": ["Confirmed", "Declined"],
    "daybook.state.money": ["in_units"],
    "daybook.state.panel": ["Panel"],
    "daybook.state.people.questions.assent": ["is_assent"],
    "daybook.state.people.policy": ["Rule"],
    "daybook.state.effects.reference": ["naming"],
    "daybook.state.receipts": ["ReceiptLine"],
    "daybook.tools.bumps": ["Bump"],
    "daybook.tools.receipts.claims": ["kinds_of"],
    "daybook.tools.shop.carts": ["is_named_in"],
    "daybook.tools.services.classify": ["classify"],
    "daybook.tools.services.contract": ["Contract"],
    "daybook.tools.domain": ["Domain", "Prompt"],
    "daybook.tools.draft": ["ActionDraft", "StepDraft"],
    "daybook.tools.kinds": ["Undo", "change", "hybrid", "plan", "read", "write"],
    "daybook.tools.mcp.declaration": ["Probe", "digest_of"],
    "daybook.tools.mcp.server": ["McpServer"],
    "daybook.tools.mcp.wire": ["result_of"],
    "daybook.tools.registry": ["Registry"],
    "daybook.state.plain": ["in_a_line", "in_markdown", "plain", "plain_json"],
    "daybook.tools.signature": ["passed_through"],
    "daybook.tools.services.request": ["written"],
}


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_do_what_they_say(name: str):
    found = doctest.DocTestFinder().find(importlib.import_module(name))
    examples = {test.name.removeprefix(f"{name}."): test for test in found if test.examples}
    assert set(MODULES[name]) <= examples.keys()
    runner = doctest.DocTestRunner()
    for test in examples.values():
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_every_module_with_an_example_is_looked_at():
    root = Path(__file__).parents[2]
    found = {
        ".".join(("daybook", *file.relative_to(root).with_suffix("").parts))
        for room in ("graph", "nodes", "state", "tools")
        for file in (root / room).rglob("*.py")
        if re.search(r"^ +Example:\n +>>>", file.read_text(), re.MULTILINE)
    }
    assert found == {*MODULES}


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
