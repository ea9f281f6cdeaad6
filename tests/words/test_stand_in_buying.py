"""The stand-in on checkout, orders, mail and profile."""

import pytest

from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import BOOTS, ShopTalk

DIALOGUES = """
# a place in the list of cards is looked up too
: ben's choices
check out using the second card and ship it to the first address -> fetch_user_profile; checkout card_id=card_ben_2, address_id=addr_ben_1
# a preference without a question is looked up in the profile
: ben's choices
check out with the mastercard and ship it to work -> fetch_user_profile; checkout card_id=card_ben_2, address_id=addr_ben_2
# an address that is not on file is asked about
: user ben; cart BOOT-004 x1
ship it to the castle ~ ...Where shall it be delivered?
home then -> checkout address_id=addr_ben_1
# a card that is not on file is asked about and nothing is bought
: ben's choices
pay with the amex and ship it to work -> fetch_user_profile ~ ...Which card shall be charged?
then the visa ..-> checkout card_id=card_ben_1
# a profile that cannot be read buys nothing
: user ben; cart BOOT-004 x1
= fetch_user_profile fetch_user_profile refused: Not now.
pay with the visa !-> checkout ~ on file
what cards do I have !-> checkout ~ Not now.
## the answer to a choice is found in it
: ben's choices; said check out
use card 4444 and ship it to work -> checkout card_id=card_ben_2, address_id=addr_ben_2
the visa and home -> checkout card_id=card_ben_1, address_id=addr_ben_1
2 and 3 -> checkout card_id=card_ben_2, address_id=addr_ben_1
card_ben_2, addr_ben_2 -> checkout card_id=card_ben_2, address_id=addr_ben_2
second card, second address -> checkout card_id=card_ben_2, address_id=addr_ben_2
the first one and the second one -> checkout card_id=card_ben_1, address_id=addr_ben_2
the second one -> checkout card_id=card_ben_2
the mastercard -> checkout card_id=card_ben_2
pay with visa -> checkout card_id=card_ben_1
4444 please -> checkout card_id=card_ben_2
card_ben_2 -> checkout card_id=card_ben_2
home -> checkout address_id=addr_ben_1
ship it to work -> checkout address_id=addr_ben_2
the last one -> checkout address_id=addr_ben_2
use the second card -> checkout card_id=card_ben_2
pay with card 1 -> checkout card_id=card_ben_1
# a choice can take two turns and keeps what was chosen
: ben's choices; said check out
the second one ~ Where shall it be delivered? !~ mastercard
the first one -> checkout card_id=card_ben_2, address_id=addr_ben_1 ~ DB-10001
## an answer that is no choice is asked again
: ben's choices; said check out
yes -> ~ I do not find that among the choices
the amex -> ~ I do not find that among the choices
number 9 -> ~ I do not find that among the choices
all of them -> ~ I do not find that among the choices
# a choice can be made after an answer that was none
: ben's choices; said check out
somewhere nice -> ~ I do not find that among the choices
card 2 and home -> checkout card_id=card_ben_2, address_id=addr_ben_1
# another wish during a choice is followed and the choice stays open
: ben's choices; said check out
what's in my cart ->
the mastercard -> checkout card_id=card_ben_2
# a choice that is refused buys nothing
: ben's choices; said check out
never mind -> ~ All right
# checkout waits for what the sentence adds
BOOTS / add the first one and check out ->> add_to_cart checkout * 3
# more wishes than it follows are told
add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, add BOOT-004, & BOOT-004 x12 ~ more than I follow
# a wish for something is asked about
BOOTS / I need something nice == What shall I look for?
# yes and the wish itself are one wish
tell me about BOOT-004 / yes, add it & BOOT-004 x1
# being done is asked about before it buys
: filled
I'm done -> ~ ...Shall I check out?
yes -> checkout
# being done and ordering buys
: filled
I'm done, place the order -> checkout
## a wish to buy stands beside what is only told
: filled
ok he has come round. order it -> checkout
Then let us try once more: please place the order. -> checkout
Good. Now I'm satisfied. Place the order. -> checkout
buy it please, before I change my mind like I did with the curtains -> checkout
well my husband said yes. go ahead and buy it -> checkout
enough dithering, check out -> checkout
payday came, buy it now -> checkout
righto lock it in -> checkout
ok how do i buy it? just do it i guess -> checkout
We are decided now. Make the order please. -> checkout
done faffing about. place the order please love -> checkout
## beside what may turn it nothing is bought
: filled
he said: order it !-> checkout
if he comes round, order it !-> checkout
my husband said to buy it but I am not sure !-> checkout
he has not come round. order it? !-> checkout
tomorrow he is paid, buy it then !-> checkout
before I buy it, what does it weigh? !-> checkout
should I buy it? my wife thinks so !-> checkout
I nearly bought it. how do i pay? !-> checkout
# yes without a question approves nothing
: filled; pending a checkout of 153.00 USD waits for approval
yes -> ~ a checkout of 153.00 USD waits for approval
## what was bought is not changed again
: filled
add two more socks and check out ->> add_to_cart checkout !~ nothing like
make the socks three and check out ->> set_quantity checkout !~ nothing like
remove one of the socks and check out ->> set_quantity checkout !~ nothing like
remove the socks, check out and mail me a summary ->> remove_from_cart checkout send_email !~ nothing like
check out and then add BOOT-004 ->> checkout add_to_cart !~ nothing like
mail me my cart and clear the cart ->> send_email remove_from_cart remove_from_cart !~ nothing like
## a cart that is not as it was asked for is not bought
: filled
add a kayak and check out !-> checkout ~ I have not checked out
add the second one and check out !-> checkout ~ I have not checked out
remove the tent and check out !-> checkout ~ I have not checked out
make it seven and check out !-> checkout ~ I have not checked out
add BOOT-999 and check out !-> checkout ~ I have not checked out
add a kayak, check out and mail me a summary !-> checkout ~ I have not checked out
# what is asked of a purchase buys nothing
: filled
what did I buy just now !-> checkout
and the socks are not bought yet? !-> checkout ~ is in your cart, and was not bought yet.
so did you charge me? !-> checkout ~ nothing was ordered
did I say buy it? !-> checkout
## a purchase is wanted in many words
: filled
ring it up ->> checkout
Kindly process my order ->> checkout
Please proceed with the purchase ->> checkout
THEN BUY IT ->> checkout
i think that will be all, please do the payment ->> checkout
order it all now please ->> checkout
just charge me already ->> checkout
# a bare cancel right behind an addition is asked about, and no order is cancelled
add BOOT-004 -> add_to_cart sku=BOOT-004, quantity=1
cancel -> ~ Shall I take BOOT-004 out of your cart?
# both that were just put in are bought
add BOOT-004 / add SOCK-012
order both now ->> checkout
## a change of mind about an order is put before whoever placed it
: order DB-10001 placed 10.00 USD
I've changed my mind about the order -> cancel_order order_id=DB-10001
sorry, I don't want that order any more -> cancel_order order_id=DB-10001
that order was a mistake -> cancel_order order_id=DB-10001
Our client withdrew. Cancel said order and refund. -> cancel_order order_id=DB-10001
i changed my mind cancel that order NOW -> cancel_order order_id=DB-10001
I must cancel that order, I regret. -> cancel_order order_id=DB-10001
I have to cancel that order, sorry -> cancel_order order_id=DB-10001
we need to cancel our order -> cancel_order order_id=DB-10001
I'm afraid I must cancel my order -> cancel_order order_id=DB-10001
sorry, I've got to cancel the order -> cancel_order order_id=DB-10001
must I cancel that order? !-> cancel_order
do we have to cancel that order? !-> cancel_order
## a promise that is asked beside a wish is told too
: filled
remove the socks and tell me what your return policy is ->> remove_from_cart get_policy
check out, and how long does delivery take? ->> checkout get_policy
add the boots and what's shipping to Canada? ->> get_policy
show me socks and tell me how long delivery takes ->> search_products get_policy
## the order that is meant is cancelled
: order DB-10001 placed 10.00 USD; order DB-10003 placed 30.00 USD; order DB-10002 cancelled 20.00 USD
cancel my last order -> cancel_order order_id=DB-10003
cancel order DB-10001 -> cancel_order order_id=DB-10001
refund my order -> cancel_order order_id=DB-10003
cancel order DB-10001 because it is too big, sorry -> cancel_order order_id=DB-10001, reason=it is too big, sorry
where is my order DB-10001 / cancel it -> cancel_order order_id=DB-10001
# what cannot be cancelled is told
cancel my order ~ no order that could be cancelled
cancel it -> ~ What shall I cancel?
: order DB-10001 cancelled 10.00 USD
cancel order DB-10001 -> ~ cancelled already
# an order that was just placed or listed is that order
: filled
where is my order? == You have no orders so far.
check out ->> checkout
: order DB-10001 placed 10.00 USD
cancel it -> cancel_order order_id=DB-10001
show my orders / cancel it -> cancel_order order_id=DB-10001
# orders are listed
: order DB-10001 placed 10.00 USD
show my orders -> list_orders ~ DB-10001: placed, 10.00 USD (BOOT-004 x1)
where is my order? -> get_order order_id=DB-10001 ~ DB-10001: placed
# orders are told from the tail where they cannot be listed
: bound; order DB-10001 placed 10.00 USD
show my orders ~ DB-10001: placed, 10.00 USD
# cards and addresses are named
: user ben
what cards do I have ~ visa 1881; mastercard 4444 ~ Home; Work
# what it is made of is asked of the product, and not of the order
: cart BOOT-004 x1
how heavy is BOOT-004 / check out / is it stainless? !-> list_orders get_order
# whether it still comes is asked of the orders
: order DB-10001 placed 129.00 USD
so it is still on its way, right? -> list_orders
"""


