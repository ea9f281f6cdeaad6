"""What a text means after what the model asked before: yes, no, "the second one".

The questions are fixed sentences, recognised in the history as `choice` explains.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from daybook.demo.model.grammar.answers.asked.asked_again import as_offered, beside_what_is_told
from daybook.demo.model.grammar.answers.asked.asked_too import (
    as_before,
    asked_too,
    not_sent,
    of_both,
    of_the_most,
)
from daybook.demo.model.grammar.answers.asked.bumped import answered, bumped
from daybook.demo.model.grammar.answers.asked.choice import (
    can_mean_nothing_else,
    chosen,
    pending_choice,
)
from daybook.demo.model.grammar.answers.asked.completing import ASK_WHICH, completed, names_another
from daybook.demo.model.grammar.answers.asked.consenting import (
    also_consented,
    consented_to,
    counts_for_each,
    only_nodded,
    only_takes_note,
)
from daybook.demo.model.grammar.answers.asked.interview import INTERVIEWER, answers, of_one
from daybook.demo.model.grammar.answers.asked.offered import (
    LISTS,
    asked_of_it,
    fewer_of_one,
    forgetting,
    only_that,
    pointing,
    recounted,
    wanted_as_offered,
    wanted_politely,
)
from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD, agreed
from daybook.demo.model.grammar.answers.asked.unnamed import liked_before, of_none_named
from daybook.demo.model.grammar.answers.briefly import briefly
from daybook.demo.model.grammar.answers.deciding.adding import of_the_kind_said
from daybook.demo.model.grammar.answers.deciding.all_left import all_left
from daybook.demo.model.grammar.answers.deciding.altering.altered import altered
from daybook.demo.model.grammar.answers.deciding.altering.recounted import (
    count_that_was_right,
    recounted_lines,
)
from daybook.demo.model.grammar.answers.deciding.buying import bought_at_last, cancelled_at_last
from daybook.demo.model.grammar.answers.deciding.decided import decided
from daybook.demo.model.grammar.answers.deciding.in_passing import counted_in_passing
from daybook.demo.model.grammar.answers.deciding.lately import asked_for_sum
from daybook.demo.model.grammar.answers.held.accounted import CART, accounted, asked_together
from daybook.demo.model.grammar.answers.held.assured import assured
from daybook.demo.model.grammar.answers.held.borne_out import borne_out
from daybook.demo.model.grammar.answers.held.paired import of_pairs
from daybook.demo.model.grammar.answers.held.settled import settled
from daybook.demo.model.grammar.answers.looking.comparing import compared
from daybook.demo.model.grammar.answers.looking.those import of_those
from daybook.demo.model.grammar.answers.looking.told_limits import (
    below_what_was_told,
    most_told,
    within_what_is_told,
)
from daybook.demo.model.grammar.answers.pieces.joined import joined
from daybook.demo.model.grammar.answers.pieces.placed import placed
from daybook.demo.model.grammar.answers.pieces.restated import restated
from daybook.demo.model.grammar.answers.pieces.several import several
from daybook.demo.model.grammar.language.chat.joining import names_nothing
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.read.changes.cart import BESIDE_BUYING
from daybook.demo.model.grammar.language.chat.read.changes.supposing import only_asked
from daybook.demo.model.grammar.language.chat.vocabulary import says_goods
from daybook.demo.model.grammar.language.intents import (
    Add,
    Agree,
    AskPolicy,
    AskPrice,
    AskProperty,
    CancelOrder,
    Checkout,
    Choice,
    ChooseAgain,
    ClearCart,
    Doubtful,
    Every,
    Extreme,
    Intent,
    It,
    Mention,
    Named,
    NotUnderstood,
    Nth,
    OrderNews,
    Other,
    Reference,
    Refuse,
    Remove,
    Reviews,
    Search,
    SetQuantity,
    ShowCart,
    ShowOrders,
    Sku,
    Talk,
    Times,
    World,
)
from daybook.demo.model.grammar.language.intents_past import (
    AskKnown,
    Forget,
    ForgetAll,
    NoMatter,
    Remember,
)
from daybook.demo.model.grammar.language.reading import LONGEST, strictly, tokens_of, understand
from daybook.demo.model.grammar.language.tokens import tokenise
from daybook.demo.model.grammar.language.words import CARD_WORDS, HEDGES, kind_of
from daybook.demo.model.grammar.seen.brief import read_brief
from daybook.demo.model.grammar.seen.facts import facts_before
from daybook.demo.model.grammar.seen.listed import ASK_AGAIN, opened_last
from daybook.demo.model.grammar.seen.ordered import asked_among, order_named
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of
from daybook.demo.model.grammar.seen.referents import Found, in_cart, on_view
from daybook.demo.model.grammar.seen.scene import cart_before, matches, scene_of

ASK_FORGET: Final = "Shall I forget what I know about you, or empty your cart?"
_CANCELS: Final = re.compile(r"\bcancel\b", re.IGNORECASE)
_KNOWN: Final = re.compile(r"\b(?:about me|(?:you|that) (?:know|remember)|memory|facts)\b")
_LEAVES: Final = re.compile(r"\W*(?:no|nah|nope)\b")
_PAYS: Final = re.compile(
    r"\b(?:card|pay|charge|address|ship|deliver|use|check ?out|checkout|buy|order|purchase|with)\b"
)
_OF_PAYING: Final = re.compile(r"\b(?:card|pay|charge|address|ship|deliver|use)\b")
_ASKS_TO_ADD: Final = "Which one shall I add"


def in_context(text: str, prompt: Prompt) -> tuple[Intent, ...]:
    """Read what this turn says, wish by wish where the whole was read of half."""
    is_read = prompt.now.owner != INTERVIEWER and len(text) <= LONGEST
    said = placed(restated(text), prompt) if is_read else text
    meant = prompt if said == text else replace(prompt, turn=replace(prompt.turn, text=said))
    read = _settled(said, meant)
    if prompt.now.owner != INTERVIEWER and not _is_asked(meant):
        asked = question_of(prompt.past[-1]) if prompt.past else ""
        read = only_nodded(joined(read, said, meant, _held), asked, said)
        read = also_consented(all_left(_of_what_was_summed(read, meant), meant), asked, said)
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


_JOINT: Final = re.compile(r"\s*(?:[,;:?]|\.{2,}| [-\u2013\u2014])\s+")
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
    if (made := _made(text, prompt)) is not None:
        return made
    found = tuple(pointing(one, prompt) for one in _in_context(text, prompt))
    found = tuple(of_the_kind_said(one, prompt) for one in found)
    liked = tuple(liked_before(one, prompt) for one in found)
    found = tuple(of_none_named(one, prompt) for one in liked)
    is_named = found == liked and prompt.now.owner != INTERVIEWER
    if prompt.now.owner != INTERVIEWER and all(map(_changes_nothing, found)):
        done = any(call.tool == "set_quantity" for call in prompt.turn.calls)
        found = counted_in_passing(tokens_of(text), scene_of(prompt), done=done) or found
    found = _asked_alone(found, text)
    found = accounted(recounted(found, text, prompt), text, prompt)
    return asked_together(assured(found, text, prompt) if is_named else found)


def _asked_alone(found: tuple[Intent, ...], text: str) -> tuple[Intent, ...]:
    """Leave out a promise that nobody asks for beside a change of the cart: "I send one back"."""
    changes = any(isinstance(one, CART) for one in found)
    if not changes or _ASKS_PROMISE.search(text.lower()):
        return found
    return tuple(one for one in found if not isinstance(one, AskPolicy))


_ASKS_PROMISE: Final = re.compile(
    r"\?|\b(?:what|whats|how|when|where|which|who|can|could|do|does|is|are|will|may|policy|terms"
    r"|tell|know|about|explain)\b(?<!he can)(?<!she can)(?<!they can)"
)


def _made(text: str, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Return a decision, where nothing else is open that the text may answer."""
    if prompt.now.owner == INTERVIEWER or answered(strictly(text), prompt) is not None:
        return None
    if _TAKES_BACK.search(text.lower()):
        return None
    pending = pending_choice(prompt)
    is_open = pending is not None and pending.numbered
    among = asked_among(prompt.past[-1]) if prompt.past else []
    if is_open or among:
        return None
    if (size := _size_now(text, prompt) or _size_gone(text, prompt)) is not None:
        return (size,)
    if (those := of_those(text, prompt)) is not None:
        return (those,)
    counts = count_that_was_right(text, prompt) or recounted_lines(text, prompt)
    if counts is not None:
        return counts
    if _KEEPS.match(text.lower()) and (kept := altered(text, prompt)) is not None:
        return kept
    if (differ := compared(text, prompt)) is not None:
        return differ
    offered = question_of(prompt.past[-1]) if prompt.past else ""
    plain = " ".join(token.text for token in tokens_of(text))
    if ASK_ADD.fullmatch(offered) and _DOES.fullmatch(plain):
        return agreed(offered)
    if _DOES.fullmatch(plain) or _ALL_IN.fullmatch(plain):
        summed = _as_summed(prompt, several=_ALL_IN.fullmatch(plain) is not None)
        if summed:
            return summed
    acts = bought_at_last(text, prompt) or cancelled_at_last(text, prompt)
    return acts or altered(text, prompt) or decided(text, prompt)


