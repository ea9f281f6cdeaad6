"""What seems to claim an effect in a sentence that claims nothing, or nothing that is not so."""

from __future__ import annotations

import re
from collections.abc import Sequence

from daybook.tools.said.effects import Claim
from daybook.tools.said.grammar.kinds import KIN, KINDS
from daybook.tools.said.judges.done.counted_orders import COUNTED
from daybook.tools.said.judges.done.orders import STANDS
from daybook.tools.said.known import Effect, Known
from daybook.tools.said.text import Sentence, is_row, plain

_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|did|does|do|got|went|came|took|made|it|i|we|you)\b|'(?:s|ve|re)\b"
)
_NOBODY_KNOWS = re.compile(
    r"\b(?:unknown|unclear|no one knows|nobody knows|no (?:answer|reply|response)|(?:answer|reply|response)(?: is)? missing|(?:result|outcome) (?:is )?open)\b",
    re.IGNORECASE,
)
_EITHER_WAY = re.compile(
    r"\b(?:may|might|could)\b.*\b(?:or|and) (?:it |they |you |that )?(?:may|might|could)(?: just as well)? not\b|\b(?:may|might) or (?:may|might) not\b|"
    r"\b(?:two|2|three|3|several|both) (?:possibilities|options|scenarios|things|cases|outcomes|explanations|ways|answers)\b|"
    r"\beither\b(?! way| case).*\bor\b.*(?:n't|\b(?:not|never|no|nothing))\b",
    re.IGNORECASE,
)
_PERHAPS = re.compile(
    r"\b(?:perhaps|maybe|possibly|conceivably|conceivable|(?:is|'s|entirely|just as|well|also|still|quite) possible|possible that|chances? (?:that|it)|(?:a|some|every) chance|risk that|"
    r"possibility|(?:could|can|may|might) (?:well |also |just |still )*be that|may|might)\b"
)
"""Says that what follows may be so, and no more."""
_NEAR = 60
"""Characters before a clause in which it may be said of it that it is only possible."""
_MAY_HAVE_TO = re.compile(r"\b(?:may|might) (?:have to|need to|want to|see|be asked)\b")
_COMING = re.compile(r"\b(?:coming|on (?:its|their) way|headed|heading)\b")
_GOES = re.compile(r"\b(?:is|are|gets?|goes?|takes?|comes?)\b|'s\b")
_BARE = re.compile(
    r"^\W*(?:(?:done|great|ok|okay|yes|so|all set)\W+)?(?:the|it|this|that)\b[\w ]{0,14}? (?:is|are) (?:now )?\w+\W*$"
)
"""A sentence that says no more than that something is placed, charged or sent."""
_OF_A_CASE = re.compile(
    r"\b(?:was|were|has|have|had|been|i|we|now|already|just|your|you|today)\b|'ve\b|\d{4}"
)
"""Not in a clause that tells how things go, whoever orders."""
_TRIED = re.compile(
    r"\b(?:charge|payment|debit)\b.*\b(?:went off|sent|submitted|handed|passed|requested|started|attempted|tried)\b|"
    r"\b(?:sent|submitted|tried|attempted|passed|handed|started|requested)\b.*\b(?:charge|payment|debit)\b|"
    r"\b(?:wrote|drafted|prepared|composed) (?:the|that|your|a) (?:e ?mail|mail|message|note)\b|"
    r"\b(?:handed|passed|gave|submitted)\b(?: \w+)? (?:e ?mail|mail|message|it) (?:over|on|off)\b|\b(?:mail|message) (?:was|has been) (?:handed|passed) (?:over|on)\b|"
    r"\b(?:handed|passed|gave|submitted|forwarded|queued)\b(?: [\w'-]+){0,6} (?:over|on|off|along)\b|\b(?:handed|passed|submitted|queued) (?:over|on|off|along)\b|"
    r"\b(?:handed|passed|gave|given|submitted|forwarded|sent|put)\b(?: [\w'-]+){0,5} (?:to|into) the (?:\w+ )?(?:server|system|queue|provider)\b"
)
"""Says that a charge was tried, or a mail handed over, of which nobody knows what became."""
_PART_OF_IT = re.compile(
    r"\b(?:that|this|one|a|the|first|second|other|only|small) (?:part|half|step|bit|stage|portion|side)\b|\b(?:that|this|so) much\b|\b(?:partly|partially|in part|halfway)\b"
)
"""Says something of a part of what was asked for, and of no more."""
_OF_THE_CHECKOUT = re.compile(
    r"\b(?:part|half|step|bit|stage|portion|side) of (?:the|your|this|that) (?:checkout|check out|purchase|process|plan|job)\b"
)
_BEGUN = re.compile(
    r"\b(?:started|began|begun|opened|initiated|kicked off|set off|entered|launched|went into|ran|tried) (?:on )?(?:the|your|that|a) (?:\w+ )?(?:checkout|check out|purchase|order|process|request)\b"
)
"""Says that something was begun, and nothing of how it ended."""
_ANSWER_TO = re.compile(
    r"\b(?:answer|reply|response|result|outcome|word|news|confirmation|feedback|echo)\b(?: \w+){0,2}? (?:to|on|of|about|for|from|regarding) (?:the|your|that|this) (?:\w+ )?(?:charge|payment|debit|order|mail|e ?mail|message|refund|cancellation)\b"
)
"""Names what is in doubt as that to which an answer is missing."""
_FOR_A_WHILE = re.compile(
    r"\bhad\b|\b(?:first|at first|initially|briefly|for a (?:moment|while|minute|second)|to begin with)\b"
)
_LET_GO = re.compile(
    r"\b(?:declin\w+|turned (?:it )?down|refused|let (?:it|them|the \w+) go|let go|releas\w+|lapsed|(?:given|gave|went|put) (?:it |them )?back|said no)\b"
)
_STILL = re.compile(
    r"\b(?:is|are|still|now|remains?|stays?|stand|anyway|though|although|despite|has|have)\b|'(?:s|re|ve)\b"
)
_LOOK = re.compile(
    r"\b(?:look|check|peek|glance|search|watch|eye on|keep an eye|peep)\b(?: \w+){0,4} (?:mailbox|inbox|in box|e ?mails?|mail|spam|statement|account|banking|card)\b"
)
_GIVEN_BACK = re.compile(r"\b(?:refund|money|back|returned|bank|credit|cancel)\w*\b")
_STEPS = re.compile(
    r"\b(?:what happened|step by step|in (?:this |that )?order|(?:these|the) steps|timeline|how it went)\b",
    re.IGNORECASE,
)
"""In a line above rows that tell what came after what."""
_CHECKOUT = re.compile(r"\b(?:checkout|check out|purchase|process|request)\b")
_NOT_AGREED = re.compile(r"^\w+ (?:rejected|withdrawn|expired)\b")
"""What the machine tells of a plan that nobody agreed to."""
_OF_ORDERING = re.compile(r"\b(?:order\w*|bought|paid|purchase\w*|placed|charged?|payment)\b")


