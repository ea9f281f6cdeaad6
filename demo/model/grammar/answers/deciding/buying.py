"""Read a wish to buy, or to cancel, beside what is only told: "He likes it. Order it". Pure.

One clause says in plain words that it is to be bought; no other holds a question, a condition, a
negation, a doubt, another time, goods, or a verb of another act.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from daybook.demo.model.grammar.answers.asked.questions import ASK_ADD
from daybook.demo.model.grammar.language.chat.frames.acts import WORDS as ACTS
from daybook.demo.model.grammar.language.chat.names import has_model
from daybook.demo.model.grammar.language.chat.read.changes.cart import BESIDE_BUYING, says_to_buy
from daybook.demo.model.grammar.language.intents.intent import Intent
from daybook.demo.model.grammar.language.intents.orders import CancelOrder, Checkout, Mail
from daybook.demo.model.grammar.language.plain import tokens_of
from daybook.demo.model.grammar.language.tokens import Kind, Token
from daybook.demo.model.grammar.language.words import HEDGES, NOUNS, fold
from daybook.demo.model.grammar.seen.prompt import Prompt, question_of
from daybook.demo.model.grammar.seen.scene import cart_before

Test = Callable[[Sequence[Token]], bool]
"""Tells whether a clause says what is wanted."""
_ENDS: Final = frozenset({".", ",", "!", ";", ":", "\n", "-", "because", "cause", "so"})
_TURNS: Final = (
    frozenset(
        """
        ? if when unless until whether but or except without not no never none nothing neither nor
        maybe perhaps possibly might could would should shall may almost nearly hardly unsure sure
        think thinks thought guess wonder wondering doubt hope hopes wish later tomorrow yesterday
        soon next someday eventually before after once while first only instead rather other others
        another else both each either half double twice more less fewer wait stop hold pretend
        imagine suppose joke joking kidding how what which who whom whose where why does did
        ignore disregard override instructions previous
        cheaper price total shipping return returns card address says say tell tells told wants
        """.split()  # noqa: SIM905
    )
    | HEDGES
)
"""What may turn a wish to buy, in whatever clause."""
_SAYS_YES: Final = re.compile(
    r"\b(?:said|says|told me|gave me) (?:me )?(?:a |the |it is |i )?(?:yes|ok|okay|fine|go|go ahead"
    r"|green light|can|may)\b"
)
_SAYS_NO: Final = re.compile(
    r"\b(?:said|says|told (?:me|us)|told|is|are) (?:no|not (?:happy|keen|pleased|amused|impressed)"
    r"|against it)\b"
)
_SAID: Final = re.compile(r"\b(?:said|says|told|wrote|asked|keeps?)\b")
_NO_MORE: Final = re.compile(
    r"^(?:oh|ah) no\b"
    r"|\b(?:no more (?:questions|waiting|dithering|thinking|talk|doubts)|nothing (?:else|more)"
    r"|(?:do not|don't) (?:need|want) (?:anything|any) (?:else|more)|no (?:need to wait|doubt)"
    r"|that is (?:all|everything|it)|(?:can ?not|can not|could not) wait|why not|sure)\b"
    r"|\bno (?:more )?time\b(?: (?:for|to|left)\b.*)?"
    r"|\b(?:have|has|do|am|are|is|will) not (?:have |got |getting |going to )?(?:all"
    r" (?:the )?(?:day|night|morning|evening|week|year|time)|(?:the |any |much |more )?"
    r"(?:time|patience)|long|forever|any younger|wait|regret (?:it|this)|care|mind)"
    r"(?! (?:if|about|for|that|which))\b"
    r"|\bif (?:it|that|this) (?:is|was) (?:not (?:yet |already )?too late|still (?:possible|time)"
    r"|possible|not (?:shipped|sent|gone)(?: yet)?)\b|\bif you (?:still )?can\b|\bif possible\b"
    r"|\bbefore i (?:change my mind|regret it|lose my nerve)\b.*"
    r"|\b(?:thought|think|slept) (?:about|on|over) it(?: (?:over|overnight|long enough|enough))?"
    r"|\b(?:once|one) more(?: time)?\b|\bso much\b|\bmore than (?:happy|ready)\b"
    r"|^(?:ok |and |so |well )*how (?:do|can) i (?:buy|order|get|pay for) (?:it|this|them|that) \?"
)
_AGAIN: Final = re.compile(
    r"\b(?:again|once more|one more (?:time|go)|another (?:go|try)|retry|redo|repeat (?:it|that))\b"
)
_SLIPPED: Final = re.compile(
    r"\b(?:by (?:mistake|acc?ident)|acc?identall?y|wrong (?:button|one|key)|slipped|mis-?clicked"
    r"|my (?:mistake|fault|error)|meant (?:to )?(?:say |press |click |hit )?(?:yes|approve|accept"
    r"|confirm|ok))\b"
)
_IS_NO: Final = re.compile(
    r"\?|\b(?:not|never|don'?t|if|but|cancel|instead|should|would|could|leave|forget|good that"
    r"|glad|did|was|was it|same)\b"
)
_LONGEST: Final = 40


def bought_at_last(text: str, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Return the purchase that a text wants; None where it may want something else."""
    again = _again(text, prompt)
    if again is not None:
        return (again,)
    done = any(call.tool == "checkout" for call in prompt.turn.calls)
    cart = cart_before(prompt.now.cart, prompt.turn.calls)
    question = question_of(prompt.past[-1]) if prompt.past else ""
    if not (cart or done) or ASK_ADD.fullmatch(question):
        return None
    if _I_BUY.fullmatch(" ".join(token.text for token in tokens_of(text))):
        return (Checkout(),)
    return (Checkout(),) if _is_plain(tokens_of(text), _buys) else None


