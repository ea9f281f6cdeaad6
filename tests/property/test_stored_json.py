"""Any JSON that a model or a service may say, through the real ledger."""

import json
import uuid
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.state.effects import arguments
from daybook.state.effects.keys import canonical, storable
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.session import Session
from evals.protocol.parts import ONLY, opening

TEXTS = st.text(max_size=6) | st.sampled_from(
    ["\x00", "\ud800", "a\x00b", "ö", "\\u0000", "daybook_sealed"]
)
NUMBERS = st.integers() | st.floats() | st.sampled_from([1e16, -1e20, -0.0, 1e-7])
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


def a_session() -> Session:
    return Session("default", str(uuid.uuid4()), "ada", "ada", "customer", "worker")


async def kept(ledger: Ledger, ada: Session, *entries: Entry) -> list[Entry]:
    """Write entries, and read them back from a chain that verifies."""
    async with ledger.page(ada) as page:
        page.write(*entries)
    assert await ledger.verify(ada.thread_id) == len(entries)
    return await ledger.entries(ada.thread_id)


@given(payload=JSON, detail=JSON)
def test_whatever_is_written_is_read_back_and_verifies(opened, payload: Any, detail: Any):
    runner, postgres = opened
    entry = Entry(
        Event.DECIDED,
        turn_id="t",
        detail={"ordinal": 0, "prompt": "p", "said": detail},
        payload={"calls": payload},
    )
    (read,) = runner.run(kept(postgres.ledger, a_session(), entry))
    assert canonical(read.payload) == canonical(storable({"calls": payload}))
    assert canonical(read.detail["said"]) == canonical(storable(detail))


@given(args=st.dictionaries(TEXTS, JSON, max_size=3))
def test_arguments_are_read_back_in_the_very_text_in_which_they_were_written(opened, args):
    """Key order, NUL, 1e16 and -0.0 included, whether or not the text had to be kept."""
    runner, postgres = opened
    calls = [{"name": "x", **arguments.stored_args(args)}]
    entry = Entry(
        Event.DECIDED, turn_id="t", detail={"ordinal": 0, "prompt": "p"}, payload={"calls": calls}
    )
    (read,) = runner.run(kept(postgres.ledger, a_session(), entry))
    (call,) = (read.payload or {})["calls"]
    assert json.dumps(arguments.restored(call)) == json.dumps(args)


@given(args=st.dictionaries(TEXTS, JSON, max_size=3))
def test_what_was_approved_is_the_same_when_it_is_read_back(opened, args: dict[str, Any]):
    """The hash that an approval is bound to is taken before and compared after."""
    runner, postgres = opened
    ada = a_session()
    entries = opening(Plan("plan", "t"), (replace(ONLY, args=args),), op=ada.thread_id)

    async def hashes() -> tuple[str, str]:
        async with postgres.ledger.page(ada) as page:
            page.write(*entries)
            before = await page.plan("plan")
        after, _ = await postgres.ledger.plan(ada.thread_id, "plan")
        assert before is not None
        assert after is not None
        return before.binding_hash, after.binding_hash

    before, after = runner.run(hashes())
    assert before == after
