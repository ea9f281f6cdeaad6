"""Identifiers and amounts: which ones arguments name, and which texts contain them."""

from typing import Any

import pytest

from daybook.app.grading.identifiers import argument_tokens, tokens_of


@pytest.mark.parametrize(
    ("args", "written"),
    [
        ({"sku": "BOOT-004", "quantity": 2}, ["BOOT-004"]),
        ({"order_id": "#W2166301", "item_ids": ["6259501109"]}, ["#W2166301", "6259501109"]),
        ({"order_id": 12}, ["12"]),
        ({"handle": 7}, ["r7"]),
        ({"amount": 25800, "rate": 4.5, "limit": 5}, ["25800", "4.5"]),
        ({"expression": "300.5 - 120"}, ["300.5", "120"]),
        ({"body": "Order DB-10001 comes on 2031-05-06"}, ["DB-10001"]),
        ({"lines": [{"sku": "TENT-001"}, {"sku": "LAMP-009"}]}, ["TENT-001", "LAMP-009"]),
        ({"day": "2031-05-06", "from": "10:30", "at": "2031-05-06T10:30:00Z"}, []),
        ({"query": "warm socks for 2 people", "category": "hiking-boots", "declined": True}, []),
        ({"note": "", "nothing": None, "size": "43"}, []),
    ],
)
def test_what_arguments_name(args: dict[str, Any], written: list[str]):
    assert [token.written for token in argument_tokens(args)] == written


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ("under 1,299.50 please", {"max_price": 129950}),
        ("unter 1.299,50 bitte", {"max_price": 129950}),
        ("1,299 at most", {"max_price": 129900}),
        ("2k at most", {"max_price": 200000}),
        ("$98.90.", {"amount": 9890}),
        ("98.90USD", {"amount": 98.9}),
        ("98,90 EUR", {"amount": 98.9}),
        ('{"amount": 9890}', {"amount": 98.9}),
        ('{"prices": [12900, 9890]}', {"amount": 9890}),
        ("order db-10001.", {"order_id": "DB-10001"}),
        ("(ada@example.org)", {"email": "ada@example.org"}),
        ("it is W2166301", {"order_id": "#W2166301"}),
        ("card_ada_1", {"card_id": "card_ada_1"}),
        ("r7 {}", {"handle": 7}),
    ],
)
def test_which_texts_contain_it(text: str, args: dict[str, Any]):
    (token,) = argument_tokens(args)
    assert tokens_of(text).contains(token)
    assert not tokens_of("something else, 77 of it, DB-10002, r8").contains(token)


def test_digits_of_an_identifier_are_no_amount():
    (token,) = argument_tokens({"amount": 400})
    assert not tokens_of("BOOT-400 and W400").contains(token)
