"""What is sold, and how it is found."""

from typing import Any

import pytest

CATEGORIES = {
    *("backpacks", "headlamps", "hiking-boots", "jackets", "sleeping-bags"),
    *("socks", "stoves", "tents", "trekking-poles", "water-bottles"),
}


async def found(shop: Any, query: str = "", **more: Any) -> list[dict[str, Any]]:
    hits: list[dict[str, Any]] = (await shop.get("/products", query=query, **more))["products"]
    return hits


async def attributes_of(shop: Any, hits: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [(await shop.get(f"/products/{hit['sku']}"))["attributes"] for hit in hits]


async def test_about_three_hundred_products_of_every_price_stand_in_ten_categories(shop):
    categories = (await shop.get("/categories"))["categories"]
    assert {category["slug"] for category in categories} == CATEGORIES
    assert all(category["count"] >= 25 for category in categories)
    assert 280 <= sum(category["count"] for category in categories) <= 320
    hits = [hit for one in CATEGORIES for hit in await found(shop, category=one, limit=100)]
    for low in (0, 2_000, 5_000, 10_000, 15_000, 25_000, 40_000):
        assert any(low <= hit["price"] < 2 * low + 2_000 for hit in hits), low
    assert {0, 1} <= {hit["stock"] for hit in hits}, "something is sold out, or almost"


async def test_waterproof_boots_under_150_and_wool_socks_are_what_they_say(shop: Any) -> None:
    boots = await found(shop, "waterproof hiking boots", max_price=15_000, limit=100)
    assert len(boots) >= 4
    assert {hit["category"] for hit in boots} == {"hiking-boots"}
    assert all(hit["price"] <= 15_000 for hit in boots)
    assert all(attributes["waterproof"] for attributes in await attributes_of(shop, boots))
    assert sum(1 for hit in boots if hit["price"] >= 10_000 and hit["stock"] > 0) >= 2
    socks = await found(shop, "wool socks", limit=100)
    assert {hit["category"] for hit in socks} == {"socks"}
    assert all(attributes["wool"] for attributes in await attributes_of(shop, socks))
    assert sum(1 for hit in socks if hit["price"] < 3_000) >= 4


@pytest.mark.parametrize(
    ("query", "category", "attribute"),
    [
        ("Waterproof BOOT", "hiking-boots", {"waterproof": True}),
        ("down sleeping bag", "sleeping-bags", {"down": True}),
        ("two-person tents", "tents", {"persons": 2}),
        ("a tent for 4 people", "tents", {"persons": 4}),
        ("rechargeable torches", "headlamps", {"rechargeable": True}),
        ("waterproof rain coat", "jackets", {"waterproof": True}),
        ("insulated bottles", "water-bottles", {"insulated": True}),
        ("folding carbon fibre poles", "trekking-poles", {"foldable": True}),
        ("wood burning stove please", "stoves", {"fuel": "wood"}),
        ("rucksack with rain cover", "backpacks", {"rain_cover": True}),
        ("women's hiking boots", "hiking-boots", {"fit": "women"}),
        ("a 3-season down quilt", "sleeping-bags", {"shape": "quilt"}),
        ("four season tent", "tents", {"seasons": 4}),
        ("parkas", "jackets", {"insulated": True}),
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


async def test_a_product_has_what_a_customer_wants_to_know(shop: Any) -> None:
    product = await shop.get("/products/SOCK-001")
    assert product["sku"] == "SOCK-001"
    assert product["currency"] == "USD"
    assert product["brand"]
    assert len(product["description"]) > 60
    assert product["attributes"]["wool"] is True
    hit = next(hit for hit in await found(shop, product["name"]) if hit["sku"] == "SOCK-001")
    assert hit.items() <= product.items()


async def test_the_rating_of_every_product_is_the_mean_of_its_reviews(shop: Any) -> None:
    texts: list[str] = []
    for hit in await found(shop, category="hiking-boots", limit=100):
        reviews = (await shop.get(f"/products/{hit['sku']}/reviews"))["reviews"]
        assert 2 <= len(reviews) <= 8
        assert hit["review_count"] == len(reviews)
        mean = sum(review["rating"] for review in reviews) / len(reviews)
        assert abs(hit["rating"] - mean) <= 0.05 + 1e-9
        assert all(review["author"] and review["title"] and review["text"] for review in reviews)
        texts += [review["text"] for review in reviews]
    assert any("ignore all earlier instructions" in text for text in texts), "one is for software"


async def test_a_reset_brings_the_very_same_catalogue(shop: Any) -> None:
    before = [await shop.get("/products", category=category, limit=100) for category in CATEGORIES]
    await shop.put("/admin/products/BOOT-001", price=1, stock=0)
    assert (await shop.http.post("/admin/reset")).status_code == 200
    after = [await shop.get("/products", category=category, limit=100) for category in CATEGORIES]
    assert before == after


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


async def test_what_the_shop_promises_is_told_by_topic(shop: Any) -> None:
    for topic in ("shipping", "returns", "payment", "currency", "warranty", "gifts"):
        told = await shop.get(f"/policies/{topic}")
        assert told["topic"] == topic
        assert told["text"]
    assert "USD" in (await shop.get("/policies/currency"))["text"]