def _as_summed(prompt: Prompt, *, several: bool) -> tuple[Intent, ...]:
    """Return what it was asked last what so many would cost, as a wish to have so many.

    With `several`, of what was summed together each with its count.
    """
    scene = scene_of(prompt)
    if not prompt.past or question_of(prompt.past[-1]).endswith("?"):
        return ()
    sums = [one for one in understand(prompt.past[-1].text) if isinstance(one, Times)]
    if several and len(sums) == 1 and sums[0].also and not sums[0].sets:
        wanted = ((sums[0].count, sums[0].item), *sums[0].also)
        meant = [(count, on_view(item, scene)) for count, item in wanted]
        skus = [(n, on.skus[0]) for n, on in meant if isinstance(on, Found) and len(on.skus) == 1]
        is_new = not any(scene.in_cart(sku) for _, sku in skus)
        if len(skus) == len(wanted) == len({sku for _, sku in skus}) and is_new:
            return tuple(Add(Sku(sku), count) for count, sku in skus)
    sku = asked_for_sum(prompt, scene)
    is_one = sku is not None and len(sums) == 1 and not sums[0].also
    if several or not is_one or sku is None or scene.in_cart(sku) is not None:
        return ()
    if _BESIDE_A_SUM.search(prompt.past[-1].text.lower()):
        return ()
    return (Add(Sku(sku), sums[0].count),)


