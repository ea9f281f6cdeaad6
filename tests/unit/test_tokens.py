"""The estimate of tokens against the true count of o200k_base."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rs_bpe.bpe import openai

from daybook.state.prompt.tokens import estimated
from daybook.tools.shop.domain import SHOP
from daybook.tools.shop.positions import SHOPPING

TRUE = openai.o200k_base()

SCHEMAS = json.dumps(SHOP.registry.schemas(SHOP.flow.offered[SHOPPING]), separators=(",", ":"))
SYSTEM = SHOP.prompt.system

EVENTS = """\
r7 search_products ok: 3 hits
1. BOOT-004 | Ridge Boots | 129.00 USD | 4.5 of 5 (12) | 3 in stock
2. BOOT-011 | Fjord Walker GTX | 189.95 USD | 4.1 of 5 (208) | 14 in stock
3. JACK-020 | Storm Shell | 240.00 USD | 3.9 of 5 (77) | 0 in stock
cart r12>r13: -BOOT-004 (Ridge Boots)
[outside the chat] cart r13>r14: SOCK-001 x2 (Merino Socks)
attributes: waterproof=yes, vegan=no, sizes=41, 42, 43, colour=red
5 of 5 | Kept my feet dry | Two weeks in the Westfjords in rain and sleet, not a drop inside.
order DB-10001, 258.00 USD charged to card-ada-1, confirmation mailed
The cart is empty. Nothing was done: say what to look for, or name a category.
"""
ENGLISH = """\
Could you look for a warm sleeping bag that packs small? My shoe size is 43 and I am allergic to
down, so please keep it synthetic. The last pair of boots leaked after three rainy afternoons.
"""
GERMAN = """\
Ich suche warme Wanderschuhe für eine Reise nach Island im März. Meine Schuhgröße ist 43, und ich
vertrage keine Daunen. Die gesamte Bestellung soll nicht mehr als dreihundert Dollar kosten.
Welche Rückgabebedingungen gelten für getragene Kleidung, und wann kommt die Lieferung an?
"""
CODE = """\
async def decide(state: State, work: Work) -> Command[Exit]:
    transcript, stale = await transcript_of(state, work)
    if taken is None and turn["ordinal"] >= work.resources.decisions:
        return Command(update={**caught_up, "decision": stopped}, goto="respond")
    for (const line of cart.lines) { total += line.quantity * line.unitPrice; }
SELECT seq, event, detail->>'call' FROM ledger_event WHERE thread_id = %(thread_id)s;
"""
CJK = """\
你好,我想买一双防水的登山靴,尺码43,预算不超过三百美元。
三月にアイスランドへ行くので、暖かいジャケットと寝袋を探しています。
삼월에 아이슬란드에 가려고 따뜻한 재킷과 침낭을 찾고 있어요.
"""
EMOJI = """\
Love these boots 👢👍 they kept me dry in Iceland 🇮🇸 ❤️ and look great 😀
⭐⭐⭐⭐☆ 👨‍👩‍👧‍👦 family trip 🏔️🥾 all good 🎉
"""
JSON = """\
{"hits": [{"sku": "BOOT-004", "name": "Ridge Boots", "price": 12900, "currency": "USD", "stock": 3}]}
{"type":"function","name":"search_products","arguments":"{\\"query\\":\\"boots\\",\\"limit\\":5}"}
{"lines":[{"sku":"SOCK-001","quantity":2,"unit_price":995}],"revision":14,"currency":"USD"}
"""

ZONES = [SCHEMAS, SYSTEM, EVENTS, ENGLISH, GERMAN]
LINES = [line for text in (*ZONES[1:], CODE, CJK, EMOJI, JSON) for line in text.splitlines()]

lines = st.lists(st.sampled_from([line for line in LINES if line]), min_size=20, max_size=120)


@given(said=lines)
def test_a_prompt_never_takes_more_than_was_estimated(said: list[str]) -> None:
    prompt = "\n".join([SYSTEM, SCHEMAS, *said])

    assert TRUE.count(prompt) <= estimated(prompt)


@pytest.mark.parametrize("zone", ZONES, ids=lambda zone: zone[:12])
def test_of_what_daybook_sends_it_says_at_most_a_quarter_more(zone: str) -> None:
    assert TRUE.count(zone) <= estimated(zone) <= TRUE.count(zone) * 1.25
