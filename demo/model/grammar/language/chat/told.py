"""Tell whether a text only asks or tells of a change, and wants none. Pure.

"Would two be enough", "i removed it earlier" and "no need for two" hold a verb or a count as a wish
does. A text wants nothing where each of its clauses is of that kind, or holds idle words alone.
"""

import re
from collections.abc import Sequence
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.polite import IDLE, JOINTS
from daybook.demo.model.grammar.language.tokens import Kind, Token

_LEAD: Final = (
    r"^(?:(?:and|so|but|ok|okay|well|then|also|oh|ah|hm+|hi|hey|wait|sorry|actually|no|yes|like|now"
    r"|please|just) )*"
)
_SOMEBODY: Final = (
    r"(?:he|she|they|it|somebody|someone|everyone|everybody|(?:most |some |many )?people"
    r"|(?:my|a|an|the|our|your|his|her) (?:\w+ )?(?:wife|husband|partner|mate|friend|friends|mum"
    r"|mom|dad|mother|father|son|daughter|sister|brother|boss|guide|page|site|screen|cart|list"
    r"|label|review|reviews|blog|article|shop|store|colleague|kids?|girlfriend|boyfriend))"
)
_BESIDE: Final = (
    r"(?:already|just|only|once|really|even|also|never|accidentally|have|has|had|both|still) "
)
_NUMBER: Final = r"(?:\d{1,2}|one|two|three|four|five|six|number \d{1,2})"