@dialogues(DIALOGUES)
def test_a_dialogue_about_buying(lines: list[str], talk: ShopTalk):
    held(lines, talk)


def test_a_needed_choice_becomes_one_question_with_a_numbered_list(talk: ShopTalk):
    held([": ben's choices"], talk)
    answer = talk.say("check out")
    lines = ["1. visa 1881", "2. mastercard 4444", "3. Home", "4. Work"]
    assert [line for line in lines if line in answer] == lines
    assert answer.count("?") == 1


def test_the_question_comes_last_with_its_choices_right_before_it(talk: ShopTalk):
    held([": ben's choices; said check out"], talk)
    answer = talk.say("add POLE-002 and check out")
    assert answer.index("Your cart:") < answer.index("1. visa 1881")
    assert answer.endswith("Which card shall be charged, and where shall it be delivered?")


@pytest.mark.parametrize(
    ("result", "answer"),
    [
        (
            "checkout failed: The card was declined. Everything reserved was released.",
            "The checkout did not go through. The card was declined. "
            "Everything reserved was released.",
        ),
        ("checkout rejected by ada: too dear", "The checkout was rejected by ada: too dear."),
        ("checkout withdrawn: nothing was done", "The checkout was withdrawn: nothing was done."),
        ("checkout in doubt: The charge is not known.", "The checkout is in doubt. The charge is"),
        ("checkout refused: The cart was bought already.", "I could not check out: The cart was"),
        ("something else entirely", "something else entirely"),
    ],
)
def test_every_ending_of_a_checkout_is_told(filled: ShopTalk, result: str, answer: str):
    filled.answers["checkout"] = lambda args: result
    assert answer in filled.say("check out")
    assert len(filled.calls) == 1


