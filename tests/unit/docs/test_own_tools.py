"""The page on tools of one's own is taken from a domain that runs."""

import json
import re
from dataclasses import fields
from pathlib import Path

from daybook.state.effects.guarantees import Guarantees
from daybook.tools.kinds import Declared

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/own_tools.md").read_text()


def test_every_excerpt_stands_in_the_domain_as_it_is_shown():
    written = "".join(
        (ROOT / "tests/rooms" / f"{name}.py").read_text() for name in ("domain", "app")
    )
    excerpts = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(excerpts) == 2
    assert all(excerpt in written for excerpt in excerpts)


def test_the_table_names_what_can_be_declared_and_nothing_else():
    rows = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    named = {word.partition("=")[0] for row in rows for word in re.findall(r"`([^`]+)`", row)}
    declared = {*Declared.__annotations__, *(field.name for field in fields(Guarantees))}
    assert named <= declared
    assert {*Declared.__annotations__} - named == {"service", "guarantees"}


def test_what_is_linked_and_served_is_there():
    links = re.findall(r"\]\((.*?)\)", PAGE)
    assert links
    assert all((ROOT / "docs" / link.partition("#")[0]).exists() for link in links)
    served = json.loads((ROOT / "tests/rooms/langgraph.json").read_text())
    assert served["graphs"]["rooms"]["path"] == "tests.rooms.app:graph"
    assert served["checkpointer"]["path"] == "tests.rooms.app.checkpointer"
