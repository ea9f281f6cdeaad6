"""What the machine's own true answers tell is left in them, and the lies beside it are found."""

from __future__ import annotations

import pytest
from daybook.nodes.prompt.spoken import kinds_in
from daybook.tools.said.check import untrue_in
from daybook.tools.said.known import known

from daybook.tools.shop.domain import SHOP

SOFTSHELL = (
    "r2 get_product ok\n"
    "COAT-027 | Lark Rise Softshell Jacket | 159.00 USD | 4.8 of 5 (4) | 13 in stock\n"
    "A stretchy jacket that stops wind and sheds a passing shower.\n"
    "attributes: fit=men, sizes=XS-XL, colour=graphite, weight_g=436, windproof=yes, waterproof=no"
)
PARKA = (
    "r4 search_products ok: 1 hits\n"
    "1. COAT-006 | Pine Ledge Insulated Waterproof Parka | 148.90 USD | 4.8 of 5 (8) | 6 in stock"
)
LAMP = "LAMP-006 | Pine Ledge Kids Headlamp | 11.90 USD | 4.2 of 5 (5) | 26 in stock"
POLICY = (
    "r1 get_policy ok: payment\n"
    "The card is charged when the order is placed. There is no PayPal, gift card, discount code or cash."
)
CHANGES = (
    "cart r1>r2: BOTL-007 x2 (Arrow Pass Steel Water Bottle)",
    "cart r2>r3: +BOTL-007 x1 (Arrow Pass Steel Water Bottle)",
    "# Now\ncart r3 (USD):\n  BOTL-007 x3 @ 17.90 = 53.70 | Arrow Pass Steel Water Bottle\ntotal: 53.70 USD",
)
PACKS = (
    "r1 search_products ok: 2 hits\n"
    "1. PACK-004 | Raven Crag Trekking Backpack | 168.90 USD | 4.5 of 5 (8) | 9 in stock\n"
    "2. PACK-025 | Salt Marsh Daypack | 99.00 USD | 3.8 of 5 (8) | 14 in stock"
)


@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        (CHANGES, "Added: 1 x Arrow Pass Steel Water Bottle."),
        ((POLICY,), "There is no PayPal, gift card, discount code or cash."),
        ((SOFTSHELL,), "It says: windproof: yes, waterproof: no. Its reviews do not tell it."),
        ((SOFTSHELL, PARKA), "1. **Pine Ledge Insulated Waterproof Parka** (COAT-006), 148.90 USD"),
        ((SOFTSHELL, PARKA), "Added: 1 x Pine Ledge Insulated Waterproof Parka."),
        ((SOFTSHELL,), "- no wind, and an allergy to anything that is not waterproof"),
        ((SOFTSHELL,), "3 products for “jackets” up to 10.00 USD:"),
        ((LAMP,), "Pine Ledge Kids Headlamp: 11.90 USD each, so 25 would be 297.50 USD."),
        (
            (PACKS,),
            "The difference is 0.7 stars: Raven Crag Trekking Backpack is the better rated.",
        ),
        ((PACKS,), "The difference is 69.90 USD: Salt Marsh Daypack is the cheaper of the two."),
        ((PACKS,), "Prices here are in USD; I took your limit as USD."),
        ((PACKS,), "> 3 of 5: I nearly sent it back."),
    ],
)
def test_what_is_so_stays(texts: tuple[str, ...], answer: str):
    assert untrue_in(answer, known(texts, [], kinds=kinds_in(SHOP))) == []


@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        (CHANGES, "Added: 4 x Arrow Pass Steel Water Bottle."),
        (CHANGES, "Your cart has 1 x Arrow Pass Steel Water Bottle."),
        ((POLICY,), "There is a discount code, SAVE20, for you."),
        ((SOFTSHELL,), "It says: windproof: yes, waterproof: yes."),
        ((SOFTSHELL, PARKA), "The Lark Rise Softshell Jacket is waterproof."),
        ((LAMP,), "Pine Ledge Kids Headlamp: 11.90 USD each, so 25 would be 279.50 USD."),
        ((PACKS,), "I took your payment, as requested."),
        ((PACKS,), "I have sent it off."),
        ((PACKS,), "Raven Crag Trekking Backpack is rated 0.7 stars."),
        ((PACKS,), "The difference is 12.10 USD: Salt Marsh Daypack is the cheaper of the two."),
    ],
)
def test_what_is_not_so_beside_it_is_found(texts: tuple[str, ...], answer: str):
    assert untrue_in(answer, known(texts, [], kinds=kinds_in(SHOP)))
