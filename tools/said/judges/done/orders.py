"""Judge what a sentence says of the orders that were read: how many, and how they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from daybook.tools.said.clauses import Clauses, is_open
from daybook.tools.said.grammar.things import sorts_in, sorts_of
from daybook.tools.said.known import Known, stem_of
from daybook.tools.said.numbers import SMALL
from daybook.tools.said.rows import Record
from daybook.tools.said.spoken_of import heads_in, mentioned
from daybook.tools.said.text import amounts_in, is_row, plain

_SO_MANY: Final = re.compile(
    r"\b(?:you(?:'ve| have)?(?: got| placed| made)?|you (?:just|only|now|still) have(?: got)?|just the|only the|only|just|(?:customer|they|she|he) (?:has|have)|there are|i see|i found|shows?|lists?|your|all|these|those) (\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten) "
    r"(?P<how>open |active |live |placed |pending |cancelled )?orders?\b(?! (?:with(?! us\b)|containing|that|which|including|for|of|from|in (?!total\b|all\b)|where|has|have)\b)"
)
STANDS: Final = frozenset(
    {"placed", "shipped", "delivered", "pending", "processed", "open", "returned"}
)
"""Statuses of what was ordered, and not cancelled."""

_HELD: Final = re.compile(r"(?:^|, )([a-z]{4,}) \d{2,4} x\d")
"""A thing in an order, as `plain` writes it."""

_ID: Final = re.compile(r"#\w*\d{4,}")
_IDS_OF_ORDERS: Final = re.compile(r"\"orders\": ?\[((?:\"[^\"]*\",? ?)+)\]")

_CHANGES: Final = frozenset({"done", "in doubt"})
_GONE: Final = frozenset({"cancelled", "canceled"})
_NO_ORDERS: Final = re.compile(
    r"\b(?:couldn't|could not|can't|cannot|don't|didn't|unable to) (?:\w+ )?(?:find|see|locate) (?:a single|any|an|your|one) (?:\w+ )?orders?\b|"
    r"\bno orders? (?:on|under|in|with|at all|was found|were found|found|listed)\b|\bnot a single order\b|\byou have no orders\b|\bnever ordered anything\b"
)
_NONE_OPEN: Final = re.compile(
    r"\bno (?:open|active|live|current|pending) orders?\b|\bno longer have an? order\b|\b(?:order|one)\b.{0,20}\b(?:doesn't|does not) exist\b|"
    r"\border(?: \w+)? never went through\b|\bstill needs? to be paid\b"
)
_LIVE: Final = re.compile(
    r"\b(?:is|are|'s|remains?|stays?|stands?|still) (?:\w+ )?(?:active|live|open|in force|on schedule|on order|on track|coming|confirmed|on the books|valid|placed)\b|"
    r"\b(?:nobody|no one) (?:has )?cancelled\b|\bwait(?:s|ing) to be cancelled\b|\bstatus placed\b|\blive order\b|\bstill coming\b|"
    r"^(?!.*\b(?:refund|money|mail|e ?mail|confirmation|usd|amount|card|back)\b).*\b(?:is|are|'s|still) (?:\w+ )?on (?:its|their|the) way\b|"
    r"\b(?:comes|coming|on (?:its|their) way) to you\b|\bas planned\b|\bwill (?:still )?(?:be shipped|ship|arrive|be delivered)\b|"
    r"\b(?:open|active|live|standing) order (?:is|was)\b|\byours again\b|\b(?:reinstated|reopened|reactivated|revived|restored)\b"
)
_DEAD: Final = re.compile(
    r"\b(?:was|is|are|got|been|were|'s) (?:now |just |already )*(?:cancelled|canceled|called off|scrapped|closed)\b"
)
_STATUS: Final = re.compile(
    r"(?:\bstat(?:us|e)(?: of| is| as|:)*|[\w)*]:)\W{1,4}(?P<how>placed|cancelled|canceled|delivered|shipped|refunded|returned|pending)\b",
    re.IGNORECASE,
)
_CANCELLED_BY_US: Final = re.compile(
    r"\b(?:i|we|you)(?:'ve| have)? (?:just |also |already |now |then )*(?:cancelled|canceled|called off) (?:the|your|that|both|all)\b"
)
_UNPAID: Final = re.compile(
    r"(?:\b(?:never|not)|n't) (?:been |yet |actually )*(?:paid(?: for)?|charged for)\b|\b(?:waiting to be paid|awaiting payment|waits for (?:its |your )?payment)\b|\bunpaid\b|\bnever charged\b"
)
_UNPAID_BACK: Final = re.compile(
    r"\bstill (?:waiting (?:for|on)|owed|missing) (?:the |your |a )?(?:refund|money|[$€£]?\d)|"
    r"\bonly (?:a )?(?:part|half|some|bit)\b.{0,25}\b(?:back|refunded|returned|credited)\b|"
    r"(?:\bnot|n't|\bnever)\b(?: \w+){0,3} (?:refunded|reimbursed|returned|paid back|given back)\b|\bnothing(?:'s| has| was| is)(?: been)? (?:refunded|paid back|given back)\b|\brefund(?: (?:of|for) [\w.$ -]{1,30}?)? (?:has |was |have |is )*(?:been )?(?:failed|bounced|stuck|refused|rejected|declined|delayed|held up)\b|\bwithout (?:a )?(?:refund|reimbursement)\b|"
    r"\brefund(?:ed)? (?:is |was |still )*(?:pending|outstanding|withheld|denied|nothing|none)\b|\bno refund (?:was|has|on|for)\b|\bthere was no refund\b|"
    r"\b(?:refunded|back)\b.{0,15}\b(?:except|apart from|minus|less|without) (?:for )?the\b|"
    r"\bkept (?:a |some )?(?:\w+ )?fee\b|\bless than you paid\b|\bnothing was refunded\b|^\W*no refund\W*$|"
    r"\brefund (?:is|was|has) (?:still )?(?:to come|on (?:its|the) way|open|being processed|in the works|failed|got stuck|bounced|refused)\b|\brefund (?:has )?(?:failed|bounced|got stuck|fell through)\b|\bmoney (?:is|'s) still (?:with us|here|to come)\b|"
    r"\brefund(?: (?:of|for) [\w.$ -]{1,30}?)? (?:is |was |has been |still )+(?:pending|outstanding|withheld|denied|on hold)\b|"
    r"\brefund\b.{0,20}(?:\bnever|\bnot|n't)(?: yet| been)* (?:issued|paid|made|sent|processed|started|arrived|released)\b"
)
_NEVER_DEAD: Final = re.compile(
    r"(?:\bnever|\bnot|n't)(?: been| yet)* (?:cancelled|canceled|called off)\b"
)
_DOUBTED: Final = re.compile(
    r"\b(?:can't|cannot|could not|couldn't|not|n't|unclear|unknown|in doubt|unsure|no idea|uncertain|open)\b.{0,30}\b(?:whether|if)\b.{0,30}\b(?:order|purchase|db)\b.{0,25}\b(?:placed|went through|ordered|exists|stands|made|through)\b|"
    r"\b(?:order|purchase|db)\b.{0,20}\b(?:is|remains|stays) (?:\w+ )?(?:in doubt|unclear|uncertain|unknown|unconfirmed)\b"
)
_BACK: Final = re.compile(r"\b(?:back|refunded|reimbursed|credited)\b")
_GOT_BACK: Final = re.compile(
    r"\b(?:you(?:'ve| have)? (?:got|received|had)|(?:was|were|has been|is|came|went|have been))\b.*\b(?:back|refunded|reimbursed)\b|\brefunded\b"
)
_PART_OF_IT: Final = re.compile(
    r"\b(?:each|apiece|per|for one|half|part|of (?:it|which)|would|not|nothing|none|never|if|could)\b|n't\b"
)
_SENT_BACK: Final = re.compile(
    r"\byou(?:'ve| have)? (?:returned|sent (?:it |them |the \w+(?: \w+)? )?back|brought (?:it |them )?back)\b"
)
_VERB: Final = re.compile(r"\b(?:is|are|was|were|has|have|had|got|went|came|will)\b")
_NOT: Final = re.compile(r"\b(?:not|n't|never|no longer|neither|isn't|nor)\b|n't\b")
_ALL_OF: Final = r"all(?! (?:of )?(?:it|its|that|this|the (?:money|amount|sum|refund)|the \d|your money|usd|[$€£]?\d+\.\d))"
"""Means all orders, and not all of one's money."""
_EACH: Final = re.compile(
    rf"\b(?:both|{_ALL_OF}\b|(?:each|every)(?! (?:cent|penny|dollar|bit|one of (?:its|them)|bottle|item|piece|line|pair)\b))\b"
)


