"""Read a clause that no rule of the grammar takes by the words in it that mean something. Pure.

What changes the cart or acts on the world needs its own verb in plain sight, an item that the
grammar knows, and no word of doubt; a look, a question and a search need less.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from daybook.demo.model.grammar.language.chat.limits import price_bounds
from daybook.demo.model.grammar.language.chat.vocabulary import (
    GOODS,
    SILENT,
    is_a_name,
    says_goods,
)
from daybook.demo.model.grammar.language.intents import (
    Add,
    AskKinds,
    AskPrice,
    AskProperty,
    By,
    Checkout,
    CompareReviews,
    Details,
    Every,
    Extreme,
    Intent,
    It,
    Keep,
    Mention,
    Named,
    Nth,
    Other,
    Pick,
    Reference,
    Remove,
    Reviews,
    Search,
    SetQuantity,
    ShowProfile,
    Sku,
    Suggest,
    Swap,
    Talk,
    Times,
)
from daybook.demo.model.grammar.language.intents_past import (
    Advise,
    AskKnown,
    Forget,
    ForgetAll,
    Remember,
)
from daybook.demo.model.grammar.language.references import Counted
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import CHEAP, NOUNS, fold, in_shop_words, kind_of

ItemsReader = Callable[[Sequence[Token]], list[Counted]]
"""Reads tokens as a list of items by the grammar's own rule; empty where they are none."""


@dataclass(frozen=True)
class Clause:
    """A clause: its tokens, how it reads, the grammar's reader of items, and what was before it.

    `corrects` says that it takes something back: "no wait, ...".
    """

    tokens: tuple[Token, ...]
    items: ItemsReader
    corrects: bool = False

    @property
    def text(self) -> str:
        """Return the words with one space between them, without a mark at the end."""
        return " ".join(token.text for token in self.tokens).strip(" ?!.,;:-")


_DOUBT: Final = re.compile(
    r"\b(?:not|never|if|unless|until|maybe|perhaps|later|tomorrow|without|why|should|might"
    r"|would have|instead of|rather than|what would|happen|except|but)\b"
)
_PROPERTY: Final = re.compile(
    r"\b(weights?|weighs?|heavy|heaviness|colou?rs?|materials?|fabrics?|made (?:of|from|out)|sizes?"
    r"|hood(?:ed)?|warm|warmth|waterproof|water ?proof|windproof|wind ?proof|insulated|breathable"
    r"|heights?|headroom|tall|capacity|volume|litres?|liters?|big|large|small|roomy|lumens?|bright"
    r"|brightness|batter(?:y|ies)|charge[ds]?|charging|rechargeable|usb|temperature|temp|comfort"
    r"|degrees|seasons?|winter|summer|fit|wide|narrow|women|men|unisex|gender|soles?|grip|grips|lock"
    r"|fold|folds|foldable|collapsible|fuel|boil|boils|boiling|freestanding|pegs|stand|poles?|hip belt"
    r"|hipbelt|belt|rain ?cover|straps?|persons|how many people|sleeps?|pockets?|light(?:weight)?"
    r"|merino|wool|cotton|leather|down|synthetic|vegan|cushion|thick|thin|dishwasher|bpa|filter"
    r"|length|long|shape|fill|filling|range|reach|red light|kids?|insulation|membrane|gore|leak"
    r"|rain|cold|snow|stream|wind|hiking|running|washable|machine|steel|plastic|carbon"
    r"|aluminium|aluminum|titanium|green|blue|red|black|white|grey|gray|yellow|orange|pink|purple"
    r"|navy|brown|lbs|pounds|ounces|oz|kg|kilos?|grams)\b"
)
_QUESTION: Final = re.compile(
    r"^(?:(?:and|so|but|ok|okay|well|then|also|hey|now|just|please|tell me|do you know|can you tell me"
    r"|i wonder|wondering) )*(?:how|what|which|is|are|does|do|did|can|could|will|has|have|would|any)\b"
)
_AMOUNT: Final = r"\$? ?(\d[\d,]*(?:\.\d{1,2})?)(?: ?(?:\$|dollars|usd|bucks))?"
_TROUBLE: Final = re.compile(
    r"\b(?:useless|stupid|dumb|idiot|terrible|awful|annoying|annoyed|frustrat\w+|waste of time|hopeless"
    r"|rubbish|crap|sucks?|wtf|ffs|damn|hate (?:this|you)|ridiculous|horrible|worst|nonsense|garbage"
    r"|shit|fuck\w*|angry|fed up|sick of|pathetic|joke|bad (?:bot|service|shop)|broken|kidding"
    r"|do(?:es)? not (?:work|help|understand|listen|get it|make sense)|not (?:work|help)ing|not what i"
    r"|(?:are|is|was) wrong|that is wrong|wrong|never (?:understand|listen)|listen to me|read what i"
    r"|i (?:already )?(?:said|told you|asked)|again and again|too (?:slow|hard|complicated|difficult)"
    r"|give up|come on|seriously|not (?:helpful|good|happy)|disappointed|confus\w+)\b"
)
_NUMBER: Final = (
    r"(\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|a couple|a dozen)"
)
_LONG_QUESTION: Final = 16
_WORDS_FOR: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "twelve": 12, "a couple": 2, "a dozen": 12, "another": 1,
}  # fmt: skip
_MEASURE: Final = r"(?: (?:pairs?|pieces?|units?|items?|packs?|x))?"

