"""What "that one" is, behind a question about which one it was. Pure.

Where the answer named none, "that one" is nothing that was shown: a wish for it is asked about.
"""

import re
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.doubtful import doubtful
from daybook.demo.model.grammar.language.intents.cart import Add
from daybook.demo.model.grammar.language.intents.goods import Mention
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.past import AskKnown, AskPast
from daybook.demo.model.grammar.language.intents.references import It, Reference, Sku
from daybook.demo.model.grammar.language.reading import understand
from daybook.demo.model.grammar.seen.prompt import Prompt
from daybook.demo.model.grammar.seen.scene import scene_of


def of_none_named(intent: Intent, prompt: Prompt) -> Intent:
    """Read a wish for "that one" as a question, where it was asked which one, and none was told."""
    if not isinstance(intent, Add) or not _points(intent.item, prompt) or not _asked(prompt):
        return intent
    before, focus = prompt.past[-1], scene_of(prompt).focus
    named = focus is not None and (
        focus in before.answer or scene_of(prompt).name_of(focus) in before.answer
    )
    return intent if named else doubtful(intent)


def liked_before(intent: Intent, prompt: Prompt) -> Intent:
    """Show again what was said to be liked: "which one did I say I liked?"."""
    if not _ASKS_LIKED.search(prompt.turn.text.lower()):
        return intent
    for turn in reversed(prompt.past):
        shown = set(_SHOWN.findall(turn.answer))
        if len(shown) == 1 and _LIKES.search(turn.text.lower()):
            return Mention(Sku(shown.pop()))
    return intent


def _points(item: Reference, prompt: Prompt) -> bool:
    """Tell whether a product is only pointed at: what it was taken for is no more certain."""
    text = prompt.turn.text.lower()
    match item:
        case It():
            return True
        case Sku(sku) if sku == scene_of(prompt).focus:
            return sku.lower() not in text and _POINTS.search(text) is not None
        case _:
            return False


_POINTS: Final = re.compile(r"\b(?:it|that|this|them|those|these)\b")


def _asked(prompt: Prompt) -> bool:
    """Tell whether the turn before asked which one something was."""
    if not prompt.past:
        return False
    said = prompt.past[-1].text
    looks_back = any(isinstance(one, AskKnown | AskPast) for one in understand(said))
    return looks_back or _ASKS_WHICH.search(said.lower()) is not None


_ASKS_WHICH: Final = re.compile(
    r"\b(?:which|what) (?:one|was|were|did|\w+ (?:was|were|did)|of (?:them|those|these))\b"
    r"|\b(?:do|can) you (?:remember|recall)\b|\bwhich\W*$"
)
_LIKED: Final = r"(?:liked?|loved?|preferred|prefer|fancied|favou?red|wanted)"
_ASKS_LIKED: Final = re.compile(
    rf"\b(?:which|what)\b.* (?:did|do|had|have) (?:i|we)\b.*\b{_LIKED}\b"
    rf"|\b(?:which|what)\b.* (?:i|we) (?:said|told you) (?:that )?(?:i|we) {_LIKED}\b"
)
_LIKES: Final = re.compile(
    r"\b(?:i|we) (?:\w+ )?(?:like|love|prefer|fancy)\b(?! (?:to|a|an|some|it if)\b)"
)
_SHOWN: Final = re.compile(r"\*\* \(([A-Z]+-\d+)\)")
