"""Leave out what people say beside their wish: praise, sighs, whom they speak to. Pure.

Only at the edges of a text, and only where a wish is left: "Splendid, two of them, my dear".
"""

import re
from typing import Final

_SIGH: Final = (
    r"(?:(?:lovely|good|great|nice|top) (?:job|work)"
    r"|lovely|splendid|brilliant|excellent|awesome|amazing|wonderful|fantastic|marvellous|capital"
    r"|neat|sweet|bet|slay|dope|yay|yikes|hooray|finally|gosh|jeez|crikey|damn|dang|phew|whoa|aww?"
    r"|bah|meh|boo|blimey|righto|rightio|ace|grand|super|lol|lmao|ngl|tbh|bruh|gents|ladies"
    r"|excuse me|pardon me|very well|very good|fair enough|good stuff|no worries|no"
    r" problem|all good|oh well|well well|by all means|in that case|on reflection|on balance|to be"
    r" (?:honest|fair)|honestly|frankly|anyway|anyhow|additionally|furthermore|moreover|besides"
    r"|in addition|(?:my |the )?(?:order|shopping) list|here is (?:my|the) list|i try|try"
    r"|then again|you know what|i say|my (?:dear|friend|man)|young (?:man|lady)|sir"
    r"|madam|ma'?am|mate|buddy|pal|bro|dude|folks|guys|hun|love|never ?mind|nvm|typo|correction"
    r"|one (?:last|more|other) thing|quick question|question|well|oh|ah|ok(?:ay)?"
    r"|now|so|and|then)"
)
_PRAISE: Final = r"(?:good|great|perfect|nice|cool|fine|right|alright|all right|done|sorted)"
_LEADING: Final = re.compile(
    rf"^\W*(?:(?:{_SIGH}|{_PRAISE})\b *(?:[,.!;:…-]+\s*)+|"
    r"(?:(?:lovely|good|great|nice|top) (?:job|work)|lovely|splendid|brilliant|awesome|yay"
    r"|yikes|gosh|bet|slay|righto|finally|lol|bro|dude"
    r"|(?:(?:ok|okay|fine|well|alright)[, ]+)?(?:he|she|you|they|my \w+)"
    r" (?:wins?|(?:has|have|had|got)"
    r" (?:a|the) point)[.,;!]+(?= \w)"
    r"|(?:nvm|never ?mind)(?! (?:that|this|it|them|the|those|about)\b)|you know what|additionally"
    r"|furthermore|moreover"
    r"|kindly do the needful(?: and)?) +)+",
    re.IGNORECASE,
)
_TRAILING: Final = re.compile(
    r"(?:[\s,.!]+(?:thanks (?:a (?:million|bunch|ton|lot))|thank you(?: (?:so|very) much)?"
    r"|if you please|my (?:dear"
    r"|friend|man)|young (?:man|lady)|sir|madam|ma'?am|mate|buddy|pal|bro|dude|folks|guys|hun"
    r"|xx+|xo"
    r"|lol|lmao|fr|haha|obviously|of course|excuse me|if you (?:would be so kind|do ?n[o']t mind)"
    r"|i (?:suppose|guess|reckon|think)|aye|full stop|now\W+please"
    r"|before (?:i|we) change (?:my|our) minds?(?: again)?"
    r"|before (?:some ?(?:one|body)(?: else)?|they|it|any ?one(?: else)?|others?|the last \w+)"
    r" (?:else )?(?:grabs?|takes?|gets?|buys?|snags?|is|are|sells?|goes?|go|snatch\w*)\b"
    r"[^,.;!?]{0,25}))+"
    r"(?P<end>[\s.!?]*)$",
    re.IGNORECASE,
)
_LEAVING: Final = re.compile(
    r"(?:[\s,.!]+(?:and |then |so )?(?:now )?(?:i(?:'|\u2019)?m|i am|we(?:'|\u2019)?re|we are)"
    r" (?:outta here|out of here|off(?: now| home)?|gone|leaving(?: now)?|late(?: for \w+)?)"
    r"|[\s,.!]+(?:and |then |so )*(?:i|we)(?:'ve|\u2019ve)? (?:really |just )?(?:gotta|got to"
    r"|have to|must|need to|better) (?:go|run|dash|fly|leave|get going)(?: now)?"
    r"|[,.!]+\s*(?:and |so )?(?:gotta|got to|must|have to) (?:run|dash|fly)(?: now)?"
    r"|[\s,.!]+(?:and )?(?:bye(?:[ -]?bye)?|see (?:you|ya)(?: later| soon)?|cya|laters|ciao))"
    r"(?P<end>[\s.!]*)$",
    re.IGNORECASE,
)
"""That somebody goes, behind a wish."""
_HURRIES: Final = re.compile(
    r"[\s,.!]+(?:quick(?:ly)? )?before (?:(?:somebody|someone|anyone|anybody|others?"
    r"|other people|they)(?: else)?"
    r" (?:grabs?|takes?|buys?|gets?|snaps?|nabs?|snatch(?:es)?|beats?|does|do|sells?)"
    r"|(?:it|they|that|those|the \w+(?: one)?)(?:'?s| is|'?re| are| gets?| goe?s?| sells?| runs?)"
    r" (?:all )?(?:gone|out|sold|taken|snapped|away))\b(?: (?:it|them|that|those|up|out|away|me"
    r"|to it|too))*"
    r"(?P<end>[\s.!]*)$",
    re.IGNORECASE,
)
"""Why there is a hurry, behind a wish: it waits for nothing."""
_OF_A_LIST: Final = re.compile(
    r"(?P<before>^|[.!?\n]\s*)(?!\W*(?:(?:a|quick|small|little|side|another) )*(?:notes? (?:for"
    r"|to|about)"
    r"|(?:for|in|to) (?:your|the) (?:notes?|records?|files?)))(?P<lead>[^:.!?\n]{0,50}\b(?:list"
    r"|line|entry|item|row|sheet"
    r"|spreadsheet|notes?|next|first|second|third|fourth|last|lastly|finally)\b[^:.!?\n]{0,30}"
    r"):\s*(?P<rest>[^\n]+)$",
    re.IGNORECASE,
)
_ACTS_OR_ASKS: Final = re.compile(
    r"\b(?:add|put|get|buy|remove|delete|take|drop|make|set|keep|swap|cart|order|need|want|cancel"
    r"|send|mail|remember|save|show|ones?|pairs?|from)\b",
    re.IGNORECASE,
)
_POINTS: Final = re.compile(
    r"\?|\b(?:it|its|that|this|them|they|these|those|how|what|which|is|are|too|not|no|yes)\b",
    re.IGNORECASE,
)
_NAMELESS: Final = re.compile(
    r"(?<=\w)[\s,;.-]*(?P<end>[?.!,]?)\s*\b(?:sorry,? )?"
    r"(?:(?:because |as )?i(?:'ve| have)? )?(?:just )?"
    r"(?:forgot(?:ten)?|lost|can ?n[o']?t (?:remember|recall)|cannot (?:remember|recall)"
    r"|do ?n[o']?t (?:remember|recall))"
    r" (?:the|their|its|what|how) (?:names?|it was called|they (?:were|are) called)(?: again)?"
    r"(?=\W*$)",
    re.IGNORECASE,
)
"""That a name is gone, behind a question for what has it."""
_FEWEST: Final = 3
_SWEARS: Final = re.compile(
    r"\b(?:damn|bloody|fucking|freaking|goddamn|stupid) (?=\w)", re.IGNORECASE
)
_DISLIKES: Final = re.compile(
    r"[,;.]?\s*(?:because |as |since )?\b(?:i )?(?:really )?(?:do ?n[o']?t|ca ?n[o']?t|can not"
    r"|cannot)"
    r" (?:like|want|need|afford|do|use|stand) (?:it|that|them|this|those)\b"
    r"(?: any ?more| after all)?"
    r"(?: ?[,.;!]+\s*|\s*$|\s+(?=take|remove|get|throw|so|please))",
    re.IGNORECASE,
)
_REMOVES: Final = re.compile(
    r"\bnever show\b|\b(?:remove|delete|get rid of)\b|\b(?:take|put|throw)\b.*\b(?:out|off|away)\b",
    re.IGNORECASE,
)
_HAS_ONE: Final = re.compile(
    r"\s*[,;.:!-]+\s*(?:because |as |since |cuz |cos )?(?:i|we|he|she|they|my \w+)(?:'?ve|'?s| have"
    r"| has)?(?: just| already)? (?:found|have|has|got|own|owns|bought|borrow(?:ed)?)"
    r" (?:one|some|mine|ours|another|it|a pair|enough)\b[^,.;!?]*(?=[.!]*\s*$)",
    re.IGNORECASE,
)
"""Why something is not needed any more: "take it out, I found one in the attic"."""
_SEEKS_THE_WORD: Final = re.compile(
    r"[,;( ]*\b(?:how (?:do |would )?(?:you|we|i|to|one) (?:say|call)(?: (?:it|that|this))?"
    r"|how (?:is|'s) (?:it|that) called|what(?:'?s| is) (?:the word|it called|that called|the name)"
    r"|what (?:do )?(?:you|they) call (?:it|that|them)|i do ?n[o']?t know the word)\b(?! for)"
    r"[,;)?]*(?= *\w)",
    re.IGNORECASE,
)
"""A word that is looked for in the midst of a sentence: "with the, how you say, hood"."""
_ONE: Final = re.compile(
    r"\b(that|this|the \w+|lighter|cheaper|bigger|smaller|warmer|better|\d?(?:1st|2nd|3rd|\dth)"
    r"|first|second|third|fourth|fifth|last|which) 1\b(?! ?[.,\d]\d)",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W_]")