def test_a_summary_and_the_results_on_view_are_mailed(filled: ShopTalk):
    filled.orders = ["DB-10001 placed 10.00 USD"]
    filled.say("mail me a summary")
    ((name, args),) = filled.calls
    assert name == "send_email"
    assert "Merino Wool Hiking Socks (SOCK-012) x2: 24.00 USD" in args["body"]
    assert "DB-10001: placed" in args["body"]
    filled.say(BOOTS)
    filled.say("send me the results by mail")
    assert "2. Alder Ridge Waterproof Hiking Boot (BOOT-004)" in filled.calls[0][1]["body"]


def test_a_mail_for_somebody_else_is_asked_about_and_holds_what_was_told(filled: ShopTalk):
    filled.say("tell me more about BOOT-004")
    answer = filled.say("Send that to my colleague: pavel@example.org")
    assert filled.calls == []
    assert answer.endswith(
        "Shall I send what I told you to your own mail, to pass on to your colleague?"
    )
    filled.say("yes please")
    ((name, args),) = filled.calls
    assert name == "send_email"
    assert "BOOT-004" in args["body"]


SEVERAL = """
# each wish of a message is followed
: cart BOOT-004 x1
take the boots out and put SOCK-012 in -> remove_from_cart sku=BOOT-004; add_to_cart sku=SOCK-012, quantity=1 & SOCK-012 x1
# a promise is told beside what is asked of goods
BOOTS / what's your return policy and also how much is BOOT-004 ->> get_policy ~ 129.00
# what "that one" is, and what is named beside it, are both had
BOOTS / tell me about BOOT-004 / ok that one, and also SOCK-012 & BOOT-004 x1, SOCK-012 x1
# a word that says yes to one thing is not one more wish for it
BOOTS / tell me about BOOT-004 / Sold. One please, my train is coming. & BOOT-004 x1
# what is shared out is counted
BOOTS / tell me about BOOT-004 / I'll take one for my son and one for his brother, please. & BOOT-004 x2
# what was asked of all is no wish for all
BOOTS / And now its reviews. All of them. !-> add_to_cart
"""


@dialogues(SEVERAL)
def test_a_dialogue_with_several_wishes_in_one_message(lines, talk: ShopTalk):
    held(lines, talk)


def test_nothing_is_mailed_where_it_is_called_off(filled: ShopTalk):
    answer = filled.say("no dont send that, my boss reads it. sorry")
    assert filled.calls == []
    assert "not understand" not in answer


def test_without_a_list_on_view_no_results_are_mailed(talk: ShopTalk):
    assert "no list on view" in talk.say("send me the results by mail")


