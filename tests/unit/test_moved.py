"""What a checkpoint restores of a class that stood elsewhere when it was stored."""

import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import pytest
from pydantic import BaseModel

from daybook.checkpoints import moved
from daybook.checkpoints.encryption import CLEAR, AesCipher
from daybook.state.calls import WriteCall
from daybook.state.ledger.recovery import StepState
from daybook.state.shop.cart import Cart, CartLine
from daybook.tools.shop.domain import SHOP

SERIALIZERS = {
    "clear": CLEAR.serializer(SHOP.restored_types),
    "encrypted": AesCipher(bytes(range(32))).serializer(SHOP.restored_types),
}


def of_before(cls: type[Any], module: str, **fields: Any) -> Any:
    """Make an object of one of our classes that says it stands where it stood before."""
    made = type(cls.__name__, (cls,), {"__module__": module})
    return made(**fields)


@pytest.mark.parametrize("serializer", SERIALIZERS.values(), ids=SERIALIZERS)
def test_a_class_that_moved_is_restored_as_the_class_and_not_as_a_dict(serializer: Any):
    line = CartLine(sku="BOOT-1", name="Boot", quantity=2, unit_price=9_890)
    cart = of_before(Cart, "state.cart", cart_id="USD-1", currency="USD", lines=(line,))
    kind, data = serializer.dumps_typed({"cart": cart, ("a", 1): [b"state.cart"]})
    restored = serializer.loads_typed((kind, data))
    assert type(restored["cart"]) is Cart
    assert restored["cart"].lines == (line,)
    assert restored["a", 1] == [b"state.cart"]


def test_an_enum_within_a_stored_model_is_found_too(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(StepState, "__module__", "state.recovery")
    fields = {name: {} for name in ("args", "preconditions", "evidence")}
    call = of_before(
        WriteCall, "state.calls", tool="pay", idempotency_key="k", status=StepState.DONE, **fields
    )
    stored = SERIALIZERS["clear"].dumps_typed([call])
    monkeypatch.undo()
    (restored,) = SERIALIZERS["clear"].loads_typed(stored)
    assert type(restored) is WriteCall
    assert restored.status is StepState.DONE


def test_what_names_no_class_of_before_is_the_same_bytes():
    _, data = CLEAR.serializer(SHOP.restored_types).dumps_typed(
        {"text": "state.cart", "n": [1, {}]}
    )
    assert moved.MovedClasses().renamed(data) == data


def test_every_class_of_before_stands_where_the_table_says():
    for (_, name), module in moved._OF_STATE.items():
        assert hasattr(sys.modules[module], name)
        assert getattr(sys.modules[module], name) in SHOP.restored_types


def test_a_class_of_an_adopter_at_the_same_place_stays_theirs(monkeypatch: pytest.MonkeyPatch):
    class Basket(BaseModel):
        bottles: Mapping[str, int]

    Basket.__module__, Basket.__name__ = "state.cart", "Cart"
    theirs = ModuleType("state.cart")
    theirs.Cart = Basket  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "state.cart", theirs)
    serializer = CLEAR.serializer([Basket])
    restored = serializer.loads_typed(serializer.dumps_typed(Basket(bottles={"wine": 2})))
    assert type(restored) is Basket