def without_asides(text: str) -> str:
    """Return a text without what is said beside the wish; as it stands where nothing else is."""
    left = _ONE.sub(r"\1 one", _SEEKS_THE_WORD.sub("", _SWEARS.sub("", text)))
    left = _kept(_LEADING.sub("", _OF_A_LIST.sub(_listed, left)), left)
    left = _kept(_TRAILING.sub(r"\g<end>", _without_leaving(left)), left)
    named = _NAMELESS.sub(r"\g<end>", left)
    left = named if len(named.split()) >= _FEWEST else left
    left = _HURRIES.sub(r"\g<end>", left) if _ASKS_FOR.search(_HURRIES.sub("", left)) else left
    if _REMOVES.search(left):
        left = _kept(_HAS_ONE.sub("", _DISLIKES.sub(" ", left)), left)
    return left


def _listed(found: re.Match[str]) -> str:
    """Leave out of which list goods are that are named: "next on my list: socks"."""
    if _ACTS_OR_ASKS.search(found["lead"]) or _POINTS.search(found["rest"]):
        return found.group()
    return f"{found['before']}{found['rest']}"


def _without_leaving(text: str) -> str:
    """Leave out that somebody goes, where something is asked for before it: "two, im off"."""
    left = _LEAVING.sub(r"\g<end>", text)
    return left if _ASKS_FOR.search(left) else text


_ASKS_FOR: Final = re.compile(
    r"\b(?:add|put|get|give|gimme|take|want|need|have|buy|order|pay|check ?out|remove|drop|cancel"
    r"|make|one|two|three|four|five|\d{1,2}|both|all|please|pls)\b(?! (?:thing|more thing|day))",
    re.IGNORECASE,
)


def _kept(left: str, before: str) -> str:
    return left if _WORD.search(left) else before
