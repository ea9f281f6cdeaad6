"""What a person approved is handed to a merchant signed, over the checkout that it signed itself."""

import copy
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jwt
import pytest
from psycopg.errors import InsufficientPrivilege

from daybook.checkpoints.people.erasure import Part, everything, open_eraser
from daybook.graph.build import build
from daybook.graph.merchants.exported import exported
from daybook.nodes.running.identity import session_of
from daybook.state.clock import SYSTEM
from daybook.state.errors import ConfigurationError, DaybookError, ForeignThread
from daybook.state.ledger.recovery import Event
from daybook.tools.merchants.ap2.signatory import Signatory
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.merchants.merchant import Merchant
from daybook.tools.merchants.ucp.keys import SigningKey, signing_key
from daybook.tools.merchants.ucp.profile import agent_profile
from tests.conversation import Conversation, answer_of
from tests.merchants.conftest import SECRET, STREET, Buyer
from tests.merchants.signing import Signing, altered, canonical, hashed, key_of, read
from tests.merchants.stranger import LOST, Asked, Said, Stranger, listening
from tests.merchants.test_orders import _bytes, stored

ISSUER = "http://daybook.example/ucp/profile.json"


@pytest.fixture
async def signs(tmp_path: Path) -> AsyncIterator[Signing]:
    async with listening(Signing(tmp_path)) as merchant:
        assert isinstance(merchant, Signing)
        yield merchant


@pytest.fixture
def key(tmp_path: Path) -> SigningKey:
    return signing_key(tmp_path / "key.pem")


@pytest.fixture
async def signer(buyer: Buyer, signs: Signing, key: SigningKey) -> AsyncIterator[Buyer]:
    """The buyer, who has a key for mandates, at a merchant that wants them."""
    there = Merchant(signs.url, profile_url=ISSUER, key=key)
    services = replace(
        buyer.resources.services,
        merchants=[*buyer.resources.services.merchants, there],
        signatory=Signatory(key, ISSUER, buyer.postgres.mandates),
    )
    resources = replace(buyer.resources, services=services)
    graph = build(MERCHANTS, lambda: resources, buyer.postgres.saver)
    yield replace(buyer, graph=graph, resources=resources)
    await there.close()


def mandate_in(asked: Asked) -> str:
    return str(json.loads(asked.body)["ap2"]["checkout_mandate"])


async def plan_of(buyer: Buyer, talk: Conversation) -> str:
    """Return the plan that placed, or would place, the order."""
    entries = await buyer.postgres.ledger.entries(talk.thread_id)
    (plan,) = {
        one.plan_id
        for one in entries
        if one.event is Event.INTENDED and (one.op or "").endswith("/complete")
    }
    assert plan is not None
    return plan


async def export(buyer: Buyer, talk: Conversation, user: str = "ada") -> Any:
    signatory = buyer.resources.services.signatory
    plan = await plan_of(buyer, talk)
    (found,) = await exported(buyer.postgres, signatory, talk.thread_id, plan, user)
    return found


async def test_the_order_goes_with_a_mandate_that_anybody_can_verify(
    signer: Buyer, signs: Signing, key: SigningKey
):
    talk = await signer.asked(signs)
    await talk.approve()
    (sent,) = signs.of("complete")
    mandate = mandate_in(sent)
    found = read(mandate, agent_profile([key.jwk], "http://daybook.example/events"))
    claims = found.claims
    assert (claims["iss"], claims["vct"]) == (ISSUER, "mandate.checkout.1")
    assert (found.binding["aud"], found.binding["nonce"]) == (signs.url, sent.key)
    # The checkout as its merchant signed it: what was approved, to the cent.
    header = jwt.get_unverified_header(claims["checkout_jwt"])
    merchants = key_of(signs.profile(), header["kid"])
    checkout = jwt.api_jws.decode(claims["checkout_jwt"], merchants, ["ES256"])
    assert claims["checkout_hash"] == hashed(claims["checkout_jwt"])
    embedded = {name: value for name, value in claims["checkout"].items() if name != "ap2"}
    assert canonical(embedded) == checkout
    assert json.loads(checkout)["totals"][-1] == {"type": "total", "amount": 13_400}
    assert claims["checkout"]["ap2"]["merchant_authorization"]


