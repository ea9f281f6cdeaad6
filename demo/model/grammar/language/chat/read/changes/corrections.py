"""Read what takes back a count: "no wait, 2", "one less", "only the second". Pure."""

import re
from dataclasses import replace

from daybook.demo.model.grammar.language.chat.read.changes.counts import MEASURE, NUMBER, amount_of
from daybook.demo.model.grammar.language.chat.read.changes.exchange import swapped
from daybook.demo.model.grammar.language.chat.read.clause import Clause
from daybook.demo.model.grammar.language.chat.read.goods.pointing import definite, items_in, tail_of
from daybook.demo.model.grammar.language.intents.cart import Add, Keep, Remove, SetQuantity
from daybook.demo.model.grammar.language.intents.goods import Mention
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Every, It, Named
from daybook.demo.model.grammar.language.intents.talk import Talk


def corrected(clause: Clause) -> list[Intent] | None:
    """Read "no wait, 2", "one less", "only the second", "X instead of Y"."""
    text = re.sub(
        r"^(?:(?:no|wait|sorry|actually|i (?:meant|mean|said|wanted)|meant|rather|i only (?:want"
        r"|need|wanted)"
        r"|make (?:it|that|them)|let us say|better|please|hang on|ok|well|then|and|to|we (?:want"
        r"|need)|it"
        r" should be|should be|should have been|change (?:it|that) to|i (?:just )?(?:want|need)"
        r"|,)\s*)+",
        "",
        clause.text,
    ).strip(" ,")
    before = clause.text.removesuffix(text).split()
    takes_back = clause.corrects or bool(
        {*before} - {"and", "ok", "well", "then", "please", "to", ","}
    )
    if found := re.fullmatch(
        rf"(?:only |just )?{NUMBER}{MEASURE}(?: of (?:them|it|those|these|that))?(?: not {NUMBER})?"
        r"(?: (?:please|instead|then|not|only|is enough|will do|is fine|in total|total|,))*",
        text,
    ):
        return [SetQuantity(It(), amount_of(found[1]))] if takes_back or "only" in text else None
    if found := re.fullmatch(
        rf"(?:and |ok |please |hm )*(?:(?:up|bump|raise|increase|reduce|lower|bring|take|get"
        rf"|change|set|put|go|back"
        rf"|make|down|adjust|switch)(?: (?:it|that|them|this|the (?:quantity|amount|number)|the "
        rf"count|quantity))?"
        rf"(?: (?:up|down|back))* (?:to|at) |quantity |make it back to ){NUMBER}{MEASURE}"
        r"(?: (?:please|again|then|instead|now|of (?:them|it|those)))*",
        clause.text,
    ):
        return [SetQuantity(It(), amount_of(found[1]))]
    if found := re.fullmatch(
        rf"(?:and |ok |just |make (?:it|that) |only )*{NUMBER} (?:is (?:enough|fine|plenty|all "
        rf"i need|good)|will do"
        rf"|would do|is what i (?:want|need|meant))|{NUMBER} instead of {NUMBER}|(?:make (?:it"
        rf"|that) )"
        rf"{NUMBER} again",
        clause.text,
    ):
        return [SetQuantity(It(), amount_of(found[1] or found[2] or found[4]))]
    if found := re.fullmatch(
        r"(?:just |only |ok |yes )*(?:x ?(\d{1,2})|(\d{1,2}) ?x)(?: please| then)*", clause.text
    ):
        return [Mention(It(), int(found[1] or found[2]))]
    if re.fullmatch(
        r"(?:ok |sorry |no |but |and |yes |oh |,|please |actually )*(?:(?:i (?:do |still |will "
        r"|would )?(?:want|need|like"
        r"|have|take)|bring|get|give me|put|add) (?:it|that|them|that one)(?: back)? (?:back"
        r"|after all|again)"
        r"|i do (?:want|need|like) (?:it|that|them)|bring (?:it|that|them) back|undo(?: (?:that"
        r"|it))?"
        r"|re-?add (?:it|that|them))(?: (?:please|now|then|again|in|after all))*",
        clause.text,
    ):
        return [Add(It(), again=True)]
    if found := re.fullmatch(
        rf"(?:\w+[ ,]+)*?(?:need|want|meant|said|wanted) (?P<what>.+?)(?: ,)? not (?:just |only )?"
        rf"{NUMBER}(?: of (?:them|it|those))?",
        clause.text,
    ):
        named = items_in(tail_of(clause.tokens, found["what"]), clause)
        if len(named) == 1 and named[0].quantity is not None and not named[0].more:
            return [SetQuantity(definite(named[0].item), named[0].quantity)]
    if found := re.fullmatch(rf"(?:and |ok )?(?:minus|less) {NUMBER}(?: please)?", clause.text):
        return [Remove(It(), amount_of(found[1]))]
    if found := re.fullmatch(
        rf"(?:and |just |take |make it |remove |minus |with |please )*{NUMBER} (?:less|fewer"
        rf"|too many)"
        r"(?: (?:of (?:them|it|those)|please|then))*",
        clause.text,
    ):
        return [Remove(It(), amount_of(found[1]))]
    if found := re.fullmatch(
        rf"(?:please )?(?:remove|take (?:out|off|away)|drop|delete|take) {NUMBER} (?:more|again)"
        r"(?: (?:of (?:them|it|those)|please|then|out|away|off))*",
        clause.text,
    ):
        return [Remove(It(), amount_of(found[1]))]
    if found := re.fullmatch(
        rf"(?:and |also |add |give me |get me |i want |i need |make it |please |ok |plus )*"
        rf"(?:{NUMBER} (?:more|extra|additional)|(another)(?: one)?){MEASURE}"
        r"(?: (?:of (?:them|it|those|these|that|the same)|please|then|like that|pair|too))*",
        clause.text,
    ):
        return [Add(It(), amount_of(found[1] or found[2]), more=True)]
    if re.fullmatch(
        r"(?:and |ok |please |just )*double (?:it|that|them|up)?(?: please)?", clause.text
    ):
        return [SetQuantity(It(), double=True)]
    if re.search(
        r"\bas many as (?:you|there|possible)\b|\ball (?:that )?you have\b"
        r"|\bevery (?:last|single) one\b",
        clause.text,
    ):
        return [Talk("as many")]
    if re.search(
        r"\b(?:a|the) second (?:pair|one)\b.*\bsame\b|\bone more of the same\b", clause.text
    ):
        return [Add(It(), 1, more=True)]
    return _kept(clause) or swapped(clause) or (_set(clause) if takes_back else None)


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
    found = items_in(tokens, clause)
    if len(found) != 1 or found[0].quantity is None or found[0].more:
        return None
    item = found[0].item
    if isinstance(item, Named):
        item = replace(item, definite=True)
    return [SetQuantity(item, found[0].quantity)]


def _kept(clause: Clause) -> list[Intent] | None:
    text = clause.text
    found = re.search(
        r"\b(?:keep only|only keep|just keep|leave only|only leave|keep just|remove "
        r"(?:everything|all)"
        r"(?: of (?:it|them))? (?:except|but|apart from|other than|besides)(?: for)?"
        r"|everything (?:except|but|apart from|other than|besides)(?: for)?|all (?:except|but"
        r"|other than)"
        r"|i only (?:want|need)|i just (?:want|need)|only take|just take)\b (.+)$",
        text,
    )
    if found is None and clause.corrects:
        found = re.search(r"^(?:\w+ ){0,4}?(?:only|just) (.+)$", text)
    if found is None or re.match(r"(?:\w+ ){0,3}?(?:add|put|order|buy|get)\b", text):
        return None
    rest = tail_of(clause.tokens, found[1])
    items = items_in(rest, clause)
    if len(items) != 1 or isinstance(items[0].item, Every):
        return None
    return [Keep(items[0].item, items[0].quantity)]
