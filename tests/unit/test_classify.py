"""What an answer proves: what the contract says of it, and otherwise nothing."""

import json
from typing import Any

import pytest

from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.errors import DeclarationError
from daybook.tools.services.classify import classify
from daybook.tools.services.contract import SAYS_NOTHING, STRIPE_V1, STRIPE_V2, Contract
from daybook.tools.services.reply import Reply

STATUSES = [200, 201, 202, 203, 204, 206, 207, 300, 301, 302, 303, 304, 307, 308]
STATUSES += [400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 421, 422, 423, 424, 425, 429, 451]
STATUSES += [500, 501, 502, 503, 504, 507, 520, 524, 529, 599]
REFUSALS = [status for status in STATUSES if status >= 400]

ERROR = {"error": {"code": "no_room", "message": "There is no room."}}

PAGE = b"<html><h1>There is no room</h1></html>"


def answer(contract: Contract, status: int, body: Any, **headers: str) -> Outcome:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return classify(contract, Reply(status, headers, content))


# -- every status, declared and not ---------------------------------------------------------------


@pytest.mark.parametrize("body", [ERROR, {}, [], PAGE, b"", b"null", {"id": 1}])
def test_a_service_that_says_nothing_confirms_by_a_200_or_201_with_an_object(body):
    for status in STATUSES:
        outcome = answer(SAYS_NOTHING, status, body, location="https://elsewhere.example")
        if status in (200, 201) and isinstance(body, dict) and "error" not in body:
            assert outcome == Confirmed(body)
        else:
            assert isinstance(outcome, Unknown)


DECLARED = [
    ("declined", Declined),
    ("turned_away", Declined),
    ("not_done", NotSent),
    ("in_progress", Unknown),
    ("key_reused", Unknown),
]


@pytest.mark.parametrize(("meaning", "kind"), DECLARED)
def test_a_declared_status_or_code_means_what_is_declared_of_it(meaning: str, kind: type):
    for status in REFUSALS:
        outcome = answer(Contract(name="the office", **{meaning: {status}}), status, ERROR)
        assert isinstance(outcome, kind)
        assert "There is no room." in str(outcome)
        if isinstance(outcome, Declined):
            assert outcome.code == "no_room"
            assert outcome.at_the_door == (meaning == "turned_away")
    for status in STATUSES:
        outcome = answer(Contract(name="the office", **{meaning: {"no_room"}}), status, ERROR)
        assert isinstance(outcome, Unknown if 300 <= status < 400 else kind)


@pytest.mark.parametrize(("meaning", "kind"), DECLARED)
@pytest.mark.parametrize(
    "body", [PAGE, b"", {}, {"message": "Forbidden"}, [ERROR], {"error": {"message": "No."}}]
)
def test_a_declared_status_in_another_form_than_the_services_says_nothing(meaning, kind, body):
    """It may be a proxy's: the request may have been forwarded."""
    for status in REFUSALS:
        contract = Contract(name="the office", **{meaning: {status}})
        assert isinstance(answer(contract, status, body), Unknown)


def test_a_code_beats_a_status():
    contract = Contract(
        name="the office", declined={409, "other"}, in_progress={"no_room"}, not_done={503}
    )
    assert isinstance(answer(contract, 409, ERROR), Unknown)
    assert isinstance(answer(contract, 409, {"error": {"code": "other"}}), Declined)
    assert isinstance(answer(contract, 503, {"error": {"code": "other"}}), Declined)
    assert isinstance(answer(contract, 409, {"error": {"code": "undeclared"}}), Declined)


def test_of_several_codes_the_first_place_counts_that_is_declared():
    contract = Contract(
        name="the bank",
        declined={"card_error"},
        in_progress={"busy"},
        code=(("error", "code"), ("error", "type")),
    )
    declined = answer(contract, 400, {"error": {"code": "stolen", "type": "card_error"}})
    assert isinstance(declined, Declined)
    assert declined.code == "stolen"
    busy = answer(contract, 400, {"error": {"code": "busy", "type": "card_error"}})
    assert isinstance(busy, Unknown)


# -- the forms of errors --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"error": "no_room", "message": "Full."}, "no_room"),
        ({"error": {"code": "no_room", "message": "Full."}}, "no_room"),
        ({"error": {"type": "no_room", "message": "Full."}}, "no_room"),
        ({"error": {"code": None, "type": "no_room", "message": "Full."}}, "no_room"),
        ({"error": {"code": {"id": 7}, "type": "no_room", "message": "Full."}}, "no_room"),
        ({"error": {"code": 7, "message": "Full."}}, "7"),
        ({"error": 1042, "message": "Full."}, "1042"),
    ],
)
def test_codes_are_texts_and_numbers_where_the_contract_looks_for_them(body, code: str):
    contract = Contract(name="the office", declined={409})
    assert answer(contract, 409, body) == Declined(code, "Full.")


@pytest.mark.parametrize(
    "error", [True, None, {}, [], ["no_room"], [{"code": "no_room"}], 1.5, "", "x" * 101, "a\nb"]
)
def test_what_is_no_code_names_no_refusal(error):
    contract = Contract(name="the office", declined={409, "no_room"})
    assert isinstance(answer(contract, 409, {"error": error}), Unknown)


@pytest.mark.parametrize(
    "body",
    [
        *({"id": 1, "error": odd} for odd in ("no_room", {"code": "odd"}, {"reason": 7}, ["x"])),
        *({"id": 1, "error": odd} for odd in (7, True, {"error": {}})),
        {"data": None, "errors": [{"message": "You have no account."}]},
        {"errors": {"amount": ["is too large"]}},
        {"success": False},
        {"ok": False, "id": 1},
    ],
)
def test_an_answer_of_success_that_says_by_itself_that_it_failed_confirms_nothing(body: Any):
    for contract in (SAYS_NOTHING, Contract(name="the office", code=(("code",),))):
        if contract is SAYS_NOTHING or "error" not in body:
            assert isinstance(answer(contract, 200, body), Unknown)