TENT = "DB-10001 | placed | 200.00 USD | TENT-001 x1"
SOCKS = "DB-10002 | placed | 24.00 USD | SOCK-012 x2"
BAG = "DB-10003 | cancelled | 90.00 USD | SBAG-002 x1"
ONE = f"= list_orders r9 list_orders ok: 2 orders\\n{TENT}\\n{BAG}"
TWO = f"= list_orders r9 list_orders ok: 3 orders\\n{TENT}\\n{SOCKS}\\n{BAG}"
WHICH = "...Which order shall I cancel?"
ASKED = "Which of your orders shall be cancelled: DB-10001 (200.00 USD), DB-10002 (300.00 USD)?"

IN_A_NEW_THREAD = f"""
## orders of other threads are looked up
{ONE}
cancel my order -> list_orders; cancel_order order_id=DB-10001
cancel my last order -> list_orders; cancel_order order_id=DB-10001
cancel the tent -> list_orders; cancel_order order_id=DB-10001
cancel one of my orders -> list_orders; cancel_order order_id=DB-10001
## the only order is the one that is asked about
= list_orders r9 list_orders ok: 1 orders\\n{TENT}
where is my order -> list_orders; get_order order_id=DB-10001
show my orders / cancel it ..-> cancel_order order_id=DB-10001
## of several it is asked which
{TWO}
cancel my order -> list_orders ~ - DB-10001: placed, 200.00 USD (TENT-001 x1) ~ - DB-10002: placed, 24.00 USD (SOCK-012 x2) !~ DB-10003 ~ {WHICH}
cancel an order -> list_orders ~ {WHICH}
cancel the boots -> list_orders ~ {WHICH}
## the answer names the order
{TWO}
: said cancel my order
DB-10001 ..-> cancel_order order_id=DB-10001
the first one ..-> cancel_order order_id=DB-10001
the last one ..-> cancel_order order_id=DB-10002
cancel my last order ..-> cancel_order order_id=DB-10002
the tent ..-> cancel_order order_id=DB-10001
the order with the socks ..-> cancel_order order_id=DB-10002
## an answer that names none is asked again
{TWO}
: said cancel my order
yes !-> cancel_order ~ {WHICH}
I don't mind !-> cancel_order ~ {WHICH}
cancel it !-> cancel_order ~ {WHICH}
the boots !-> cancel_order ~ {WHICH}
## the question can be left
{TWO}
: said cancel my order
no !-> cancel_order !~ Which order shall I cancel?
never mind !-> cancel_order !~ Which order shall I cancel?
show me boots !-> cancel_order !~ Which order shall I cancel?
# the last order is the newest of those placed
{TWO}
cancel my last order -> list_orders; cancel_order order_id=DB-10002
# without an order nothing is cancelled
= list_orders r9 list_orders ok: 1 orders\\n{BAG}
cancel my order == You have no order that could be cancelled.
cancel the tent !-> cancel_order ~ None of your orders
# what lies in the cart is taken out and no order is cancelled
{ONE}
: cart TENT-001 x1
cancel the tent -> remove_from_cart sku=TENT-001
# the machine's question can be answered with the goods
{TWO}
: asked cancel_order {ASKED}; order DB-10001 placed 200.00 USD; order DB-10002 placed 300.00 USD
cancel my order == {ASKED}
the tent ..-> cancel_order order_id=DB-10001
"""


@dialogues(IN_A_NEW_THREAD)
def test_a_dialogue_about_orders_that_the_conversation_does_not_know_of(lines, talk: ShopTalk):
    held(lines, talk)


@pytest.mark.parametrize(
    "said",
    [
        "lets go to the till",
        "off to the till please",
        "right, straight to the checkout",
        "yeah im ready, take my card",
        "ok order it for me thanks",
    ],
)
def test_who_goes_to_the_till_buys_and_is_told_so(said: str):
    talk = ShopTalk(cart={"BOOT-004": 1})
    answer = talk.say(said)
    assert "checkout" in [name for name, _ in talk.calls]
    assert answer


@pytest.mark.parametrize(
    "said",
    ["dont go to the till yet", "what happens when i go to the checkout", "is my card taken"],
)
def test_who_only_speaks_of_the_till_buys_nothing(said: str):
    talk = ShopTalk(cart={"BOOT-004": 1})
    talk.say(said)
    assert "checkout" not in [name for name, _ in talk.calls]


@pytest.mark.parametrize(
    ("said", "tool"),
    [
        ("By mistake I ordered 2 instead of 1, kindly cancel it", "cancel_order"),
        ("noooo wrong one i wanted the pine one. cancel it pls", "cancel_order"),
        ("so what is still coming?", "list_orders"),
        ("On which date was it placed?", "list_orders"),
    ],
)
def test_what_is_said_of_an_order_is_of_the_order(said: str, tool: str):
    talk = ShopTalk(orders=["DB-10001 placed 99.00 USD"])
    talk.say(said)
    assert tool in [name for name, _ in talk.calls]