def _of_what_was_summed(read: tuple[Intent, ...], prompt: Prompt) -> tuple[Intent, ...]:
    """Take a wish without a count, right after what so many would cost, for one of so many.

    "I'll take them" is so many; "add it" may be one: that is asked.
    """
    match read:
        case (Add(It() | Sku() | Every(None, ()), 1, False, False),):
            pass
        case (Agree(),) if _CONSENTS.search(prompt.turn.text.lower()):
            pass
        case _:
            return read
    (one,) = read
    plain = " ".join(token.text for token in tokens_of(prompt.turn.text))
    summed = _as_summed(prompt, several=False)
    match summed:
        case (Add(Sku(sku), count),) if count > 1 and not _COUNTS_ONE.search(plain):
            pass
        case _:
            return read
    if isinstance(one, Add):
        meant = on_view(one.item, scene_of(prompt))
        is_it = isinstance(meant, Found) and meant.skus == (sku,)
        if not is_it and not isinstance(one.item, Every):
            return read
        if has_model(plain.split()) or _IT_ALONE.search(prompt.turn.text.lower()):
            return (Doubtful("add", (Sku(sku),), count),)
    return summed


_CONSENTS: Final = re.compile(
    r"\W*(?:(?:ok|okay|great|good|fine|right|well|oh|and|then)\W+)*"
    r"(?:yes|yeah|yep|sure|deal|sold|done|go (?:on|ahead)|ok|okay)"
    r"(?:\W+(?:please|then|add|do))*\W*$"
)
_COUNTS_ONE: Final = re.compile(r"\d|\b(?:one|a|an|single|just|only|another|more|first|this one)\b")
_IT_ALONE: Final = re.compile(r"\b(?:it|that|this)\b(?! is\b)")
_BESIDE_A_SUM: Final = re.compile(r"\b(?:and|n|too|plus|also|with|or)\b|&")


