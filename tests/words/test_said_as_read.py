"""What is quoted, asked for, begun or counted as it was read passes; the same said otherwise is found."""

import pytest
from daybook.tools.said.check import untrue_in
from daybook.tools.said.known import Known

from tests.words.known_of import came, read

BAGS = (
    """r1 get_product ok
SBAG-024 | Quiet Valley Sleeping Bag | 189.00 USD | 4.5 of 5 (4) | 12 in stock
A winter bag, comfortable to -18 C. A draught collar keeps warm air in.
attributes: seasons=4, fill=down, weight_g=1480""",
    """r2 get_product ok
SBAG-011 | Eagle Stair Sleeping Bag | 121.00 USD | 4.1 of 5 (6) | 9 in stock
A light bag, comfortable to -16 C.
attributes: seasons=3, fill=down, weight_g=848""",
)
PACK = """r1 get_product ok
PACK-004 | Raven Crag Trekking Backpack | 168.90 USD | 4.5 of 5 (8) | 9 in stock
A 60 litre load carrier.
attributes: hip_belt=yes, capacity_litre=60, weight_g=1870"""
REVIEWS = """r2 get_reviews ok: 2 reviews of PACK-004
5 of 5 | Carries like nothing | Twelve kilos on the hips and none on the shoulders.
3 of 5 | Straps slip | The shoulder straps need a tug every hour."""
SOCKS = """r1 get_product ok
SOCK-005 | Hazel Bank Membrane Socks | 28.50 USD | 4.0 of 5 (2) | 1 in stock
Three layers with a membrane.
attributes: waterproof=yes, height=crew, weight_g=98"""
ORDERS = """r1 list_orders ok: 4 orders
DB-70214385 | placed | 131.90 USD | BOOT-013 x1
DB-70391162 | cancelled | 103.90 USD | STOV-012 x1 Fallen Larch Two-Burner Camping Stove
DB-70468820 | placed | 118.00 USD | SBAG-024 x2
DB-70577941 | placed | 63.75 USD | LAMP-007 x1"""


DECLINED = came("not done", "charge order mail", "checkout declined: card_1 271.95 USD", PACK)
IN_DOUBT = came("in doubt", "charge", "checkout in_doubt: card_1 202.45 USD", PACK)
CANCELLED = came("done", "cancel", "cancel_order done: DB-61482037 131.70 USD", PACK)
MAIL_IN_DOUBT = came("in doubt", "mail", "send_email in_doubt", PACK)
MAILED = came("done", "mail", "send_email done", PACK)
TOO_FEW = came("not done", "order", "checkout out_of_stock: card_1 85.50 USD", SOCKS)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(*BAGS), "For nights around -10 C you've picked well: the Quiet Valley has reserve."),
        (read(*BAGS), "In temperatures of about -5 the Eagle Stair is plenty."),
        (read(*BAGS), "The Eagle Stair is lighter while giving up just 2 degrees of comfort."),
        (read(PACK, REVIEWS), 'One wrote: "Twelve kilos on the hips and none on the shoulders."'),
        (read(PACK, REVIEWS), "“Twelve kilos on the hips” is what I'd look for."),
        (DECLINED, "I started the checkout for you."),
        (DECLINED, "I kicked off the order process."),
        (IN_DOUBT, "I can't say, since the answer to the charge never reached me."),
        (IN_DOUBT, "The reply about the payment hasn't come."),
        (MAILED, "That's off to you by email now."),
        (MAILED, "Mail sent. Nothing paid."),
        (MAILED, "Nothing bought."),
        (TOO_FEW, "Three pairs aren't available: one pair of the Hazel Bank is left."),
        (TOO_FEW, "All I know is that one pair is in stock right now."),
        (read(ORDERS), "Three of them are placed, and one, the camping stove, was cancelled."),
        (read(ORDERS), "The camping stove's is cancelled, and all of it was refunded."),
        (CANCELLED, "Sorry the trip fell through!"),
        (CANCELLED, "Too bad your holiday got cancelled."),
        (CANCELLED, "The hills will still be there next month."),
        (MAIL_IN_DOUBT, "I wrote the message, you approved it, and I handed it over."),
        (read(PACK, REVIEWS), "With loads of 20 kg that's a fair trade."),
        (read(PACK, REVIEWS), "One strap that slipped weighs heavily."),
        (read(*BAGS), "From the cheapest to the dearest is a spread of 68 dollars."),
    ],
)
def test_what_agrees_with_what_was_read_or_done_passes(about: Known, said: str):
    assert untrue_in(said, about) == []


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(*BAGS), "The Quiet Valley is comfortable to -10 C."),
        (read(*BAGS), "It's rated for nights down to -25 C."),
        (read(*BAGS), "The Eagle Stair is lighter while giving up just 5 degrees of comfort."),
        (read(PACK, REVIEWS), 'The page says: "it weighs 1200 g and no more".'),
        (DECLINED, "I completed the checkout for you."),
        (DECLINED, "I placed the order."),
        (IN_DOUBT, "The charge never happened."),
        (IN_DOUBT, "The payment went through."),
        (MAILED, "That's off."),
        (MAILED, "Nothing was mailed."),
        (TOO_FEW, "The Hazel Bank socks aren't available."),
        (TOO_FEW, "There is no shortage of them, they are in stock."),
        (read(ORDERS), "The camping stove is placed."),
        (read(ORDERS), "All of them were refunded."),
        (CANCELLED, "Sorry the cancellation fell through!"),
        (CANCELLED, "It will arrive next month."),
        (MAIL_IN_DOUBT, "I mailed it, and it arrived."),
        (read(PACK, REVIEWS), "It weighs 20 kg."),
        (read(PACK, REVIEWS), "One reviewer says that a seam tore."),
        (read(*BAGS), "From the cheapest to the dearest is a spread of 75 dollars."),
    ],
)
def test_what_says_otherwise_is_found(about: Known, said: str):
    assert untrue_in(said, about)
