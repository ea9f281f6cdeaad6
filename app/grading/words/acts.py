"""Whether a person's words can ask for an act at all, or are about something else."""

from __future__ import annotations

import re
from collections.abc import Iterable

from daybook.tools.said.grammar.kinds import kinds_of

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_POLITE = re.compile(
    r"\b(?:can|could|will|would|may|might) (?:you|we|i|u)\b|\bi(?:'d| would) like\b|\bplease\b|"
    r"\bpls\b|\bis it (?:possible|ok|okay|fine)\b|\bwhy (?:don't|not|dont)\b|"
    r"\b(?:how|what) about\b|\bshall we\b|\blet'?s\b|\bdo me a favou?r\b|\bmind\b",
    re.IGNORECASE,
)
"""In a question that asks for something to be done."""

_ASKS = re.compile(
    r"^\W*(?:and |but |so |ok |okay |hm+ |oh |well |wait |sorry |also |hey |hi )*[\W]*"
    r"(?:what(?:'?s)?|which|who(?:se)?|where|when|why|how|is|are|was|were|does|do|did|has|have|"
    r"should|isn'?t|aren'?t|doesn'?t|tell me (?:about|more|what|how|which|whether|if)|"
    r"(?:will|would|can|could|may|might) (?:it|they|this|that|these|those|there|the))\b",
    re.IGNORECASE,
)
_DO_NOT = re.compile(
    r"^\W*(?:(?:please |pls |no,? |but |just |i |we |you )*do(?: not|n'?t)|(?:please )?never)\b",
    re.IGNORECASE,
)
_SHOWN = (
    r"(?:show|find|search|compare|list|look|recommend|suggest|describe|explain|tell me|"
    r"give me (?:the|its|their|some|more|all)?\s*(?:details?|info\w*|specs?|price|weight|sizes?|"
    r"reviews?|total))\b"
)
_LOOKS = re.compile(
    rf"^\W*(?:and |so |now |ok |okay )*(?:{_SHOWN}|(?:reviews?|i need|i'?m looking|"
    r"i am looking|any)\b)",
    re.IGNORECASE,
)
_POLITELY_LOOKS = re.compile(
    rf"^\W*(?:and |so |ok |okay |please |pls )*(?:(?:can|could|will|would) (?:you|u) )?"
    rf"(?:please |pls )?{_SHOWN}",
    re.IGNORECASE,
)
_SHORT_QUESTION = re.compile(
    r"^\W*(?!(?:and|so|now|next|then|ok|okay|ready|deal|it|this|that|them|these|those)\b)"
    r"[\w'-]+(?: [\w'-]+){0,2}\s*\?\W*$",
    re.IGNORECASE,
)
_GREETS = re.compile(
    r"^\W*(?:hi|hello|hey|thanks?|thank you|thx|ty|good (?:morning|day|evening)|bye|goodbye|"
    r"see you)(?: (?:there|a lot|so much|very much|again|everyone|for (?:that|your help)))*\W*$",
    re.IGNORECASE,
)
_PUTS_OFF = re.compile(
    r"^\W*(?:(?:ok|okay|no|hm+|well),? )?(?:not (?:yet|now)|wait|hold on|later|stop|never ?mind|"
    r"forget it|maybe (?:later|tomorrow|next \w+)|(?:can|could) you wait|"
    r"i'?m not (?:so )?sure(?: yet)?|"
    r"(?:i(?:'m| am) )?just (?:looking|browsing)(?: around)?|"
    r"(?:let me|i'?ll|i will|i need to) (?:think|sleep)(?: (?:about|on))?(?: it| that)?)\W*$",
    re.IGNORECASE,
)
_OTHER_ACT = re.compile(
    r"^\W*(?:please |now |ok |okay )*"
    r"(?:add|remove|take out|drop|delete|empty|clear|forget|remember)\b|"
    r"^\W*(?:i|we) (?:like|love|hate|prefer|wear)\b|"
    r"^\W*(?:my|our) (?:\w+ )?(?:size|height|weight|name|birthday|feet|colou?r)\b",
    re.IGNORECASE,
)
"""Something else that is to be done, or what is told of oneself."""

