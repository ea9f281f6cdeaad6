"""What is sold, and how it is found."""

from typing import Any

import pytest

CATEGORIES = {
    "backpacks",
    "headlamps",
    "hiking-boots",
    "jackets",
    "sleeping-bags",
    "socks",
    "stoves",
    "tents",
    "trekking-poles",
    "water-bottles",
}


async def found(shop: Any, query: str = "", **more: Any) -> list[dict[str, Any]]:
    hits: list[dict[str, Any]] = (await shop.get("/products", query=query, **more))["products"]
    return hits


async def attributes_of(shop: Any, hits: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [(await shop.get(f"/products/{hit['sku']}"))["attributes"] for hit in hits]


async def test_about_three_hundred_products_stand_in_ten_categories(shop: Any) -> None:
    categories = (await shop.get("/categories"))["categories"]
    assert {category["slug"] for category in categories} == CATEGORIES
    assert all(category["count"] >= 25 for category in categories)
    assert 280 <= sum(category["count"] for category in categories) <= 320


async def test_waterproof_hiking_boots_under_150_are_waterproof_boots(shop: Any) -> None:
    hits = await found(shop, "waterproof hiking boots", max_price=15_000, limit=100)
    assert len(hits) >= 4
    assert {hit["category"] for hit in hits} == {"hiking-boots"}
    assert all(hit["price"] <= 15_000 for hit in hits)
    assert all(attributes["waterproof"] for attributes in await attributes_of(shop, hits))
    assert sum(1 for hit in hits if hit["price"] >= 10_000 and hit["stock"] > 0) >= 2


async def test_wool_socks_are_socks_of_wool(shop: Any) -> None:
    hits = await found(shop, "wool socks", limit=100)
    assert {hit["category"] for hit in hits} == {"socks"}
    assert all(attributes["wool"] for attributes in await attributes_of(shop, hits))
    assert sum(1 for hit in hits if hit["price"] < 3_000) >= 4


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


async def test_words_that_nothing_has_find_nothing(shop: Any) -> None:
    assert await found(shop, "grand piano") == []


async def test_a_price_limit_is_inclusive_and_in_cents(shop: Any) -> None:
    price = (await shop.get("/products/BOOT-001"))["price"]
    skus = {hit["sku"] for hit in await found(shop, "boots", max_price=price, limit=100)}
    assert "BOOT-001" in skus
    skus = {hit["sku"] for hit in await found(shop, "boots", max_price=price - 1, limit=100)}
    assert "BOOT-001" not in skus


@pytest.mark.parametrize(("query", "category"), [("", "stoves"), ("waterproof", "jackets")])
async def test_a_category_lists_itself_or_narrows_the_words(shop: Any, query: str, category: str):
    hits = await found(shop, query, category=category, limit=100)
    assert hits if query else len(hits) == 30
    assert {hit["category"] for hit in hits} == {category}


async def test_limit_cuts_the_list_and_keeps_the_best(shop: Any) -> None:
    assert await found(shop, "tents", limit=3) == (await found(shop, "tents", limit=50))[:3]


async def test_every_price_band_is_there_and_what_is_sold_out_or_almost(shop: Any) -> None:
    hits = [hit for one in CATEGORIES for hit in await found(shop, category=one, limit=100)]
    for low in (0, 2_000, 5_000, 10_000, 15_000, 25_000, 40_000):
        assert any(low <= hit["price"] < 2 * low + 2_000 for hit in hits), low
    assert {0, 1} <= {hit["stock"] for hit in hits}


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
    for hit in await found(shop, category="hiking-boots", limit=100):
        reviews = (await shop.get(f"/products/{hit['sku']}/reviews"))["reviews"]
        assert 2 <= len(reviews) <= 8
        assert hit["review_count"] == len(reviews)
        mean = sum(review["rating"] for review in reviews) / len(reviews)
        assert abs(hit["rating"] - mean) <= 0.05 + 1e-9
        assert all(review["author"] and review["title"] and review["text"] for review in reviews)


async def test_one_review_speaks_to_the_software_that_reads_it(shop: Any) -> None:
    texts = [review["text"] for review in (await shop.get("/products/BOOT-009/reviews"))["reviews"]]
    assert any("ignore all earlier instructions" in text for text in texts)


async def test_a_reset_brings_the_very_same_catalogue(shop: Any) -> None:
    before = [await shop.get("/products", category=category, limit=100) for category in CATEGORIES]
    await shop.put("/admin/products/BOOT-001", price=1, stock=0)
    assert (await shop.http.post("/admin/reset")).status_code == 200
    after = [await shop.get("/products", category=category, limit=100) for category in CATEGORIES]
    assert before == after


@pytest.mark.parametrize(
    ("path", "status", "error"),
    [
        ("/products", 400, "nothing_asked"),
        ("/products?query=%20", 400, "nothing_asked"),
        ("/products?query=boots&max_price=cheap", 422, "invalid"),
        ("/products?query=boots&max_price=-1", 422, "invalid"),
        ("/products?query=boots&limit=0", 422, "invalid"),
        ("/products?query=boots&colour=red", 422, "invalid"),
        ("/products?category=cars", 404, "unknown_category"),
        ("/products/BOOT-999", 404, "unknown_sku"),
        ("/products/BOOT-999/reviews", 404, "unknown_sku"),
    ],
)
async def test_what_the_catalogue_cannot_answer_it_refuses(shop, path, status, error):
    response = await shop.http.get(path)
    assert (response.status_code, response.json()["error"]) == (status, error)
    assert response.json()["message"]
