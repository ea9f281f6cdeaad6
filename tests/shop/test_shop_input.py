"""Input that makes no sense is refused in the shape of all errors, and never with a 500."""

import json
from typing import Any

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
