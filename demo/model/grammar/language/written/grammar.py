"""The written grammar of what the stand-in understands.

This text is the grammar that runs: `notation` reads it (the notation is explained there), `parser`
parses by it what `tokens` cuts, and `commands` turns each command into `intents`.
To teach the model a sentence, add it to a rule in `rules`, where each stands by what it is of, and
to the table of utterances in the tests.

Words in lower case stand for themselves, after contractions are written out ("I'll" is read as
"i will", "checkout" as "check out", "basket" as "cart"). Names in capitals are kinds of tokens:

    SKU BOOT-004    ORDER DB-10001    CARD card_ada_1    ADDRESS addr_ada_1
    MONEY $80, 49.99    NUMBER 3, three    DIGITS 3    NTH 2nd, #2, second    TIMES x2, 2x
    NOUN a noun for a kind of goods    ADJECTIVE a known adjective    CARDWORD visa, mastercard
    HANDLE r7    WORD any word    ANY any token    END the end of the text
"""

from typing import Final

from daybook.demo.model.grammar.language.written.rules.advice import ADVICE
from daybook.demo.model.grammar.language.written.rules.buying import BUYING
from daybook.demo.model.grammar.language.written.rules.cart import CART
from daybook.demo.model.grammar.language.written.rules.clauses import CLAUSES
from daybook.demo.model.grammar.language.written.rules.looking import LOOKING
from daybook.demo.model.grammar.language.written.rules.oneself import ONESELF
from daybook.demo.model.grammar.language.written.rules.orders import ORDERS
from daybook.demo.model.grammar.language.written.rules.past import PAST
from daybook.demo.model.grammar.language.written.rules.product import PRODUCT
from daybook.demo.model.grammar.language.written.rules.talk import TALK
from daybook.demo.model.grammar.language.written.rules.which_one import WHICH_ONE

GRAMMAR: Final = (
    CLAUSES
    + TALK
    + LOOKING
    + WHICH_ONE
    + CART
    + PRODUCT
    + BUYING
    + ORDERS
    + ONESELF
    + PAST
    + ADVICE
)
