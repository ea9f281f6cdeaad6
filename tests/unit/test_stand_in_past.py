"""The stand-in on the past: results opened again, and questions asked in SQL."""

import pytest

from daybook.checkpoints.people.history_sql import checked
from daybook.demo.model.grammar.language.intents_past import AskPast
from daybook.demo.model.grammar.steps.past import sql_of
from daybook.tools.shop.spoken.history import VIEWS
from tests.unit.dialogue import dialogues, held
from tests.unit.shop_talk import BOOTS, ShopTalk
from tests.unit.utterances import UTTERANCES

DIALOGUES = """
# a list that stands in the prompt is shown without a call
BOOTS / wool socks / what did you find for boots -> ~ BOOT-004
add the second one & BOOT-004 x1
# a month is told by its name
what did I order in May == You placed no order in May.
# a result that is not there is said
open r9 again ~ There is no result r9
what did you find for tents ~ I have no list of “tents”
show me the previous results ~ I have no list of that
# a list that is about to be found is the one that is meant
trekking poles / find boots and add the first one & BOOT-001 x1
"""


@dialogues(DIALOGUES)
def test_a_dialogue_about_the_past(lines: list[str], talk: ShopTalk):
    held(lines, talk)


READ_BEFORE = """\
# Progress

## Read before
- r1 search_products "waterproof hiking boots" (hiking-boots, max 150.00): BOOT-001 BOOT-004
- r2 search_products "tents": TENT-001
- r3 get_product TENT-001"""


@pytest.fixture
def compacted() -> ShopTalk:
    """Begin after a compaction: the lists are no longer in the prompt."""
    talk = ShopTalk()
    talk.say(BOOTS)
    talk.say("tents")
    talk.say("tell me about TENT-001")
    talk.history.clear()
    talk.digest = READ_BEFORE
    return talk


@pytest.mark.parametrize(
    "text", ["open r1 again", "show me the first results again", "what did you find for boots"]
)
def test_a_list_that_is_out_of_the_prompt_is_opened_again(compacted: ShopTalk, text: str):
    answer = compacted.say(text)
    assert compacted.calls == [("recall", {"handle": 1})]
    assert "2. **Alder Ridge Waterproof Hiking Boot** (BOOT-004)" in answer
    compacted.say("add the second one")
    assert compacted.cart == {"BOOT-004": 1}


def test_a_number_after_a_compaction_means_the_last_list(compacted: ShopTalk):
    compacted.say("add the first one")
    assert compacted.calls == [
        ("recall", {"handle": 2}),
        ("add_to_cart", {"sku": "TENT-001", "quantity": 1}),
    ]


def test_a_number_means_the_list_of_the_turn_that_was_kept(compacted: ShopTalk):
    compacted.say("wool socks")
    compacted.say("add the second one")
    assert compacted.calls == [("add_to_cart", {"sku": "SOCK-003", "quantity": 1})]


def test_a_list_in_an_answer_that_was_kept_needs_no_result(talk: ShopTalk):
    talk.say(BOOTS)
    talk.say("wool socks")
    talk.say("what did you find for boots")
    del talk.history[:-2]
    talk.say("add the second one")
    assert talk.calls == [("add_to_cart", {"sku": "BOOT-004", "quantity": 1})]


def test_another_result_is_shown_for_what_it_is(compacted: ShopTalk):
    assert "**Two Person Tent** (TENT-001)" in compacted.say("open r3 again")


def test_what_is_out_of_date_is_said_and_searched_again_on_a_yes(compacted: ShopTalk):
    compacted.superseded = "r1"
    answer = compacted.say("open r1 again")
    assert "prices or stock may be others now" in answer
    assert answer.endswith("Shall I search again?")
    compacted.say("yes")
    assert compacted.calls == [
        (
            "search_products",
            {"query": "waterproof hiking boots", "category": "hiking-boots", "max_price": 15000},
        )
    ]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("what did I order last month", "from orders where at >= date_trunc('month', now())"),
        ("what did I buy in the last 3 weeks", "at >= now() - interval '3 weeks'"),
        ("how much have I spent", "sum(total) as total"),
        ("what did I remove from the cart", "from changes where type = 'remove'"),
        ("which payments failed", "from payments where status = 'failed'"),
        ("when did I last buy socks", "from order_lines where sku like 'SOCK-%'"),
        ("have I ever bought BOOT-004", "sku = 'BOOT-004'"),
        ("how many orders do I have", "count(*) as orders"),
        ("what did I cancel?", "from orders where status = 'cancelled'"),
        ("list everything I bought", "from order_lines order by at"),
        ("how much have I spent on tents?", "sku like 'TENT-%'"),
        ("what did I search for yesterday", "read_at >= date_trunc('day', now())"),
    ],
)
def test_a_question_about_the_past_is_asked_in_sql(talk: ShopTalk, text: str, part: str):
    talk.say(text)
    ((name, args),) = talk.calls
    assert name == "query_history"
    assert part in args["sql"]


