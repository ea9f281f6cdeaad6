"""What cannot be right is told by the lines that the model was shown."""

from typing import Any

import pytest

from daybook.tools.shop.spoken.possible import impossible

EMPTY = ["user: ada", "cart r0 (USD): empty", "orders: DB-1 cancelled 9.00 USD"]
FULL = [
    "cart r2 (USD):",
    "  BOOT-001 x2 @ 98.90 = 197.80 | Pebble Strand Waterproof Hiking Boot",
    "total: 197.80 USD",
    "orders: DB-1 cancelled 9.00 USD; DB-2 placed 12.00 USD",
]


@pytest.mark.parametrize(
    ("tool", "args", "lines"),
    [
        ("checkout", {}, EMPTY),
        ("remove_from_cart", {"sku": "BOOT-001"}, EMPTY),
        ("set_quantity", {"sku": "SOCK-002", "quantity": 2}, FULL),
        ("cancel_order", {"order_id": "DB-1"}, FULL),
    ],
)
def test_what_has_nothing_to_do_cannot_be_right(tool: str, args: dict[str, Any], lines: list[str]):
    assert impossible(tool, args, lines)


@pytest.mark.parametrize(
    ("tool", "args", "lines"),
    [
        ("checkout", {}, FULL),
        ("checkout", {}, []),
        ("checkout", {}, ["user: cart r0 (USD): empty", *FULL]),
        ("remove_from_cart", {"sku": "boot-001"}, FULL),
        ("remove_from_cart", {"sku": 7}, EMPTY),
        ("add_to_cart", {"sku": "BOOT-001"}, EMPTY),
        ("cancel_order", {"order_id": "DB-2"}, FULL),
        ("cancel_order", {"order_id": "DB-77"}, FULL),
        ("send_email", {}, EMPTY),
    ],
)
def test_what_may_be_right_is_not_barred(tool: str, args: dict[str, Any], lines: list[str]):
    assert impossible(tool, args, lines) == ""
