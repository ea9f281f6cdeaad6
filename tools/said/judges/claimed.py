"""Judge what a sentence claims of effects, of what was done and of orders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from daybook.tools.said.clauses import Clauses, is_open
from daybook.tools.said.effects import Claim, claims_in
from daybook.tools.said.grammar.idioms import WILL
from daybook.tools.said.grammar.kinds import KIN, KINDS, SHIPPED, Kind
from daybook.tools.said.grammar.loose import ROUGHLY
from daybook.tools.said.grammar.saying import OF_NOTHING, STILL_OPEN
from daybook.tools.said.grammar.things import sorts_in, sorts_of
from daybook.tools.said.judges.orders import STANDS
from daybook.tools.said.known import Effect, Known
from daybook.tools.said.mentions import held_in
from daybook.tools.said.spoken_of import mentioned, shown_of
from daybook.tools.said.text import Sentence, amounts_in, is_row, plain

_CODE = re.compile(
    r"(?<![\w/.@-])#?[^\W\d_]{1,8}-?(?:[^\W_]+-)*\d{3,}(?:-[^\W_]+)*(?![\w@]|\.\w|-\w)|(?<!\w)#\w*\d{4,}\b",
    re.UNICODE,
)

_NO_ORDER = re.compile(
    r"(?:\bno orders?|(?:n't|\bnot|\bnever) (?:yet )?(?:placed|ordered|made) (?:any|an order|anything)|"
    r"\bnothing (?:was|has been) ordered|\bnever ordered)\b",
    re.IGNORECASE,
)
"""Says that there never was an order."""

_JUST = re.compile(
    r"\b(?:i|we)(?:'ve| have)? just (?:now )?(?:\w+ed|sent|put|paid|bought|made)\b|\b(?:just|right) now\b|\bthis (?:very )?(?:minute|moment|second|instant)\b|\b(?:a|one) (?:minute|moment|second) ago\b|\bby me\b"
)
"""Says that it was done in this turn."""

_AGAIN = re.compile(r"\b(?:again|another|other|new|next time|more|later order|too|else)\b")

_TWICE = re.compile(
    r"\b(?:(?:two|2|three|3) (?:separate |identical |different )?(?:debits|charges|payments)|twice(?! as\b)|two times|(?:charged|billed|paid|refunded) double|a second time|three times|thrice)\b"
)

_TOOK = ("took", "taken", "gone", "went", "hit", "debits", "charges", "payments")
_OF_ONE = re.compile(
    r"\b(?:each|per|apiece|(?<!all )of (?:it|them|which|that|this)|fee|for (?:the|one)|more|less|extra|still|only)\b"
)
"""In a clause whose sum is only a part of what was charged."""

_FEE = re.compile(
    r"\b(?:cancellation|restocking|handling|service|booking|processing|late|small) fees?\b|\b\d[\d.]* ?(?:usd|dollars) (?:for )?(?:handling|processing|restocking)\b|\b(?:minus|less) (?:the |a )?(?:shipping|postage|handling|fees?)\b|\bdeduction of\b|\b(?:retained|withheld|kept back|deducted) (?:\w+ )?from (?:the|your) refund\b"
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|did|does|do|got|went|came|took|made|it|i|we|you)\b|'(?:s|ve|re)\b"
)
_NOBODY_KNOWS = re.compile(
    r"\b(?:unknown|unclear|no one knows|nobody knows|no (?:answer|reply|response)|(?:answer|reply|response)(?: is)? missing|(?:result|outcome) (?:is )?open)\b",
    re.IGNORECASE,
)
_EITHER_WAY = re.compile(
    r"\b(?:may|might|could)\b.*\b(?:or|and) (?:it |they |you |that )?(?:may|might|could)(?: just as well)? not\b|\b(?:may|might) or (?:may|might) not\b|"
    r"\beither\b.*\bor\b.*(?:n't|\bnot)\b",
    re.IGNORECASE,
)
_THE_REST = re.compile(r"\b(?:others?|rest)\b")
_THE_OTHER = re.compile(r"\b(?:other (?:one|half|pair|two)|one of (?:the|your|them))\b")
_COMING = re.compile(r"\b(?:coming|on (?:its|their) way|headed|heading)\b")
_GOES = re.compile(r"\b(?:is|are|gets?|goes?|takes?|comes?)\b|'s\b")
_OF_A_CASE = re.compile(
    r"\b(?:was|were|has|have|had|been|i|we|now|already|just|your|you|today)\b|'ve\b|\d{4}"
)
"""Not in a clause that tells how things go, whoever orders."""

_NO_FEE = re.compile(r"\b(?:any|avoid|waived?|free)\b")
_CONTENTS = re.compile(r" x\d")
_MEANS = re.compile(
    r"\b(?:issued|paid|refunded|returned|credited|sent|given|getting|get|got|gave|refund|money (?:comes|goes|went|came|is)(?: \w+){0,2})\b.{0,40}\b"
    r"(store credit|bank account|other card|gift card|voucher|coupon|bank transfer|paypal|cheque)\b"
)
_BY_MEANS = re.compile(
    r"\b(?:usd|money|refund|dollars)\b.{0,25}\b(?:by|as|per|via) (?:an? )?(cheque|check by post|bank transfer|wire transfer|paypal|voucher|gift card|store credit)\b"
)
"""By which money is said to have come or gone."""

_TRIED = re.compile(
    r"\b(?:charge|payment|debit)\b.*\b(?:went off|sent|submitted|handed|passed|requested|started|attempted|tried)\b|"
    r"\b(?:sent|submitted|tried|attempted|passed|handed|started|requested)\b.*\b(?:charge|payment|debit)\b"
)
"""Says that a charge was tried, of which nobody knows what became."""

_FOR_A_WHILE = re.compile(
    r"\bhad\b|\b(?:first|at first|initially|briefly|for a (?:moment|while|minute|second)|to begin with)\b"
)
_UNDONE = re.compile(r"\b(?:undone|rolled back)\b")
_HELD = re.compile(r"\b(?:held|set aside|reserved|put aside|kept)\b")
_LET_GO = re.compile(
    r"\b(?:declin\w+|turned (?:it )?down|refused|let (?:it|them|the \w+) go|let go|releas\w+|lapsed|(?:given|gave|went|put) (?:it |them )?back|said no)\b"
)
_STILL = re.compile(
    r"\b(?:is|are|still|now|remains?|stays?|stand|anyway|though|although|despite|has|have)\b|'(?:s|re|ve)\b"
)

_LOOK = re.compile(
    r"\b(?:look|check|peek|glance|search|watch|eye on|keep an eye|peep)\b(?: \w+){0,4} (?:mailbox|inbox|in box|e ?mails?|mail|spam|statement|account|banking|card)\b"
)
_NOT_FOR_YOU = re.compile(
    r"\bwork(?:ed)?(?: out)?\b.{0,20}\b(?:with|for)\b(?! (?:now|today|the (?:refund|cancel\w+|order)))"
)
"""Says of a thing that it was not right for somebody, where its order was called off."""

_GIVEN_BACK = re.compile(r"\b(?:refund|money|back|returned|bank|credit|cancel)\w*\b")


_SET_APART = re.compile(
    r"\b(?:than|unlike|like|instead|looked|asked|want\w*|not|no|never|would|could|cart|if)\b|n't\b"
)
_SENTENCE = re.compile(r"(?<=[a-z][.;]) ")
_STEPS = re.compile(
    r"\b(?:what happened|step by step|in (?:this |that )?order|(?:these|the) steps|timeline|how it went)\b",
    re.IGNORECASE,
)
"""In a line above rows that tell what came after what."""

_CHECKOUT = re.compile(r"\b(?:checkout|check out|purchase|process|request)\b")
_NOT_AGREED = re.compile(r"^\w+ (?:rejected|withdrawn|expired)\b")
"""What the machine tells of a plan that nobody agreed to."""

_OBJECT = re.compile(r"\{[^{}]*\}")
"""An object of a document that holds no other."""

_OF_ORDERING = re.compile(r"\b(?:order\w*|bought|paid|purchase\w*|placed|charged?|payment)\b")
_OF_SOMEBODY = re.compile(r"\b(?:you|your|yours|i|we|my|our|she|he|her|his)\b|\d{4}")
_LEAST_OF_A_RULE = 40


def _is_a_rule(said: str, known: Known) -> bool:
    """Tell whether a sentence stands in what was read, and speaks of nobody: how things go."""
    if len(said) < _LEAST_OF_A_RULE or _OF_SOMEBODY.search(said):
        return False
    return any(said in text for text in known.plain_texts)


def of_effects(sentence: Sentence, known: Known) -> Iterator[str]:
    """Yield what is so, for each claim of an effect that contradicts it."""
    said = plain(sentence.text).rstrip(".")
    if any(said in line for line in known.lines) or _is_a_rule(said, known):
        return
    kinds = known.kinds
    if any(kind.name == "order" for kind in kinds):
        kinds = (
            *kinds,
            SHIPPED,
            *(one for one in KINDS if one.name == "exchange"),
        )
    now = [one for one in known.effects if one.is_now]
    if (
        STILL_OPEN.search(sentence.text)
        and now
        and not any(one.outcome in ("open", "in doubt") for one in now)
    ):
        yield _told(now[-1], now[-1].kind)
    yield from _of_now(sentence, known)
    yield from _of_twice(sentence, known)
    yield from _of_means(sentence, known)
    yield from _of_sums(sentence, known)
    yield from _of_fees(sentence, known)
    yield from _of_other_goods(sentence, known)
    claims = [*claims_in(sentence, kinds)]
    both = _of_both(claims)
    # What is said in no words of a kind is judged last.
    for claim in sorted(claims, key=lambda one: one.is_vague):
        if (
            _is_how_it_goes(claim, known)
            or _is_in_doubt_as_a_whole(claim, known)
            or _is_set_apart(claim, claims, known)
        ):
            continue
        if claim.kind is not None and _is_told_in_order(claim, sentence, known):
            continue
        if claim.kind == SHIPPED and _is_of_what_still_comes(claim, known):
            continue
        if claim.kind is not None and claim.kind.name in both:
            # What is both affirmed and denied is judged where either is not so.
            said_ = [one for one in claims if one.kind == claim.kind]
            if not all(_judged(one, claim.kind, sentence.text, known) for one in said_):
                continue
        so = _judged_in_general(claim, known)
        if claim.kind is not None:
            so = _judged(claim, claim.kind, sentence.text, known)
        if so is not None:
            yield so


def _of_both(claims: Sequence[Claim]) -> frozenset[str]:
    """Return the kinds of which a sentence says both that one was made and that none was."""
    done, undone = (
        {one.kind.name for one in claims if one.kind is not None and one.is_done is is_done}
        for is_done in (True, False)
    )
    other = {
        one.kind.name for one in claims if one.kind is not None and _THE_OTHER.search(one.clause)
    }
    return frozenset((done & undone) - other)


def _is_how_it_goes(claim: Claim, known: Known) -> bool:
    """Tell whether a clause of nobody tells how things go, where rules of that were read."""
    if any(claim.kind in (None, one.kind) and one.is_now for one in known.effects):
        return False
    is_read = any("get_policy" in text for text in known.texts)
    goes = _GOES.search(claim.clause) is not None
    return is_read and goes and _OF_A_CASE.search(claim.clause) is None


def _is_in_doubt_as_a_whole(claim: Claim, known: Known) -> bool:
    """Tell whether what is in doubt is only named, in a sentence that says that nobody knows."""
    doubted = any(one.outcome == "in doubt" for one in known.effects)
    if doubted and _EITHER_WAY.search(claim.text):
        return True
    return (
        doubted
        and _VERB.search(claim.clause) is None
        and _NOBODY_KNOWS.search(claim.text) is not None
    )


def _is_told_in_order(claim: Claim, sentence: Sentence, known: Known) -> bool:
    """Tell whether what was undone since is only told as one of the steps in which all came about."""
    is_of_steps = is_row(sentence.text) and _STEPS.search(sentence.heading) is not None
    return is_of_steps and any(
        one.kind == claim.kind and one.outcome == "undone" for one in known.effects
    )


def _is_set_apart(claim: Claim, claims: Sequence[Claim], known: Known) -> bool:
    """Tell whether what is denied is only what is said beside it to be more: "not reserved, but ordered"."""
    if claim.is_done or claim.kind is None or claim.kind.name != "reserve":
        return False
    more = {one.kind.name for one in claims if one.kind is not None and one.is_done}
    done = {one.kind.name for one in known.effects if one.outcome == "done"}
    return "order" in more & done


def _of_now(sentence: Sentence, known: Known) -> Iterator[str]:
    """Yield what is so, where something is said to be still to do, and was done in this turn."""
    text = plain(Clauses(sentence).text)
    if text.endswith("?") or _AGAIN.search(text):
        return
    for effect in known.effects:
        will = WILL.get(effect.kind.name)
        if will is None or not effect.is_now or effect.outcome != "done":
            continue
        if re.search(rf"\b(?:i|we)(?:'ll| will) (?:then |now |next |also )*(?:{will})", text):
            yield _told(effect, effect.kind)


def _of_twice(sentence: Sentence, known: Known) -> Iterator[str]:
    """Yield what is so, where something is said to be done twice that was done once."""
    for clause in Clauses(sentence).asserted:
        if not _TWICE.search(clause) or OF_NOTHING.search(clause) or is_open(clause):
            continue
        for kind in known.kinds:
            done = [one for one in known.effects if one.kind == kind and one.outcome == "done"]
            forms = "|".join((*kind.done, *(_TOOK if kind.name == "charge" else ())))
            if len(done) > 1 or not re.search(rf"\b(?:{forms})\b", clause):
                continue
            if done:
                yield _told(done[0], kind)
            elif re.search(r"\b(?:i|we)\b", clause):
                yield f"Nothing was {kind.undone} twice."


def _of_means(sentence: Sentence, known: Known) -> Iterator[str]:
    """Yield what is so, where money is said to have gone in a way that stands nowhere."""
    for clause in Clauses(sentence).asserted:
        means = _MEANS.search(clause) or _BY_MEANS.search(clause)
        if means is None or OF_NOTHING.search(clause) or is_open(clause):
            continue
        held = (*known.texts, *known.beside, *known.said)
        if not any(means[1] in plain(text) for text in held):
            yield f"Nothing that was read tells of a {means[1]}."


def _of_sums(sentence: Sentence, known: Known) -> Iterator[str]:
    """Yield what is so, where another sum is said to be charged or refunded in this turn."""
    kinds = [one for one in known.kinds if one.name in ("charge", "refund")]
    for clause in Clauses(sentence).asserted:
        told = {one.value for one in amounts_in(clause)}
        if len(told) != 1 or _OF_ONE.search(clause) or ROUGHLY.search(sentence.text):
            continue
        for kind in kinds:
            done = [
                one
                for one in known.effects
                if one.kind == kind and one.is_now and one.outcome == "done"
            ]
            sums = {one.value for effect in done for one in amounts_in(effect.line)}
            words = "|".join(
                (*kind.done, *kind.nouns, *(("back", "returned") if kind.name == "refund" else ()))
            )
            if not sums or told & sums or not re.search(rf"\b(?:{words})\b", clause):
                continue
            yield _told(done[0], kind)


def _of_fees(sentence: Sentence, known: Known) -> Iterator[str]:
    """Yield what is so, where a fee is told of that stands nowhere."""
    for clause in Clauses(sentence).asserted:
        fee = _FEE.search(clause)
        if fee is None or OF_NOTHING.search(clause) or _NO_FEE.search(clause) or is_open(clause):
            continue
        held = (*known.texts, *known.beside, *known.said)
        if not any("fee" in plain(text).split() for text in held):
            yield "Nothing that was read tells of a fee."


def _of_other_goods(sentence: Sentence, known: Known) -> Iterator[str]:
    """Yield the orders, where a thing is said to be ordered that none of them holds."""
    orders = [one for one in known.records if one.statuses]
    held = [name for one in orders for name in one.names if _CONTENTS.search(name)]
    if not orders or len(held) < len(orders):
        return
    kinds = (*(one for one in known.kinds if one.name in ("order", "charge")), SHIPPED)
    sorts = sorts_of(held)
    if kinds and sorts and not _SET_APART.search(plain(sentence.text)):
        for claim in claims_in(sentence, kinds):
            told = {sort for sort, _, _ in sorts_in(claim.clause)} or _begun_with(sentence)
            if claim.kind is not None and claim.is_done and told and not told & sorts:
                yield shown_of(orders) or "Nothing else was ordered."
    if any(one.kind.name == "order" for one in known.effects):
        return
    kinds = tuple(one for one in known.kinds if one.name == "order")
    for claim in claims_in(sentence, kinds):
        if claim.kind is None or not claim.is_done:
            continue
        goods = {id(one.record): one.record for one in mentioned(claim.clause, known)}
        things = [one for one in goods.values() if one.stock and not one.statuses]
        ids = [name for one in things for name in one.names if any(map(str.isdigit, name))]
        if len(things) == len(goods) == 1 and not any(one in line for one in ids for line in held):
            yield shown_of(orders) or "Nothing else was ordered."


def _begun_with(sentence: Sentence) -> set[str]:
    """Return the sorts of a row that begins with what it tells of: "Socks: ordered, 18.00"."""
    said = plain(sentence.text)
    sorts = sorts_in(said)
    return {sort for sort, _, _ in sorts} if is_row(sentence.text) and len(sorts) == 1 else set()


def _judged_in_general(claim: Claim, known: Known) -> str | None:
    """Say what is so where all that was asked for is said to be done, and was not."""
    now = [one for one in known.effects if one.is_now]
    if claim.is_earlier:
        return None
    held = [one for one in now if one.kind.name == "reserve"]
    if claim.is_vague and _HELD.search(claim.clause) and _was_let_go(claim, held, claim.text):
        return None
    if claim.is_vague and _is_of_a_standing_order(claim, now):
        return None
    if _is_of_what_still_comes(claim, known):
        return None
    if _is_to_be_looked_up(claim, now) or _was_only_tried(claim, now):
        return None
    if claim.is_done and (
        _is_of_another_order(claim, now, known) or _is_of_what_was_done(claim, now)
    ):
        return None
    if claim.is_vague and not now:
        return _of_no_deal(known) if claim.is_past and claim.is_done else None
    if not claim.is_done:
        done = [one for one in now if one.succeeded]
        whole = done and all(one.outcome == "done" for one in now)
        if any(one.kind.name == "cancel" for one in done) and _NOT_FOR_YOU.search(claim.clause):
            return None
        return _told(done[0], done[0].kind) if whole else None
    if now and not any(one.succeeded for one in now):
        return _told(now[0], now[0].kind)
    return None


def _is_of_what_still_comes(claim: Claim, known: Known) -> bool:
    """Tell whether an order that was not cancelled in this turn is only said to come as it was placed."""
    now = [one for one in known.effects if one.is_now]
    is_kept = any(one.kind.name == "cancel" for one in now) and all(
        one.outcome == "not done" and one.kind.name in ("cancel", "refund", "mail") for one in now
    )
    return is_kept and _COMING.search(claim.clause) is not None


def _is_of_a_standing_order(claim: Claim, now: Sequence[Effect]) -> bool:
    """Tell whether a clause may speak of the order that was to be cancelled, and stands."""
    is_of_cancelling = any(one.kind.name == "cancel" for one in now)
    return is_of_cancelling and _GIVEN_BACK.search(claim.clause) is None


def _is_of_another_order(claim: Claim, now: Sequence[Effect], known: Known) -> bool:
    """Tell whether a clause may speak of an order that stands, where a mail alone was to be sent."""
    is_of_mail_alone = bool(now) and all(one.kind.name == "mail" for one in now)
    stands = any(STANDS & one.statuses for one in known.records)
    return is_of_mail_alone and stands and _OF_ORDERING.search(claim.clause) is not None


def _is_of_what_was_done(claim: Claim, now: Sequence[Effect]) -> bool:
    """Tell whether a clause names in words of its kind what was done of a plan that was not."""
    done = [word for one in now if one.outcome == "done" for word in one.kind.done]
    return claim.is_vague and any(
        re.search(rf"\b{re.escape(word)}\b", claim.clause) for word in done
    )


def _of_no_deal(known: Known) -> str | None:
    """Say that nothing was ordered, where no order is known at all."""
    order = next((kind for kind in known.kinds if kind.name == "order"), None)
    if order is None or any(one.outcome != "open" for one in known.effects):
        return None
    is_told = any(record.statuses for record in known.records) or _is_told_elsewhere(order, known)
    return None if is_told else f"Nothing was {order.undone}."


def _judged(claim: Claim, kind: Kind, text: str, known: Known) -> str | None:
    """Say what is so where a claim of an effect contradicts it."""
    if kind.name == "release" and any(one.outcome != "done" for one in known.effects):
        # It undoes what was held.
        return None
    of_kind = KIN.get(kind.name, frozenset({kind.name})) if claim.is_done else {kind.name}
    if kind.name == "cancel" and _is_of_what_was_not_agreed_to(claim, known):
        return None
    same = [one for one in known.effects if one.kind.name in of_kind]
    named = _named_ids(text, known)
    is_ours = kind.name in {one.name for one in known.kinds}
    is_of_now = claim.is_done and _JUST.search(claim.clause) is not None
    is_by_me = is_ours and not claim.is_earlier and _is_by_me(claim, kind)
    if is_by_me and not any(one.outcome in ("done", "undone") for one in same):
        return _told(same[-1], kind) if same else f"Nothing was {kind.undone}."
    if is_of_now and is_ours and not any(one.is_now for one in same):
        return f"Nothing was {kind.undone} in this turn."
    if (
        kind.name == "cancel"
        and _UNDONE.search(claim.clause)
        and any(one.outcome == "undone" for one in known.effects)
    ):
        return None
    if _was_only_tried(claim, same) or _was_let_go(claim, same, text):
        return None
    if (so := _of_status(claim, kind, text, named, known)) is not None:
        return so or None
    of_it = [one for one in same if named & one.ids]
    now = [one for one in same if one.is_now and one.outcome != "open"] or [
        one for one in same if one.is_now
    ]
    if _is_to_be_looked_up(claim, now):
        return None
    if claim.is_done:
        if any(one.outcome == "done" for one in (of_it or same)) and not _failed_now(now, claim):
            return None
        if of_it:
            return _told(of_it[-1], kind)
        if now and not claim.is_earlier:
            return None if any(one.outcome == "done" for one in now) else _told(now[-1], kind)
        if not claim.is_earlier and same and not _is_told_elsewhere(kind, known):
            return _told(same[-1], kind)
        if any(one.succeeded and one.kind not in KINDS for one in known.effects):
            # What a tool does whose verb is its own, nobody can tell by its name: a tip is paid.
            return None
        is_told = _is_told_elsewhere(kind, known) or (
            not now and _is_told_of_what_is_named(kind, text, known)
        )
        if kind.name == "refund" and not now:
            # What was cancelled before is refunded.
            is_told |= any("cancelled" in record.statuses for record in known.records)
        if kind.name == "charge" and not now:
            # What was ordered before is paid.
            is_told |= any(record.statuses for record in known.records)
        return None if is_told else f"Nothing was {kind.undone}."
    judged = of_it or now
    if not judged and kind.name == "order" and _NO_ORDER.search(text) and not codes_in(text):
        placed = [one for one in known.records if "placed" in one.statuses]
        return shown_of(placed) or None
    if judged and any(one.outcome in ("done", "in doubt") for one in judged):
        bad = next(one for one in judged if one.outcome in ("done", "in doubt"))
        if bad.outcome == "in doubt" or all(one.outcome == "done" for one in judged):
            return _told(bad, kind)
    return None


def _is_of_what_was_not_agreed_to(claim: Claim, known: Known) -> bool:
    """Tell whether a checkout is said to be called off to which nobody has agreed."""
    now = [one for one in known.effects if one.is_now]
    return (
        claim.is_done
        and _CHECKOUT.search(claim.clause) is not None
        and bool(now)
        and all(one.outcome == "not done" and one.kind.name != "cancel" for one in now)
        and any(_NOT_AGREED.search(one.line) for one in now)
    )


def _is_by_me(claim: Claim, kind: Kind) -> bool:
    """Tell whether the agent says of itself that it did something, and no other did."""
    done = "|".join(map(re.escape, kind.done))
    said = rf"\bi(?:'ve| have)? (?:just |also |now |then |gone ahead and )*(?:{done})\b"
    return claim.is_done and re.search(said, claim.clause) is not None


def _of_status(
    claim: Claim, kind: Kind, text: str, named: frozenset[str], known: Known
) -> str | None:
    """Judge a claim by the status of what it names, where no effect here was of that.

    Returns what is so, "" where the claim agrees, and None where that does not tell.
    """
    codes = [code.lower().lstrip("#") for code in _CODE.findall(text)]
    others = [code for code in codes if code not in named]
    records = [one for code in others for one in known.by_name.get(plain(code), ())]
    records = [one for one in records if one.statuses]
    if _THE_REST.search(claim.clause) and not codes_in(claim.clause):
        return ""
    if named or not records:
        return "" if others and not claim.is_done else None
    says = any(set(kind.done) & record.statuses for record in records)
    if kind.name == "ship" and claim.is_done and not says and not claim.is_vague:
        return shown_of(records) or None
    if kind.name not in ("order", "cancel", "return") or says == claim.is_done:
        return ""
    if kind.name == "order" and any(STANDS & record.statuses for record in records):
        return ""
    return shown_of(records) or f"{codes[0]}: {', '.join(sorted(records[0].statuses))}."


def _failed_now(now: Sequence[Effect], claim: Claim) -> bool:
    """Tell whether what is claimed was tried in this turn, and not done."""
    return bool(now) and not claim.is_earlier and all(one.outcome != "done" for one in now)


def _is_to_be_looked_up(claim: Claim, now: Sequence[Effect]) -> bool:
    """Tell whether a person is only asked to look whether what is in doubt was done."""
    is_in_doubt = any(one.outcome == "in doubt" for one in now)
    return claim.is_done and is_in_doubt and _LOOK.search(claim.clause) is not None


def _was_only_tried(claim: Claim, of_kind: Sequence[Effect]) -> bool:
    """Tell whether a charge is only said to have been tried, of which nobody knows what became."""
    is_in_doubt = any(one.outcome == "in doubt" for one in of_kind)
    return claim.is_done and is_in_doubt and _TRIED.search(claim.clause) is not None


def _was_let_go(claim: Claim, of_kind: Sequence[Effect], text: str) -> bool:
    """Tell whether something is said to have been held for a while that was undone since."""
    if (
        not claim.is_done
        or any(one.outcome == "done" for one in of_kind)
        or not of_kind
        or of_kind[0].kind.name != "reserve"
    ):
        return False
    if _LET_GO.search(claim.clause) and re.search(r"\b(?:was|were|had)\b", claim.clause):
        return True
    if not any(one.outcome == "undone" for one in of_kind):
        return False
    if _FOR_A_WHILE.search(claim.clause):
        return True
    return _LET_GO.search(plain(text)) is not None and _STILL.search(claim.clause) is None


def _told(effect: Effect, kind: Kind) -> str:
    why = f": {effect.line}" if effect.line else "."
    match effect.outcome:
        case "done":
            return effect.line or f"It was {kind.undone}."
        case "in doubt":
            return f"It is in doubt whether anything was {kind.undone}{why}"
        case "undone":
            return f"What was {kind.undone} was undone{why}"
        case _:
            return f"Nothing was {kind.undone}{why}"


def _is_told_elsewhere(kind: Kind, known: Known) -> bool:
    """Tell whether something that was read says that such a thing was done."""
    forms = re.compile(rf"\b(?:{'|'.join(map(re.escape, kind.told))})\b", re.IGNORECASE)
    # A rule, such as "an order that was placed can be cancelled", tells of no such thing.
    sentences = (one for text in known.texts for one in _SENTENCE.split(text))
    return any(forms.search(one) for one in sentences if any(map(str.isdigit, one)))


def _is_told_of_what_is_named(kind: Kind, text: str, known: Known) -> bool:
    """Tell whether what was read of an id that a sentence names tells, in whatever form, of such a thing."""
    forms = re.compile(
        rf"\b(?:{'|'.join(map(re.escape, (*kind.told, *kind.base)))})\b", re.IGNORECASE
    )
    return any(
        forms.search(one)
        for code in codes_in(text)
        for read in known.texts
        for one in _OBJECT.findall(read)
        if code.lower() in one.lower()
    )


def codes_in(text: str) -> list[str]:
    """Return the identifiers that a text names by their form."""
    return _CODE.findall(text)


def _named_ids(text: str, known: Known) -> frozenset[str]:
    words = held_in(text).words
    return frozenset(one for effect in known.effects for one in effect.ids if one in words)
