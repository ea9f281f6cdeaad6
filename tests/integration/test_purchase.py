"""One purchase through the graph, on the real Postgres and the real shop."""

from daybook.state.ledger.recovery import Event
from daybook.testing.model import last_result
from tests.conftest import Agent, Shop
from tests.conversation import answer_of
from tests.purchases import asked_to_buy, with_boots


async def test_a_purchase_reserves_charges_orders_and_mails_each_once(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    said = (await talk.state()).values["messages"]
    kinds = ["human", "ai", "tool", "ai"]
    assert [message.type for message in said] == kinds, "the call that was made is shown"
    agent.model.then([("checkout", {})], last_result)
    asked = await talk.say("check out")
    request = asked.interrupts[0].value
    assert [a["name"] for a in request["action_requests"]] == ["checkout"]
    assert "98.90 USD" in request["action_requests"][0]["description"]
    # The ledger holds the write-ahead record before the effect.
    assert shop.happened() == []
    entries = await agent.resources.postgres.ledger.entries(talk.thread_id)
    charge = next(e for e in entries if e.event is Event.INTENDED and e.op.endswith("/charge"))
    assert charge.step_id is not None
    assert charge.step_id.endswith("/charge/1")  # operation and generation: the idempotency key
    # What was approved, the card with it, and whose it is.
    approved = {"amount": 9890, "currency": "USD", "card_id": "card_ada_1"}
    assert charge.payload["args"] == approved
    assert charge.payload["preconditions"] == {"card_on_file": True}
    assert charge.payload["evidence"] == {**approved, "user_id": "ada"}
    assert await agent.resources.postgres.ledger.verify(talk.thread_id) == len(entries)
    done = await talk.approve()
    assert shop.happened() == ["reserve", "charge", "order", "mail"]
    assert "order DB-" in answer_of(done)
    assert done.values["flow"] == "ordered"
    assert done.values["cart"].lines == ()


async def test_a_declined_card_releases_the_hold_and_tells_why(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent, "dan", card_id="card_dan_1")
    done = await talk.approve()
    assert shop.happened() == ["reserve", "release"]
    assert "declined" in answer_of(done)
    assert done.values["flow"] == "shopping"


async def test_no_address_mail_or_full_name_is_stored_anywhere(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    agent.model.then([("fetch_user_profile", {})], [("checkout", {})], last_result)
    await talk.say("check out")
    await talk.approve()
    ada = shop.http.get("/users/ada").json()
    (address, *_) = ada["addresses"]
    secrets = [ada["email"], ada["name"], address["street"], address["city"]]
    async with agent.resources.postgres.pool.connection() as conn:
        for table in (
            *("ledger_event", "ledger_payload", "read_call", "open_step", "thread"),
            *("checkpoints", "checkpoint_blobs", "checkpoint_writes"),
        ):
            rows = await (await conn.execute(f"select * from {table}")).fetchall()
            stored = repr(rows)
            assert [secret for secret in secrets if secret in stored] == [], table
    assert ada["email"] in {mail["to"] for mail in shop.http.get("/mail").json()}