_ADD: Final = re.compile(
    r"\b(?:add|put|throw|stick|chuck|pop|place|toss|drop|include|give me|get me|grab(?: me)?|order me"
    r"|i will (?:take|have|go (?:with|for)|get|grab|buy)|i (?:take|choose|pick|buy)|i am taking"
    r"|let me have|let us (?:take|get|go (?:with|for)|have)|we (?:will )?take|gimme|i (?:would like|want)"
    r" to (?:add|buy|take|have)|go (?:with|for)|i want|i need|i would like|buy|order|take|get)\b"
)
_INTO: Final = re.compile(
    r"\b(?:(?:in|into|to|on|inside) (?:my|the|our)? ?(?:shopping )?(?:cart|bag)|goes in|in there|in it"
    r"|goes into)\b"
)
_REMOVE: Final = re.compile(
    r"\b(?:remove|delete|drop|ditch|discard|erase|get rid of|kick out|throw out|chuck out|lose|scrap"
    r"|take (?:out|off|away)|take|i do not (?:want|need)|i no longer (?:want|need)|forget(?: about)?"
    r"|leave out|cut|no more|scratch|cancel|i will not (?:need|take|want)|we do not (?:need|want)"
    r"|i (?:did not|never) (?:want|ask for|order|need)|not)\b"
)
_CHECKOUT: Final = re.compile(
    r"^(?:(?:ok|okay|so|now|and|then|please|great|good|fine|perfect|yes|alright|well|let us|i want to"
    r"|i would like to|can we|can you|could you|i am ready to|ready to|go ahead and|just|thanks|cool"
    r"|i think i will|i will|we can|time to|lets|let us do (?:this|it)|do (?:this|it)|that is all|that is it|that is everything|i am done"
    r"|i am done shopping|done shopping|you can|you may|want to|go|proceed|,) )*"
    r"(?:check out|finish (?:this|it|up|the order|my order|shopping)?|pay|place (?:the|my|this|that|an)"
    r" order|buy (?:it|them|all|all of (?:it|them)|everything|this|these|those|that|the lot|my cart"
    r"|the cart|now)|order (?:it|them|all|everything|this|these|those|that|the lot|all of (?:it|them)|my"
    r" cart|the cart|now)|purchase (?:it|them|everything|this|all)|complete (?:the|my|this)"
    r" (?:order|purchase)|wrap (?:it|this) up|ring (?:it|me|them|everything|that) up|get (?:it|this) done"
    r"|send (?:it|them|everything) to me|make the (?:purchase|order)|submit (?:it|the order|my order)"
    r"|finali[sz]e (?:it|this|everything|the order|my order)|wrap up|send me (?:the|my|this|all the|all this)"
    r" (?:stuff|things|goods|order|items)|take my money|charge (?:it|me|my card)|ship (?:it|them|everything)|do it|make it happen"
    r"|to (?:payment|the payment|checkout|the checkout)|with the (?:order|purchase|payment))"
    r"(?: (?:now|please|then|everything|it|them|all|for it|for them|for everything|for all|thanks|today"
    r"|in my cart|in the cart|this|my order|the order|asap|right now|already|with my (?:usual|default)"
    r" card|with the (?:usual|default) card|, ))*$"
)


def loosely(clause: Clause) -> list[Intent] | None:
    """Return what a clause means, None where nothing in it tells."""
    for read in _READERS:
        found = read(clause)
        acts = _TAKES_AWAY.search(clause.text) or _ADDS_IF.search(clause.text)
        if found and not (acts and _only_looks(found)):
            return found
    return None


def _only_looks(found: Sequence[Intent]) -> bool:
    return all(
        isinstance(one, Search | Details | AskProperty | AskPrice | Mention) for one in found
    )


# ---- corrections, and what changes the cart --------------------------------------------------


def _amount_of(text: str) -> int:
    return _WORDS_FOR.get(text) or (int(text) if text.isdigit() else 1)


def _corrected(clause: Clause) -> list[Intent] | None:
    """Read "no wait, 2", "one less", "only the second", "X instead of Y"."""
    text = re.sub(
        r"^(?:(?:no|wait|sorry|actually|i (?:meant|mean|said|wanted)|meant|rather|i only (?:want|need|wanted)"
        r"|make (?:it|that|them)|let us say|better|please|hang on|ok|well|then|and|to|we (?:want|need)|it"
        r" should be|should be|should have been|change (?:it|that) to|i (?:just )?(?:want|need)|,)\s*)+",
        "",
        clause.text,
    ).strip(" ,")
    takes_back = clause.corrects or text != clause.text
    if found := re.fullmatch(
        rf"(?:only |just )?{_NUMBER}{_MEASURE}(?: of (?:them|it|those|these|that))?(?: not {_NUMBER})?"
        r"(?: (?:please|instead|then|not|only|is enough|will do|is fine|in total|total|,))*",
        text,
    ):
        return [SetQuantity(It(), _amount_of(found[1]))] if takes_back or "only" in text else None
    if found := re.fullmatch(
        rf"(?:and |ok |please |hm )*(?:(?:up|bump|raise|increase|reduce|lower|bring|take|get|change|set|put|go|back"
        rf"|make|down|adjust|switch)(?: (?:it|that|them|this|the (?:quantity|amount|number)|the count|quantity))?"
        rf"(?: (?:up|down|back))* (?:to|at) |quantity |make it back to ){_NUMBER}{_MEASURE}"
        r"(?: (?:please|again|then|instead|now|of (?:them|it|those)))*",
        clause.text,
    ):
        return [SetQuantity(It(), _amount_of(found[1]))]
    if found := re.fullmatch(
        rf"(?:and |ok |just |make (?:it|that) |only )*{_NUMBER} (?:is (?:enough|fine|plenty|all i need|good)|will do"
        rf"|would do|is what i (?:want|need|meant))|{_NUMBER} instead of {_NUMBER}|(?:make (?:it|that) )"
        rf"{_NUMBER} again",
        clause.text,
    ):
        return [SetQuantity(It(), _amount_of(found[1] or found[2] or found[4]))]
    if found := re.fullmatch(
        r"(?:just |only |ok |yes )*(?:x ?(\d{1,2})|(\d{1,2}) ?x)(?: please| then)*", clause.text
    ):
        return [Mention(It(), int(found[1] or found[2]))]
    if re.fullmatch(
        r"(?:ok |sorry |no |but |and |yes |oh |,|please |actually )*(?:(?:i (?:do |still |will |would )?(?:want|need|like"
        r"|have|take)|bring|get|give me|put|add) (?:it|that|them|that one)(?: back)? (?:back|after all|again)"
        r"|i do (?:want|need|like) (?:it|that|them)|bring (?:it|that|them) back|undo(?: (?:that|it))?"
        r"|re-?add (?:it|that|them))(?: (?:please|now|then|again|in|after all))*",
        clause.text,
    ):
        return [Add(It(), again=True)]
    if found := re.fullmatch(rf"(?:and |ok )?(?:minus|less) {_NUMBER}(?: please)?", clause.text):
        return [Remove(It(), _amount_of(found[1]))]
    if found := re.fullmatch(
        rf"(?:and |just |take |make it |remove |minus |with |please )*{_NUMBER} (?:less|fewer|too many)"
        r"(?: (?:of (?:them|it|those)|please|then))*",
        clause.text,
    ):
        return [Remove(It(), _amount_of(found[1]))]
    if found := re.fullmatch(
        rf"(?:please )?(?:remove|take (?:out|off|away)|drop|delete|take) {_NUMBER} (?:more|again)"
        r"(?: (?:of (?:them|it|those)|please|then|out|away|off))*",
        clause.text,
    ):
        return [Remove(It(), _amount_of(found[1]))]
    if found := re.fullmatch(
        rf"(?:and |also |add |give me |get me |i want |i need |make it |please |ok |plus )*"
        rf"(?:{_NUMBER} (?:more|extra|additional)|(another)(?: one)?){_MEASURE}"
        r"(?: (?:of (?:them|it|those|these|that|the same)|please|then|like that|pair|too))*",
        clause.text,
    ):
        return [Add(It(), _amount_of(found[1] or found[2]), more=True)]
    if re.fullmatch(
        r"(?:and |ok |please |just )*double (?:it|that|them|up)?(?: please)?", clause.text
    ):
        return [SetQuantity(It(), double=True)]
    if re.search(r"\bas many as (?:you|there|possible)\b|\ball (?:that )?you have\b", clause.text):
        return [Talk("as many")]
    if re.search(
        r"\b(?:a|the) second (?:pair|one)\b.*\bsame\b|\bone more of the same\b", clause.text
    ):
        return [Add(It(), 1, more=True)]
    return _kept(clause) or _swapped(clause) or (_set(clause) if takes_back else None)