_I_BUY: Final = re.compile(
    r"(?:(?:ok|okay|good|fine|yes|great|perfect|super|nice|so|then|now|and|well|right|all right"
    r"|(?:it|that|this) is (?:good|fine|ok|all|right|perfect)|i am (?:ready|happy|sure)|[.,!]) )*"
    r"(?:i|we) (?:now |then )?(?:order|buy|pay)"
    r"(?: (?:it|now|this|that|all|them|then|please|today|thanks|thank you|[.!]))*"
)
"""How those say it to whom English is foreign: "it is good. I order"."""


def cancelled_at_last(text: str, prompt: Prompt) -> tuple[Intent, ...] | None:
    """Return that the last order shall be cancelled, where a text says so beside what it tells."""
    done = any(call.tool == "cancel_order" for call in prompt.turn.calls)
    placed = any(order.status == "placed" for order in prompt.now.orders)
    if not (placed or done) or cart_before(prompt.now.cart, prompt.turn.calls):
        return None
    question = question_of(prompt.past[-1]) if prompt.past else ""
    tokens = tokens_of(text)
    if question.endswith("?") and not _OF_AN_ORDER & {token.text for token in tokens}:
        # "No, cancel that" may be the no to the question.
        return None
    if _cancels([token for token in tokens if token.text not in (".", "!")]):
        return (CancelOrder(),)
    is_plain = _is_plain(tokens, _cancels, _NEVER_CANCELS)
    return (CancelOrder(),) if is_plain else None


_OF_AN_ORDER: Final = frozenset({"order", "purchase", "refund", "ordered", "bought"})
_NEVER_CANCELS: Final = frozenset(
    """
    card address price total shipping returns thought hope soon more less cheaper another yesterday
    after
    """.split()  # noqa: SIM905
)
"""What may turn a purchase into another one, but no cancelling."""
_SUBJECTS: Final = frozenset("i we my our he she they it the there".split())  # noqa: SIM905


def _is_plain(tokens: Sequence[Token], acts: Test, silent: frozenset[str] = frozenset()) -> bool:
    """Tell whether a clause acts, and no other one turns it: but for the words that are silent."""
    if not tokens or len(tokens) > _LONGEST:
        return False
    whole = _NO_MORE.sub(" ", " ".join(token.text for token in tokens)).split()
    if "?" in whole:
        return False
    clauses = list(_clauses(tokens, acts))
    texts = [token.text for token in clauses[0]] if clauses else [""]
    if silent and texts[0] == "no" and {*texts[1:2]} <= _SUBJECTS:
        # "Oh no! My card ... cancel it" denies nothing.
        clauses[0] = clauses[0][1:]
    wanted = [at for at, clause in enumerate(clauses) if acts(clause)]
    if not wanted or len(clauses) == 1:
        return False
    return not any(
        _turns(clause, silent) or (at + 1 in wanted and _reports(clause))
        for at, clause in enumerate(clauses)
        if at not in wanted
    )


