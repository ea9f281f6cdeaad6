"""The stand-in as a model: one whole conversation, its prompt, and any text."""

import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from daybook.demo.model.grammar.seen.prompt import read_prompt
from daybook.demo.model.grammar.seen.results import (
    hits,
    options_of_profile,
    orders,
    product,
    reviews,
)
from daybook.tools.shop.spoken import prompt as renderers
from tests.stand_in import answered, read
from tests.words.shop_talk import BOOTS, NEEDS_BOTH, TOOLS, ShopTalk
from tests.words.utterances import UTTERANCES


def test_the_whole_conversation(talk: ShopTalk):
    answer = talk.say(BOOTS)
    assert talk.calls == [
        ("search_products", {"query": "waterproof hiking boots", "max_price": 15000})
    ]
    assert "2. **Alder Ridge Waterproof Hiking Boot** (BOOT-004), 129.00 USD" in answer

    answer = talk.say("add the second one and two pairs of wool socks")
    assert talk.calls == [
        ("add_to_cart", {"sku": "BOOT-004", "quantity": 1}),
        ("search_products", {"query": "wool socks", "limit": 20}),
    ]
    assert "1. **Merino Wool Hiking Socks** (SOCK-012)" in answer
    assert answer.endswith("Which one shall I add (quantity 2)?")

    answer = talk.say("the first one")
    assert talk.calls == [("add_to_cart", {"sku": "SOCK-012", "quantity": 2})]
    assert "Merino Wool Hiking Socks (SOCK-012) x2: 24.00 USD" in answer
    assert "Total: 153.00 USD" in answer

    answer = talk.say("actually remove the socks")
    assert talk.calls == [("remove_from_cart", {"sku": "SOCK-012"})]
    assert "Total: 129.00 USD" in answer

    answer = talk.say("anything else you would suggest?")
    assert talk.calls == [
        ("search_products", {"query": "trekking poles", "category": "trekking-poles"})
    ]
    assert "POLE-002" in answer
    assert "sock" not in answer.lower()

    answer = talk.say("check out")
    assert talk.calls == [("checkout", {})]
    assert "DB-10001" in answer

    talk.orders = ["DB-10001 placed 129.00 USD"]
    answer = talk.say("cancel that order")
    assert talk.calls == [("cancel_order", {"order_id": "DB-10001"})]
    assert "cancelled" in answer


def test_calls_that_need_nothing_of_each_other_are_made_at_once(talk: ShopTalk):
    talk.say(BOOTS)
    talk.say("add the second one and two pairs of wool socks")
    calls = [m.tool_calls for m in talk.history if isinstance(m, AIMessage) and m.tool_calls]
    assert [call["name"] for call in calls[1]] == ["add_to_cart", "search_products"]


def test_arguments_that_a_tool_does_not_have_are_left_out():
    function = {"name": "search_products", "parameters": {"properties": {"query": {}}}}
    (call,) = answered([HumanMessage(BOOTS)], [{"function": function}]).tool_calls
    assert call["args"] == {"query": "waterproof hiking boots"}


def test_the_same_prompt_gives_the_same_decision_with_new_ids(talk: ShopTalk):
    talk.say(BOOTS)
    messages = [*talk.history, HumanMessage("add the second one"), SystemMessage(talk.now())]
    schemas = [{"type": "function", "function": {"name": "add_to_cart", "parameters": {}}}]
    (one,), (other,) = (answered(messages, schemas).tool_calls for _ in range(2))
    assert {**one, "id": ""} == {**other, "id": ""}
    assert one["id"] != other["id"]


def test_a_prompt_without_anything_is_answered():
    assert "I am listening" in answered([SystemMessage("x")]).text
    assert "I am listening" in answered([HumanMessage("...")]).text


