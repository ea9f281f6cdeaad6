"""Read what people say of themselves, and what they want kept in mind or told of it. Pure."""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.bounds.limits import price_bounds
from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.chat.vocabulary import says_goods
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import ShowProfile
from daybook.demo.model.grammar.language.intents.past import (
    Advise,
    AskKnown,
    Forget,
    ForgetAll,
    Remember,
)
from daybook.demo.model.grammar.language.intents.talk import Talk
from daybook.demo.model.grammar.language.words import NOUNS, fold, kind_of

_AMOUNT: Final = r"\$? ?(\d[\d,]*(?:\.\d{1,2})?)(?: ?(?:\$|dollars|usd|bucks))?"
_SIZE: Final = r"\d{2}(?:\.5)?|x{0,3}[sml]"
_NOW: Final = r"(?:now|actually|really|in fact)"
_WORN: Final = {"hiking-boots": "shoe size", "jackets": "jacket size", "socks": "sock size"}
_ASKS: Final = ("what", "am i", "do ", "is ", "are ", "did ", "does ", "has ", "which")


def stated(clause: Clause) -> list[Intent] | None:
    """Read what a person says of themselves, and what they want to be kept in mind."""
    text = re.sub(
        r",? ?(?:(?:so )?(?:please )?(?:remember|note|keep|save) (?:that|it|this)(?: in mind)?(?: "
        r"please)?"
        r"|please remember|remember please"
        r"|(?:so )?keep that in mind|just so you know|for the record|fyi)$",
        "",
        clause.text,
    )
    asked_to = text != clause.text
    if re.search(
        r"\b(?:do not|never|stop|no need to) (?:remember|note|keep|save|store)\b", clause.text
    ):
        return [Talk("leave")]
    if found := re.match(
        r"(?:please |so |and |ok )*(?:(?:can|could|would|will) you (?:please )?)?(?:remember"
        r"|note(?: down)?|make a note|keep in mind|do not forget|you should know|just so you"
        r" know|for the record|fyi)(?: (?:this|these|it|please|down|for later|for the future"
        r"|for me)(?=.*:))*(?: ?[,:-])* (?:that |of )?(.{4,})",
        text,
    ):
        asked_to, text = True, found[1]
    if asked_to and (
        found := re.match(rf"(?:its|(?:it|that|this) is) (?:{_NOW} )*({_SIZE})(?: {_NOW})*$", text)
    ):
        return [Remember("shoe size" if found[1].isdigit() else "size", found[1])]
    text = re.sub(
        r"^(?:and |so |well |also |ok |hi |hello |,|yes |no |actually |by the way )+", "", text
    )
    if found := re.match(
        r"(?:my|our) ((?:\w+ )?(?:size|sizes|budget|limit)) (?:changed to|is now|is actually"
        r"|should be|went up to"
        r"|was|is|are|would be|will be|must be)(?: about| around| now| like)? (.+?)(?: (?:and"
        r"|but|so|,) .*)?$",
        text,
    ):
        kind: Final = "constraint" if found[1] in ("budget", "limit") else "fact"
        return [Remember(found[1].replace("limit", "budget"), found[2], kind)]
    if found := re.match(r"(.+) is my favou?rite (colou?r|material|brand|\w+)$", text):
        return [Remember(f"favourite {found[2]}", found[1], "preference")]
    found = re.match(
        r"(?:i |we )?(?:can not|could not|must not|should not|will not|never|do not)(?: ever)?"
        r" (?:wear|have|use|stand|take|tolerate|eat|buy|want)"
        r" (?:any |anything (?:with|of|from|made of) )?(.+)",
        text,
    )
    if found and says_goods(found[1].split()[-1]) and fold(found[1].split()[-1]) not in NOUNS:
        return [Remember(found[1], "never", "constraint")]
    if found := re.match(
        r"i (?:really |only |just |always |mostly |usually |much |also |strongly |do )*(like"
        r"|love|prefer|hate|dislike|want"
        r"|favou?r|do not like|do not love|can not stand|am (?:very |really )?(?:into|fond of|a "
        r"fan of))"
        r" (?:the colou?r |things (?:in|of|made of) |stuff (?:in|of) |anything |something )?(.+)",
        text,
    ):
        words = found[2].split()
        likes = "disliked" if re.search(r"hate|dislike|not", found[1]) else "liked"
        is_of_taste = (
            words not in (["it"], ["that"], ["them"], ["this"])
            and not any(fold(word) in NOUNS for word in words)
            and found[1] != "want"
        )
        if is_of_taste and (asked_to or any(map(says_goods, words)) or likes == "disliked"):
            return [Remember(found[2], likes, "preference")]
    found = re.search(r"\b(vegan|vegetarian|kosher|halal)\b", text)
    if found and re.match(r"(?:i am|we are|no |nothing)", text):
        return [Remember("diet", found[1])]
    found = re.search(r"\ballergi(?:c|es|y) (?:to|against)? ?(.+)|\b(\w+) allergy\b", text)
    is_denied = re.search(r"\bnot (?:at all )?allergic\b", text) is not None
    if found and not is_denied and not text.startswith(_ASKS):
        what = re.split(r"\b(?:so|and|please|but)\b|,", found[1] or found[2])[0].strip()
        return [Remember(f"allergy to {what}", "yes", "constraint")]
    if found := re.match(
        r"(?:i|we|she|he|they)(?: usually| normally| always| do)? (?:wear|take|have|am|need|is"
        r"|are)(?: a| an| about)?"
        r" ?(?:\w+ )?(?:size |us |eu |uk )+(\d{1,2}(?:\.5)?|x{0,3}[sml]|small|medium|large)\b.*"
        r"|(?:i|we|she|he) (?:usually |normally |always )?(?:wear|take) (?:a |an |size "
        r")*(\d{2}(?:\.5)?|x{0,3}[sml]"
        r"|small|medium|large|extra large)(?: (?:in|for) .*|s|size)?",
        text,
    ):
        size = found[1] or found[2]
        worn = kind_of(text.split())
        is_shoe = size.isdigit() and len(size) > 1
        return [Remember(_WORN.get(worn or "", "shoe size" if is_shoe else "size"), size)]
    has_noun = any(fold(token.text) in NOUNS for token in clause.tokens)
    if (
        not has_noun
        and re.match(
            r"(?:i|we) (?:(?:am|are) (?:always|often|usually|very|quite|rather)|live|hike|camp|run"
            r"|walk|travel|own|suffer|tend|snore|sweat|sleep|get cold|get hot"
            r"|have .* (?:to spend|in total))\b",
            text,
        )
        and not re.search(
            r"\b(?:asking|looking|searching|interested|done|ready|after|finished|good|fine|sorry"
            r"|not"
            r"|need some|need a|have a"
            r" question|got a question|here|back|sure|waiting|thinking|trying|all set)\b",
            text,
        )
    ):
        return [Remember(_of_person(text), "yes")]
    return [Remember(_of_person(text), "yes")] if asked_to and len(text.split()) > 1 else None


