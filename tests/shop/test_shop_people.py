"""Users, their addresses and their cards."""

import re
from typing import Any


async def test_ada_is_the_everyday_case(shop: Any) -> None:
    ada = await shop.get("/users/ada")
    assert ada["default_card_id"] == ada["cards"][0]["card_id"]
    assert ada["default_address_id"] == ada["addresses"][0]["address_id"]
    assert (len(ada["cards"]), len(ada["addresses"])) == (1, 1)
    assert set(ada["cards"][0]) == {"card_id", "brand", "last4", "expires"}
    assert set(ada["addresses"][0]) == {
        "address_id",
        "label",
        "street",
        "city",
        "postcode",
        "country",
    }


async def test_ben_has_two_of_everything_and_no_defaults_and_cleo_no_card(shop: Any) -> None:
    ben = await shop.get("/users/ben")
    assert (len(ben["cards"]), len(ben["addresses"])) == (2, 2)
    assert (ben["default_card_id"], ben["default_address_id"]) == (None, None)
    assert (await shop.get("/users/cleo"))["cards"] == []


async def test_dans_first_card_is_declined_and_his_second_is_good(shop: Any) -> None:
    body = {"reference": "dan", "user_id": "dan", "amount": 100, "currency": "USD"}
    for _ in range(2):
        declined = await shop.post("/charges", {**body, "card_id": "card_dan_1"})
        assert (declined.status_code, declined.json()["error"]) == (402, "card_declined")
    assert (await shop.done("/charges", {**body, "card_id": "card_dan_2"}))["amount"] == 100
    assert [e["detail"]["card_id"] for e in await shop.effects()] == ["card_dan_2"]


async def test_an_unseen_user_is_signed_up_the_same_way_in_every_shop_and_can_buy(
    shop: Any,
) -> None:
    first = await shop.get("/users/new.user-7@home_9")
    assert first["user_id"] == "new.user-7@home_9"
    assert first["default_card_id"] == first["cards"][0]["card_id"]
    assert first["default_address_id"] == first["addresses"][0]["address_id"]
    order = await shop.ordered("first", first["user_id"])
    assert order["user_id"] == first["user_id"]
    assert await shop.get("/users/new.user-7@home_9") == first
    await shop.http.post("/admin/reset")
    assert await shop.get("/users/new.user-7@home_9") == first


async def test_upper_and_lower_case_are_the_same_user(shop: Any) -> None:
    assert await shop.get("/users/ADA") == await shop.get("/users/ada")
    assert (await shop.held(user_id="Ada"))["user_id"] == "ada"


async def test_an_id_that_does_not_fit_is_no_user(shop: Any) -> None:
    for user_id in ("x" * 65, "a b", "bj\u00f6rn", "a;b", "\u212aate"):
        response = await shop.http.get(f"/users/{user_id}")
        assert (response.status_code, response.json()["error"]) == (404, "unknown_user")


async def test_no_full_card_number_is_anywhere(shop: Any) -> None:
    for user_id in ("ada", "ben", "dan", "esme", "hugo", "someone"):
        text = (await shop.http.get(f"/users/{user_id}")).text
        assert not re.search(r"\d{12,}", text)


async def test_a_card_can_be_taken_off_file_unless_something_was_charged_to_it(shop: Any) -> None:
    await shop.charged()
    taken = await shop.http.delete("/admin/cards/card_ada_1")
    assert (taken.status_code, taken.json()["error"]) == (409, "card_charged")
    assert (await shop.http.delete("/admin/cards/card_esme_1")).status_code == 200
    esme = await shop.get("/users/esme")
    assert (esme["cards"], esme["default_card_id"]) == ([], None)
    assert (await shop.http.delete("/admin/cards/card_esme_1")).status_code == 404