def _set(clause: Clause) -> list[Intent] | None:
    """Read a correction that names what it is about: "no wait, only one pair of boots"."""
    tokens = list(clause.tokens)
    while tokens and tokens[0].text in (
        *(
            "only",
            "just",
            "no",
            "wait",
            "sorry",
            "actually",
            "i",
            "meant",
            "mean",
            "rather",
            "make",
        ),
        *("said", "then", "ok", "well", "so", "that", "it", "please", "want", "wanted", "need"),
    ):
        del tokens[0]
    found = _items_in(tokens, clause)
    if len(found) != 1 or found[0].quantity is None or found[0].more:
        return None
    item = found[0].item
    if isinstance(item, Named):
        item = replace(item, definite=True)
    return [SetQuantity(item, found[0].quantity)]


def _kept(clause: Clause) -> list[Intent] | None:
    text = clause.text
    found = re.search(
        r"\b(?:keep only|only keep|just keep|leave only|only leave|keep just|remove (?:everything|all)"
        r"(?: of (?:it|them))? (?:except|but|apart from|other than|besides)(?: for)?"
        r"|everything (?:except|but|apart from|other than|besides)(?: for)?|all (?:except|but|other than)"
        r"|i only (?:want|need)|i just (?:want|need)|only take|just take)\b (.+)$",
        text,
    )
    if found is None and clause.corrects:
        found = re.search(r"^(?:\w+ ){0,4}?(?:only|just) (.+)$", text)
    if found is None or re.match(r"(?:\w+ ){0,3}?(?:add|put|order|buy|get)\b", text):
        return None
    rest = _tail(clause.tokens, found[1])
    items = _items_in(rest, clause)
    if len(items) != 1 or isinstance(items[0].item, Every):
        return None
    return [Keep(items[0].item, items[0].quantity)]


def _swapped(clause: Clause) -> list[Intent] | None:
    text = clause.text
    found = re.search(
        r"\b(?:swap|exchange|replace|switch|change|trade) (.+?) (?:for|with|to|against|by) (.+)$",
        text,
    )
    if found is not None:
        gone, come = (_one(clause, part) for part in found.groups())
        # "change it to 3" and "swap sizes for..." name no product.
        count = re.match(rf"(?:only |just )?{_NUMBER}(?: |$)", found[2])
        if gone is not None and count is not None:
            return [SetQuantity(_definite(gone), _amount_of(count[1]))]
        if gone is not None and come is not None and not isinstance(come, It):
            return [Swap(come, None if isinstance(gone, It) else gone)]
        return None
    if found := re.search(
        r"^(?:(?:actually|no|wait|sorry|hm|ok|and|,|please) ?)*(?:make (?:it|that)|switch (?:it )?to|change (?:it )?to"
        r"|i (?:meant|mean)|i would rather (?:have|take)|i (?:actually |would )?prefer|rather) (.+)$",
        text,
    ):
        come = _one(clause, found[1])
        if isinstance(come, Nth | Other | Sku | Extreme) or (
            isinstance(come, Named) and come.definite
        ):
            return [Swap(come, wish=True)]
    if re.search(r"^not (?:that|this)(?: one)?\b.*\bthe other\b", text):
        return [Swap(Other())]
    if found := re.search(
        r"^not (?:that|this|the \w+)(?: one)?,? (?:but |rather |i meant )*(.+)$", text
    ):
        come = _one(clause, found[1])
        return [Swap(come)] if come is not None else None
    found = re.search(r"^(.+?) instead of (.+)$", text)
    if found is not None:
        come_text = re.sub(
            r"^(?:(?:actually|add|take|get|give me|put|i want|i will take|i would like|no|wait|rather|and"
            r"|have|the other one|,)\s+)+",
            "",
            found[1],
        ).strip(" ,")
        come, gone = _one(clause, come_text), _one(clause, found[2])
        if come is not None and gone is not None:
            return [Swap(come, None if isinstance(gone, It) else gone)]
    found = re.search(
        r"^(?:(?:actually|no|wait|sorry|hm|rather|i meant|i mean|ok|add|take|i will take|i want|give me"
        r"|and|i would rather have|,)\s+)*(.+?)(?: instead| rather)$",
        text,
    )
    if found is not None and (come := _one(clause, found[1])) is not None:
        return [Swap(come)]
    found = re.search(
        r"^(?:actually|no|wait|rather|sorry|i meant|i mean)\b.*\b(the other one)\b", text
    )
    return [Swap(Other())] if found is not None else None


