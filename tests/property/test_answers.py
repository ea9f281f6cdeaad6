"""Whatever a service answers, it is an outcome, and confirmed only where the contract says so."""

import gzip
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from daybook.state.effects.exact import inexact
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.tools.services.classify import classify, is_ok
from daybook.tools.services.contract import MEANINGS, SAYS_NOTHING, STRIPE_V1, Contract
from daybook.tools.services.reply import reply

CODES = ["busy", "full", "no", "7", "idempotency_error"]

_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(alphabet=st.characters(exclude_categories=()))
    | st.sampled_from(CODES),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["error", "code", "type", "ok", "message", "id"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)
_bodies = st.one_of(
    st.binary(max_size=60),
    _json.map(lambda value: json.dumps(value).encode()),
    _json.map(lambda value: gzip.compress(json.dumps(value).encode())),
    st.integers(1, 3000).map(lambda depth: b'{"a":' * depth + b"1" + b"}" * depth),
)
_statuses = st.integers(200, 599)
_errors = st.integers(400, 599) | st.sampled_from(CODES)
_headers = st.lists(
    st.sampled_from(
        [
            ("Content-Encoding", "gzip"),
            ("content-encoding", "br"),
            ("content-type", "application/json; charset=latin-1"),
            ("location", "https://elsewhere.example"),
        ]
    ),
    max_size=2,
)


@st.composite
def contracts(draw: st.DrawFn) -> Contract:
    """Make a contract in which each sign stands once."""
    signs = draw(st.lists(_errors, unique=True, max_size=6))
    said: dict[str, set[Any]] = {meaning: set() for meaning in MEANINGS}
    for sign in signs:
        said[draw(st.sampled_from(MEANINGS))].add(sign)
    return Contract(
        name="the office",
        ok=draw(st.sampled_from([None, ("ok",)])),
        success=draw(st.sets(st.integers(200, 299), max_size=3)),
        success_without_body=draw(st.sets(st.integers(200, 299), max_size=2)),
        **said,
    )


def outcome_of(
    contract: Contract, status: int, headers: list[tuple[str, str]], body: bytes
) -> Outcome:
    return classify(contract, reply(status, headers, body, 500, ()))


@given(contracts(), _statuses, _headers, _bodies)
def test_any_answer_is_an_outcome(contract, status, headers, body):
    outcome = outcome_of(contract, status, headers, body)
    assert isinstance(outcome, Confirmed | Declined | NotSent | Unknown)
    match outcome:
        case Confirmed(result=result) if body:
            assert status in contract.success
            assert is_ok(contract, result)
            assert inexact(result) is None
        case Confirmed():
            assert status in contract.success_without_body
        case Declined(code=code, at_the_door=at_the_door, detail=detail):
            signs = contract.turned_away if at_the_door else contract.declined
            assert signs
            assert code
            assert inexact(detail) is None
        case NotSent():
            assert contract.not_done
        case Unknown(reason=reason):
            assert reason


@given(_statuses, _headers, _bodies)
def test_a_contract_that_says_nothing_proves_no_refusal(status, headers, body):
    outcome = outcome_of(SAYS_NOTHING, status, headers, body)
    assert isinstance(outcome, Confirmed | Unknown)
    assert status in (200, 201) or isinstance(outcome, Unknown)


@given(st.integers(500, 599), _headers, _bodies)
def test_a_failure_of_stripe_is_never_final(status, headers, body):
    assert isinstance(outcome_of(STRIPE_V1, status, headers, body), Unknown)