def is_how_it_goes(claim: Claim, known: Known) -> bool:
    """Tell whether a clause of nobody tells how things go, where rules of that were read."""
    if any(claim.kind in (None, one.kind) and one.is_now for one in known.effects):
        return False
    is_read = any("get_policy" in text for text in known.texts)
    goes = _GOES.search(claim.clause) is not None and _BARE.match(plain(claim.text)) is None
    return is_read and goes and _OF_A_CASE.search(claim.clause) is None


def is_in_doubt_as_a_whole(claim: Claim, known: Known) -> bool:
    """Tell whether what is in doubt is only named, in a sentence that says that nobody knows."""
    doubted = any(one.outcome == "in doubt" for one in known.effects)
    if doubted and _EITHER_WAY.search(claim.text):
        return True
    if doubted and not claim.is_done and _ANSWER_TO.search(claim.clause):
        return True
    if _is_in_doubt(claim, known) and _is_said_to_be_possible(claim):
        return True
    return (
        doubted
        and _VERB.search(claim.clause) is None
        and _NOBODY_KNOWS.search(claim.text) is not None
    )


def _is_in_doubt(claim: Claim, known: Known) -> bool:
    """Tell whether nobody knows of what is claimed whether it was done."""
    kinds = {one.kind for one in known.effects if one.outcome == "in doubt"}
    return claim.kind in kinds or (claim.kind is None and bool(kinds))


def _is_said_to_be_possible(claim: Claim) -> bool:
    before, found, _ = plain(claim.text).partition(claim.clause)
    said = f"{before[-_NEAR:]}{claim.clause}" if found else claim.clause
    return _PERHAPS.search(said) is not None and _MAY_HAVE_TO.search(said) is None


def is_of_how_many(claim: Claim, known: Known) -> bool:
    """Tell whether a clause only counts the orders of a status, which are judged as such."""
    orders = [one for one in known.records if one.statuses]
    return len(orders) > 1 and COUNTED.search(claim.clause) is not None


def is_told_in_order(claim: Claim, sentence: Sentence, known: Known) -> bool:
    """Tell whether what was undone since is only told as one of the steps in which all came about."""
    is_of_steps = is_row(sentence.text) and _STEPS.search(sentence.heading) is not None
    return is_of_steps and any(
        one.kind == claim.kind and one.outcome == "undone" for one in known.effects
    )