ASKED = [intent for _, intents in UTTERANCES for intent in intents if isinstance(intent, AskPast)]


@pytest.mark.parametrize("intent", ASKED, ids=str)
def test_every_query_is_one_that_may_be_asked(intent: AskPast):
    assert checked(sql_of(intent), VIEWS)


def rows(*lines: str) -> str:
    return "\n".join([f"r7 query_history ok: {len(lines) - 1} rows", *lines])


@pytest.mark.parametrize(
    ("text", "result", "told"),
    [
        (
            "what did I order last month",
            rows(
                "order_id | status | total | currency | day",
                "DB-10001 | placed | 12900 | USD | 2031-04-02",
            ),
            "Your orders last month:\n\n- DB-10001: placed, 129.00 USD, 2031-04-02",
        ),
        (
            "how much did I spend this year",
            rows("currency | total | orders", "USD | 34150 | 2"),
            "You spent 341.50 USD on 2 orders this year. Cancelled orders are not counted.",
        ),
        (
            "what did I remove from the cart",
            rows("text | day", "cart r3>r4: -SOCK-012 (Merino Socks) | 2031-04-02"),
            "You took out of your cart:\n\n- SOCK-012 (Merino Socks), 2031-04-02",
        ),
        (
            "which payments failed",
            rows(
                "status | amount | currency | reason | day",
                "failed | 12900 | USD | card declined | 2031-04-02",
            ),
            "Payments that failed:\n\n- 129.00 USD on 2031-04-02: card declined",
        ),
        (
            "when did I last buy socks",
            rows("order_id | sku | quantity | day", "DB-10001 | SOCK-012 | 2 | 2031-04-02"),
            "You last bought socks on 2031-04-02:\n\n- 2 x SOCK-012 on 2031-04-02 (order DB-10001)",
        ),
        (
            "how many orders do I have",
            rows("status | orders", "placed | 2", "cancelled | 1"),
            "Your orders: 2 placed, 1 cancelled.",
        ),
        (
            "what did I cancel?",
            rows(
                "order_id | status | total | currency | day",
                "DB-10001 | cancelled | 12900 | USD | 2031-04-02",
            ),
            "Your cancelled orders:\n\n- DB-10001: cancelled, 129.00 USD, 2031-04-02",
        ),
        (
            "list everything I bought",
            rows("order_id | sku | quantity | day", "DB-10001 | SOCK-012 | 2 | 2031-04-02"),
            "You bought:\n\n- 2 x SOCK-012 on 2031-04-02 (order DB-10001)",
        ),
        (
            "how much have I spent on tents?",
            rows("currency | total | orders", "USD | 34150 | 2"),
            "You spent 341.50 USD on 2 orders for tents. Cancelled orders are not counted.",
        ),
        (
            "how much have I spent on tents?",
            rows("").strip(),
            "You have spent nothing on tents so far.",
        ),
        ("what did I order last month", rows("").strip(), "You placed no order last month."),
        ("how much have I spent", rows("").strip(), "You have spent nothing so far."),
        ("which payments failed", rows("").strip(), "No payment of yours failed."),
        ("when did I last buy socks", rows("").strip(), "You have not bought socks here so far."),
        (
            "which payments failed",
            "query_history refused: It took too long. Nothing was read.",
            "I could not look at your past: It took too long. Nothing was read.",
        ),
    ],
)
def test_what_the_past_says_is_told_readably(talk: ShopTalk, text: str, result: str, told: str):
    talk.answers["query_history"] = lambda args: result
    assert talk.say(text) == told
