"""The stand-in on the past: results opened again, and questions asked in SQL."""

import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.demo.model.grammar.language.intents.past import AskPast
from daybook.demo.model.grammar.steps.past import sql_of
from daybook.state.session import Session
from daybook.tools.shop.spoken.history import VIEWS
from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import BOOTS, Goods, ShopTalk
from tests.words.utterances import UTTERANCES

DIALOGUES = r"""
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
## a question about the past is asked in SQL
what did I order last month ->> query_history ~> from orders where at >= date_trunc('month', now())
what did I buy in the last 3 weeks ->> query_history ~> at >= now() - interval '3 weeks'
how much have I spent ->> query_history ~> sum(total) as total
what did I remove from the cart ->> query_history ~> from changes where type = 'remove'
which payments failed ->> query_history ~> from payments where status = 'failed'
when did I last buy socks ->> query_history ~> from order_lines where sku like 'SOCK-%'
have I ever bought BOOT-004 ->> query_history ~> sku = 'BOOT-004'
how many orders do I have ->> query_history ~> count(*) as orders
what did I cancel? ->> query_history ~> from orders where status = 'cancelled'
list everything I bought ->> query_history ~> from order_lines order by at
how much have I spent on tents? ->> query_history ~> sku like 'TENT-%'
what did I search for yesterday ->> query_history ~> read_at >= date_trunc('day', now())
# what the past says is told readably
= query_history r7 query_history ok: 1 rows\norder_id | status | total | currency | day\nDB-10001 | placed | 12900 | USD | 2031-04-02
what did I order last month == Your orders last month:\n\n- DB-10001: placed, 129.00 USD, 2031-04-02
= query_history r7 query_history ok: 1 rows\ncurrency | total | orders\nUSD | 34150 | 2
how much did I spend this year == You spent 341.50 USD on 2 orders this year. Cancelled orders are not counted.
= query_history r7 query_history ok: 1 rows\ncurrency | total | orders\nUSD | 34150 | 2
how much have I spent on tents? == You spent 341.50 USD on 2 orders for tents. Cancelled orders are not counted.
= query_history r7 query_history ok: 1 rows\ntext | day\ncart r3>r4: -SOCK-012 (Merino Socks) | 2031-04-02
what did I remove from the cart == You took out of your cart:\n\n- SOCK-012 (Merino Socks), 2031-04-02
= query_history r7 query_history ok: 1 rows\nstatus | amount | currency | reason | day\nfailed | 12900 | USD | card declined | 2031-04-02
which payments failed == Payments that failed:\n\n- 129.00 USD on 2031-04-02: card declined
= query_history r7 query_history ok: 1 rows\norder_id | sku | quantity | day\nDB-10001 | SOCK-012 | 2 | 2031-04-02
when did I last buy socks == You last bought socks on 2031-04-02:\n\n- 2 x SOCK-012 on 2031-04-02 (order DB-10001)
= query_history r7 query_history ok: 1 rows\norder_id | sku | quantity | day\nDB-10001 | SOCK-012 | 2 | 2031-04-02
list everything I bought == You bought:\n\n- 2 x SOCK-012 on 2031-04-02 (order DB-10001)
= query_history r7 query_history ok: 2 rows\nstatus | orders\nplaced | 2\ncancelled | 1
how many orders do I have == Your orders: 2 placed, 1 cancelled.
= query_history r7 query_history ok: 1 rows\norder_id | status | total | currency | day\nDB-10001 | cancelled | 12900 | USD | 2031-04-02
what did I cancel? == Your cancelled orders:\n\n- DB-10001: cancelled, 129.00 USD, 2031-04-02
= query_history query_history refused: It took too long. Nothing was read.
which payments failed == I could not look at your past: It took too long. Nothing was read.
## a past in which nothing happened is told
how much have I spent on tents? == You have spent nothing on tents so far.
what did I order last month == You placed no order last month.
how much have I spent == You have spent nothing so far.
which payments failed == No payment of yours failed.
when did I last buy socks == You have not bought socks here so far.
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


@pytest.mark.parametrize("known", ["wool: never", "daughter: hates leather"])
def test_a_place_in_a_list_that_was_narrowed_is_asked_about(compacted: ShopTalk, known: str):
    # What was left out of the list is not told by the result: its first may be another product.
    compacted.digest += f"\n\n## Constraints\n- {known}"
    answer = compacted.say("add the first one")
    assert compacted.cart == {}
    assert "Which one do you mean?" in answer
    assert "1. **Two Person Tent** (TENT-001)" in answer


OUT_OF_THE_PROMPT = """
## a list that is out of the prompt is opened again
open r1 again / add the second one & BOOT-004 x1
open r1 again -> recall handle=1 ~ 2. **Alder Ridge Waterproof Hiking Boot** (BOOT-004)
show me the first results again -> recall handle=1 ~ 2. **Alder Ridge Waterproof Hiking Boot** (BOOT-004)
what did you find for boots -> recall handle=1 ~ 2. **Alder Ridge Waterproof Hiking Boot** (BOOT-004)
# a number after a compaction means the last list
add the first one -> recall handle=2; add_to_cart sku=TENT-001, quantity=1
# a number means the list of the turn that was kept
wool socks / add the second one -> add_to_cart sku=SOCK-003, quantity=1
# another result is shown for what it is
open r3 again ~ **Two Person Tent** (TENT-001)
# what is out of date is said and searched again on a yes
: superseded r1
open r1 again ~ prices or stock may be others now ~ ...Shall I search again?
yes -> search_products query=waterproof hiking boots, category=hiking-boots, max_price=15000
## the page that was read last is spoken of still
what is its weight? -> get_product sku=TENT-001
weight? -> get_product sku=TENT-001
is it waterproof -> get_product sku=TENT-001
# it goes in after a yes alone, as how it was spoken of is told no more
add it & ~ ...Shall I put TENT-001 into your cart?
yes please & TENT-001 x1
# so many of it go in after a yes alone
add 2 & ~ Shall I put TENT-001 into your cart (quantity 2)?
yes & TENT-001 x2
# a count alone is no place in a list that was shown before
3 pls & ~ TENT-001
add TENT-001 & TENT-001 x1
# what is in the cart is meant before a page
: cart POLE-002 x1
make it 2 & POLE-002 x2
"""


@dialogues(OUT_OF_THE_PROMPT)
def test_a_dialogue_after_a_compaction(lines: list[str], compacted: ShopTalk):
    held(lines, compacted)


@pytest.mark.parametrize(
    ("said", "tool"),
    [
        ("what do other customers think about the Stone Bridge ones?", "get_reviews"),
        ("is the stone bridge waterproof at least", "get_product"),
        ("how heavy is the stone bridge", "get_product"),
    ],
)
def test_a_name_is_one_of_the_kind_that_was_looked_at(compacted: ShopTalk, said: str, tool: str):
    names = {"LAMP-021": "Headlamp", "TENT-030": "Winter Expedition Tent"}
    compacted.goods += tuple(
        Goods(sku, f"Stone Bridge {name}", 9_000) for sku, name in names.items()
    )
    compacted.say(said)
    assert compacted.calls[-1] == (tool, {"sku": "TENT-030"})


def test_a_list_in_an_answer_that_was_kept_needs_no_result(talk: ShopTalk):
    talk.say(BOOTS)
    talk.say("wool socks")
    talk.say("what did you find for boots")
    del talk.history[:-2]
    talk.say("add the second one")
    assert talk.calls == [("add_to_cart", {"sku": "BOOT-004", "quantity": 1})]


ASKED = [intent for _, intents in UTTERANCES for intent in intents if isinstance(intent, AskPast)]


async def test_postgres_answers_every_query(postgres: Postgres):
    session = Session("default", "thread", "ada", "ada", "customer", "worker")
    for intent in ASKED:
        assert (await postgres.history.query(session, sql_of(intent), VIEWS)).rows == (), intent