def is_set_apart(claim: Claim, claims: Sequence[Claim], known: Known) -> bool:
    """Tell whether what is denied is only what is said beside it to be more: "not reserved, but ordered"."""
    if claim.is_done or claim.kind is None or claim.kind.name != "reserve":
        return False
    more = {one.kind.name for one in claims if one.kind is not None and one.is_done}
    done = {one.kind.name for one in known.effects if one.outcome == "done"}
    return "order" in more & done


def is_of_what_still_comes(claim: Claim, known: Known) -> bool:
    """Tell whether an order that was not cancelled in this turn is only said to come as it was placed."""
    now = [one for one in known.effects if one.is_now]
    is_kept = any(one.kind.name == "cancel" for one in now) and all(
        one.outcome == "not done" and one.kind.name in ("cancel", "refund", "mail") for one in now
    )
    return is_kept and _COMING.search(claim.clause) is not None


def is_of_a_standing_order(claim: Claim, now: Sequence[Effect]) -> bool:
    """Tell whether a clause may speak of the order that was to be cancelled, and stands."""
    is_of_cancelling = any(one.kind.name == "cancel" for one in now)
    return is_of_cancelling and _GIVEN_BACK.search(claim.clause) is None


def is_of_another_order(claim: Claim, now: Sequence[Effect], known: Known) -> bool:
    """Tell whether a clause may speak of an order that stands, where a mail alone was to be sent."""
    is_of_mail_alone = bool(now) and all(one.kind.name == "mail" for one in now)
    stands = any(STANDS & one.statuses for one in known.records)
    return is_of_mail_alone and stands and _OF_ORDERING.search(claim.clause) is not None


def is_of_what_was_done(claim: Claim, now: Sequence[Effect]) -> bool:
    """Tell whether a clause names in words of its kind what was done of a plan that was not."""
    done = [word for one in now if one.outcome == "done" for word in one.kind.done]
    return claim.is_vague and any(
        re.search(rf"\b{re.escape(word)}\b", claim.clause) for word in done
    )


def is_of_what_was_not_agreed_to(claim: Claim, known: Known) -> bool:
    """Tell whether a checkout is said to be called off to which nobody has agreed."""
    now = [one for one in known.effects if one.is_now]
    return (
        claim.is_done
        and _CHECKOUT.search(claim.clause) is not None
        and bool(now)
        and all(one.outcome == "not done" and one.kind.name != "cancel" for one in now)
        and any(_NOT_AGREED.search(one.line) for one in now)
    )


def is_to_be_looked_up(claim: Claim, now: Sequence[Effect]) -> bool:
    """Tell whether a person is only asked to look whether what is in doubt was done."""
    is_in_doubt = any(one.outcome == "in doubt" for one in now)
    return claim.is_done and is_in_doubt and _LOOK.search(claim.clause) is not None


def was_only_tried(claim: Claim, of_kind: Sequence[Effect]) -> bool:
    """Tell whether a charge is only said to have been tried, of which nobody knows what became."""
    is_in_doubt = any(one.outcome == "in doubt" for one in of_kind)
    return claim.is_done and is_in_doubt and _TRIED.search(claim.clause) is not None


def is_of_a_part(claim: Claim, now: Sequence[Effect]) -> bool:
    """Tell whether it is only said of a part of what was asked for that it was done, and some was."""
    return (
        claim.is_done
        and (claim.kind is None or _OF_THE_CHECKOUT.search(claim.clause) is not None)
        and _PART_OF_IT.search(claim.clause) is not None
        and any(one.outcome == "done" for one in now)
    )


def was_begun(claim: Claim) -> bool:
    """Tell whether of all that was asked for it is only said that it was begun."""
    return claim.kind is None and claim.is_done and _BEGUN.search(claim.clause) is not None


def is_of_another_kind(claim: Claim, known: Known) -> bool:
    """Tell whether nothing is said to be paid, or ordered, where what was done is something else."""
    if claim.is_done:
        return False
    done = {one.kind.name for one in known.effects if one.is_now and one.succeeded}
    kin = frozenset[str]().union(*(KIN.get(name, frozenset({name})) for name in done))
    named = {
        one.name
        for one in (*known.kinds, *KINDS)
        if any(re.search(rf"\b{re.escape(word)}\b", claim.clause) for word in one.done)
    }
    return bool(named) and not named & kin


def was_let_go(claim: Claim, of_kind: Sequence[Effect], text: str) -> bool:
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