_KEEPS: Final = re.compile(
    r"\W*(?:(?:ok|okay|then|well|so|no|actually|hm+|right|sorry|please|now)\b\W*)*"
    r"(?:only|just|keep|leave)\b"
)
_ALL_IN: Final = re.compile(
    r"(?:(?:yes|yeah|yep|ok|okay|sure|right|alright|fine|good|great|deal|sold|perfect"
    r"|do (?:it|that)|so|and|then|please|let us do (?:it|that)|[,.!]) )*"
    r"(?:(?:(?:i|we) (?:will|would like to) )?"
    r"(?:put|add|take|get|have|want|order|throw|pop)(?: me)? )?"
    r"(?:(?:it|them|that|those|these|everything|the (?:lot|whole lot)) all"
    r"|all(?: of (?:it|them|that|those|these))?|everything|the (?:lot|whole lot)|them|those)"
    r"(?: (?:please|then|now|in(?:to)?(?: (?:my|the) (?:cart|basket))?"
    r"|to (?:my|the) (?:cart|basket)|[.!]))*"
)
"""What is a wish for all of what was summed up: "deal. All in the cart"."""
_DOES: Final = re.compile(
    r"(?:(?:yes|yeah|yep|ok|okay|sure|right|alright|fine|good|great|well|oh|ah|haha|lol|so|and|then"
    r"|please|go on|cool|perfect|lovely|just|you know what|[.,!]) )*"
    r"(?:do (?:it|that|this|so)|let us do (?:it|that|this)|go ahead(?: with (?:it|that|this))?"
    r"|go for it|please do|make it so|make it happen|in with it|in (?:it|they) goe?s?|treat myself"
    r"|(?:that is )?good enough(?: for me)?|why not)"
    r"(?: (?:please|then|thanks|thank you|for me|now|mate|[.!]))*"
)
"""What is a yes to an offer, though it says neither yes nor what."""
_TAKES_BACK: Final = re.compile(
    r"\w[\s.,;!?-]+(?:(?:no|oh|wait|ah|actually|sorry|nah|hm+|i am|i'?m|ok|just)\b[\s,.]*)*"
    r"(?:do ?n'?t|do not|kidding|joking|jk|never ?mind|nvm|scratch that|forget (?:it|that)"
    r"|leave it)"
    r"(?: (?:do )?(?:that|it))?\W*$"
)
"""What takes back at its end what a message began with: "add the second. Actually don't"."""


def _size_now(text: str, prompt: Prompt) -> Remember | None:
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


def _size_gone(text: str, prompt: Prompt) -> Forget | None:
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


