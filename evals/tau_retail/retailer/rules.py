"""The rules of the tools: what each answers and changes. TOOLS.md, sections 2 and 3, says so."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

Record: TypeAlias = dict[str, Any]
Table: TypeAlias = Literal["orders", "products", "users"]
Put: TypeAlias = tuple[Table, str, Record]


class Tables(Protocol):
    """Give the records of one world. They are shared: whoever changes one copies it first."""

    def find(self, table: Table, key: Any) -> Record | None:
        """Return a record, or None.

        Raises:
            TypeError: the key is a list or an object.
        """

    def all(self, table: Table) -> Iterator[tuple[str, Record]]:
        """Return keys and records in the order of the table."""


@dataclass(frozen=True)
class Answer:
    """What a call comes to.

    Attributes:
        text: for the model.
        puts: records that take the place of those under their keys.
    """

    text: str
    puts: tuple[Put, ...] = ()


class Refused(Exception):
    """Refuse a call: nothing is changed. Its text is that of the answer, without `Error: `."""


def shown(record: Any) -> str:
    """Write a record as a result shows it: keys in their stored order, ASCII."""
    return json.dumps(record)


def found(tables: Tables, table: Table, key: Any) -> Record:
    """Return a record.

    Raises:
        Refused: there is none under the key.
        TypeError: the key is a list or an object.
    """
    record = tables.find(table, key)
    if record is None:
        raise Refused(f"{table.removesuffix('s')} not found")
    return record


def find_user_id_by_email(tables: Tables, email: Any) -> str:
    """Find a user by email."""
    for user_id, user in tables.all("users"):
        if user["email"].lower() == email.lower():
            return user_id
    raise Refused("user not found")


def find_user_id_by_name_zip(tables: Tables, first_name: Any, last_name: Any, zip: Any) -> str:
    """Find a user by name and the zip code of the address as it is now."""
    for user_id, user in tables.all("users"):
        name = user["name"]
        if (
            name["first_name"].lower() == first_name.lower()
            and name["last_name"].lower() == last_name.lower()
            and user["address"]["zip"] == zip
        ):
            return user_id
    raise Refused("user not found")


def get_user_details(tables: Tables, user_id: Any) -> str:
    """Show a user."""
    return shown(found(tables, "users", user_id))


def get_order_details(tables: Tables, order_id: Any) -> str:
    """Show an order."""
    return shown(found(tables, "orders", order_id))


def get_product_details(tables: Tables, product_id: Any) -> str:
    """Show a product with its variants."""
    return shown(found(tables, "products", product_id))


def list_all_product_types(tables: Tables) -> str:
    """List names and ids of all products, by name."""
    ids = {product["name"]: product["product_id"] for _, product in tables.all("products")}
    return shown(dict(sorted(ids.items())))


def think(tables: Tables, thought: Any) -> str:
    """Let the model think; there is nothing to answer."""
    return ""


def transfer_to_human_agents(tables: Tables, summary: Any) -> str:
    """Hand the conversation over."""
    return "Transfer successful"


_REASONS = ("no longer needed", "ordered by mistake")


def cancel_pending_order(tables: Tables, order_id: Any, reason: Any) -> Answer:
    """Cancel a pending order, and refund what was paid."""
    order = deepcopy(found(tables, "orders", order_id))
    if order["status"] != "pending":
        raise Refused("non-pending order cannot be cancelled")
    if reason not in _REASONS:
        raise Refused("invalid reason")
    user = _buyer(tables, order)
    refunds = []
    for paid in order["payment_history"]:
        method, amount = paid["payment_method_id"], paid["amount"]
        refunds.append(_paid("refund", amount, method))
        if "gift_card" in method:
            _add(user, method, amount)
    order["status"] = "cancelled"
    order["cancel_reason"] = reason
    order["payment_history"] += refunds
    return _about_order(order_id, order, user)


def modify_pending_order_address(
    tables: Tables,
    order_id: Any,
    address1: Any,
    address2: Any,
    city: Any,
    state: Any,
    country: Any,
    zip: Any,
) -> Answer:
    """Send a pending order elsewhere."""
    order = _pending(tables, order_id)
    order["address"] = _address(address1, address2, city, state, country, zip)
    return Answer(shown(order), (("orders", order_id, order),))


def modify_user_address(
    tables: Tables,
    user_id: Any,
    address1: Any,
    address2: Any,
    city: Any,
    state: Any,
    country: Any,
    zip: Any,
) -> Answer:
    """Change the address of a user."""
    user = deepcopy(found(tables, "users", user_id))
    user["address"] = _address(address1, address2, city, state, country, zip)
    return Answer(shown(user), (("users", user_id, user),))


def modify_pending_order_payment(tables: Tables, order_id: Any, payment_method_id: Any) -> Answer:
    """Pay a pending order in another way."""
    order = _pending(tables, order_id)
    user = _buyer(tables, order)
    method = _method(user, payment_method_id)
    history = order["payment_history"]
    if len(history) != 1 or history[0]["transaction_type"] != "payment":
        raise Refused("there should be exactly one payment for a pending order")
    before, amount = history[0]["payment_method_id"], history[0]["amount"]
    if before == payment_method_id:
        raise Refused("the new payment method should be different from the current one")
    if _is_gift_card(method) and method["balance"] < amount:
        raise Refused("insufficient gift card balance to pay for the order")
    history += [_paid("payment", amount, payment_method_id), _paid("refund", amount, before)]
    if _is_gift_card(method):
        _add(user, payment_method_id, -amount)
    if "gift_card" in before:
        _add(user, before, amount)
    return _about_order(order_id, order, user)


def modify_pending_order_items(
    tables: Tables, order_id: Any, item_ids: Any, new_item_ids: Any, payment_method_id: Any
) -> Answer:
    """Take other variants of the products of a pending order, once."""
    order = _pending(tables, order_id)
    difference = _difference(tables, order, item_ids, new_item_ids)
    user = _buyer(tables, order)
    method = _method(user, payment_method_id)
    if _is_gift_card(method) and method["balance"] < difference:
        raise Refused("insufficient gift card balance to pay for the new item")
    kind = "payment" if difference > 0 else "refund"
    order["payment_history"].append(_paid(kind, abs(difference), payment_method_id))
    if _is_gift_card(method):
        _add(user, payment_method_id, -difference)
    for old, new in zip(item_ids, new_item_ids, strict=True):
        item = _first(order, old)
        variant = _variants(tables, item)[new]
        item["item_id"] = new
        item["price"] = variant["price"]
        item["options"] = deepcopy(variant["options"])
    order["status"] = "pending (item modified)"
    return _about_order(order_id, order, user)


def return_delivered_order_items(
    tables: Tables, order_id: Any, item_ids: Any, payment_method_id: Any
) -> Answer:
    """Ask for items of a delivered order to be taken back."""
    order = deepcopy(found(tables, "orders", order_id))
    if order["status"] != "delivered":
        raise Refused("non-delivered order cannot be returned")
    _method(_buyer(tables, order), payment_method_id)
    original = order["payment_history"][0]["payment_method_id"]
    if "gift_card" not in payment_method_id and payment_method_id != original:
        raise Refused("payment method should be either the original payment method or a gift card")
    if _one_too_often(order, item_ids) is not None:
        raise Refused("some item not found")
    order["status"] = "return requested"
    order["return_items"] = sorted(item_ids)
    order["return_payment_method_id"] = payment_method_id
    return Answer(shown(order), (("orders", order_id, order),))


def exchange_delivered_order_items(
    tables: Tables, order_id: Any, item_ids: Any, new_item_ids: Any, payment_method_id: Any
) -> Answer:
    """Ask for items of a delivered order to be exchanged for other variants."""
    order = deepcopy(found(tables, "orders", order_id))
    if order["status"] != "delivered":
        raise Refused("non-delivered order cannot be exchanged")
    difference = round(_difference(tables, order, item_ids, new_item_ids), 2)
    method = _method(_buyer(tables, order), payment_method_id)
    if _is_gift_card(method) and method["balance"] < difference:
        raise Refused("insufficient gift card balance to pay for the price difference")
    order["status"] = "exchange requested"
    order["exchange_items"] = sorted(item_ids)
    order["exchange_new_items"] = sorted(new_item_ids)
    order["exchange_payment_method_id"] = payment_method_id
    order["exchange_price_difference"] = difference
    return Answer(shown(order), (("orders", order_id, order),))


# -- orders and their items ------------------------------------------------------------------------


def _pending(tables: Tables, order_id: Any) -> Record:
    order = deepcopy(found(tables, "orders", order_id))
    if order["status"] != "pending":
        raise Refused("non-pending order cannot be modified")
    return order


def _about_order(order_id: str, order: Record, user: Record) -> Answer:
    user_put: Put = ("users", order["user_id"], user)
    return Answer(shown(order), (("orders", order_id, order), user_put))


def _address(address1: Any, address2: Any, city: Any, state: Any, country: Any, zip: Any) -> Record:
    return {
        "address1": address1,
        "address2": address2,
        "city": city,
        "state": state,
        "country": country,
        "zip": zip,
    }


def _one_too_often(order: Record, item_ids: Any) -> Any:
    """Return the first id that is asked for more often than the order has it, or None."""
    has = [item["item_id"] for item in order["items"]]
    return next((one for one in item_ids if item_ids.count(one) > has.count(one)), None)


def _difference(tables: Tables, order: Record, item_ids: Any, new_item_ids: Any) -> int | float:
    """Return what the new items cost more than the old ones, unrounded.

    Raises:
        Refused: an old one is not there, or a new one is not to be had.
    """
    if (missing := _one_too_often(order, item_ids)) is not None:
        raise Refused(f"{missing} not found")
    if len(item_ids) != len(new_item_ids):
        raise Refused("the number of items to be exchanged should match")
    difference: int | float = 0
    for old, new in zip(item_ids, new_item_ids, strict=True):
        item = _first(order, old)
        variants = _variants(tables, item)
        if not (new in variants and variants[new]["available"]):
            raise Refused(f"new item {new} not found or available")
        difference += variants[new]["price"] - item["price"]
    return difference


def _first(order: Record, item_id: str) -> Record:
    items: Sequence[Record] = order["items"]
    return next(item for item in items if item["item_id"] == item_id)


def _variants(tables: Tables, item: Record) -> Record:
    variants: Record = found(tables, "products", item["product_id"])["variants"]
    return variants


# -- payment ---------------------------------------------------------------------------------------


def _buyer(tables: Tables, order: Record) -> Record:
    return deepcopy(found(tables, "users", order["user_id"]))


def _method(user: Record, payment_method_id: Any) -> Record:
    methods = user["payment_methods"]
    if payment_method_id not in methods:
        raise Refused("payment method not found")
    method: Record = methods[payment_method_id]
    return method


def _is_gift_card(method: Record) -> bool:
    return bool(method["source"] == "gift_card")


def _add(user: Record, gift_card: str, amount: int | float) -> None:
    method = user["payment_methods"][gift_card]
    method["balance"] = round(method["balance"] + amount, 2)


def _paid(kind: str, amount: int | float, payment_method_id: str) -> Record:
    return {"transaction_type": kind, "amount": amount, "payment_method_id": payment_method_id}
