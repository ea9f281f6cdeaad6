"""The examples in the docstrings of what adopters use run, and there are some."""

import doctest
import importlib

import pytest

MODULES = {
    "graph.middleware.effects": ["write"],
    "state.bind": ["take", "take_all", "take_into"],
    "state.exact": ["inexact", "read_exactly"],
    "state.flow": ["FlowTable"],
    "state.guarantees": ["Guarantees"],
    "state.outcome": ["Confirmed", "Declined"],
    "state.policy": ["Rule"],
    "tools.classify": ["classify"],
    "tools.contract": ["Contract"],
    "tools.domain": ["Domain", "Prompt"],
    "tools.draft": ["ActionDraft", "StepDraft"],
    "tools.kinds": ["Undo", "change", "hybrid", "plan", "read", "write"],
    "tools.registry": ["Registry"],
    "tools.request": ["written"],
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