def _in_context(text: str, prompt: Prompt) -> tuple[Intent, ...]:
    """Read what this turn says as an answer to the last question, where it is one.

    An answer is read by the rules alone; what is none may be read loosely.
    """
    intents: Sequence[Intent] = strictly(text)
    if prompt.now.owner == INTERVIEWER:
        loose = understand(text)
        if any(isinstance(one, AskPolicy | OrderNews | ShowOrders) or of_one(one) for one in loose):
            # What is asked of the shop, or of one of its goods, is no answer to the interviewer.
            intents = loose
        return answers(intents, prompt)
    to_machine = answered(intents, prompt)
    if to_machine is not None:
        return to_machine
    question = question_of(prompt.past[-1]) if prompt.past else ""
    among = asked_among(prompt.past[-1]) if prompt.past else []
    if among:
        named = order_named(intents, among, CancelOrder(some=True), prompt.turn.text)
        if named is not None:
            return named
    pending = pending_choice(prompt)
    if pending is not None and intents:
        plain = [_plain(intent) for intent in intents]
        choice = chosen(plain, pending, prompt.turn.text)
        if choice is not None:
            return (choice,)
        if pending.numbered and all(can_mean_nothing_else(intent) for intent in plain):
            return (ChooseAgain(),)
    brief = briefly(text, prompt)
    if brief is not None:
        return brief
    intents = understand(text)
    is_offer = ASK_ADD.fullmatch(question) or question.startswith(_ASKS_TO_ADD)
    is_talk = any(isinstance(one, Talk) for one in intents)
    names = all(isinstance(one, Mention) for one in strictly(text))
    if question and not (is_offer or is_talk) and names:
        # A please beside what is named makes no other wish of the answer to another question.
        intents = strictly(text)
    intents = [asked_of_it(_plain(intent), prompt) for intent in intents]
    intents = [wanted_as_offered(intent, question, prompt) for intent in intents]
    intents = [forgetting(only_that(intent, prompt), prompt) for intent in intents]
    intents = [fewer_of_one(intent, prompt) for intent in intents]
    if len(intents) == 1:
        intents = [wanted_politely(intents[0], prompt)]
    if question == ASK_FORGET or _has_forgotten(intents, prompt):
        intents = [meant for intent in intents for meant in _to_forget(intent, prompt.turn.text)]
    intents = [_ordered(intent, prompt) for intent in intents]
    if question == ASK_AGAIN and any(isinstance(intent, Agree) for intent in intents):
        again = opened_last(prompt)
        intents = [again if isinstance(i, Agree) and again is not None else i for i in intents]
    intents = [one for intent in intents for one in as_before(intent, prompt)]
    intents = [_of_returning(intent, prompt) for intent in intents]
    intents = [of_both(intent, text, prompt) for intent in intents]
    if pending is None:
        intents = [_no_card(not_sent(intent, text), text) for intent in intents]
    intents = [_counted_again(intent, prompt, question) for intent in intents]
    if question.startswith("Which one"):
        intents = [pointing(intent, prompt) for intent in intents]
    intents = _had_and_bought(intents, prompt)
    intents = [one for intent in intents for one in _bought(intent, prompt, question)]
    intents = [_regretted(intent, prompt, question) for intent in intents]
    intents = _within_budget(intents, prompt)
    intents = [below_what_was_told(intent, prompt) for intent in intents]
    if only_takes_note(intents, prompt.turn.text):
        return (Talk("leave"),)
    asked = consented_to(question, intents, prompt.turn.text)
    meant = [one for intent in _taken_back(intents) for one in _agreed(intent, asked)]
    others = [intent for intent in meant if not isinstance(intent, Agree | Refuse)]
    if not others:
        return tuple(meant[:1])
    left = _LEAVES.match(prompt.turn.text.lower()) is not None
    lists = not left or (bool(prompt.past) and LISTS.search(prompt.past[-1].answer) is not None)
    if prompt.turn.text.rstrip().endswith("?"):
        # What is asked is no answer to an offer: "the cheapest of the 3?"
        asked_of = [isinstance(one, Mention) and isinstance(one.item, Extreme) for one in others]
        question = "" if ASK_ADD.fullmatch(question) and any(asked_of) else question
    question = "" if counts_for_each(question, prompt.turn.text) else question
    scene = scene_of(prompt)
    counted = _counted_once(_once(others, intents), question)
    wishes = [_of_that_name(intent, question, prompt) for intent in counted]
    return tuple(
        intent
        if names_another(intent, question, scene)
        else completed(intent, question, scene, lists=lists)
        for intent in wishes
    )


def _counted_once(intents: list[Intent], question: str) -> list[Intent]:
    """Read a count behind the one that is chosen as its own: "the first, just one"."""
    which = ASK_WHICH.fullmatch(question)
    match intents:
        case [
            Mention(item, None),
            SetQuantity(It(), int() as n, False) | Add(It(), int() as n, False, False),
        ] if which and n > 0:
            return [Mention(item, n)]
        case [Mention(Every(most=int()) as item, None)] if which and which[2]:
            return [Doubtful("add" if which[1] == "shall I add" else "look", (item,))]
        case _:
            return intents


def _of_that_name(intent: Intent, question: str, prompt: Prompt) -> Intent:
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


