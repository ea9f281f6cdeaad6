"""Input that makes no sense is refused in the shape of all errors, and never with a 500."""

import json
import socket
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

BODIES: dict[str, dict[str, Any]] = {
    "/holds": {"reference": "r", "user_id": "ada", "sku": "BOOT-002", "quantity": 1},
    "/releases": {"reference": "r", "hold_id": "H-1"},
    "/charges": {
        "reference": "r",
        "user_id": "ada",
        "card_id": "card_ada_1",
        "amount": 1,
        "currency": "USD",
    },
    "/refunds": {"reference": "r", "charge_id": "CH-1", "amount": 1, "currency": "USD"},
    "/orders": {
        "reference": "r",
        "user_id": "ada",
        "hold_ids": ["H-1"],
        "charge_id": "CH-1",
        "address_id": "addr_ada_1",
    },
    "/cancellations": {"reference": "r", "order_id": "DB-1"},
}

POSTS = list(BODIES)

NONSENSE: list[Any] = [None, True, 1.5, 2**70, "", "x" * 500, [], {}, ["a", 1]]

ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["ada", "BOOT-002", "H-1001", "CH-1001", "USD", "card_ada_1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=5,
)


def is_an_error(response: Any) -> bool:
    body = response.json()
    return isinstance(body["error"], str) and isinstance(body["message"], str)


@pytest.mark.parametrize("path", POSTS)
async def test_malformed_json_and_a_body_of_another_shape_are_refused(shop: Any, path: str) -> None:
    malformed = (b"", b"{", b"nonsense", b"\xff\xfe", b'{"a": NaN', b"[" * 20_000)
    invalid = (b"null", b"[]", b"7", b'"text"', b"{}")
    for raws, answer in ((malformed, (400, "malformed_json")), (invalid, (422, "invalid"))):
        for raw in raws:
            response = await shop.http.post(path, content=raw)
            assert (response.status_code, response.json()["error"]) == answer
    half = json.dumps({**BODIES[path], "reference": "\ud800"}).encode()
    response = await shop.http.post(path, content=half)
    assert response.status_code in (400, 422), "half of a surrogate pair"
    assert is_an_error(response)


@pytest.mark.parametrize("path", POSTS)
async def test_every_field_is_needed_and_unknown_ones_are_refused(shop: Any, path: str) -> None:
    body = BODIES[path]
    for name in body:
        missing = {key: value for key, value in body.items() if key != name}
        assert (await shop.post(path, missing)).json()["field"] == name
    assert (await shop.post(path, {**body, "colour": "red"})).json()["field"] == "colour"
    assert await shop.effects() == []


@pytest.mark.parametrize("path", POSTS)
async def test_no_field_takes_a_value_that_makes_no_sense(shop: Any, path: str) -> None:
    for name in BODIES[path]:
        for value in NONSENSE:
            response = await shop.post(path, {**BODIES[path], name: value})
            assert (response.status_code, is_an_error(response)) == (422, True)
    assert await shop.effects() == []


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(path=st.sampled_from(POSTS), name=st.integers(0, 4), value=ANYTHING)
async def test_no_body_ever_gives_a_500(shop: Any, path: str, name: int, value: Any) -> None:
    fields = list(BODIES[path])
    body = {**BODIES[path], fields[name % len(fields)]: value}
    raw = json.dumps(body).encode()
    response = await shop.http.post(path, content=raw, headers={"Content-Type": "text/plain"})
    assert response.status_code < 500


async def test_a_key_or_a_body_of_a_wrong_length_is_refused(shop: Any) -> None:
    for key in ("", "x" * 256):
        response = await shop.post("/charges", BODIES["/charges"], key=key)
        assert (response.status_code, response.json()["error"]) == (422, "invalid")
    response = await shop.http.post("/holds", content=b"x" * 200_000)
    assert (response.status_code, response.json()["error"]) == (413, "too_large")


async def test_what_is_not_there_is_refused_in_json(shop: Any) -> None:
    for method, path, status, error in (
        ("GET", "/nowhere", 404, "not_found"),
        ("GET", "/holds/H-1/more", 404, "not_found"),
        ("GET", "/products/", 404, "not_found"),
        ("DELETE", "/holds", 405, "method_not_allowed"),
        ("POST", "/effects", 405, "method_not_allowed"),
        ("GET", "/orders?user_id=a%20b", 404, "unknown_user"),
        ("PUT", "/admin/products/NONE-001", 400, "malformed_json"),
    ):
        response = await shop.http.request(method, path)
        assert (response.status_code, response.json()["error"], path) == (status, error, path)
        assert is_an_error(response)


async def test_settings_that_make_no_sense_are_refused(shop: Any) -> None:
    for path, body in (
        ("/admin/keys", {"endpoint": "nowhere"}),
        ("/admin/keys", {"endpoint": "*", "honour": "yes"}),
        ("/admin/keys", {"endpoint": "*", "retention_seconds": -1}),
        ("/admin/settings", {"hold_seconds": -1}),
        ("/admin/settings", {"patience": 1}),
        ("/admin/products/BOOT-001", {"price": 0}),
        ("/admin/products/BOOT-001", {"stock": -1}),
    ):
        response = await shop.http.put(path, json=body)
        assert (response.status_code, response.json()["error"], body) == (422, "invalid", body)


async def test_a_caller_that_leaves_within_its_body_is_let_go(shop: Any) -> None:
    place = urlsplit(shop.process.url)
    with socket.create_connection((place.hostname, place.port), 10) as line:
        line.sendall(b"POST /holds HTTP/1.1\r\nHost: shop\r\nContent-Length: 50\r\n\r\n{")
    assert await shop.get("/health") == {"ok": True}
    assert await shop.effects() == []
