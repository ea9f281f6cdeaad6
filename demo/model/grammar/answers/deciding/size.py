"""A number that is said alone of the size of which it was just spoken."""

import re
from typing import Final

from daybook.demo.model.grammar.language.intents.past import Forget, Remember
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.seen.facts import facts_before
from daybook.demo.model.grammar.seen.prompt import Prompt


def size_now(text: str, prompt: Prompt) -> Remember | None:
    """Read a number alone as the size of which it was just spoken: "its 41", "actually 42 now"."""
    plain = " ".join(token.text for token in tokens_of(text)).strip(" .!")
    found = _A_SIZE.fullmatch(plain) or _IT_IS_NOW.search(plain)
    before = prompt.past[-1] if prompt.past else None
    if found is None or before is None:
        return None
    told = _SIZE_TOLD.search(before.text.lower()) or "size: " in before.answer
    is_said = "feet" in plain or "foot" in plain
    known = any("size" in subject for subject in facts_before(prompt))
    return Remember("shoe size", found[1]) if told or (is_said and known) else None


def size_gone(text: str, prompt: Prompt) -> Forget | None:
    """Read "forget the 38" as said of the size that is known, where one is."""
    found = _NO_SIZE.search(text.lower())
    if found is None:
        return None
    known = facts_before(prompt).values()
    sizes = [one.subject for one in known if "size" in one.subject and one.value == found[1]]
    return Forget(sizes[0]) if len(sizes) == 1 else None


_NO_SIZE: Final = re.compile(
    r"\b(?:forget|scrap|ignore|drop|delete|lose|remove|erase)(?: about)? (?:the|that|my)"
    r" (?:size )?((?:3[4-9]|4\d)(?:\.5)?)\W*$"
)
_A_SIZE: Final = re.compile(
    r"(?:(?:no|oh|actually|well|sorry|so|and|ok|yes|wait|i mean|i meant|that is|,) )*(?:(?:it is"
    r"|its|i am|it should be) )?(?:(?:actually|really|now|like|about|around|a|an|size|eu) )*"
    r"((?:3[4-9]|4\d)(?:\.5)?)(?: (?:now|actually|really|please|then|these days"
    r"|(?:in )?(?:eu|europe|european)(?: sizes?| sizing)?))*"
)
_IT_IS_NOW: Final = re.compile(
    r"(?<!\w)(?:it is|they are|i am)(?: a)? ((?:3[4-9]|4\d)(?:\.5)?) now\b(?!.*\?)"
)
_SIZE_TOLD: Final = re.compile(
    r"\b(?:tell|told|know|remember|note|my|shoe|what|which) (?:you )?(?:my )?(?:shoe |boot )?"
    r"sizes?\b|\bi(?:'m| am)? (?:wear|take|usually wear|normally wear) an? \w+"
)