_ASKS: Final = tuple(
    rf"{_LEAD}{begins}"
    for begins in (
        r"(?:do|does|did|is|are|was|were|am|has|have|had) (?:not )?(?:i|you|we|he|she|it|they|this"
        r"|that|these|those|there|both|all|any|most|people|one|two|the|my|your)\b",
        r"(?:should|shall|would|will|must) (?:not )?(?:i|we|one|two|three|\d{1,2}|it|they|this|that"
        r"|both|the)\b",
        r"(?:could|can|may|might) (?:it|they|this|that|both|one|two|the|people)\b",
        # Whether somebody else would is asked for advice; that it is done, is asked for with "can".
        r"(?:would|do|did) you (?:take|buy|choose|pick|go|have|want|need|wear|use|prefer)\b"
        r"(?!.*\b(?:out|off|away|me|back)\b)",
        r"(?:how|what|why|when|where|who|whose|which)\b",
        # Whether it may be washed, worn or taken along, and no wish to have it.
        r"(?:can|could|may|might) (?:i|we) (?:add|remove|delete|lose|drop|take (?:the|its) \w+"
        r" (?:out|off)"
        r"|(?:\w+ )?(?:get|take|put|throw|have|buy|order|use|wear) (?:it|them|that|this|one)"
        r" (?!(?:please|in|into|to|too|also|now|out|off|as|back|instead|for|then|on|with|again"
        r"|added|and)\b)\w+)\b",
    )
)
_TELLS: Final = (
    # What was done, and what somebody else did, said or would do.
    rf"\b(?:i|we|you|{_SOMEBODY}) (?:{_BESIDE})*(?:removed|deleted|took|added|dropped|bought"
    r"|ordered|lost|threw|chose|picked|swapped|changed|got|had|made|owned|tried|used|returned|sold"
    r"|gave|lent)\b",
    rf"(?<!can )(?<!could )(?<!would )(?<!will )(?<!please )\b(?:you|{_SOMEBODY})"
    rf" (?:{_BESIDE})*(?:put|said|says|told|tells|recommends?|recommended"
    r"|suggests?|suggested|thinks|thought|would|might)\b",
    rf"\b{_SOMEBODY} (?:{_BESIDE})*(?:takes?|buys?|likes?|has|have|owns?|uses?|wears?)\b",
    rf"{_LEAD}(?:i|we) (?:{_BESIDE})*put\b",
    r"\bi (?:told|asked) you\b|\b(?:i|we) (?:always|usually|normally|often|sometimes|mostly)\b"
    r"|\b(?:every|each) (?:trip|tour|day|time|week|month|year|season)\b",
    r"\b(?:wanted|(?:was|were) (?:going|about)|hoped|tried) to (?:add|buy|take|get|put|remove)\b",
    # How things stand, and what is thought of them.
    rf"{_LEAD}(?:i|we|you) (?:{_BESIDE})*(?:have|own|see|thought|think|wonder|noticed)\b",
    rf"\b(?:i|we) (?:{_BESIDE})*(?:quite |rather )?(?:likes?|loves?|prefers?)\b",
    rf"{_LEAD}there (?:is|are|was|were)\b|{_LEAD}(?:that|this) (?:is|makes) {_NUMBER}\b",
    rf"\b{_NUMBER} (?:is|are|looks?|seems?) (?:nice|good|great|cool|lovely|cheaper|better)\b",
    r"\btempted\b|\b(?:thinking|thought) (?:of|about)\b|\balready\b",
    r"\bwould be (?:nice|good|great|cool)\b|\b(?:wish|hope|hopefully|supposed to)\b",
    r"\b(?:thanks|thank you|cheers) for (?!now\b)",
    # What shall not be done.
    r"\b(?:not|no|without any|without a) need (?:for|to|of)\b|\bnot have to\b",
    rf"{_LEAD}(?:do not|never|stop|quit) (?!want\b|need\b|like\b|forget\b|mind\b|worry\b)\w+",
    r"\bdid not (?:mean|say)\b",
    rf"\bnot (?:want|need) (?:just |only )?(?:{_NUMBER}|another)\b",
    rf"{_LEAD}never mind\b",
    rf"{_LEAD}no (?:more|other|second|extra|further)\b",
    # What is only to be said or kept in mind.
    rf"{_LEAD}(?:say|type|write|repeat|remember|note|remind me|let me know|tell me)\b",
)
_MEANS_ELSE: Final = (
    r"\btake (?:it|that|this|them) back\b(?! (?:out|in)\b)|\border (?:number|no|nr)\b",
    r"(?<!for )\b(?:\d|two|three|four|five|six) of us\b",
    r"(?:^|\b(?:size|in|a) )(?:us|uk|eu) \d|\b\d{1,2}(?:\.5)? (?:us|uk|eu)\b",
    r"^(?:us|we) (?:two|three|four|\d)\b",
    r"\bcheck (?:the|that|this) (?:\w+ ){1,4}out\b",
    r"\b(?:pick|choose) (?:one|it|any)\b|\b(?:pick|choose) (?:\w+ ){1,4}for (?:me|us)\b",
    # A sum, a price or a comparison, though it begins as a wish does.
    r"\b(?:add|put|take|get|give|include)\b.*\b(?:together|up|prices?|reviews|weights?|ratings?)\b",
    r"\b(?:add|put|take)\b.*\b(?:in (?:numbers|words|dollars|euros|usd)|to the total)\b",
    r"\btimes (?:\d|two|three|four|five|ten)|\bhow much\W*$|\band (?:compare|tell me which)\b",
    r"\binclude (?:everything|all)\b",
    r"\b(?:your|my) (?:memory|data|notes|records)\b",
    r"\b(?:it|them|that|this|those|these|one) (?:in|into|inside|on|onto|under|over|through)"
    r" (?:my|the|a|an|our|your) (?!cart\b|bag\b|order\b|list\b|shopping\b)\w+",
    r"\bgoes? in(?:to)? (?:my|the|a|an|our|your) (?!cart\b|bag\b|order\b|list\b|shopping\b)\w+",
    r"\b(?:put|get|take|have) (?:it|them|that|this|these|those) (?:in|into|on|onto|under|over"
    r"|through) (?!(?:my|the|a|an|our|your|cart|there|please|then|now|too|also|as|for|with|again"
    r"|and|instead|size|both|well|twice|two|three|\d+)\b)\w+",
    r"\blist of \w+|\bin (?:theory|principle|general|writing)\b|\btake (?:it|them|that) with\b"
    r"|\bover with\b|^(?:chuck|toss|ditch|bin|scratch|scrap) (?:it|that|this|them)\W*$"
    r"|\bskip (?:the|this|that|it|number)\b",
    rf"^(?:on|by|from) (?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)|{_NUMBER})\W*$",
    r"^(?:nice|good|great|bad|poor) (?:one|job|work|idea|choice|try)\W*$",
    r"\b(?:add|put)\b.*\b(?:to|into|onto|on) (?:the|my|our|a|your) (?!cart\b|bag\b|order\b"
    r"|list\b|shopping\b|basket\b|same\b)\w+\W*$",
    r"\b(?:at least|to|until|for|about|around|of|is|minimum|good) minus \w+"
    r"|\bminus \w+ (?:c\b|degrees?\b|celsius\b|outside\b)",
    r"\b(?:anything|anyone|nothing) but\b|\b(?:another|one (?:last|more|other)) (?:things?"
    r"|questions?|thoughts?|points?|time|day|way|shop|store|site|topic|idea|matter)\b",
    rf"^(?:and |so |ok )*for (?:the |all )?{_NUMBER} of (?:us|you|them)\W*$",
    r"\btak(?:e|ing) (?:it|them|this|that|those|these) (?:to|into|in|along|camping|hiking)\b"
    r"(?! (?:my|the)? ?(?:cart|bag|order))",
    r"\bput (?:it|them|this|that) up\b|\bpack (?:it|them|this|that) \w+|\bempty (?:it|this|that)\?",
    r"\b(?:where|when|how|why)\W*$|\bor (?:wait|not|no|leave it)\W*$",
    r"\b(?:at first|first of all|first things|in the first place|the first time)\b",
    r"\b(?:first|second|third|last|final|next) (?:things?|questions?|thoughts?|points?|time|price"
    r"|try|hand|layer|chance)\b",
    r"\b(?:some|any)(?:thing|one) ?$|\bto choose from\b",
    r"\b(?:twice|double|half|times) the (?:price|size|weight|cost)\b",
    r"\b(?:assum(?:e|ing)|suppos(?:e|ing)|imagin(?:e|ing)|pretend|in your head|were i to"
    r"|say (?:i|we)(?! want| need))\b",
    r"\bforget (?:(?:it|that|this|what \w+ \w+) )?about\b"
    r"|\bpick (?:it|them|this|that) up\b|\badd (?:me|us)\W*$",
    r"\bas (?:read|(?:the|my|a) (?:limit|budget|max\w*))\b",
    r"\bin order\b|\bside by side\b|\border (?:it|them|these|those) by\b|\bautomatic\w*\b",
    r"\bgive it a (?:rest|break|try|go|miss|thought)\b|\bcut it out\b",
    r"\bput (?:it|this|that) (?:differently|simply|another way|like (?:this|that))\b",
)
"""What is no place of a list and no act on the cart, though it has its words."""
_FOR_WHAT: Final = (
    r"\b(?:need|needs|want|wants|require) (?:it|them|this|that|those|these) (?!(?:please|too"
    r"|now|then|also|in (?:my|the|there)|as well|back|both|all|out|off|gone|removed|again|any"
    r"|anymore|instead|after|one|ones|and|or)\b)\w+",
    r"\b(?:by|until|till|before) the (?:\d{1,2}(?:st|nd|rd|th)|first|second|third|last)\b",
    r"\bget (?:it|them|this|that) (?:by|on|before|today|tomorrow|tonight|\w+day)\b",
)
"""What it is for, and when it must be there: beside a wish it takes nothing of it away."""
_ASKS_OR_TELLS: Final = re.compile("|".join((*_ASKS, *_TELLS)))
_IS_ELSE: Final = re.compile("|".join(_MEANS_ELSE))
_IS_FOR: Final = re.compile("|".join(_FOR_WHAT))
_ENDS: Final = frozenset({".", ",", "!", "?", ";", ":", "\n", "but"})


def wants_nothing(tokens: Sequence[Token]) -> bool:
    """Tell whether a text only asks or tells of a change, or means another thing than goods."""
    said = [clause for clause in _clauses(tokens) if not _is_idle(clause)]
    clauses = [clause for clause in said if not _IS_FOR.search(_text(clause))]
    if _IS_ELSE.search(_text(tokens)) or (said and not clauses):
        return True
    return bool(clauses) and all(_ASKS_OR_TELLS.search(_text(clause)) for clause in clauses)


def _is_idle(clause: Sequence[Token]) -> bool:
    return all(one.kind is not Kind.NUMBER and one.text in IDLE | JOINTS for one in clause)


def _text(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens)


def _clauses(tokens: Sequence[Token]) -> list[list[Token]]:
    clauses: list[list[Token]] = [[]]
    for token in tokens:
        if token.text in _ENDS:
            clauses.append([])
        else:
            clauses[-1].append(token)
    return [clause for clause in clauses if clause]