def with_size(intent: Intent) -> Intent:
    """Note a size under the name of one: "remember that I am a 43 in boots"."""
    match intent:
        case Remember(subject, "yes") if found := _A_SIZE.fullmatch(subject):
            name = _WORN.get(kind_of([found[2] or ""]) or "", "")
            return Remember(name or ("shoe size" if found[1].isdigit() else "size"), found[1])
        case _:
            return intent


_A_SIZE: Final = re.compile(
    rf"(?:i |we )?(?:wear |take |am )?(?:an? |size )*({_SIZE})(?: in (\w+))?"
)


def _of_person(text: str) -> str:
    """Write what a person said of themselves as a subject."""
    own = _TOLD_BY_OTHERS.split(text)[0]
    return re.sub(r"^(?:i am|i have|i|we are|we|my) ", "", own)[:60].strip()


_TOLD_BY_OTHERS: Final = re.compile(
    r" (?:,? ?(?:and |but |so ))?(?:my|the|our) \w+"
    r" (?:calls?|says?|thinks?|tells?|told|said|jokes?)\b"
)
"""Where somebody else speaks: "i am always cold my boyfriend calls me a lizard"."""


def _limit_in(text: str) -> str | None:
    """Return the money that a person says to have, as it is written; None where they do not."""
    most = price_bounds(text)[1] if _OF_MONEY.search(text) else None
    spent = re.search(rf"\bbudget\b.*?\b{_AMOUNT}\b|\b(?:spend|spending)\b.*?{_AMOUNT}\b", text)
    written = f"{most // 100}" if most is not None and most % 100 == 0 else ""
    if re.search(rf"(?<![\d.]){written}(?![\d.,]\d|\d)", text) and written:
        return written
    return next(g for g in spent.groups() if g) if spent is not None else None