@pytest.mark.parametrize(
    "body",
    [
        *({"id": 1, "error": empty} for empty in (None, "", False, {}, [])),
        *({"errors": []}, {"errors": 0}, {"success": True}, {"ok": None}),
    ],
)
def test_the_place_of_an_error_may_be_empty(body: Any):
    assert answer(SAYS_NOTHING, 200, body) == Confirmed(body)


# -- success --------------------------------------------------------------------------------------

SLACK = Contract(name="Slack", ok=("ok",), declined={"channel_not_found"}, code=(("error",),))


def test_where_the_body_says_whether_it_was_done_the_status_does_not():
    assert answer(SLACK, 200, {"ok": True, "ts": "1"}) == Confirmed({"ok": True, "ts": "1"})
    assert isinstance(answer(SLACK, 200, {"ok": False, "error": "channel_not_found"}), Declined)
    assert isinstance(answer(SLACK, 200, {"ok": False, "error": "internal_error"}), Unknown)
    for odd in ({"ts": "1"}, {"ok": 1}, {"ok": "true"}, {"ok": True, "error": "odd"}, {"ok": None}):
        assert isinstance(answer(SLACK, 200, odd), Unknown), odd
    assert isinstance(answer(SLACK, 500, {"ok": True}), Unknown)


def test_what_shows_success_may_be_any_value():
    contract = Contract(
        name="the bank", ok=("result", "code"), ok_values=(0, "0"), code=(("result", "code"),)
    )
    for code in (0, "0"):
        assert isinstance(answer(contract, 200, {"result": {"code": code}}), Confirmed)
    for code in (False, 1, "1", None, 0.0):
        assert isinstance(answer(contract, 200, {"result": {"code": code}}), Unknown)
    # What a contract says of a field goes before what it is taken for.
    contract = Contract(name="the office", ok=("success",), ok_values=(True, False))
    assert answer(contract, 200, {"success": False}) == Confirmed({"success": False})


def test_what_was_only_accepted_is_in_hand_and_not_done():
    contract = Contract(name="the office", in_progress={202})
    outcome = answer(contract, 202, {"job": 7})
    assert outcome == Unknown("the office is processing it (202)")


def test_an_empty_answer_confirms_only_where_it_is_declared():
    contract = Contract(name="the office", success_without_body={204})
    assert answer(contract, 204, b"") == Confirmed({})
    assert isinstance(answer(SAYS_NOTHING, 204, b""), Unknown)
    assert isinstance(answer(contract, 204, b"<html>"), Unknown)
    assert isinstance(answer(contract, 200, b""), Unknown)


def test_a_fault_of_the_body_makes_any_answer_unknown():
    contract = Contract(name="the office", success_without_body={204}, declined={402})
    for status in (200, 204, 402):
        outcome = classify(contract, Reply(status, {}, b"", "it is longer than 5 bytes"))
        assert isinstance(outcome, Unknown)
        assert "it is longer than 5 bytes" in outcome.reason


# -- Stripe ---------------------------------------------------------------------------------------


def stripe(status: int, **error: Any) -> Outcome:
    return answer(STRIPE_V1, status, {"error": {"message": "Words of Stripe.", **error}})


WORDS = "Words of Stripe."
TURNED_AWAY = Declined("resource_missing", WORDS, at_the_door=True)


@pytest.mark.parametrize(
    ("status", "code", "type_", "outcome"),
    [
        (402, "card_declined", "card_error", Declined("card_declined", WORDS)),
        *((s, "resource_missing", "invalid", TURNED_AWAY) for s in (400, 401, 403, 404)),
        # It counts requests before it looks at the key, and locks after it.
        (429, "rate_limit", "invalid_request_error", NotSent(WORDS)),
        (429, "lock_timeout", "invalid_request_error", None),
        (409, "idempotency_key_in_use", "invalid_request_error", None),
        (400, None, "idempotency_error", None),
        *((s, None, "api_error", None) for s in (409, 424, 429, 500, 502, 503, 504)),
    ],
)
def test_what_an_error_of_stripe_means(status, code, type_, outcome: Outcome | None):
    found = stripe(status, type=type_, **({"code": code} if code else {}))
    if outcome is None:
        assert isinstance(found, Unknown)
        assert WORDS in found.reason
    else:
        assert found == outcome


def test_in_stripes_second_version_no_failure_is_stored():
    assert not STRIPE_V2.guarantees.stores_failures
    outcome = answer(STRIPE_V2, 402, {"error": {"code": "card_declined", "message": "No."}})
    assert outcome == Declined("card_declined", "No.", at_the_door=True)


# -- contracts that cannot be ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declared", "why"),
    [
        ({"declined": {200}}, "400 to 599"),
        ({"declined": "card_declined"}, "must be a set"),
        ({"success": {302}}, "200 to 299"),
        ({"declined": {402}, "not_done": {402}}, "leave it in one"),
        ({"code": ("error",)}, "a path is a tuple"),
        ({"ok": ()}, "a path is a tuple"),
        ({"code": (), "declined": {402}}, "where codes are"),
        ({"key_header": "Key: x"}, "not a header name"),
        ({"key_header": None, "guarantees": Guarantees(honours_key=True)}, "key_field"),
        ({"encoding": "xml"}, "encoding"),
    ],
)
def test_a_contract_that_contradicts_itself_is_refused_in_words(declared: Any, why: str):
    with pytest.raises(DeclarationError, match=why):
        Contract(name="the office", **declared)