def _within_budget(intents: Sequence[Intent], prompt: Prompt) -> Sequence[Intent]:
    """Look again within a budget that is told right after a list: "ok, but my budget is 170"."""
    text = prompt.turn.text.lower()
    lists = bool(prompt.past) and LISTS.search(prompt.past[-1].answer) is not None
    looks = _LOOKS.search(text) is not None and scene_of(prompt).kind is not None
    match tuple(intents):
        # "My budget is 900 dollars" is noted alone: once it is forgotten, nothing tells any more
        # where the limit of a search came from.
        case (Remember("budget", value),) if (
            looks or (lists and (value.isdigit() or "budget" not in text))
        ) and (most := most_told(value)):
            return [*intents, Search(max_price=most)]
        case _:
            return intents


_LOOKS: Final = re.compile(
    r"\b(?:show|find|give|get|let) (?:me|us)\b.*\b(?:some\w*|other|another|one|what)\b"
)


def _no_card(intent: Intent, text: str) -> Intent:
    """Take "let us take the first" for goods where no card or address is to be chosen."""
    match intent:
        case Checkout(Choice((), int() as n), None) if not _OF_PAYING.search(text.lower()):
            return Add(Nth(n, counted=True))
        case Checkout(Choice(words), None) if words and not (
            CARD_WORDS & {*words} or _PAYS.search(text.lower())
        ):
            return NotUnderstood(text)
        case Checkout(Choice(words), None) if words and all(map(says_goods, words)):
            # "A stove, with gas": it is said of goods, and of no card.
            return Search(" ".join(words), narrows=True)
        case _:
            return intent


def _regretted(intent: Intent, prompt: Prompt, question: str) -> Intent:
    """Read a no that names nothing, "wait no", as one to the question, or to what was just added.

    Whether that shall go again is asked.
    """
    changed = bool(prompt.past) and any(
        call.tool in ("add_to_cart", "set_quantity") for call in prompt.past[-1].calls
    )
    removed = bool(prompt.past) and any(
        call.tool == "remove_from_cart" for call in prompt.past[-1].calls
    )
    undoes = _UNDOES.match(prompt.turn.text.lower()) is not None
    match intent:
        case CancelOrder(vague=True) | Add(It(), again=True) if undoes and changed:
            return Doubtful("remove", (It(),))
        case Refuse() if changed and _CANCELS_ALONE.fullmatch(prompt.turn.text.lower()):
            return Doubtful("remove", (It(),))
        case CancelOrder(vague=True) if undoes and removed:
            return Doubtful("add", (It(),))
        case Add(It(), again=True) if undoes and not removed:
            return Refuse()
        case NotUnderstood(text) if changed and _NO.fullmatch(text.lower()):
            return Doubtful("remove", (It(),))
        case NotUnderstood(text) if question.endswith("?") and _NO.fullmatch(text.lower()):
            return Refuse()
        case _:
            return intent


_CANCELS_ALONE: Final = re.compile(r"\W*(?:(?:no|oh|please|sorry|wait|actually)\W+)*cancel\W*")
_UNDOES: Final = re.compile(
    r"\W*(?:(?:no|oh|oops|ok|please|can you|sorry|wait|actually)\W+)*undo\b"
)
_NO: Final = re.compile(
    r"\W*(?:(?:wait|no|oh|oops|hang on|hold on|stop|sorry|nope|actually|hm+|undo|that|was"
    r"|wrong|a|mistake)\b\W*)+"
)


def _had_and_bought(intents: Sequence[Intent], prompt: Prompt) -> Sequence[Intent]:
    """Take a product that is named beside a wish to buy for what is bought, into an empty cart."""
    match tuple(intents):
        case (Mention(Sku() | Named() as item, count), Checkout() as buys) if not cart_before(
            prompt.now.cart, prompt.turn.calls
        ):
            return [Add(item, count or 1), buys]
        case _:
            return intents


