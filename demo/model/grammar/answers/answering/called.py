"""A kind that is said alone, to the question which one of a name: "the lamp"."""

from daybook.demo.model.grammar.answers.asked.completing import ASK_WHICH
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.intents.cart import Add
from daybook.demo.model.grammar.language.intents.goods import Mention
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.references import Named
from daybook.demo.model.grammar.language.reading import understand
from daybook.demo.model.grammar.language.words import kind_of
from daybook.demo.model.grammar.seen.prompt import Prompt


def of_that_name(intent: Intent, question: str, prompt: Prompt) -> Intent:
    """Read a kind alone, to the question which one of a name, as that one: "the lamp"."""
    which = ASK_WHICH.fullmatch(question)
    match intent:
        case Mention(Named(words), count) if which is not None and which[1] == "shall I add":
            pass
        case _:
            return intent
    before = [one for one in understand(prompt.past[-1].text) if isinstance(one, Add)]
    match before:
        case [Add(Named(name))] if has_model(name) and kind_of(name) is None:
            is_kind = kind_of(words) is not None and not has_model(words)
            quantity = count or (int(which[2]) if which[2] else 1)
            return Add(Named((*name, *words)), quantity) if is_kind else intent
        case _:
            return intent