def test_a_prompt_is_read_by_its_turns():
    prompt = read_prompt(
        read(
            [
                SystemMessage("instructions"),
                AIMessage("before anybody spoke"),
                HumanMessage("one"),
                AIMessage("", tool_calls=[{"name": "get_cart", "args": {}, "id": "a"}]),
                ToolMessage("get_cart ok", tool_call_id="a"),
                ToolMessage("of nobody", tool_call_id="b"),
                AIMessage("answer"),
                SystemMessage("[outside the chat] cart r1>r2: -BOOT-004 (Boot)"),
                HumanMessage("two"),
                SystemMessage("# Now\nuser: ada\nunknown: line\nremoved: A-1 | x; y; B-2 | z"),
            ]
        )
    )
    assert [turn.text for turn in prompt.past] == ["", "one"]
    assert [(call.tool, call.result) for call in prompt.past[1].calls] == [
        ("get_cart", "get_cart ok")
    ]
    assert prompt.past[0].answer == "before anybody spoke"
    assert prompt.past[1].answer == "answer"
    assert prompt.turn.text == "two"
    assert prompt.now.removed == {"A-1": "x; y", "B-2": "z"}


def test_what_the_machine_renders_is_what_the_model_reads():
    hit = {
        "sku": "BOOT-004",
        "name": "Alder Boot",
        "price": 12900,
        "currency": "USD",
        "rating": 4.6,
        "review_count": 31,
        "stock": 14,
    }
    page = {**hit, "description": "A boot.", "attributes": {"waterproof": True, "weight_g": 450}}
    opinion = {"rating": 5, "title": "Good", "text": "Very | good"}
    card = {"card_id": "card_ada_1", "brand": "visa", "last4": "4242"}
    profile = {
        "name": "Ada",
        "cards": [card],
        "addresses": [{"address_id": "addr_ada_1", "label": "Home"}],
        "default_card_id": None,
        "default_address_id": "addr_ada_1",
    }
    order = {
        "order_id": "DB-10001",
        "status": "placed",
        "total": 12900,
        "currency": "USD",
        "lines": [{"sku": "BOOT-004", "quantity": 1}],
    }

    def rendered(name: str, result: Any) -> str:
        return renderers.render_read(name, 7, result, ())

    (row,) = hits(rendered("search_products", {"hits": [hit]}))
    assert (row.sku, row.name, row.cents, row.stars) == ("BOOT-004", "Alder Boot", 12900, 4.6)
    found = product(rendered("get_product", page))
    assert found is not None
    assert found.attributes == {"waterproof": "yes", "weight_g": "450"}
    assert found.description == "A boot."
    said = reviews(rendered("get_reviews", {"sku": "BOOT-004", "reviews": [opinion]}))
    assert said == [("5 of 5", "Good", "Very | good")]
    options = options_of_profile(rendered("fetch_user_profile", profile))
    assert [(o.id, o.label) for o in options.cards] == [("card_ada_1", "visa 4242")]
    assert orders(rendered("list_orders", {"orders": [order]})) == [
        ("DB-10001", "placed", "129.00 USD", "BOOT-004 x1")
    ]


WORDS = sorted({word for text, _ in UTTERANCES for word in re.findall(r"\S+", text)})
ANY_TEXT = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join),
    st.lists(st.sampled_from([text for text, _ in UTTERANCES]), min_size=1, max_size=4).map(
        ", ".join
    ),
)
ANY_RESULT = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        [
            NEEDS_BOTH,
            "checkout in doubt: Nobody knows.",
            "r1 search_products ok: 2 hits\n1. BOOT-004 | a | b | c",
            "r1 get_product ok\nBOOT-004",
            "cart r1>r2: +BOOT-004 x1 (Alder)",
            "cart r1>r2: -BOOT-004 (Alder)",
            "add_to_cart refused: No.",
        ]
    ),
)


@given(
    texts=st.lists(ANY_TEXT, min_size=1, max_size=4),
    offered=st.sets(st.sampled_from(sorted(TOOLS))) | st.just(set(TOOLS)),
    odd=st.dictionaries(st.sampled_from(sorted(TOOLS)), ANY_RESULT, max_size=3),
)
def test_any_text_is_answered_within_the_tools_that_are_bound(texts, offered, odd):
    # `ShopTalk` fails on a tool that is not bound, on arguments that do not fit the schema and on
    # a turn of more than six model calls.
    answers = {name: lambda args, told=told: told for name, told in odd.items()}
    talk = ShopTalk(offered=offered, answers=answers, orders=["DB-10001 placed 10.00 USD"])
    for text in [BOOTS, *texts]:
        assert talk.say(text)