def _liked(clause: Clause) -> list[Intent] | None:
    """Read praise of a product as a mention of it: it is shown, and offered."""
    if found := re.fullmatch(r"(.+?) it is(?: then)?", clause.text):
        come = _one(clause, found[1])
        return [Mention(come)] if come is not None else None
    found = re.match(
        r"(?:i (?:really |quite |rather )?(?:like|love|prefer|fancy)|(?:the|that) looks? (?:good|nice))\b (.+)$",
        clause.text,
    )
    come = _one(clause, found[1]) if found is not None else None
    return [Mention(come)] if isinstance(come, Nth | Sku | Other) else None


def _added(clause: Clause) -> list[Intent] | None:
    """Read a wish to have something: its verb, then items that the grammar knows."""
    text = clause.text
    if _QUESTION.match(text) and not re.match(r"(?:can|could|will|would) (?:you|i|we) ", text):
        return None
    found, into = _ADD.search(text), _INTO.search(text)
    if found is None and into is None:
        return None
    if _DOUBT.search(text[: found.start() if found else len(text)]):
        return None
    rest = text[found.end() :] if found else text
    if found and found.group() in (
        "i want",
        "i need",
        "i would like",
        "get",
        "take",
        "order",
        "buy",
    ):
        needs_sure = into is None
    else:
        needs_sure = False
    if into is not None and into.start() >= (found.end() if found else 0):
        before = rest[: into.start() - (found.end() if found else 0)]
        rest = f"{before} {text[into.end() :]}"
    if _DOUBT.search(rest):
        return None
    items = _items_in(_tail(clause.tokens, rest), clause)
    if not items or (needs_sure and not all(map(_is_sure, items))):
        return None
    return [Add(i.item, 1 if i.quantity is None else i.quantity, i.more) for i in items]


def _is_sure(counted: Counted) -> bool:
    """Tell whether an item is one that can be had: a count of it, or one that is pointed at."""
    if counted.quantity is not None:
        return True
    return isinstance(counted.item, Sku | Nth) or (
        isinstance(counted.item, Named) and any(map(is_a_name, counted.item.words))
    )


def _removed(clause: Clause) -> list[Intent] | None:
    text = clause.text
    if found := re.fullmatch(
        r"(?:and |ok |so )*(.+?) (?:can|may|must|has to|should) go(?: now| please| again)*", text
    ):
        gone = _one(clause, found[1])
        return [Remove(_definite(gone))] if gone is not None else None
    if _ONLY_ASKS.match(text):
        return None
    founds = list(_REMOVE.finditer(text))
    for found in reversed(founds):
        verb, rest = found.group(), text[found.end() :]
        takes_out = re.search(r"\b(?:out|off|away|from (?:my|the) cart)\b", rest)
        if verb in ("take", "cut", "lose", "drop", "scratch", "not", "cancel") and verb == "take":
            if takes_out is None:
                continue
        elif verb == "not":
            continue
        if re.search(r"\b(?:do not|never|if|should|how|not)\s*$", text[: found.start()]):
            return None
        rest = re.split(
            r"\b(?:it is|they are|that is|because|since|as it|too (?:big|small|expensive|heavy|pricey)"
            r"|from (?:my|the) cart|again|please|anymore|any more|after all|out|off|away)\b",
            rest,
        )[0]
        items = _items_in(_tail(clause.tokens, rest), clause)
        if items and verb == "i do not want" and not all(map(_is_pointed, items)):
            return None
        if items:
            return [Remove(_definite(one.item), one.quantity) for one in items]
    return None


def _is_pointed(counted: Counted) -> bool:
    item = counted.item
    return not isinstance(item, Named) or item.definite


def _definite(item: Reference) -> Reference:
    return replace(item, definite=True) if isinstance(item, Named) else item


def _bought(clause: Clause) -> list[Intent] | None:
    return [Checkout()] if _CHECKOUT.fullmatch(clause.text) else None


# ---- questions -------------------------------------------------------------------------------


def _priced(clause: Clause) -> list[Intent] | None:
    text = clause.text
    if found := re.search(
        rf"\b(?:what|how much)\b.*\b{_NUMBER} (?:times|x|of (?:them|it|those|these))\b"
        r"|\b(?:and )?(?:if|when) i (?:took|take|bought|buy|got|get|ordered|order|had|want(?:ed)?|added|add)"
        rf" {_NUMBER}\b|\bfor {_NUMBER}(?: of (?:them|it))?$",
        text,
    ):
        count = next((group for group in found.groups() if group), "1")
        pointed = _pointed(clause, text)
        is_money = "price" in text or "cost" in text or "how much" in text or "if i" in text
        if is_money:
            return [Times(_amount_of(count), pointed or It())]
    is_told = re.match(
        r"(?:that|it|this|they|these|those)? ?(?:is|are)? ?(?:a bit |way |much |far )?too\b", text
    )
    if is_told:
        return None
    if re.search(r"\b(?:prices?|how much|costs?|expensive)\b", text) and not price_bounds(text)[1]:
        if re.search(r"\b(?:weigh|lbs|weight|heavy|litres?|rain|water)\b", text):
            return None
        return [AskPrice(_pointed(clause, text) or It())]
    return None


def _reviewed(clause: Clause) -> list[Intent] | None:
    text = clause.text
    if not re.search(
        r"\b(?:reviews?|reviewers?|rated|ratings?|opinions?|feedback|people (?:say|think)|customers (?:say"
        r"|think|prefer)|complain\w*|any good|popular|others say|buyers|recommended by|stars"
        r"|cons|pros|downsides?|disadvantages?|others (?:say|think|like)|(?:customers|people|others|they) (?:like|love"
        r"|hate|recommend)|problems? with|worst|praise)\b",
        text,
    ):
        return None
    wants_other = re.search(
        r"\b(?:with|better|good|best|higher|top)\b.*\b(?:reviews?|ratings?|rated|stars)\b", text
    )
    skus = [Sku(t.text.upper()) for t in clause.tokens if t.kind is Kind.SKU]
    if len(skus) > 1:
        return [CompareReviews(tuple(skus))]
    if re.search(r"\b(?:prefer|compare|which|at least)\b", text):
        words = tuple(w for w in _content(clause.tokens) if kind_of([w]))
        return [Search(" ".join(words), kind_of(words))] if words else [CompareReviews((Every(),))]
    pointed = _pointed(clause, text)
    points = pointed is not None and not (isinstance(pointed, Named) and not pointed.definite)
    if wants_other and not points:
        words = tuple(w for w in _content(clause.tokens) if kind_of([w]))
        if words:
            return [Search(" ".join(words), kind_of(words))]
        return [CompareReviews((Every(),))]
    return [Reviews(pointed or It())]