async def test_a_mandate_that_was_altered_by_one_cent_is_nobodys_word(
    signer: Buyer, signs: Signing, key: SigningKey
):
    talk = await signer.asked(signs)
    await talk.approve()
    mandate = mandate_in(signs.of("complete")[0])
    profile = agent_profile([key.jwk], "http://daybook.example/events")
    checkout = copy.deepcopy(read(mandate, profile).claims["checkout"])
    checkout["totals"][-1]["amount"] += 1
    with pytest.raises(jwt.InvalidSignatureError):
        read(altered(mandate, checkout=checkout), profile)


async def test_the_export_is_what_was_sent_with_a_mandate_for_the_payment(
    signer: Buyer, signs: Signing, key: SigningKey
):
    talk = await signer.asked(signs)
    await talk.approve()
    found = await export(signer, talk)
    assert found.checkout == mandate_in(signs.of("complete")[0])
    profile = agent_profile([key.jwk], "http://daybook.example/events")
    payment = read(found.payment, profile).claims
    assert payment["vct"] == "mandate.payment.1"
    assert payment["payment_amount"] == {"amount": 13_400, "currency": "USD"}
    assert payment["transaction_id"] == read(found.checkout, profile).claims["checkout_hash"]
    assert payment["payee"]["website"] == signs.url
    assert SECRET not in json.dumps(payment)


async def test_an_order_that_is_sent_again_has_the_same_mandate(signer: Buyer, signs: Signing):
    async def lost(asked: Asked) -> Said:
        return LOST

    talk = await signer.asked(signs)
    signs.does("complete", lost)
    found = await talk.approve()
    sent = signs.of("complete")
    assert (len(sent), len(_bytes(sent))) == (2, 1)
    assert mandate_in(sent[0])
    assert [one.order_id for one in found.values["orders"]] == ["order_1"]


async def test_another_try_after_a_no_has_a_mandate_of_its_own(signer: Buyer, signs: Signing):
    error = {"type": "error", "code": "mandate_expired", "content": "Too late."}

    async def refused(asked: Asked) -> Said:
        answer = await signs.as_usual(Asked("GET", asked.path.removesuffix("/complete"), {}, b""))
        body = json.dumps({**json.loads(answer.body), "messages": [error]}).encode()
        return replace(answer, body=body)

    talk = await signer.asked(signs)
    signs.does("complete", refused)
    found = await talk.approve()
    assert "Too late" in answer_of(found)
    await signer.says(talk, ("place_order", {"merchant": signs.name}))
    await talk.approve()
    first, second = (mandate_in(one) for one in signs.of("complete"))
    assert first != second
    assert len(signs.orders) == 1


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ({"leaves_out": True}, "merchant_authorization_missing"),
        ({"altered": {"currency": "EUR"}}, "merchant_authorization_invalid"),
        ({"signs_with": "other"}, "merchant_authorization_invalid"),
    ],
)
async def test_what_a_merchant_did_not_sign_is_not_put_before_anybody(
    signer: Buyer, signs: Signing, tmp_path: Path, fault: dict[str, Any], code: str
):
    talk = await signer.opened(signs)
    for name, value in fault.items():
        own = signing_key(tmp_path / "other.pem") if value == "other" else value
        setattr(signs, name, own)
    found = await signer.says(talk, ("place_order", {"merchant": signs.name}))
    assert found.interrupts == ()
    assert code in answer_of(found)
    assert signs.of("complete") == []


async def test_a_cent_that_the_merchant_did_not_sign_is_seen(signer: Buyer, signs: Signing):
    talk = await signer.opened(signs)
    totals = copy.deepcopy(signs.sessions["chk_1"]["totals"])
    totals[-1]["amount"] += 1
    signs.altered = {"totals": totals}
    found = await signer.says(talk, ("place_order", {"merchant": signs.name}))
    assert found.interrupts == ()
    assert "merchant_authorization_invalid" in answer_of(found)


async def test_a_signature_that_is_gone_when_it_is_approved_sends_nothing(
    signer: Buyer, signs: Signing
):
    talk = await signer.asked(signs)
    signs.leaves_out = True
    await talk.approve()
    assert signs.of("complete") == []
    assert not signs.orders


async def test_a_total_that_moved_under_a_good_signature_is_asked_about_again(
    signer: Buyer, signs: Signing
):
    talk = await signer.asked(signs)
    signs.price += 1
    signs.summed("chk_1")
    found = await talk.approve()
    assert signs.of("complete") == []
    (again,) = found.interrupts
    assert "134.01 USD" in str(again.value)


