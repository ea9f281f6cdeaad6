"""The services of strangers behave as their documentation says, where the fake provider alone does not.

What a `Behaviour` does is tested with `daybook.testing`.
"""

import threading
from collections.abc import Callable, Iterator
from typing import Any, get_args

import httpx
import pytest

from daybook.state.fault_points import FaultPoint
from daybook.testing.cells import Cell
from daybook.testing.moments import Moment
from daybook.testing.provider import Mode
from tests.beside import served
from tests.strangers.matrix import lies, parse
from tests.strangers.services import SERVICES, Slack, Stranger, StripeV1

Http = Callable[[str], httpx.Client]


@pytest.fixture(scope="module")
def strangers() -> Iterator[tuple[str, dict[str, Stranger]]]:
    services = {name: service() for name, service in SERVICES.items()}
    with served(services) as url:
        yield url, services


@pytest.fixture
def to(strangers: tuple[str, dict[str, Stranger]]) -> Iterator[Http]:
    """Reach a service by its name."""
    clients: list[httpx.Client] = []

    def reach(name: str) -> httpx.Client:
        secret = {"stripe_v1": StripeV1.SECRET, "slack": Slack.TOKEN}.get(name, "none")
        headers = {"authorization": f"Bearer {secret}"}
        clients.append(httpx.Client(base_url=f"{strangers[0]}/{name}", headers=headers))
        return clients[-1]

    yield reach
    for client in clients:
        client.close()


def keyed(key: str) -> dict[str, str]:
    return {"idempotency-key": key}


CHARGE = {"amount": "500", "currency": "usd", "source": "tok_visa", "customer": "cus_1"}
BODY = {"amount": 5, "currency": "USD", "customer": "c", "reference": "r"}


def test_cells_are_named_so_that_each_can_be_run_alone():
    moments = [Moment(FaultPoint.BEFORE_REQUEST, "charge", 1)]
    some = [Cell("slack", "undone"), Cell("slack", "bought", "performed", kind="charge"), *lies()]
    some += [
        Cell("stripe_v1", "bought", "fault", kind="order", detail=mode) for mode in get_args(Mode)
    ]
    some += [Cell("slack", "bought", "performed", moment, "charge") for moment in moments]
    some += [Cell("accepted", "bought", "suspended", moment) for moment in moments]
    assert [parse(cell.name) for cell in some] == some


@pytest.mark.parametrize(
    ("mode", "status", "said", "charged"),
    [
        ("error before", 500, ("type", "api_error"), 0),
        ("error after", 500, ("type", "api_error"), 1),
        ("decline", 402, ("code", "card_declined"), 0),
    ],
)
def test_stripe_v1_keeps_what_was_not_done_too(to, strangers, mode, status, said, charged):
    service, stripe = strangers[1]["stripe_v1"], to("stripe_v1")
    customer = f"cus_{mode}"
    missing = stripe.post("/v1/charges", data={"amount": "1"}, headers=keyed(mode))
    assert missing.json()["error"]["code"] == "parameter_missing", "this is not kept"
    service.spoil("charge", mode, customer)
    for _ in range(2):
        body = CHARGE | {"customer": customer}
        answer = stripe.post("/v1/charges", data=body, headers=keyed(mode))
        assert answer.status_code == status
        assert said in answer.json()["error"].items()
    assert service.happened(customer) == ["charge"] * charged


def test_stripe_v1_says_that_the_first_request_still_runs_and_refuses_another(to, strangers):
    service, stripe = strangers[1]["stripe_v1"], to("stripe_v1")
    service.spoil("charge", "late", "cus_l", seconds=0.5)
    body, answers = CHARGE | {"customer": "cus_l"}, []

    def charge() -> None:
        answers.append(stripe.post("/v1/charges", data=body, headers=keyed("l")))

    first = threading.Thread(target=charge)
    first.start()
    while not any(key == ("charge", "l") for key in service._stored):
        first.join(0.01)
    second = to("stripe_v1").post("/v1/charges", data=body, headers=keyed("l"))
    first.join()
    assert second.status_code == 409
    assert second.json()["error"]["code"] == "idempotency_key_in_use"
    assert (answers[0].status_code, answers[0].json()["status"]) == (200, "pending")
    assert stripe.post("/v1/charges", data=body, headers=keyed("l")).json() == answers[0].json()
    other = stripe.post("/v1/charges", data=body | {"amount": "501"}, headers=keyed("l"))
    assert (other.status_code, other.json()["error"]["type"]) == (400, "idempotency_error")
    assert service.happened("cus_l") == ["charge"]