def _asked(clause: Clause) -> list[Intent] | None:
    """Read a question about one product: what it asks for, and of which."""
    text = clause.text
    asked = [match.group() for match in _PROPERTY.finditer(text)]
    numbers = [
        t.text
        for t in clause.tokens
        if t.kind in (Kind.NUMBER, Kind.MONEY) and t.text.replace(".", "").isdigit()
    ]
    if not starts_question_or_property(text) and not asked:
        return None
    pointed = _pointed(clause, text)
    is_short = len(clause.tokens) <= 4 and not any(fold(t.text) in NOUNS for t in clause.tokens)
    starts_question = _QUESTION.match(text) is not None
    points = pointed is not None and not (
        isinstance(pointed, Named)
        and not pointed.definite
        and not any(map(is_a_name, pointed.words))
    )
    if price_bounds(text) != (None, None) or len(clause.tokens) > _LONG_QUESTION:
        return None
    if not (starts_question or (is_short and re.match(r"(?:and )?how\b", text)) or points):
        return None
    if not points and not re.search(
        r"\b(?:it|its|they|them|their|that|this|those|these|the)\b", text
    ):
        if not re.match(r"(?:(?:and|so|ok|but) )*(?:how|what|whats) ", text) or not asked:
            return None
        if price_bounds(text)[1] is not None:
            return None
    if re.search(r"\b(?:left|stock|available|availability|how many)\b", text) and not re.search(
        r"\bhow many (?:people|persons|seasons|lumens?|litres?)\b", text
    ):
        return [AskProperty(pointed or It(), ("stock",))]
    pronoun = re.search(r"\b(?:it|they|them|that one|this one|these|those)\b", text)
    if not asked and not numbers and starts_question and pronoun and not points_away(text):
        words = tuple(
            token.text
            for token in clause.tokens
            if token.kind is Kind.WORD and token.text not in SILENT and len(token.text) > 1
        )
        return [AskProperty(pointed or It(), words or ("that",))]
    if not asked and not numbers:
        if starts_question and points and not re.search(r"\b(?:you|your|i|my|me|we)\b", text):
            words = tuple(
                t.text for t in clause.tokens
                if t.kind is Kind.WORD and t.text not in SILENT and not _in(t.text, pointed)
            )  # fmt: skip
            return [AskProperty(pointed or It(), words or ("anything",))] if words else None
        return None
    if re.search(r"\b(?:show|find|looking|search|any|anything|something|under|below)\b", text):
        return None
    words = tuple(
        word
        for word in (*" ".join(asked).split(), *_extra(clause, pointed), *numbers)
        if not _in(word, pointed)
    )
    return [AskProperty(pointed or It(), tuple(dict.fromkeys(words)) or ("size",))]


def points_away(text: str) -> bool:
    """Tell whether a question about "it" is about something else than a product."""
    return bool(
        re.search(
            r"\b(?:you|order|cart|delivery|buy|pay|add|remove|checkout|cancel|shop|help|work)\b",
            text,
        )
    )


def starts_question_or_property(text: str) -> bool:
    """Tell whether a text asks, or has a word for a property."""
    return _QUESTION.match(text) is not None or _PROPERTY.search(text) is not None


def _extra(clause: Clause, pointed: Reference | None) -> list[str]:
    """Return the other words of a question that may stand on the product's page."""
    return [
        token.text
        for token in clause.tokens
        if token.kind is Kind.WORD and is_a_name(token.text) and not _in(token.text, pointed)
    ]


def _in(word: str, pointed: Reference | None) -> bool:
    return isinstance(pointed, Named) and word in pointed.words


_MORE_OF: Final[dict[str, By]] = {
    "capacity": "largest", "volume": "largest", "space": "largest", "room": "largest",
    "litres": "largest", "lumens": "brightest", "light": "brightest", "brightness": "brightest",
    "weighs": "heaviest", "weight": "heaviest", "warmth": "warmest",
}  # fmt: skip


def _picked(clause: Clause) -> list[Intent] | None:
    """Read the question which one has the most of something."""
    text = clause.text
    if not re.match(r"(?:and |so |ok |but )*(?:which|what|whats)\b", text):
        return None
    if found := re.search(r"\b(?:most|more|less|least|fewer|biggest|highest|largest) (\w+)$", text):
        by = _MORE_OF.get(found[1])
        is_less = re.search(r"\b(?:less|least|fewer)\b", text) is not None
        if by is not None:
            return [Pick(Extreme("lightest" if by == "heaviest" and is_less else by))]
    if re.search(r"\bweighs? (?:the )?(?:less|least)\b", text):
        return [Pick(Extreme("lightest"))]
    if re.search(r"\bweighs? (?:the )?(?:more|most)\b", text):
        return [Pick(Extreme("heaviest"))]
    if re.search(
        r"\b(?:like|is|would be|do you think is|suits|fits) (?:the )?(?:best|better|nicest|right)\b",
        text,
    ):
        return [Pick(Extreme("best"))]
    return None


