"""The registry: what is offered, what the services promise of it, and how the shop's is made."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from daybook.graph.serve import served
from daybook.nodes.running.work import Resources
from daybook.state.effects.guarantees import NO_GUARANTEES
from daybook.state.errors import DeclarationError, ToolRefused
from daybook.state.flow import FlowTable
from daybook.tools.domain import Domain, Prompt
from daybook.tools.kinds import write
from daybook.tools.registry import Registry
from tests.unit.shop_parts import a_domain
from tests.unit.test_declarations import KEYED, RELEASED, hold, look, release


def test_what_is_not_there_or_only_a_step_is_refused_with_what_is():
    with pytest.raises(ToolRefused, match="hold, release"):
        Registry([hold, release]).offered("fly")
    with pytest.raises(ToolRefused):
        Registry([hold], [release]).offered("release")
    with pytest.raises(DeclarationError, match="fly"):
        Registry([hold]).effect("fly")


@pytest.mark.parametrize("probe", [None, look])
def test_a_service_gives_its_guarantees_and_only_a_probe_makes_an_effect_provable(probe: Any):
    declared = {"probe": probe, "reference": "id"} if probe else {}
    registry = Registry(
        [write(service="rooms", **declared)(hold)], [write(service="other")(release)]
    )
    promised = replace(KEYED, provable=True)
    assert registry.guarantees({"rooms": promised}) == {
        "hold": replace(promised, provable=probe is not None),
        "release": NO_GUARANTEES,
    }


async def test_what_a_service_promises_of_an_undo_is_checked_before_a_server_starts():
    registry = Registry(
        [write(reference="id", undo=RELEASED)(hold)], [write(service="rooms")(release)]
    )
    registry.check_promises({"rooms": KEYED})
    for promises in ({}, {"rooms": NO_GUARANTEES}):
        with pytest.raises(DeclarationError, match="release, the undo of hold"):
            registry.check_promises(promises)
    flow = FlowTable("here", {}, {"here": frozenset({"hold"})})
    domain = Domain(name="rooms", registry=registry, flow=flow, prompt=Prompt(system=""))

    @asynccontextmanager
    async def opened() -> AsyncIterator[Any]:
        nothing: Any = None
        promises = {"rooms": NO_GUARANTEES}
        yield Resources(postgres=nothing, model=nothing, services=nothing, promises=promises)

    _, checkpointer = served(domain, opened)
    with pytest.raises(DeclarationError, match="release, the undo of hold"):
        async with checkpointer():
            pass


SHOP = a_domain().registry


@pytest.mark.parametrize("name", SHOP.effects)
def test_every_effect_of_the_shop_needs_approval_and_is_undone_by_one_that_fits(name: str):
    SHOP.check_promises({})
    effect = SHOP.effect(name)
    assert effect.approval == "always"
    assert effect.kind != "hybrid" or effect.undo is not None
    if effect.undo is not None:
        known = {"hold_id": "h", "charge_id": "c", "order_id": "o", "amount": 5, "currency": "USD"}
        SHOP.effect(effect.undo.tool).args.model_validate(effect.undo.args(known, known))
