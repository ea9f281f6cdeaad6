"""What a text means after what the model asked before: yes, no, "the second one".

The questions are fixed sentences, recognised in the history as `choice` explains. A text is read in
one, piece by piece, and then held against the talk; what it answers is read in `answering`.
"""

import re
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.answers.answering.last_question import to_last_question
from daybook.demo.model.grammar.answers.answering.promised import asked_alone
from daybook.demo.model.grammar.answers.asked.asked_again import as_offered, beside_what_is_told
from daybook.demo.model.grammar.answers.asked.asked_too import asked_too, of_the_most
from daybook.demo.model.grammar.answers.asked.bumped import bumped
from daybook.demo.model.grammar.answers.asked.choice import pending_choice
from daybook.demo.model.grammar.answers.asked.consenting import also_consented, only_nodded
from daybook.demo.model.grammar.answers.asked.interview import INTERVIEWER
from daybook.demo.model.grammar.answers.asked.offered import pointing, recounted
from daybook.demo.model.grammar.answers.asked.unnamed import liked_before, of_none_named
from daybook.demo.model.grammar.answers.deciding.adding import of_the_kind_said
from daybook.demo.model.grammar.answers.deciding.all_left import all_left
from daybook.demo.model.grammar.answers.deciding.at_once import decided_at_once
from daybook.demo.model.grammar.answers.deciding.in_passing import counted_in_passing
from daybook.demo.model.grammar.answers.deciding.summed import of_what_was_summed
from daybook.demo.model.grammar.answers.held.accounted import CART, accounted, asked_together
from daybook.demo.model.grammar.answers.held.assured import assured
from daybook.demo.model.grammar.answers.held.borne_out import borne_out
from daybook.demo.model.grammar.answers.held.paired import of_pairs
from daybook.demo.model.grammar.answers.held.settled import settled
from daybook.demo.model.grammar.answers.looking.told_limits import within_what_is_told
from daybook.demo.model.grammar.answers.pieces.joined import joined
from daybook.demo.model.grammar.answers.pieces.placed import placed
from daybook.demo.model.grammar.answers.pieces.restated import restated
from daybook.demo.model.grammar.answers.pieces.several import several
from daybook.demo.model.grammar.language.chat.joining.idle import names_nothing
from daybook.demo.model.grammar.language.chat.read.changes.supposing import only_asked
from daybook.demo.model.grammar.language.intents.cart import Add, Doubtful
from daybook.demo.model.grammar.language.intents.goods import (
    AskPrice,
    AskProperty,
    Mention,
    Reviews,
)
from daybook.demo.model.grammar.language.intents.intent import Intent, World
from daybook.demo.model.grammar.language.intents.orders import ChooseAgain, OrderNews
from daybook.demo.model.grammar.language.intents.past import Remember
from daybook.demo.model.grammar.language.intents.references import It, Named, Nth
from daybook.demo.model.grammar.language.plain import LONGEST, tokens_of
from daybook.demo.model.grammar.language.reading import understand
from daybook.demo.model.grammar.seen.ordered import asked_among
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of
from daybook.demo.model.grammar.seen.scene import scene_of


def in_context(text: str, prompt: Prompt) -> tuple[Intent, ...]:
    """Read what this turn says, wish by wish where the whole was read of half."""
    is_read = prompt.now.owner != INTERVIEWER and len(text) <= LONGEST
    said = placed(restated(text), prompt) if is_read else text
    meant = prompt if said == text else replace(prompt, turn=replace(prompt.turn, text=said))
    read = _settled(said, meant)
    if prompt.now.owner != INTERVIEWER and not _is_asked(meant):
        asked = question_of(prompt.past[-1]) if prompt.past else ""
        read = only_nodded(joined(read, said, meant, _held), asked, said)
        read = also_consented(all_left(of_what_was_summed(read, meant), meant), asked, said)
    return _borne_out(read, said, meant)


def _held(text: str, prompt: Prompt) -> tuple[Intent, ...]:
    """Read a piece of a message as if it were said alone."""
    return _borne_out(_settled(text, prompt), text, prompt)


