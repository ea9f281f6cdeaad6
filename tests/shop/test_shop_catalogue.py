"""What is sold, and how it is found."""

from typing import Any

import pytest


async def found(shop: Any, query: str = "", **more: Any) -> list[dict[str, Any]]:
    hits: list[dict[str, Any]] = (await shop.get("/products", query=query, **more))["products"]
    return hits


async def attributes_of(shop: Any, hits: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [(await shop.get(f"/products/{hit['sku']}"))["attributes"] for hit in hits]


@pytest.mark.parametrize(
    ("query", "category", "attribute"),
    [
        ("Waterproof BOOT", "hiking-boots", {"waterproof": True}),
        ("down sleeping bag", "sleeping-bags", {"down": True}),
        ("two-person tents", "tents", {"persons": 2}),
        ("rucksack with rain cover", "backpacks", {"rain_cover": True}),
        ("a 3-season down quilt", "sleeping-bags", {"shape": "quilt"}),
        ("wool socks for hiking boots", "socks", {"wool": True}),
    ],
)
async def test_every_word_of_a_query_matters(shop, query, category, attribute):
    asked = await shop.get("/products", query=query, limit=100)
    assert asked["match"] == "all"
    assert asked["products"]
    assert {hit["category"] for hit in asked["products"]} == {category}
    for attributes in await attributes_of(shop, asked["products"]):
        assert attribute.items() <= attributes.items()


async def test_when_nothing_fits_all_words_the_same_kind_comes_with_what_fits_some(shop):
    asked = await shop.get("/products", query="purple waterproof hiking boots", limit=100)
    assert asked["match"] == "some"
    assert {hit["category"] for hit in asked["products"]} == {"hiking-boots"}
    dry = [a["waterproof"] for a in await attributes_of(shop, asked["products"])]
    assert dry == sorted(dry, reverse=True)
    assert await found(shop, "grand piano") == []


async def test_a_price_limit_is_inclusive_and_in_cents(shop: Any) -> None:
    price = (await shop.get("/products/BOOT-001"))["price"]
    skus = {hit["sku"] for hit in await found(shop, "boots", max_price=price, limit=100)}
    assert "BOOT-001" in skus
    skus = {hit["sku"] for hit in await found(shop, "boots", max_price=price - 1, limit=100)}
    assert "BOOT-001" not in skus


async def test_a_category_lists_itself_or_narrows_the_words_and_a_limit_cuts(shop: Any) -> None:
    for query, category, count in (("", "stoves", 30), ("waterproof", "jackets", None)):
        hits = await found(shop, query, category=category, limit=100)
        assert hits if count is None else len(hits) == count
        assert {hit["category"] for hit in hits} == {category}
    assert await found(shop, "tents", limit=3) == (await found(shop, "tents", limit=50))[:3]


async def test_what_the_catalogue_cannot_answer_it_refuses(shop: Any) -> None:
    for path, status, error in (
        ("/products", 400, "nothing_asked"),
        ("/products?query=%20", 400, "nothing_asked"),
        ("/products?query=boots&max_price=cheap", 422, "invalid"),
        ("/products?query=boots&max_price=-1", 422, "invalid"),
        ("/products?query=boots&limit=0", 422, "invalid"),
        ("/products?query=boots&colour=red", 422, "invalid"),
        ("/products?category=cars", 404, "unknown_category"),
        ("/policies/weather", 404, "unknown_topic"),
        ("/products/BOOT-999", 404, "unknown_sku"),
        ("/products/BOOT-999/reviews", 404, "unknown_sku"),
    ):
        response = await shop.http.get(path)
        assert (response.status_code, response.json()["error"], path) == (status, error, path)
        assert response.json()["message"]