def _bought(intent: Intent, prompt: Prompt, question: str) -> tuple[Intent, ...]:
    """Take a wish to pay right after an offer for a yes to it, where the cart is empty."""
    offered = agreed(question) if ASK_ADD.fullmatch(question) else ()
    is_plain = "?" not in prompt.turn.text and all(
        token.text in BESIDE_BUYING for token in tokens_of(prompt.turn.text)
    )
    added = [call for call in prompt.turn.calls if call.tool == "add_to_cart"]
    had_none = not cart_before(prompt.now.cart, prompt.turn.calls)
    if isinstance(intent, Checkout) and had_none and _GETS.fullmatch(prompt.turn.text.lower()):
        # There is nothing to buy yet: "get that" is a wish to have it.
        return offered or (Add(It()),)
    if isinstance(intent, Checkout) and is_plain and (added or not prompt.now.cart):
        return (*offered, intent)
    bought = any(call.tool == "checkout" for call in prompt.turn.calls)
    if isinstance(intent, Add) and bought and _BUYS.match(prompt.turn.text.lower()):
        return (Checkout(),)
    if isinstance(intent, Add) and _is_all_that_was_added(intent.item, prompt):
        return (Checkout(),)
    if isinstance(intent, Add) and not added and _BUYS.match(prompt.turn.text.lower()):
        scene = scene_of(prompt)
        inside = in_cart(intent.item, scene, prompt.now.currency)
        is_whole = isinstance(inside, Found) and len(scene.cart) == 1 == intent.quantity
        return (Checkout(),) if is_whole and isinstance(intent.item, Named) else (intent,)
    return (intent,)


def _is_all_that_was_added(item: Reference, prompt: Prompt) -> bool:
    """Tell whether "order both" is said of the cart's two things, right after they were put in."""
    if not isinstance(item, Every) or not _BUYS_ALL.match(prompt.turn.text.lower()):
        return False
    lines = cart_before(prompt.now.cart, prompt.turn.calls)
    calls = prompt.past[-1].calls if prompt.past else ()
    just_added = any(call.tool in ("add_to_cart", "set_quantity") for call in calls)
    return just_added and item.most in (None, len(lines))


_BUYS_ALL: Final = re.compile(
    r"\W*(?:(?:ok|please|and|now|so|then|great|good|right|let'?s|i want to|i'?ll|can you)\W+)*"
    r"(?:buy|order|purchase|pay for|get) (?:both|all|them|everything|the (?:two|lot|pair))\b"
    r"(?! (?:of )?(?:those|these|the)\b)(?!.*\?)"
)
_GETS: Final = re.compile(
    r"\W*(?:(?:ok|yes|and|then|so|great|cool|good|right|fine|please)\W+)*get (?:that|it|this)"
    r"(?: one)?(?:\W+(?:please|then|thanks|for me))*[\W]*(?<!\?)"
)
_BUYS: Final = re.compile(
    r"\W*(?:(?:ok|please|and|now|so|then)\W+)*(?:buy|order|purchase|pay for) the\b"
)


def _counted_again(intent: Intent, prompt: Prompt, question: str) -> Intent:
    """Take "three of them" for a correction right after that product was added.

    To the question which one is meant, a number is a place in the list, even after "no wait".
    """
    which = ASK_WHICH.fullmatch(question)
    match intent:
        case SetQuantity(It(), int() as n) if which and which[2] and n > 0:
            return Add(It(), n)
        case SetQuantity(It(), n) if which:
            return Mention(Nth(n))
        case Mention(It(many=False), int() as n) if which and n <= len(scene_of(prompt).latest):
            return Mention(Nth(n))
        case Mention(It(), int() as n) | Add(It(), n, False, False) if _counts(n, prompt, question):
            added = [call for call in prompt.past[-1].calls if call.tool == "add_to_cart"]
            return SetQuantity(intent.item, n) if len(added) == 1 else intent
        case _:
            return intent


def _counts(n: int, prompt: Prompt, question: str) -> bool:
    """Tell whether so many of "them" may be those that the last turn added."""
    adds = re.search(r"\b(?:add|more|another|extra|plus|also|too)\b", prompt.turn.text.lower())
    return n > 1 and bool(prompt.past) and not question.endswith("?") and adds is None