def _borne_out(read: tuple[Intent, ...], text: str, prompt: Prompt) -> tuple[Intent, ...]:
    if len(read) == 1:
        # A name that is the most of some goods is held against the talk as that.
        read = (of_the_most(read[0]),)
    found = borne_out(read, text, prompt)
    return asked_too(found[0], prompt) if len(found) == 1 else found


def _settled(text: str, prompt: Prompt) -> tuple[Intent, ...]:
    whole = _whole(text, prompt)
    if prompt.now.owner == INTERVIEWER or _is_asked(prompt) or _SHARES.search(text.lower()):
        return whole
    if _asks_of_what_it_names(whole, text):
        return whole
    found = within_what_is_told(several(whole, text, prompt, _whole), text)
    found = settled(of_pairs(found, text, prompt), text, prompt)
    return as_offered(beside_what_is_told(found, text, prompt, _whole), text, prompt)


def _asks_of_what_it_names(whole: tuple[Intent, ...], text: str) -> bool:
    """Tell whether goods stand before what is asked of them: "the third one, how heavy is it?".

    Cut in two, its first half would be a wish to have them where they were just offered.
    """
    head, _, rest = (part.strip() for part in _JOINT.sub("\n", text, count=1).partition("\n"))
    match whole:
        case (AskProperty(item) | AskPrice(item) | Reviews(item),) if not isinstance(item, It):
            named = understand(head) if head and _ASKS_OF_THEM.match(rest.lower()) else ()
        case _:
            return False
    return bool(named) and all(isinstance(one, Mention) and one.quantity is None for one in named)


_JOINT: Final = re.compile(r"\s*(?:[,;:?]|\.+| [-\u2013\u2014])\s+")
_ASKS_OF_THEM: Final = re.compile(
    r"(?:and |so |but )*(?:how|hows|what|whats|what's|how's|is|are|does|do|did|has|have|can"
    r"|will|would"
    r"|which|when|where|why|any)\b"
)
_SHARES: Final = re.compile(r"\b(?:each|both)\b.*\b(?:one|1|two|2) for (?:me|us|my|[a-z]+)\b", re.S)
"""Who gets what is no wish of its own: "one of each. One for me, one for my brother"."""


def _is_asked(prompt: Prompt) -> bool:
    """Tell whether a choice is open, or a question that the machine asked."""
    among = asked_among(prompt.past[-1]) if prompt.past else []
    return bool(among) or pending_choice(prompt) is not None or bumped(prompt) is not None


def _whole(text: str, prompt: Prompt) -> tuple[Intent, ...]:
    """Read a text in one; of what may mean more than was read, a change is asked about."""
    if prompt.now.owner != INTERVIEWER and (sums := only_asked(tokens_of(text))) is not None:
        return tuple(pointing(one, prompt) for one in sums)
    if (made := decided_at_once(text, prompt)) is not None:
        return made
    found = tuple(pointing(one, prompt) for one in to_last_question(text, prompt))
    found = tuple(of_the_kind_said(one, prompt) for one in found)
    liked = tuple(liked_before(one, prompt) for one in found)
    found = tuple(of_none_named(one, prompt) for one in liked)
    is_named = found == liked and prompt.now.owner != INTERVIEWER
    if prompt.now.owner != INTERVIEWER and all(map(_changes_nothing, found)):
        done = any(call.tool == "set_quantity" for call in prompt.turn.calls)
        found = counted_in_passing(tokens_of(text), scene_of(prompt), done=done) or found
    found = asked_alone(found, text)
    found = accounted(recounted(found, text, prompt), text, prompt)
    return asked_together(assured(found, text, prompt) if is_named else found)


def _changes_nothing(intent: Intent) -> bool:
    """Tell whether an intent changes nothing, as no goods are called what it names."""
    match intent:
        case Add(Named() as item):
            return names_nothing(Mention(item))
        case Mention(Nth(n), None):
            return n <= 0
        case _:
            return not isinstance(intent, _MEANS_MORE)


_MEANS_MORE: Final = CART | Doubtful | World | OrderNews | ChooseAgain | Remember
