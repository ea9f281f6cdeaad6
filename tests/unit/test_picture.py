"""The graph's picture: all of its ways and no other, and a main path that can be followed."""

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, cast

import pytest
from langgraph.graph import END, START

from daybook.app.picture import print_picture
from daybook.graph.build import NODES, build
from daybook.graph.picture import mermaid
from daybook.graph.settings.environment import settings_from
from daybook.nodes.running.work import Resources
from daybook.tools.domain import Domain
from daybook.tools.shop.domain import SHOP
from tests.rooms.domain import ROOMS

MAIN_PATH = [START, "receive", "decide", "intend", "approve", "execute"]

_ARROW = re.compile(r'(\w+) (<?)(-->|-\.->)(?:\|"(.*)"\|)? (\w+)')
_LIST = re.compile(r'(\w+) -\.+-> (\w+)>"(.*)"]')
_NAMED = {"begin": START, "over": END, "end": END}


@dataclass
class Seen:
    """Hold what a person sees in a picture.

    Attributes:
        ways: from where to where, with its words.
        lines: arrows that are drawn, and those to lists.
        whole: of them, those that are not dotted.
        nodes: what is drawn, from the top, boxes and lists among them.
    """

    ways: list[tuple[str, str, str]] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)
    whole: list[tuple[str, str]] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)


def seen(picture: str) -> Seen:
    """Read a picture as its reader does: an arrow at a box is one at each node in it."""
    found, boxes, box = Seen(), dict[str, list[str]](), ""
    for line in picture.partition("flowchart TD\n")[2].split("\n"):
        text = line.strip()
        if text.startswith("subgraph"):
            box = text.split()[1]
            boxes[box] = []
            found.nodes.append(box)
        elif text == "end":
            box = ""
        elif listed := _LIST.fullmatch(text):
            source, name, inside = listed.groups()
            found.nodes.append(name)
            found.lines.append((source, name))
            for way in re.split(", |<br>", inside):
                why, _, target = way.partition(": ")
                found.ways.append((source, _NAMED.get(target, target), why))
        elif arrow := _ARROW.fullmatch(text):
            source, back, line_, words, target = arrow.groups()
            there, _, again = (words or "").partition(" / ")
            ends = [boxes.get(one, [_NAMED.get(one, one)]) for one in (source, target)]
            found.ways += _ways(ends[0], ends[1], there)
            found.ways += _ways(ends[1], ends[0], again or there) if back else []
            if source not in (inner := [one for some in boxes.values() for one in some]):
                found.lines.append((_NAMED.get(source, source), _NAMED.get(target, target)))
            if line_ == "-->" and source not in inner:
                found.whole.append(found.lines[-1])
        elif box:
            boxes[box].append(text)
        else:
            name = text.partition("(")[0]
            found.nodes.append(_NAMED.get(name, name))
    return found


def _ways(sources: list[str], targets: list[str], words: str) -> list[tuple[str, str, str]]:
    whys = words.split(", ") if words else [""]
    given = whys if len(whys) == len(targets) else [words] * len(targets)
    return [
        (source, target, why)
        for source in sources
        for target, why in zip(targets, given, strict=True)
    ]


def drawn(domain: Domain) -> Any:
    return build(domain, lambda: cast(Resources, None)).get_graph()


@pytest.mark.parametrize("domain", [SHOP, ROOMS], ids=lambda domain: domain.name)
def test_a_picture_has_every_way_of_the_graph_with_its_words_and_no_other(domain: Domain):
    graph = drawn(domain)
    ways = {(edge.source, edge.target, edge.data or "") for edge in graph.edges}
    picture = seen(mermaid(graph))
    assert len(picture.ways) == len(graph.edges)
    assert set(picture.ways) == ways


def test_few_arrows_are_drawn_and_the_main_path_is_whole_and_runs_from_top_to_bottom():
    picture = seen(mermaid(drawn(SHOP)))
    assert len(picture.lines) < len(picture.ways) / 2, "lists take the place of the others"
    place = {name: at for at, name in enumerate(picture.nodes)}
    for source, target in pairwise(MAIN_PATH):
        assert (source, target) in picture.whole
    # Every arrow runs downwards, so that no way of laying it out turns the main path round.
    assert all(place[source] <= place[target] for source, target in picture.lines)


def test_the_nodes_are_drawn_in_the_order_in_which_they_are_declared():
    graph = drawn(SHOP)
    names = [START, *(node.__name__ for node in NODES), END]
    assert list(graph.nodes) == names
    places = [(names.index(edge.source), names.index(edge.target)) for edge in graph.edges]
    assert places == sorted(places)


def test_the_command_prints_the_picture_of_the_domain_that_is_named(capsys):
    print_picture(settings_from({"DAYBOOK_DOMAIN": "tests.rooms.app:graph"}))
    assert capsys.readouterr().out == f"{mermaid(drawn(ROOMS))}\n"