def _told(clause: Clause) -> list[Intent] | None:
    """Read a wish to hear more about products that are named."""
    text = clause.text
    if re.fullmatch(
        r"(?:and |ok |more )?(?:details?|info|information|specs?|specifications|description|tell me more|more info)"
        r"(?: please| about it)?|(?:what is|tell me about|what about) (?:that|this|it)(?: one)?(?: like)?",
        text,
    ):
        return [Details(It())]
    if re.fullmatch(
        r"(?:and )?(?:what |which |the |its |and )*(?:sizes?|colou?rs?|weights?|materials?|dimensions?|capacity|volume|height"
        r"|measurements|fit|brand|battery|stock)(?: please| then)?",
        text,
    ):
        word = re.sub(r"^.*\b(?=\w+$)", "", text.removesuffix(" please").removesuffix(" then"))
        return [AskProperty(It(), (word,))]
    places = [t for t in clause.tokens if t.kind is Kind.NTH]
    if len(places) > 1 and re.search(r"\b(?:or|than|better|versus|vs|and|compare)\b", text):
        return [Details(Nth(place.value, counted=True)) for place in places]
    skus = [Sku(t.text.upper()) for t in clause.tokens if t.kind is Kind.SKU]
    if len(skus) > 1 and re.search(
        r"\b(?:better|best|difference|compare|versus|vs|or|which)\b", text
    ):
        return [Details(sku) for sku in skus]
    if re.search(r"\b(?:compare|difference|differ|versus|vs)\b", text):
        items = _items_in(
            _tail(clause.tokens, re.sub(r"^.*?\b(?:compare|between)\b", "", text)), clause
        )
        return [Details(one.item) for one in items] or [Details(Every())]
    if re.search(
        r"\b(?:tell me|more about|about|details?|info|describe|explain|show me|open)\b", text
    ):
        pointed = _pointed(clause, text)
        if pointed is None or isinstance(pointed, It):
            return None
        if not (isinstance(pointed, Named) and not any(map(is_a_name, pointed.words))):
            return [Details(pointed)]
    return None


def _stated(clause: Clause) -> list[Intent] | None:
    """Read what a person says of themselves, and what they want to be kept in mind."""
    text = re.sub(
        r",? ?(?:(?:so )?(?:please )?(?:remember|note|keep) (?:that|it|this)(?: in mind)?(?: please)?"
        r"|(?:so )?keep that in mind|just so you know|for the record|fyi)$",
        "",
        clause.text,
    )
    asked_to = text != clause.text
    if found := re.match(
        r"(?:please |so |and |ok )*(?:remember|note(?: down)?|keep in mind|do not forget|you should know|just so you"
        r" know|for the record|fyi),? (?:that )?(.{4,})",
        text,
    ):
        return [Remember(_of_person(found[1]), "yes")]
    text = re.sub(
        r"^(?:and |so |well |also |ok |hi |hello |,|yes |no |actually |by the way )+", "", text
    )
    if found := re.match(
        r"(?:my|our) ((?:\w+ )?(?:size|sizes|budget|limit)) (?:changed to|is now|is actually|should be|went up to"
        r"|was|is|are|would be|will be|must be)(?: about| around| now| like)? (.+?)(?: (?:and|but|so|,) .*)?$",
        text,
    ):
        kind: Final = "constraint" if found[1] in ("budget", "limit") else "fact"
        return [Remember(found[1].replace("limit", "budget"), found[2], kind)]
    if found := re.match(r"(.+) is my favou?rite (colou?r|material|brand|\w+)$", text):
        return [Remember(f"favourite {found[2]}", found[1], "preference")]
    if found := re.match(
        r"(?:i |we )?(?:can not|could not|must not|should not|will not|never|do not)(?: ever)? (?:wear|have|use|stand|take"
        r"|tolerate|eat|buy|want) (?:any |anything (?:with|of|from|made of) )?(.+)",
        text,
    ):
        if says_goods(found[1].split()[-1]) and fold(found[1].split()[-1]) not in NOUNS:
            return [Remember(found[1], "never", "constraint")]
    if found := re.match(
        r"i (?:really |only |just |always |mostly |usually |much |also |strongly |do )*(like|love|prefer|hate|dislike|want"
        r"|favou?r|do not like|do not love|can not stand|am (?:very |really )?(?:into|fond of|a fan of))"
        r" (?:the colou?r |things (?:in|of|made of) |stuff (?:in|of) |anything |something )?(.+)",
        text,
    ):
        words = found[2].split()
        likes = "disliked" if re.search(r"hate|dislike|not", found[1]) else "liked"
        is_of_taste = not any(fold(word) in NOUNS for word in words) and found[1] != "want"
        if is_of_taste and (asked_to or any(map(says_goods, words)) or likes == "disliked"):
            return [Remember(found[2], likes, "preference")]
    if found := re.search(r"\b(vegan|vegetarian|kosher|halal)\b", text):
        if re.match(r"(?:i am|we are|no |nothing)", text):
            return [Remember("diet", found[1])]
    if found := re.search(r"\ballergi(?:c|es|y) (?:to|against)? ?(.+)|\b(\w+) allergy\b", text):
        if not text.startswith(
            ("what", "am i", "do ", "is ", "are ", "did ", "does ", "has ", "which")
        ):
            what = re.split(r"\b(?:so|and|please|but)\b|,", found[1] or found[2])[0].strip()
            return [Remember(f"allergy to {what}", "yes", "constraint")]
    if found := re.match(
        r"(?:i|we|she|he|they)(?: usually| normally| always| do)? (?:wear|take|have|am|need|is|are)(?: a| an| about)?"
        r" ?(?:\w+ )?(?:size |us |eu |uk )+(\d{1,2}(?:\.5)?|x{0,3}[sml]|small|medium|large)\b.*"
        r"|(?:i|we|she|he) (?:usually |normally |always )?(?:wear|take) (?:a |an |size )*(\d{2}(?:\.5)?|x{0,3}[sml]"
        r"|small|medium|large|extra large)(?: (?:in|for) .*|s|size)?",
        text,
    ):
        size = found[1] or found[2]
        worn = kind_of(text.split())
        name = {"hiking-boots": "shoe size", "jackets": "jacket size", "socks": "sock size"}
        is_shoe = size.isdigit() and len(size) > 1
        return [Remember(name.get(worn or "", "shoe size" if is_shoe else "size"), size)]
    has_noun = any(fold(token.text) in NOUNS for token in clause.tokens)
    if not has_noun and re.match(
        r"(?:i|we) (?:am|are|live|go|come|have|hike|camp|run|walk|travel|own|use|work|plan|need it|need them|need this|need"
        r" everything|suffer|got|tend|snore|sweat|sleep|get cold|get hot)\b",
        text,
    ):
        if not re.search(
            r"\b(?:looking|searching|interested|done|ready|after|finished|good|fine|sorry|not|need some|need a|have a"
            r" question|got a question|here|back|sure|waiting|thinking|trying|all set)\b",
            text,
        ):
            return [Remember(_of_person(text), "yes")]
    return [Remember(_of_person(text), "yes")] if asked_to and len(text.split()) > 1 else None