def test_stripe_v1_wants_its_secret_and_shows_by_a_search_after_a_while_what_has_succeeded(
    to: Http, strangers: tuple[str, dict[str, Stranger]]
):
    assert httpx.post(f"{strangers[0]}/stripe_v1/v1/charges", data=CHARGE).status_code == 401
    stripe = to("stripe_v1")
    stripe.post("/v1/charges", data=CHARGE | {"metadata[reference]": "op/1"}, headers=keyed("s"))
    query = {"query": "metadata['reference']:'op/1'"}
    assert stripe.get("/v1/charges/search", params=query).json()["data"] == []
    found = until(lambda: stripe.get("/v1/charges/search", params=query).json()["data"])
    assert found[0]["status"] == "succeeded"


def test_stripe_v2_does_again_what_failed(to: Http, strangers: tuple[str, dict[str, Stranger]]):
    service, stripe = strangers[1]["stripe_v2"], to("stripe_v2")
    body = {"amount": 5, "currency": "usd", "customer": "cus_1"}
    service.spoil("charge", "decline", "cus_1")
    said = [stripe.post("/v2/charges", json=body, headers=keyed("a")) for _ in range(3)]
    assert [one.status_code for one in said] == [402, 200, 200]
    assert service.happened("cus_1") == ["charge"]


def test_a_replica_shows_it_and_the_next_one_does_not_and_then_does(to: Http):
    http = to("eventual")
    assert http.post("/charges", json=BODY).status_code == 200

    def look() -> bool:
        return bool(http.get("/charges", params={"reference": "r"}).json()["matches"])

    seen = [look()]
    while seen[-2:] != [True, True]:
        seen.append(look())
    assert [True, False] in [seen[n : n + 2] for n in range(len(seen))]


def test_slack_says_ok_false_with_200(to: Http, strangers: tuple[str, dict[str, Stranger]]):
    http = to("slack")
    strangers[1]["slack"].spoil("charge", "decline", "C1")
    message = {"channel": "C1", "text": "hello"}
    refused = http.post("/chat.postMessage", json=message)
    assert (refused.status_code, refused.json()) == (200, {"ok": False, "error": "is_archived"})
    posted = http.post("/chat.postMessage", json=message).json()
    assert posted["ok"]
    pinned = http.post("/pins.add", json={"channel": "C1", "timestamp": posted["ts"]})
    assert pinned.json() == {"ok": True}
    for answer in ({"ok": True}, {"ok": False, "error": "message_not_found"}):
        deleted = http.post("/chat.delete", json={"channel": "C1", "ts": posted["ts"]}).json()
        assert answer.items() <= deleted.items()


def test_a_slot_is_given_again_and_a_release_may_name_its_lease(to: Http):
    http = to("reusing")
    first = http.post("/leases", json={"customer": "a"}).json()
    assert http.post("/releases", json={"slot": first["slot"]}).status_code == 200
    second = http.post("/leases", json={"customer": "b"}).json()
    assert second["slot"] == first["slot"]
    late = {"slot": first["slot"], "lease": first["lease"]}
    assert http.post("/releases", json=late).json()["error"] == "lease_over"
    assert http.post("/releases", json={"slot": first["slot"]}).status_code == 200, "unnamed: b's"


def test_a_second_request_is_answered_with_the_first_result(to: Http):
    first, second = (to("duplicate").post("/charges", json=BODY) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()


def until(found: Callable[[], Any]) -> Any:
    """Ask until something is there: another thread's deed, of which there is no event here."""
    for _ in range(1_000):
        if there := found():
            return there
    raise AssertionError("it never came")