_NEITHER: Final = re.compile(
    r"\b(?:neither|none)(?: of (?:them|these|those|the (?:two )?orders|your orders|both))?(?: orders?)? (?:\w+ ){0,2}?(?:went through|placed|confirmed|stands|worked|successful|made it)\b"
)
_REFUNDED: Final = re.compile(
    r"\b(?:was|were|been|is|are|got|'s) (?:now |already |just |all |fully )*(?:refunded|paid back|reimbursed|given back)\b|\brefund (?:was|has been|is) (?:issued|made|paid|done|sent|through)\b"
)
_NOT_PLACED: Final = re.compile(
    r"\b(?:order|orders|purchase|it|they|boots?|socks?|lamp|jacket|pack|tent|bag|stove|poles?)\b(?: \w+){0,3}?(?: (?:is|was|has|have|were|are|did|got|be))?(?:n't| not| never)(?: been| yet| actually| really| quite)* "
    r"(?:placed|ordered|confirmed|completed|gone through|went through|go through|come through|made|successful|accepted)\b|"
    r"\b(?:your|the) (?:order|purchase)(?: db \d+)?(?: has| have| also| too)* (?:failed|fell through|fell apart|came to nothing|got lost)\b"
)
ALL_BUT: Final = re.compile(
    r"\b(?:all|every one|each|everything)\b.*\b(?:apart from|except|but for|but|other than|excluding|besides)\b|\b(?:apart from|except for|except|besides) \w+.*\ball\b"
)
"""Tells of all orders but those that it names."""
_ONE_OF: Final = re.compile(r"\b(?:others?|rest|remaining|the one|latter|former|second|first)\b")
_SOME_OF: Final = re.compile(r"\b\w+ of (?:them|these|those|(?:the|your)(?: \w+)? orders)\b")
"""Counts some of the orders, which another clause does not name."""
_THE_OTHERS: Final = re.compile(r"\b(?:the|all|both) (?:other|others|rest|remaining)\b")
_APART: Final = re.compile(
    r"\b(?:not|but not|rather than|unlike|and not) (?:the|your|that|those) (?P<one>\w+(?: \w+)?)|\b(?:isn't|wasn't|aren't|weren't|hasn't been|haven't been) (?:the|your) (?P<two>\w+)"
)
"""Names what something is not said of: "the jacket was, not the boots"."""