_WORD = re.compile(r"[^\W_]{3,}", re.UNICODE)
_GOES_ON = re.compile(
    r"\b(?:and|then|so)\b.*\b(?:it|that|them|those|these|this)\b|\byes\b|\byeah\b|\bok(?:ay)?\b|"
    r"\bgo ahead\b|\bproceed\b|\bdo it\b|\bdo so\b|\bsure\b|\bconfirm",
    re.IGNORECASE,
)
"""Words by which something may be asked for that is named elsewhere."""

_OF_BEFORE = re.compile(
    r"\b(?:my|the|an|any|your|last|latest|first|recent|previous|earlier)\s+(?:\w+\s+)?"
    r"(?:orders?|purchases?|payments?|e-?mails?|mails?)\b",
    re.IGNORECASE,
)
"""What was done before, and is spoken of by the word for doing it."""

_OF_NO_TOOL = frozenset({"all", "and", "for", "from", "get", "list", "note", "set", "the", "with"})
"""Words that are in the names of tools, and of many things else."""

_ALSO = {
    "checkout": ("check out", "checking out", "buy", "order", "purchase", "pay", "place", "ship"),
    "add": ("put", "take", "want", "get", "need"),
    "put": ("add", "want", "get", "need"),
    "remove": ("take out", "drop", "delete", "without", "out"),
    "send": ("mail", "email", "write", "forward"),
    "set": ("make", "change"),
}
"""What people say for a word that is in the names of tools."""


def words_of(text: str) -> frozenset[str]:
    """Return the words of a text, or of a tool's name, that may say what a tool does."""
    return frozenset(word.lower() for word in _WORD.findall(text)) - _OF_NO_TOOL


def words_for(tools: Iterable[str]) -> re.Pattern[str]:
    """Return what finds the words by which what tools do is asked for."""
    found = set[str]()
    for tool in tools:
        parts = words_of(tool)
        found |= parts
        found |= {other for word in parts for other in _ALSO.get(word, ())}
        for kind in kinds_of(tool):
            found |= {*kind.base, *kind.done, *kind.nouns, *kind.stems}
    return re.compile(
        rf"\b(?:{'|'.join(sorted(map(re.escape, found), key=len, reverse=True))})(?:s|es|ing)?\b",
        re.IGNORECASE,
    )


def asks_for_nothing(said: str, act: re.Pattern[str], *, is_effect: bool = False) -> str:
    """Say why a person's words ask for no such act; "" where they may.

    They are a question about something, a wish to be shown something, a greeting, or they put it
    off. One sentence that may be more is enough for them to be more.

    Args:
        act: finds the words by which it would be asked for (`words_for`).
        is_effect: it acts on the world: who asks for a change of what is noted asks for none.
    """
    sentences = [one.strip() for one in _SENTENCE.findall(said) if one.strip()]
    reasons = [_reason(one, act) or (is_effect and _other(one, act)) or "" for one in sentences]
    return reasons[0] if reasons and all(reasons) else ""


def _other(sentence: str, act: re.Pattern[str]) -> str:
    is_other = _OTHER_ACT.match(sentence) and not (
        act.search(sentence) or _GOES_ON.search(sentence) or _POLITE.search(sentence)
    )
    return "about something else" if is_other else ""


def _reason(sentence: str, act: re.Pattern[str]) -> str:
    names_it = act.search(_OF_BEFORE.sub(" ", sentence)) is not None
    if _GREETS.match(sentence):
        return "a greeting"
    if _PUTS_OFF.match(sentence):
        return "to wait"
    if _DO_NOT.match(sentence):
        said = re.match(rf"{_DO_NOT.pattern}(?: \w+){{0,3}}? (?:{act.pattern})", sentence, re.I)
        return "not to do it" if said else ""
    if _POLITELY_LOOKS.match(sentence) and not names_it and not _GOES_ON.search(sentence):
        return "to be shown something"
    if _POLITE.search(sentence) or _GOES_ON.search(sentence):
        return ""
    if _SHORT_QUESTION.match(sentence) and not names_it:
        return "a question"
    if _ASKS.match(sentence) and (not names_it or sentence.rstrip().endswith("?")):
        return "a question"
    return "to be shown something" if _LOOKS.match(sentence) and not names_it else ""
