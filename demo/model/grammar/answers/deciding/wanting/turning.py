"""The words that can turn the meaning of a wish, and those that only go with it."""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.vocabulary import COLOURS

MARKS: Final = frozenset({".", ",", "!", ";", ":", "\n", "?"})
"""Where a clause ends."""
JOINS: Final = frozenset({"and", "&", "plus", "but", "because", "cause", "since"})
"""What joins a clause to the one before it."""
TELLERS: Final = frozenset("it they he she we i that everybody everyone".split())  # noqa: SIM905
"""What a clause begins with that tells of something."""
TURNS: Final = (
    frozenset(
        """
        what which how why who whom whose when where whether if unless until till once suppose
        say imagine not no never without nor neither none hardly except than cheaper better
        instead versus vs compared compare similar maybe perhaps possibly think thinking thought
        wonder wondering guess unsure consider considering tempted almost probably might could
        would should was were had did bought got ordered used owned added yesterday last ago
        already before earlier has owns says said told recommends recommended tell show find look
        looking search check see explain describe price prices cost costs reviews review rating
        weight total difference know hear half other others same rather only ship deliver send
        later tomorrow after while as-is either or under below over above next month week dollars
        usd bucks euro euros pounds aside first
        """.split()  # noqa: SIM905
    )
    | ACTS
    | COLOURS
)
"""What can turn a meaning, in the clause that names the goods."""
STOPS: Final = (
    frozenset(
        """
        what which how why who when where whether if unless until till once suppose imagine maybe
        perhaps possibly think thinking wonder wondering guess unsure consider considering tempted
        almost might should could wait stop hold no nope nah never instead rather without except
        cheaper tell show find search compare check later tomorrow price total either or only make
        help choose pick remember recommend advise
        """.split()  # noqa: SIM905
    )
    | ACTS
)
"""What can turn a meaning in any clause beside that one."""
WHO: Final = r"for (?!size\b)[a-z'-]+(?: [a-z'-]+){0,3}"
"""Whom goods are for."""
WEAK: Final = (
    r"(?:please|pls|plz|then|too|as well|also|thanks|thank you|it is|it shall be|it will be"
    r"|will do|would do|will be fine|sold|deal|now|today|is the one|wins|add"
    r"|(?:in(?:to)?|to|inside)(?: (?:my|the|our))? cart"
    rf"|as (?:a|an|my|our|the)? ?[a-z]+(?: [a-z]+)?|{WHO})"
)
"""What may follow the goods, and says that they are wanted."""
BEGINS: Final = (
    r"(?:ok|okay|yes|yeah|yep|yup|sure|right|alright|fine|good|great|perfect|lovely|nice|cool"
    r"|brilliant|excellent|wonderful|super|well|oh|ooh|ah|aw+|hm+|um+|uh|haha+|hey|hi|hello|so|and"
    r"|also|plus|then|now|please|just|but|thanks|thank you|&|sold|deal|done|go on|same for"
    r"|maybe (?=throw|add)|in that case)"
)
"""What a wish may begin with, silent."""
SEES: Final = re.compile(r"\b(?:see|look|check|think|know|do you|have you|are there|is there)\b")
"""What asks to see or to know, and not to have."""
MOODS: Final = re.compile(rf"(?:(?:please|pls|plz|then|too|as well|{WHO})(?: |$))+")
"""What says of goods that were named that they are wanted."""