def _clauses(tokens: Sequence[Token], acts: Test) -> Iterator[list[Token]]:
    clause: list[Token] = []
    for at, token in enumerate(tokens):
        joins = token.text in ("and", "&") and acts(_first(tokens[at + 1 :]))
        asks = token.text == "?"
        if token.text in _ENDS or joins or asks:
            if asks:
                clause.append(token)
            if clause:
                yield clause
            clause = []
        else:
            clause.append(token)
    if clause:
        yield clause


def _first(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens up to the end of their clause."""
    end = next((at for at, token in enumerate(tokens) if token.text in _ENDS), len(tokens))
    return list(tokens[:end])


def _buys(clause: Sequence[Token]) -> bool:
    """Tell whether every word of a clause is of buying."""
    texts = [token.text for token in clause]
    known = BESIDE_BUYING | _KINDLY
    return bool(texts) and says_to_buy(" ".join(texts)) and all(text in known for text in texts)


def _cancels(clause: Sequence[Token]) -> bool:
    """Tell whether a clause says that the order shall be cancelled, and nothing else."""
    return _CANCELS.fullmatch(" ".join(token.text for token in clause)) is not None


_CANCELS: Final = re.compile(
    r"(?:(?:so|please|then|and|now|ok|just|yes|yeah|no|right|really|sadly|unfortunately|i am afraid"
    r"|(?:can|could|would|will) you|(?:i|we) (?:want|have|need|would like|will have|am going"
    r"|are going"
    r"|must|had better)(?: to)?|let us|kindly|do|1|one) )*(?:cancel|undo|refund)"
    r" (?:it|that|this|(?:the|my|that|this) (?:whole |last )?(?:order|purchase|one))"
    r"(?: (?:please|now|then|again|for (?:me|us|real|good)|this time|really|properly|will you"
    r"|would you|asap|dear|mate|thanks|after all|,|sorry|(?:i am )?(?:so |very |really )*sorry"
    r"|i (?:regret|apologi[sz]e|am afraid)|(?:my )?apologies|unfortunately|sadly))*"
)
_WRONGLY: Final = frozenset({"mistake", "accident", "wrong", "wrongly", "error"})
_SUPPOSES: Final = frozenset(
    "? if unless when should maybe perhaps might not never keep add check put".split()  # noqa: SIM905
)
_KINDLY: Final = frozenset(
    "love dear mate darling sweetheart guess damn bloody thing again once more after".split()  # noqa: SIM905
)


def _turns(clause: Sequence[Token], silent: frozenset[str] = frozenset()) -> bool:
    """Tell whether a clause holds what may turn the wish to buy of another one."""
    text = _NO_MORE.sub(" ", " ".join(token.text for token in clause))
    text = _SAYS_YES.sub(" ", text)
    if silent:
        # "The committee said no" tells why it shall be cancelled.
        text = _SAYS_NO.sub(" ", text)
    texts = {*text.split()}
    if silent and texts & _WRONGLY:
        # "By mistake I ordered 2 instead of 1" tells why it shall be cancelled.
        return bool(texts & _SUPPOSES)
    counts = any(
        token.kind not in (Kind.WORD, Kind.MARK) and token.text != "one" for token in clause
    )
    is_one = re.fullmatch(r"(?:(?:fine|ok|then|so) )*(?:just|only) (?:the )?one(?: then)?", text)
    goods = any(fold(word) in NOUNS for word in texts) or has_model([*texts])
    return not is_one and (counts or goods or bool(texts & (_TURNS | ACTS) - silent))


def _reports(clause: Sequence[Token]) -> bool:
    """Tell whether what follows a clause may be what somebody else said."""
    text = " ".join(token.text for token in clause)
    return _SAID.search(_SAYS_YES.sub(" ", text)) is not None


def _again(text: str, prompt: Prompt) -> Intent | None:
    """Return what was just not approved, where it was so by a slip or is wanted again."""
    last = prompt.past[-1] if prompt.past else None
    if last is None or "rejected" not in last.answer or _IS_NO.search(text.lower()):
        return None
    said = text.lower()
    if not (_AGAIN.search(said) or _SLIPPED.search(said)):
        return None
    acts = [call for call in last.calls if call.tool in ("checkout", "cancel_order", "send_email")]
    named = next((tool for tool in _CALLED if _CALLED[tool] in last.answer), None)
    tool = acts[-1].tool if acts else named
    match tool:
        case "checkout":
            return Checkout()
        case "cancel_order":
            return CancelOrder()
        case "send_email":
            return Mail("summary")
        case _:
            return None


_CALLED: Final = {"checkout": "The checkout was rejected"}
