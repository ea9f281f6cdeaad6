"""`daybook ledger --open` and `--failed`: what is not settled, and what went wrong, over all threads."""

import json
from dataclasses import replace
from datetime import timedelta

from daybook.app.ledger.listing import (
    failed,
    print_failed,
    print_steps_json,
    print_unsettled,
)
from daybook.checkpoints.ledger.steps import Failed
from daybook.checkpoints.people.erasure import everything, open_eraser
from daybook.checkpoints.postgres import Postgres
from daybook.graph.settings.environment import Settings
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.work_list import Awaited
from daybook.testing.model import last_result
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.ledger.book import an_operation, happens, opened, someone
from tests.purchases import (
    SHORT,
    agent_of,
    asked_to_buy,
    bought,
    entries,
    rebuilt,
    with_boots,
)
from tests.unit.paper import CHARGE, ORDER, RESERVE

MAIL = ("send_email", {"subject": "Hello", "body": "As you asked."})


async def failures(postgres: Postgres, talk: Conversation | None = None) -> list[Failed]:
    """Return what failed, the newest first."""
    found = await postgres.steps.failed(talk.thread_id if talk else None, 100)
    assert not found.has_more
    return found.steps


def told(found: list[Failed]) -> list[tuple[str, str, str | None]]:
    """Say what became of which tool and why, in the order of the ledger."""
    return [(one.cause or one.event, one.tool, one.reason) for one in reversed(found)]


async def a_decline(agent: Agent) -> Conversation:
    """Let a purchase fail at a card that is declined."""
    talk = await asked_to_buy(agent, "dan")
    await talk.approve()
    return talk


async def a_mail_in_doubt(agent: Agent, shop: Shop) -> Conversation:
    """Bring a mail to the question whether it happened."""
    talk = Conversation(agent.graph)
    agent.model.then([MAIL], last_result)
    await talk.say("mail me")
    shop.fault("mail", "drop")
    await talk.approve()
    return talk


async def test_a_decline_is_listed_with_what_it_undid_until_its_reason_is_erased(
    agent: Agent, postgres: Postgres, settings: Settings, capsys
):
    await bought(agent)
    talk = await a_decline(agent)
    found = await failures(postgres)
    declined = "The card was declined."
    assert told(found) == [
        ("declined", "charge_payment", declined),
        ("cancelled", "place_order", declined),
        ("cancelled", "send_email", declined),
        ("undone", "reserve_inventory", declined),
    ]
    assert {one.thread_id for one in found} == {talk.thread_id}
    assert {one.user_id for one in found} == {"dan"}
    at = {e.event: e.at for e in await entries(agent, talk)}
    assert (found[0].at, found[-1].at) == (at[Event.UNDONE], at[Event.FAILED])

    await failed(settings, None, 3, print_steps_json)
    out, err = capsys.readouterr()
    assert len(json.loads(out)) == 3
    assert "more than these 3" in err
    await failed(settings, None, 4, print_steps_json)
    out, err = capsys.readouterr()
    assert (len(json.loads(out)), err) == (4, "")

    async with open_eraser(postgres) as eraser:
        await eraser.erase(talk.thread_id, everything)
    found = await failures(postgres, talk)
    assert {(one.reason, one.is_erased) for one in found} == {(None, True)}
    assert found[-1].cause == "declined"
    print_failed(found)
    out = capsys.readouterr().out
    assert out.count("the reason was erased") == len(found)
    assert "card was" not in out


async def test_a_mail_in_doubt_is_open_until_a_person_says_what_happened(postgres, shop):
    async with agent_of(postgres, shop, SHORT) as agent:
        talk = await a_mail_in_doubt(agent, shop)
        (mail,) = (await postgres.steps.unsettled(None, 100)).steps
        doubted = next(e for e in await entries(agent, talk) if e.event is Event.IN_DOUBT)
        assert (mail.thread_id, mail.tool, mail.state) == (talk.thread_id, MAIL[0], "in_doubt")
        assert (mail.since, mail.waits_for) == (doubted.at, Awaited.WORD)
        assert mail.reason == "no key and no proof"
        (before,) = await failures(postgres)
        assert (before.event, before.reason, before.then) == ("in_doubt", mail.reason, None)
        await talk.answer({"type": "respond", "message": "it happened"})
        assert (await postgres.steps.unsettled(None, 100)).steps == []
        (after,) = await failures(postgres)
        assert after.then is not None
        assert (after.then.event, after.then.author) == ("happened", "ada")
        assert replace(after, then=None) == before


async def test_a_question_waits_for_approval_until_it_is_overtaken_rejected_or_expires(
    agent: Agent, postgres: Postgres
):
    talk = await asked_to_buy(agent)
    found = (await postgres.steps.unsettled(None, 100)).steps
    assert {one.waits_for for one in found} == {Awaited.APPROVAL}
    assert {one.state for one in found} == {"intended"}
    at = {e.step_id: e.at for e in await entries(agent, talk) if e.event is Event.INTENDED}
    assert {one.step_id: one.since for one in found} == at
    agent.model.script[:] = ["What else?"]
    await talk.say("wait")
    found = await failures(postgres, talk)
    assert [(one.event, one.author) for one in found] == [("withdrawn", "ada")] * 4
    assert not any(one.is_erased for one in found)

    rejected = await asked_to_buy(agent)
    await rejected.answer({"type": "reject", "message": "too dear"})
    found = await failures(postgres, rejected)
    assert {(one.event, one.author, one.reason) for one in found} == {
        ("rejected", "ada", "too dear")
    }

    soon = replace(agent.resources.patience, question=timedelta(0))
    impatient = rebuilt(agent, patience=soon)
    late = await with_boots(impatient)
    agent.model.then([("checkout", {})], last_result)
    await late.say("check out")
    await late.run({"events": []})
    found = await failures(postgres, late)
    assert [one.event for one in found] == ["expired"] * 4
    assert (await postgres.steps.unsettled(None, 100)).steps == []


async def test_an_undo_that_is_stuck_is_open_with_its_reason(postgres: Postgres, capsys):
    ada = someone()
    plan = await opened(postgres.ledger, ada, RESERVE, CHARGE, ORDER, op=an_operation())
    async with postgres.ledger.page(ada, plan) as page:
        at = {"deadline_at": page.now, "settle_at": page.now}
    for event, more in (
        (Event.ATTEMPTED, {"attempt": 1, **at}),
        (Event.ACKNOWLEDGED, {"attempt": 1, "payload": {"result": {}}}),
        (Event.UNDO_ATTEMPTED, {"attempt": 1, **at}),
        (Event.UNDO_STUCK, {"payload": {"reason": "It was\u001b[2J sold."}}),
    ):
        await happens(postgres.ledger, ada, plan, "reserve", event, **more)
    stuck = next(
        s for s in (await postgres.steps.unsettled(None, 100)).steps if s.tool == "reserve"
    )
    assert (stuck.state, stuck.waits_for) == (StepState.STUCK, Awaited.WORD)
    assert stuck.reason == "It was\u001b[2J sold."
    assert [(f.event, f.reason) for f in await failures(postgres)] == [
        ("undo_stuck", "It was\u001b[2J sold.")
    ]
    print_unsettled([stuck])
    assert "\u001b" not in capsys.readouterr().out, "others' words move no cursor"