def _of_person(text: str) -> str:
    """Write what a person said of themselves as a subject."""
    return re.sub(r"^(?:i am|i have|i|we are|we|my) ", "", text)[:60].strip()


def _remembered(clause: Clause) -> list[Intent] | None:
    text = clause.text
    if found := re.match(
        r"forget (?:about )?(?:the |my )?(\w+)(?: thing| stuff| allergy| part)?$", text
    ):
        if fold(found[1]) not in NOUNS and found[1] not in ("it", "that", "them", "this"):
            return [Forget(found[1])]
    limit = re.search(rf"\bbudget\b.*?\b{_AMOUNT}\b|\b(?:spend|spending)\b.*?{_AMOUNT}\b", text)
    has_goods = any(fold(token.text) in NOUNS for token in clause.tokens)
    if limit is not None and not has_goods and not re.match(r"(?:what|how)\b", text):
        return [Remember("budget", next(g for g in limit.groups() if g), "constraint")]
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
        r"\b(?:which|what)\b.*\b(?:cards?|address(?:es)?)\b.*\b(?:of mine|on file|do i have|saved|mine)\b",
        text,
    ):
        return [ShowProfile()]
    if re.match(r"forget (?:everything|all|what) you (?:know|remember)\b.*", text):
        return [ForgetAll()]
    whom = re.search(
        r"\b(?:for|it is for|is for) (my|our|a) (\w+ )?(son|daughter|wife|husband|dad|father|mum|mom|mother"
        r"|brother|sister|friend|kids?|boy|girl|girlfriend|boyfriend|partner|uncle|aunt|grandma|grandpa"
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


# ---- looking ---------------------------------------------------------------------------------


def _searched(clause: Clause) -> list[Intent] | None:
    """Read a wish for goods: the words that say something of them, and the limits."""
    text = clause.text
    lowest, highest = price_bounds(text)
    words = _content(clause.tokens)
    nouns = [word for word in words if fold(word) in NOUNS]
    if nouns:
        query, category = in_shop_words([word for word in words if word not in CHEAP])
        sized = _sized(text)
        return [
            Search(
                " ".join([*query, *sized])[:200] or " ".join(words),
                category,
                highest,
                lowest,
                cheap=any(word in CHEAP for word in words),
            )
        ]
    if re.fullmatch(r"(?:the |show |see |me )*next(?: ones?| page| five| results?| please)*", text):
        return [Search(more=True)]
    goods = [word for word in words if word in GOODS or fold(word) in GOODS]
    sized = _sized(text)
    if re.search(
        r"\bcheaper|less expensive|lower price|too (?:expensive|pricey|dear|much)\b", text
    ):
        return [Search(" ".join(goods), None, highest, lowest, cheap=True, narrows=bool(goods))]
    if re.search(
        r"\b(?:more|other|others|else|similar|alternatives?|different|like (?:it|that|this))\b",
        text,
    ) and (
        re.search(
            r"\b(?:show|any|have|got|something|anything|find|see|what|options?|results?|ones?)\b",
            text,
        )
    ):
        if goods or highest is not None:
            return [Search(" ".join([*goods, *sized]), None, highest, lowest, narrows=True)]
        return [Search(more=True)]
    if re.search(
        r"\b(?:show|see|list)\b.*\ball\b|\bmore like\b|\b(?:bigger|larger|smaller|longer|shorter)\b",
        text,
    ):
        return [Search(more=True)]
    names = [t.text for t in clause.tokens if t.kind is Kind.WORD and is_a_name(t.text)]
    if names and len(clause.tokens) <= 5 and highest is None and not sized:
        return [Search(" ".join(w for w in text.split() if w not in SILENT)[:200])]
    lighter = {"lighter": "light", "warmer": "warm", "thicker": "thick", "thinner": "thin"}
    compared = [lighter[word] for word in text.split() if word in lighter]
    if goods or sized or compared:
        added = " ".join(
            dict.fromkeys([*(w for w in goods if w not in lighter), *compared, *sized])
        )
        return [Search(added, None, highest, lowest, narrows=True)]
    if highest is not None or lowest is not None:
        return [Search("", None, highest, lowest)]
    if re.search(
        r"\b(?:what|which) (?:do|all|kinds?|stuff|things?) .*\b(?:sell|have|offer)\b", text
    ):
        return [AskKinds()]
    return None


def _sized(text: str) -> list[str]:
    found = re.search(r"\bsize (\d{2}(?:\.5)?|x{0,3}[sml])\b", text)
    people = re.search(
        r"\b(\d|one|two|three|four|five|six) (?:people|persons?|man|men|adults)\b", text
    )
    litres = re.search(r"\b(\d{1,3}) ?(?:litres?|liters?|l)\b", text)
    sized = ["size", found[1]] if found else []
    if people:
        sized += [
            next((w for w, n in _WORDS_FOR.items() if str(n) == people[1]), people[1]),
            "person",
        ]
    return [*sized, litres[1], "litre"] if litres else sized


def _wished(clause: Clause) -> list[Intent] | None:
    """Read a search for what no word is known for: "do you have gaiters"."""
    found = re.search(
        r"\b(?:do you (?:sell|have|carry|stock|offer|do)|have you got|you got|got any|i need|i want|looking"
        r" for|i am after|any|how about|what about|can i get|find me|show me|is there|are there)\b (.+)$",
        clause.text,
    )
    words = [word for word in (found[1].split() if found else ()) if word not in SILENT]
    is_few = found is not None and len(found[1].split()) <= 6
    said = clause.text.split()
    if found is None and len(said) <= 3 and all(is_a_name(w) or says_goods(w) for w in said):
        return [Search(" ".join(said), bare=True)]
    return [Search(" ".join(words)[:200])] if words and is_few else None


def _suggested(clause: Clause) -> list[Intent] | None:
    text = clause.text
    if re.search(
        r"\b(?:goes?|fits?|pairs?|match(?:es)?|suits?|go) (?:well |best |nicely )?(?:with|together)\b",
        text,
    ):
        kinds = tuple(w for w in _content(clause.tokens) if kind_of([w]))
        return [Suggest(kinds)]
    if re.search(
        r"\b(?:recommend|suggest|advise|propose|recommendations?|suggestions?|ideas?)\b", text
    ):
        words = _content(clause.tokens)
        if any(fold(word) in NOUNS for word in words):
            query, category = in_shop_words(words)
            return [Search(" ".join(query), category, price_bounds(text)[1])]
        return [Suggest()]
    return None


def _small(clause: Clause) -> list[Intent] | None:
    text = clause.text
    if _TROUBLE.search(text):
        return [Talk("trouble")]
    if re.search(r"\b(?:thanks|thank you|cheers)\b", text):
        return [Talk("thanks")]
    if re.search(
        r"\b(?:who|what) (?:made|built|wrote|created|trained|programmed) you\b|\bwho are you\b|\byour name\b",
        text,
    ):
        return [Talk("identity")]
    if re.search(
        r"\bwhat (?:else )?can you (?:do|help)\b|\bhelp me\b|\bhow (?:do i use|does) th", text
    ):
        return [Talk("help")]
    return None


def _compared(clause: Clause) -> list[Intent] | None:
    """Read which of several products that are named is better."""
    skus = [Sku(t.text.upper()) for t in clause.tokens if t.kind is Kind.SKU]
    asks = re.search(r"\b(?:better|best|or|vs|versus|difference|compare|which)\b", clause.text)
    return [Details(sku) for sku in skus] if len(skus) > 1 and asks else None


_ADDS_IF: Final = re.compile(
    r"^(?:add|put|buy|order|take)\b.*\b(?:unless|until|if|except|without)\b"
)
_ONLY_ASKS: Final = re.compile(
    r"(?:(?:and|so|but|ok|well) )*(?:should|shall|do|does|did|is|are|was|what|how|when|if|would it|would i"
    r"|could i|can i|may i|must i|which|where|who)\b(?! not (?:want|need))"
)
_TAKES_AWAY: Final = re.compile(r"\b(?:remove|delete|clear|empty|cancel|check out|take out)\b")

_READERS: Final[tuple[Callable[[Clause], list[Intent] | None], ...]] = (
    _bought,
    _compared,
    _corrected,
    _remembered,
    _stated,
    _liked,
    _removed,
    _added,
    _suggested,
    _picked,
    _priced,
    _reviewed,
    _asked,
    _told,
    _searched,
    _small,
    _wished,
)


# ---- pieces ----------------------------------------------------------------------------------


def _content(tokens: Sequence[Token]) -> list[str]:
    """Return the words that say something of goods; a name only where it stands beside such."""
    words: list[str] = []
    for token in tokens:
        if token.kind is Kind.SKU or (token.kind is Kind.WORD and says_goods(token.text)):
            words.append(token.text)
    return words


def _pointed(clause: Clause, text: str) -> Reference | None:
    """Return the product that a clause points at, None where it points at none."""
    tokens = clause.tokens
    for token in tokens:
        if token.kind is Kind.SKU:
            return Sku(token.text.upper())
    for at, token in enumerate(tokens):
        if token.kind is Kind.NTH:
            return Nth(token.value, counted=token.text[0] != "#")
        before = tokens[at - 1].text if at else ""
        if token.kind is Kind.NUMBER and before in ("number", "no", "nr", "option", "item"):
            return Nth(token.value)
    if re.search(r"\blast one\b", text):
        return Nth(-1)
    named = _named(tokens)
    if named is not None:
        return named
    if re.search(r"\b(?:it|its|they|them|their|this|that|these|those)\b", text):
        return It(bool(re.search(r"\b(?:they|them|their|these|those)\b", text)))
    return None


def _named(tokens: Sequence[Token]) -> Named | None:
    """Return the longest row of words that may name a product."""
    rows: list[list[Token]] = [[]]
    for token in tokens:
        is_part = token.kind in (Kind.WORD, Kind.NUMBER) and (
            is_a_name(token.text) or says_goods(token.text) or (rows[-1] and token.text == "person")
        )
        if is_part or (token.kind is Kind.NUMBER and token.value <= 4 and not token.text.isdigit()):
            rows[-1].append(token)
        elif rows[-1]:
            rows.append([])
    rows = [
        row for row in rows
        if any(fold(t.text) in NOUNS for t in row) or sum(is_a_name(t.text) for t in row) > 1
    ]  # fmt: skip
    if not rows:
        return None
    best = max(rows, key=lambda row: (sum(is_a_name(t.text) for t in row), len(row)))
    at = next(i for i, t in enumerate(tokens) if t is best[0])
    before = tokens[at - 1].text if at else ""
    words = tuple(token.text for token in best)
    return Named(words, before in ("the", "that", "this", "these", "those", "my"))


def _tail(tokens: Sequence[Token], words: str) -> list[Token]:
    """Return the last tokens that read as these words."""
    wanted = words.split()
    if not wanted:
        return []
    texts = [token.text for token in tokens]
    for start in range(len(texts) - len(wanted), -1, -1):
        if texts[start : start + len(wanted)] == wanted:
            return list(tokens[start : start + len(wanted)])
    # Words were taken out of the middle: take those that are left, in their order.
    kept: list[Token] = []
    at = len(wanted) - 1
    for token in reversed(tokens):
        if at >= 0 and token.text == wanted[at]:
            kept.insert(0, token)
            at -= 1
    return kept if at < 0 else []


_EDGES: Final = frozenset(
    """
    please then too also as well anyway now ok okay so and thanks right just actually maybe for me us
    one more that this in there to you do have it is again after all , . ! ? ; : - the fine if
    possible i guess think though my cart either both yes well instead today
    """.split()  # noqa: SIM905
)


def _items_in(tokens: Sequence[Token], clause: Clause) -> list[Counted]:
    """Read items by the grammar's rule; words at the edges that say nothing may stay unread."""
    kept = [token for token in tokens if token.text not in (".", "!", "?")]
    for start in range(min(4, len(kept))):
        if start and kept[start - 1].text not in _EDGES:
            break
        for end in range(len(kept), start, -1):
            if end < len(kept) and not _may_end(kept[end:]):
                break
            if found := clause.items(kept[start:end]):
                return found
    return []


def _may_end(rest: Sequence[Token]) -> bool:
    return all(token.text in _EDGES for token in rest)


def _one(clause: Clause, text: str) -> Reference | None:
    """Read a text as one item, None where it is none or several."""
    found = _items_in(_tail(clause.tokens, text), clause)
    return found[0].item if len(found) == 1 else None
