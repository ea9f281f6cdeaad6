"""What people write in a chat: short forms, typing errors, limits, corrections, and small talk."""

import pytest

from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.intents.cart import (
    Add,
    ClearCart,
    Doubtful,
    Keep,
    Remove,
    SetQuantity,
    Swap,
)
from daybook.demo.model.grammar.language.intents.orders import CancelOrder, Checkout
from daybook.demo.model.grammar.language.intents.talk import Talk
from daybook.demo.model.grammar.language.reading import understand
from daybook.demo.model.grammar.language.tokens import tokenise
from daybook.demo.shop.seeded.catalogue import PRODUCTS
from tests.words.utterances import NAMES


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("whats in my cart", "what is in my cart"),
        ("wont u pls", "will not you please"),
        ("its too big", "it is too big"),
        ("show me rain jakets", "show me rain jackets"),
        ("hikking bots", "hiking boots"),
        ("a hundred and fifty", "150"),
        ("less then 80", "less than 80"),
    ],
)
def test_short_forms_and_typing_errors_are_read_as_what_they_stand_for(text: str, words: str):
    assert " ".join(token.text for token in tokenise(text)) == words


def test_no_word_of_a_products_name_is_taken_for_a_typing_error():
    for product in PRODUCTS:
        name = product.name.lower().replace(",", "")
        read = " ".join(token.text for token in tokenise(name))
        assert read == name, name


@pytest.mark.parametrize(
    ("text", "highest"),
    [
        ("boots under 120", 12_000),
        ("nothing over 40", 4_000),
        ("i do not want to go over 40", 4_000),
        ("not exceeding 60", 6_000),
        ("max . 120", 12_000),
        ("i have 280 dollars to spend", 28_000),
        ("120 is my limit", 12_000),
        ("100 or less", 10_000),
        ("under 150 $ for 2", 15_000),
        ("a tent for 2 people", None),
        ("a 4 person tent", None),
        ("lighter than 700 grams", None),
    ],
)
def test_a_limit_is_found_wherever_it_stands(text: str, highest: int | None):
    assert price_bounds(text)[1] == highest


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("no wait, 2", "SetQuantity(It(), 2)"),
        ("one less", "Remove(It(), 1)"),
        ("just keep the tent", 'Keep(Named(("tent",), True))'),
        ("remove everything but the boots", 'Keep(Named(("boots",), True))'),
        ("actually the second one instead", "Swap(Nth(2))"),
        ("not that one, the other", "Swap(Other())"),
        ("how much is shipping", 'AskPolicy("shipping")'),
        ("I need it by Friday", 'AskPolicy("shipping")'),
        ("need them here by the 3rd of december", 'AskPolicy("shipping")'),
        ("we'd like to have it before my birthday", 'AskPolicy("shipping")'),
        ("gotta have those in time for our trip", 'AskPolicy("shipping")'),
        ("what if the boots dont fit", 'AskPolicy("returns")'),
        ("can i pay with paypal?", 'AskPolicy("payment")'),
        ("can i pay in euros", 'AskPolicy("currency")'),
        ("can i talk to a human", 'Talk("human")'),
        ("this is useless", 'Talk("trouble")'),
        ("busco botas", 'Search("boots")'),
        ("Haben Sie Zelte?", 'Search("tents")'),
        ("same as last time", "SameAgain()"),
        ("did it go through?", "OrderNews()"),
        ("should i remove the socks?", 'Talk("advice")'),
        ("dont add it yet", 'Talk("leave")'),
        ("i might buy them tomorrow", 'Talk("leave")'),
        ("what would happen if i ordered three", 'Talk("leave")'),
        ("which of those is the lightest?", 'Pick(Extreme("lightest"))'),
        ("take my money", "Checkout()"),
        ("delete what you saved about my nephew", 'Forget("nephew")'),
        ("please delete that size", 'Forget("size")'),
        ("never show me anything orange", 'Remember("orange", "never", "constraint")'),
        ("remind me which colour i cant stand", "AskKnown(())"),
        ("you didnt charge me did you", "OrderNews()"),
        ("look for DB-00000042", 'OrderStatus("DB-00000042")'),
        ("perhaps next month", 'Talk("leave")'),
        ("leave out the one i just added", "Remove(It())"),
        ("my wife says yes so back in with it", "Add(It())"),
        ("ok so how much in your currency", "AskPrice(It())"),
        ("what comes closest to it?", "Search(more=True)"),
        ("my feet always get wet, what boots do you have", 'Search("waterproof boots")'),
        ("lookin for boots, upto $220", 'Search("boots", max_price=22000)'),
        ("show me daypacks, for work and the odd walk", 'Search("daypacks")'),
        (
            "a pair of cotton socks too, nothing fancy, as my wife lost hers",
            'Search("cotton socks")',
        ),
        ("what are folks saying about it", "Reviews(It())"),
        (
            "what is the cairn hill made of",
            'AskProperty(Named(("cairn", "hill"), True), ("material",))',
        ),
        ("is the elk meadow shell really 448", 'AskPrice(Named(("elk", "meadow", "shell"), True))'),
        ("which folds smaller", 'Pick(Extreme("smallest"))'),
        ("a stove, and i have to stay under 80", 'Search("stove", max_price=8000)'),
        ("am i still under 500?", "ShowCart()"),
        ("show me what i've got", "ShowCart()"),
        ("would two still be below 30?", "Times(2)"),
        ("isnt that 15 dollars?", "AskPrice(It())"),
        ("im a 43 in boots remember that pls", 'Remember("shoe size", "43")'),
        ("could you make a note that i wear size 39", 'Remember("shoe size", "39")'),
        ("send my cart to my husband by email please", 'Mail("cart", "your husband")'),
        ("could i get a mail with the confirmation?", 'Mail("orders")'),
        ("add a stove, the moss bridge one", 'Add(Named(("moss", "bridge", "stove")))'),
        ("lol ok need to ask my mum", "Talk('looking')"),
        ("i have to sleep on it first", "Talk('looking')"),
        ("actually no dont send anything", "Talk('leave')"),
        ("what size do you have saved for me", "AskKnown(('size',))"),
        (
            "how much is the Hunter Gap Integrated Gas Stove System",
            'AskPrice(Named(("hunter", "gap", "integrated", "gas", "stove", "system"), True))',
        ),
    ],
)
def test_what_people_say_is_understood(text: str, meant: str):
    assert list(understand(text)) == [eval(meant, dict(NAMES))]