_OF_A_LIST: Final = re.compile(r"\b(?:ones|any of (?:them|those|these)|some in)\b")
"""What is said of goods that were looked for: "and wool ones for my dad"."""
_ASKS_FOR_OTHERS: Final = re.compile(
    r"\b(?:similar|like (?:it|this|that|these|those)|(?:any|some)thing (?:else|other|similar"
    r"|cheaper|under|below|for)|others?|another|got any|is there|are there"
    r"|show me (?:some|other|any))\b"
)
_OF_MONEY: Final = re.compile(
    r"\b(?:(?:never|not)(?: ever)? (?:show|want|pay|go|cost)|(?:says?|told me|allows?)\b.*\b(?:max"
    r"|most|up to|under)|(?:for|has to be|must be|keep) (?:everything|all of it|the lot)"
    r"|everything|per (?:item|piece|thing)|i (?:have|only have|just have) (?:got )?.*\bfor)\b"
)


def remembered(clause: Clause) -> list[Intent] | None:
    """Read what is to be forgotten or told of a person, and for whom goods are."""
    text = clause.text
    found = re.match(
        r"forget (?:about )?(?:the |my )?(\w+)(?: thing| stuff| allergy| part)?$", text
    )
    is_pronoun = found is not None and found[1] in ("it", "that", "them", "this")
    if found is not None and fold(found[1]) not in NOUNS and not is_pronoun:
        return [Forget(found[1])]
    if re.match(
        r"(?:ok |please )*forget (?:about )?(?:the |my |that )?(?:\$?\d+ )?(?:limit|budget)\b", text
    ):
        return [Forget("budget")]
    if re.match(
        r"(?:and |so |ok |please |can you |could you )*remind me (?:again )?(?:of )?"
        r"(?:which|what)\b"
        r".*\b(?:i (?:said|told|like|love|hate|prefer|wear|can|can not|do not)|my)\b",
        text,
    ):
        return [AskKnown()]
    limit = _limit_in(text)
    has_goods = any(fold(token.text) in NOUNS for token in clause.tokens)
    if _OF_A_LIST.search(text) and any(map(says_goods, text.split())):
        return None
    asks = re.match(r"(?:what|how)\b", text) or _ASKS_FOR_OTHERS.search(text)
    if limit is not None and not has_goods and not asks:
        denied = re.search(r"\b(never|not)\b.*\b(above|over|more than|dearer than)\b", text)
        value = f"{denied[1]} {denied[2]} {limit}" if denied is not None else limit
        return [Remember("budget", value, "constraint")]
    if re.search(
        r"\bwhat\b.*\b(?:i|my)\b.*\b(?:like|hate|dislike|prefer|love|allergic|wear|size|budget)\b",
        text,
    ):
        if "budget" in text:
            return [AskKnown(("budget",))]
        return [AskKnown((), ("preference", "constraint"))]
    if re.search(r"\b(?:do you|what do you|what did you) (?:remember|know)\b.*\bname\b", text):
        return [ShowProfile()]
    if re.search(
        r"\b(?:which|what|where)\b.*\b(?:cards?|address(?:es)?)\b.*\b(?:of mine|on file|do i have"
        r"|saved|mine|go|goes|ship|send|deliver|charged?|used?|would|will|default|know)\b",
        text,
    ):
        return [ShowProfile()]
    if re.search(
        r"\b(?:no idea|not sure|do not know|clueless|wonder)\b.*\bwhat (?:all )?(?:i|we) "
        r"(?:will |would |might |may )?need\b",
        text,
    ):
        return [Advise(text[:160])]
    if re.match(r"forget (?:everything|all|what) you (?:know|remember)\b.*", text):
        return [ForgetAll()]
    whom = re.search(
        r"\b(?:for|it is for|is for) (my|our|a) (\w+ )?(son|daughter|wife|husband|dad|father|mum"
        r"|mom|mother"
        r"|brother|sister|friend|kids?|boy|girl|girlfriend|boyfriend|partner|uncle|aunt|grandma"
        r"|grandpa"
        r"|nephew|niece|boss|colleague|grandson|granddaughter)\b(.*)",
        text,
    )
    if whom is not None and not any(fold(t.text) in NOUNS for t in clause.tokens):
        if re.search(r"\b(?:present|gift|something|anything|birthday|christmas)\b", text):
            return [Advise(text[:160])]
        who = " ".join(part.strip() for part in whom.groups()[:3] if part)
        return [Remember("occasion", f"for {who}{whom[4]}"[:160])]
    if re.search(r"\b(?:present|gift)\b", text) and not any(
        fold(t.text) in NOUNS for t in clause.tokens
    ):
        return [Advise(text[:160])]
    return None