async def test_a_merchant_that_signs_nothing_gets_no_mandate(signer: Buyer, merchant: Stranger):
    talk = await signer.asked(merchant)
    await talk.approve()
    (sent,) = merchant.of("complete")
    assert "ap2" not in json.loads(sent.body)
    found = await export(signer, talk)
    assert (found.checkout, found.payment) == ("", "")
    claims = jwt.decode(found.approval.rstrip("~"), options={"verify_signature": False})
    assert claims["approved_by"] == "ada"
    assert claims["order"]["total"] == 13_400


@pytest.mark.parametrize("private", [SECRET, STREET, "ada@example.com"])
async def test_the_database_is_told_nothing_of_what_a_mandate_shows(
    signer: Buyer, signs: Signing, private: str
):
    talk = await signer.asked(signs)
    await talk.approve()
    kept = await stored(signer)
    assert kept["mandate"] != "[]"
    assert [table for table, rows in kept.items() if private in rows] == []


async def test_a_mandate_is_opened_with_the_key_that_made_it_alone(
    signer: Buyer, signs: Signing, tmp_path: Path
):
    talk = await signer.asked(signs)
    await talk.approve()
    other = Signatory(signing_key(tmp_path / "x.pem"), ISSUER, signer.postgres.mandates)
    with pytest.raises(ConfigurationError, match="another signing key"):
        await exported(signer.postgres, other, talk.thread_id, await plan_of(signer, talk), "ada")


async def test_a_forgotten_persons_mandates_are_gone_and_none_is_written_any_more(
    signer: Buyer, signs: Signing
):
    talk = await signer.asked(signs)
    await talk.approve()
    async with open_eraser(signer.postgres) as eraser:
        (held,) = [
            await eraser.erase(one.thread_id, everything) for one in await eraser.of_person("ada")
        ]
    assert held.rows[Part.PAYLOADS] > 0
    assert (await stored(signer))["mandate"] == "[]"
    session = session_of(talk.config, "default")
    with pytest.raises(InsufficientPrivilege, match="is closed"):
        await signer.postgres.mandates.keep("late/1", session, "sealed")


# -- what is not exported -------------------------------------------------------------------------


async def test_what_nobody_approved_is_not_signed(signer: Buyer, signs: Signing):
    talk = await signer.asked(signs)
    with pytest.raises(DaybookError, match="nobody has approved it"):
        await export(signer, talk)


async def test_what_was_rejected_is_not_signed(signer: Buyer, signs: Signing):
    talk = await signer.asked(signs)
    await talk.answer({"type": "reject", "message": "too dear"})
    with pytest.raises(DaybookError, match="was rejected"):
        await export(signer, talk)


async def test_what_was_overtaken_is_not_signed(signer: Buyer, signs: Signing):
    talk = await signer.asked(signs)
    signer.model.then("Never mind then.")
    await talk.say("never mind")
    with pytest.raises(DaybookError, match="was withdrawn"):
        await export(signer, talk)


async def test_another_persons_approval_is_not_signed(signer: Buyer, signs: Signing):
    talk = await signer.asked(signs)
    await talk.approve()
    with pytest.raises(ForeignThread, match="belongs to another user"):
        await export(signer, talk, user="bob")


async def test_a_plan_that_is_not_there_names_those_that_are(signer: Buyer, signs: Signing):
    talk = await signer.asked(signs)
    await talk.approve()
    signatory = signer.resources.services.signatory
    with pytest.raises(DaybookError, match="has no plan nowhere") as told:
        await exported(signer.postgres, signatory, talk.thread_id, "nowhere", "ada")
    assert await plan_of(signer, talk) in str(told.value)
    with pytest.raises(DaybookError, match="There is no thread nowhere"):
        await exported(signer.postgres, signatory, "nowhere", "nowhere", "ada", SYSTEM)


async def test_a_plan_that_places_no_order_is_not_signed(signer: Buyer, signs: Signing):
    talk = await signer.opened(signs)
    entries = await signer.postgres.ledger.entries(talk.thread_id)
    plan = next(one.plan_id for one in entries if one.plan_id)
    signatory = signer.resources.services.signatory
    with pytest.raises(DaybookError, match="places no order"):
        await exported(signer.postgres, signatory, talk.thread_id, plan, "ada")