@pytest.mark.parametrize(
    "text",
    [
        "should i add the socks?",
        "would you remove the tent if you were me?",
        "add everything except the second",
        "add the tent unless it is heavy",
        "what happens if i check out",
        "do not clear the cart",
        "i wonder whether i should buy it",
        "check out later",
    ],
)
def test_nothing_is_done_that_was_not_asked_for(text: str):
    acts = (
        Add,
        Remove,
        SetQuantity,
        ClearCart,
        Keep,
        Swap,
        Checkout,
        CancelOrder,
    )
    assert not [one for one in understand(text) if isinstance(one, acts)]


@pytest.mark.parametrize(
    "text",
    [
        "add the second. actually dont",
        "add the second, on second thought no",
        "add the first? no thanks",
        "add the first, no, the second",
        "pretend to add the first",
        "remove the tent... just kidding",
        "maybe remove the tent",
        "remove the tent if it is the most expensive",
        "remove all but keep the lamp and socks",
        "remove everything except the lamp and the socks",
        "who would add the second?",
        "i dont need both",
        "swap the bottle for 2 more socks",
        "swap the boots for the second one unless it is heavier",
        "keep only the lamp and the stove",
        "whichever is cheaper, crane lake or amber hollow steel bottle, add that one",
        "add the cheapest of each",
        "i want to buy it but first tell me about shipping",
    ],
)
def test_what_takes_itself_back_or_depends_on_something_is_asked_about(text: str):
    for asked in understand(text):
        is_unsure = isinstance(asked, Talk) and asked.about == "unsure"
        assert is_unsure or isinstance(asked, Doubtful)


@pytest.mark.parametrize(
    "text",
    [
        "add the first, no rush",
        "add the second if you can",
        "i changed my mind, remove the tent",
        "add the second? yes please",
        "can you add the first? and the tent too",
    ],
)
def test_a_wish_that_is_plain_is_not_asked_about(text: str):
    assert Talk("unsure", text) not in understand(text)
    assert isinstance(understand(text)[0], Add | Remove)
