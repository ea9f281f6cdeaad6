"""The stand-in on talk: what wants nothing gets a fitting answer, and changes and seeks nothing."""

import pytest

from daybook.demo.model.grammar.language.chat.talking import mood_of
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.reading import understand
from tests.words.dialogue import dialogues, held
from tests.words.shop_talk import BOOTS, ShopTalk

TALK = """
much better
oh these look lovely
that was easy
you are funny
so the cheaper one is even lighter, easy choice
good to know, ta
nice and easy
made my day
ugh my internet is slow today
what a shame
hmm jonas is out i think. or maybe not. he never answers
i could never tell 14 grams apart lol
ha, my grandad would have laughed at those prices
we went to Norway last year and it rained every single day
he turned 70 in march
sorry, phone rang
one sec, kettle's boiling
my husband says hi
mine leaked all night
my brother lives in oslo
decisions decisions
no way
fair point
typical
makes sense
bless you
sweet as
we are still arguing over here
nobody told me about the rain
merci beaucoup!
danke schön
ok gracias amigo
muchas gracias
mille grazie
dank je wel
au revoir
hasta luego
bonjour
thats not right
you got it wrong
not bad at all
could be worse
alles klar
obrigada pela ajuda
super danke
you are the best
""".strip().splitlines()

NO_TALK = """
kayak paddles
gloves
cutlery set
hammock with mosquito net
a drone
dog leash for my beagle
halve it
print the receipt
reset the thing
double the lot
bring me one
two of those
the blue one
it must be vegan
yes that one
just the one
not for me
he wants blue
i want those
is it warm
which is lighter
we need something bigger
that tent is lovely
i lost my headlamp
my size is 43
please
""".strip().splitlines()


@pytest.mark.parametrize("said", TALK)
@pytest.mark.parametrize("before", [[], [BOOTS], [BOOTS, "add the second one"]])
def test_talk_is_answered_and_neither_sought_nor_done(talk: ShopTalk, before: list[str], said: str):
    for text in before:
        talk.say(text)
    cart = dict(talk.cart)
    answer = talk.say(said)
    assert talk.calls == []
    assert talk.cart == cart
    assert "did not understand" not in answer


@pytest.mark.parametrize("said", NO_TALK)
def test_what_may_want_something_or_names_goods_is_no_talk(said: str):
    assert mood_of(tokens_of(said)) is None


@pytest.mark.parametrize(
    ("said", "mood"),
    [
        ("much better", "pleased"),
        ("what a shame", "sorry"),
        ("not great", "sorry"),
        ("my brother lives in oslo", "told"),
        ("merci beaucoup", "thanks"),
        ("tschüss", "bye"),
        ("you got it wrong", "trouble"),
        ("my mistake", "told"),
    ],
)
def test_the_answer_fits_the_mood(said: str, mood: str):
    assert [getattr(one, "about", "") for one in understand(said)] == [mood]


DIALOGUES = """
# a question that is open is asked again behind talk, and a yes is then to it
BOOTS / tell me about the second one ~ Shall I put BOOT-004
ha, my grandad would have laughed at that ~ Shall I put BOOT-004
yes -> add_to_cart sku=BOOT-004, quantity=1

# talk before a count leaves it one
BOOTS / add the second one / my cousin comes too!! 3 & BOOT-004 x3

# a doubt before a count is none of it
BOOTS / add the second one / i am not sure. 3 & BOOT-004 x1

# what so many would cost is told of what was never on view, and of another count then
what would 3 of the alder ridge waterproof hiking boots cost? ~ 3 would be 387.00 USD
and 4? ~ 4 would be 516.00 USD
and if I took two? ~ 2 would be 258.00 USD
what would it be with 5? ~ 5 would be 645.00 USD

# what so many would cost beside what is in the cart
: cart SOCK-012 x1
what would the total be if i took two alder ridge waterproof hiking boots ~ together

# a model that is praised is that model
the alder ridge looks nice ~> 'alder ridge

# what is not understood beside talk is not quoted
thats ridiculous. my wife paid for it, maybe it is under her name !~ did not understand
"""


@dialogues(DIALOGUES)
def test_talk_beside_other_things(lines: list[str], talk: ShopTalk):
    held(lines, talk)