def _of_returning(intent: Intent, prompt: Prompt) -> Intent:
    """Take "and who pays the postage on that?" for what was asked of before: sending it back."""
    if not isinstance(intent, AskPolicy) or intent.topic not in ("payment", "shipping"):
        return intent
    before = understand(prompt.past[-1].text) if prompt.past else ()
    is_of_returns = any(one == AskPolicy("returns") for one in before)
    pays = _WHO_PAYS.search(prompt.turn.text.lower()) is not None
    return AskPolicy("returns") if is_of_returns and pays else intent


_WHO_PAYS: Final = re.compile(
    r"\b(?:who pays|who covers|do i (?:have to )?pay|is (?:that|it) free|cost me|postage|label)\b"
)


def _plain(intent: Intent) -> Intent:
    """Take "I don't care" for what it is where nothing was asked: it may mean anything."""
    if not isinstance(intent, NoMatter):
        return intent
    words = {token.text for token in tokenise(intent.text)}
    return NotUnderstood(intent.text, hedged=bool(words & HEDGES))


def _has_forgotten(intents: Sequence[Intent], prompt: Prompt) -> bool:
    """Tell whether the answer to what shall be forgotten is being followed.

    With what is forgotten, the question itself may be gone from the prompt.
    """
    asked = any(isinstance(intent, Forget | ForgetAll) for intent in intents)
    return not asked and any(call.tool == "forget" for call in prompt.turn.calls)


def _to_forget(intent: Intent, text: str) -> tuple[Intent, ...]:
    """Read what shall be forgotten: what is known, the cart, or both."""
    match intent:
        case ShowCart():
            return (ClearCart(),)
        case Mention(Every()):
            return (ForgetAll(), ClearCart())
        case AskKnown(()) | NotUnderstood() if _KNOWN.search(text.lower()):
            return (ForgetAll(),)
        case _:
            return (intent,)


def _ordered(intent: Intent, prompt: Prompt) -> Intent:
    """Take "cancel the tent" for an order where nothing like it is, or was, in the cart."""
    said = prompt.turn.text or read_brief(prompt.now.brief).wish
    if not isinstance(intent, Remove | Doubtful):
        return intent
    cancels = _CANCELS.search(said) is not None
    placed = any(order.status == "placed" for order in prompt.now.orders)
    if cancels and placed and not cart_before(prompt.now.cart, prompt.turn.calls):
        item = intent.item if isinstance(intent, Remove) else next(iter(intent.items), It())
        if isinstance(item, Extreme | Nth | Other):
            return CancelOrder(some=True)
    match intent:
        case Remove(Named() | Sku() as named):
            pass
        case Doubtful("add" | "remove", (Named() | Sku() as named,)) if (
            cancels and placed and not _ONLY_ASKS.search(said.lower())
        ):
            pass
        case _:
            return intent
    words = named.words if isinstance(named, Named) else (named.sku,)
    cart = cart_before(prompt.now.cart, prompt.turn.calls)
    inside = any(line.sku in words or matches(words, line.name, line.sku) for line in cart)
    return CancelOrder(goods=words) if cancels and not inside else intent


_ONLY_ASKS: Final = re.compile(
    r"\?|\b(?:only|just|(?:can|could|may|should|shall|must|do) (?:i|we)|how|what|when|if|not"
    r"|never)\b"
)
"""What is asked of cancelling, or of a part of an order: none is cancelled by it."""


def _agreed(intent: Intent, question: str) -> tuple[Intent, ...]:
    """Return what a yes means after a question; what is no yes stands."""
    return (agreed(question) if isinstance(intent, Agree) else ()) or (intent,)


def _taken_back(intents: Sequence[Intent]) -> list[Intent]:
    """Read a no after a wish that acts on the world as doubt about it: "check out. No"."""
    read: list[Intent] = []
    for intent in intents:
        doubt = isinstance(intent, Refuse) and any(isinstance(i, World) for i in read)
        read.append(NotUnderstood("no", hedged=True) if doubt else intent)
    return read


def _once(meant: Sequence[Intent], said: Sequence[Intent]) -> list[Intent]:
    """Drop what a yes stands for where the user says it too: "yes, add it" adds once."""
    kinds = {type(intent) for intent in said}
    return [intent for intent in meant if intent in said or type(intent) not in kinds]