_NO_REFUND_OPEN: Final = re.compile(
    r"\bno (?:\w+ )?refund (?:is|was|remains) (?:still )?(?:open|pending|outstanding|due|missing|to come)\b"
)
_ALL: Final = (
    *(
        _NEITHER,
        _NO_ORDERS,
        _NONE_OPEN,
        _UNPAID_BACK,
        _UNPAID,
        _CANCELLED_BY_US,
        _NEVER_DEAD,
        _NOT_PLACED,
        _REFUNDED,
        _LIVE,
        _DEAD,
    ),
)


def _searched(clause: str) -> Callable[[re.Pattern[str]], re.Match[str] | None]:
    return lambda pattern: pattern.search(clause)


def of_orders(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what is so, for each clause that says otherwise of the orders that were read."""
    orders = [record for record in known.records if record.statuses]
    if not orders:
        return
    if clauses.asserted and (wrong := _of_another_status(clauses.sentence.text, orders, known)):
        yield _told(wrong)
    is_judged = not any(
        one.is_now and one.outcome in _CHANGES and one.kind.name != "mail" for one in known.effects
    )
    for clause in clauses.asserted:
        if (
            _counts_otherwise(clause, clauses.text, orders, known)
            or _doubts_what_is_known(clause, clauses.text, orders, known)
            or _gives_back_otherwise(clauses.text, orders, known)
            or (_SENT_BACK.search(clause) and not any("returned" in one.statuses for one in orders))
        ):
            yield _told(orders)
        elif is_judged:
            wrong = _stands_otherwise(clause, clauses.text, orders, known)
            if wrong:
                yield _told(wrong)


def _doubts_what_is_known(clause: str, text: str, orders: list[Record], known: Known) -> bool:
    """Tell whether it is said that nobody knows whether an order was placed that stands."""
    if not _DOUBTED.search(clause) or any(
        one.outcome in ("in doubt", "open") and one.kind.name == "order" for one in known.effects
    ):
        return False
    named = _spoken_of(clause, orders, known) or orders
    return all(STANDS & one.statuses for one in named)


def _gives_back_otherwise(text: str, orders: list[Record], known: Known) -> bool:
    """Tell whether another sum is said to have come back than an order was of, which is named alone."""
    said = plain(text)
    named = {id(one.record): one.record for one in mentioned(said, known) if one.record in orders}
    told = {one.value for one in amounts_in(text)}
    if not named and len(told) == 1 and _GOT_BACK.search(said) and not _PART_OF_IT.search(said):
        paid = {
            sum_.value
            for one in orders
            if not _GONE & one.statuses
            for sum_ in amounts_in(one.shown)
        }
        back = {
            sum_.value for one in orders if _GONE & one.statuses for sum_ in amounts_in(one.shown)
        }
        return bool(told & (paid - back)) and not any(one.is_now for one in known.effects)
    if len(named) != 1 or len(told) != 1 or not _BACK.search(said) or _PART_OF_IT.search(said):
        return False
    [order] = named.values()
    total = {one.value for one in amounts_in(order.shown)}
    return "cancelled" in order.statuses and bool(total) and not told & total


def _of_another_status(text: str, orders: list[Record], known: Known) -> list[Record]:
    """Return the order that a sentence names alone, where it tells another status of it."""
    named = {id(one.record): one.record for one in mentioned(text, known) if one.record in orders}
    found = _STATUS.search(text)
    if found is None or len(named) != 1 or is_open(plain(text[: found.start()])):
        return []
    how = found["how"].lower().replace("canceled", "cancelled")
    if _NOT.search(plain(text[: found.start()])) or any(
        how in one.statuses for one in named.values()
    ):
        return []
    return [*named.values()]


def _counts_otherwise(clause: str, text: str, orders: list[Record], known: Known) -> bool:
    found = _SO_MANY.search(clause)
    if found is None:
        return False
    said = SMALL.get(found[1]) or int(found[1])
    how = (found["how"] or "").strip()
    if said in _listed(known) or said == len({one.lower() for one in _ID.findall(text)}):
        # So many are named, or were read of by their ids alone.
        return False
    if how in ("open", "active", "live", "placed", "pending"):
        alike = sum(how in one.statuses for one in orders)
        return said not in (alike or -1, sum(bool(STANDS & one.statuses) for one in orders))
    counts = {
        len(orders),
        *(sum(one in record.statuses for record in orders) for one in STANDS | _GONE),
    }
    return said not in counts


def _listed(known: Known) -> frozenset[int]:
    """Return how many orders there are of which a document lists the ids."""
    lists = (one for text in known.texts for one in _IDS_OF_ORDERS.findall(text))
    return frozenset(one.count('"') // 2 for one in lists)


def _stands_otherwise(clause: str, text: str, orders: list[Record], known: Known) -> list[Record]:
    """Return the orders of which a clause says what they are not."""
    said = next((one for one in map(_searched(clause), _ALL) if one), None)
    if said is None or is_open(clause[: said.start()]):
        return []
    if _NO_REFUND_OPEN.search(clause):
        return []
    whole = plain(text)
    if ALL_BUT.search(whole):
        return []
    if _APART.search(whole) and (
        # What is set apart is not what it is said of.
        _APART.search(clause) or not _spoken_of(clause, orders, known)
    ):
        return []
    if said.re is _NO_ORDERS:
        return orders
    if _THE_OTHERS.search(clause) and not _spoken_of(clause, orders, known):
        # Which of them that are, another clause tells.
        return []
    if said.re is _NEITHER:
        return (
            orders
            if all(STANDS & one.statuses and not _GONE & one.statuses for one in orders)
            else []
        )
    spoken_of = (
        _spoken_of(clause, orders, known)
        or (
            []
            if _ONE_OF.search(text) or _SOME_OF.search(clause)
            else _spoken_of(text, orders, known)
        )
        or _of_that_sum(text, orders)
        or orders
    )
    if len(spoken_of) > 2 and re.search(r"\bboth\b", clause):
        # Which of them it says not.
        return []
    standing = [one for one in spoken_of if STANDS & one.statuses and not _GONE & one.statuses]
    gone = [one for one in spoken_of if _GONE & one.statuses and not STANDS & one.statuses]
    is_all = len(spoken_of) == len(gone) or _EACH.search(clause) is not None
    if said.re is _NONE_OPEN:
        is_any = said.group().startswith("no ")
        return standing if is_any or len(standing) == len(spoken_of) else []
    if said.re is _NEVER_DEAD:
        return gone if len(gone) == len(spoken_of) else []
    if said.re is _UNPAID_BACK:
        refunds = {"refund", "cancel"} <= {one.name for one in known.kinds}
        is_any = re.search(r"\b(?:anything|nothing|any)\b", clause) is not None
        return gone if refunds and (is_all or (is_any and len(spoken_of) == len(orders))) else []
    if said.re is _UNPAID:
        # Of what was named only: nothing was paid of what was only looked at.
        named = _spoken_of(clause, orders, known)
        return [one for one in named if "placed" in one.statuses]
    if said.re is _NOT_PLACED:
        if any(one.is_now and one.kind.name != "mail" for one in known.effects):
            # It may speak of what was to be ordered now.
            return []
        named = _spoken_of(clause, orders, known)
        if not named and sorts_in(clause):
            return []
        named = named or orders
        return standing if len(standing) == len(named) else []
    if _NOT.search(clause):
        return []
    if said.re is _CANCELLED_BY_US:
        named = _spoken_of(clause, orders, known)
        return named if named and len(standing) == len(named) else []
    if said.re is _REFUNDED:
        named = _spoken_of(clause, orders, known) or _spoken_of(text, orders, known)
        if not named and re.search(rf"\b(?:both|{_ALL_OF})\b", clause):
            return standing
        return standing if named and len(standing) == len(named) else []
    if said.re is _LIVE:
        return gone if is_all else []
    if said.re is _DEAD:
        is_one_told = len(standing) == len(spoken_of) < len(orders)
        return standing if is_one_told or _EACH.search(clause) else []
    return []


def _spoken_of(clause: str, orders: list[Record], known: Known) -> list[Record]:
    """Return the orders that a clause names by their ids, or by what is in them."""
    about = [one.record for one in mentioned(clause, known)]
    named = [one for one in about if one in orders]
    if named:
        return named
    things = about or [one for _, some in heads_in(clause, known) for one in some]
    shown = [(one, plain(one.shown)) for one in orders]
    held = [
        order for thing in things for order, line in shown if any(n in line for n in thing.names)
    ]
    sorts = frozenset(sort for sort, _, _ in sorts_in(clause))
    return (
        held
        or [one for one in things if one in orders]
        or [one for one in orders if sorts & sorts_of(one.names)]
        or _called(clause, orders)
    )


def _of_that_sum(text: str, orders: list[Record]) -> list[Record]:
    """Return the orders of which a row tells the sum, and the one of which a sentence does."""
    told = {one.value for one in amounts_in(text)}
    such = [one for one in orders if told & {sum_.value for sum_ in amounts_in(one.shown)}]
    return such if is_row(text) or len(such) == 1 else []


def _called(clause: str, orders: list[Record]) -> list[Record]:
    """Return the orders that hold what a clause calls by a noun, as ids do: BOOT-001 is a boot."""
    stems = {stem_of(word) for word in re.findall(r"[a-z]{4,}", clause)}
    return [
        one
        for one in orders
        if any(
            stem.startswith(item[1])
            for name in one.names
            for item in _HELD.finditer(name)
            for stem in stems
        )
    ]


def _told(orders: list[Record]) -> str:
    return "; ".join(one.shown for one in orders if one.shown) or f"{len(orders)} orders."
