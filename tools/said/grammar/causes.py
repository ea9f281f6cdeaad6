"""How English says why something was not done: data.

Patterns of a clause as `plain` writes it.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

Cause: TypeAlias = Literal["declined", "rejected", "expired", "stock", "unanswered", "mail"]
"""The card's, the person's, the clock's, the shelf's, the shop's silence, the mail server's."""

TOLD: Final[tuple[tuple[Cause, str], ...]] = (
    ("rejected", r"^\w+ (?:rejected|withdrawn)\b"),
    ("expired", r"^\w+ expired\b"),
    ("stock", r"\bout.of.stock\b|\bleft in stock\b|\bsold out\b|\bonly \d+ (?:are |is )?left\b"),
    (
        "mail",
        r"^send_\w+ (?:refused|failed)\b|\bmail(?:box| server)?\b.*\b(?:refused|rejected|bounced|undeliverable)\b",
    ),
    ("declined", r"\bdeclined\b|\binsufficient\b|\bcard (?:was )?(?:refused|rejected|expired)\b"),
)
"""By which words the machine tells it, the surest first."""

_PERSON = r"(?:you|(?:the )?(?:customer|shopper|buyer|client|user|person))"
_TO_A_BUTTON = (
    r"(?:pressed|clicked|hit|tapped|chose|chosen|selected|picked|answered|replied|typed|entered|went|responded)"
    r"(?: on| with| the| for| back|'s)*"
)
_NOT_YOU = r"(?:(?!\b(?:you|your approval|your no|customer|shopper|buyer|client|request|unless|mail|until)\b)[^.]){0,45}?"
_REFUSED = (
    r"(?:declined|refused|rejected|denied|turned down|turned away|knocked back|bounced|blocked|"
    r"not accepted|wasn't accepted|not honou?red|said no)"
)
_MAIL = r"(?:mail|e ?mail|message|confirmation|receipt|notice)"
_OF_AN_APPROVAL = (
    r"(?:approval|question|request for approval|window|request|checkout|cancellation|answer)"
)

SAID: Final[tuple[tuple[str, frozenset[Cause]], ...]] = (
    (
        rf"\b(?:card|payment|charge|bank|issuer|transaction|carda?\w*\d)\b{_NOT_YOU}\b{_REFUSED}\b(?! by you)|"
        rf"\b{_REFUSED}(?: \w+){{0,2}} (?:by|from) (?:the |your |her |his )?(?:\w+ )?(?:card|bank|issuer|payment)\b|"
        r"\bit was (?:the|your) (?:card|bank|payment)\b|\b(?:problem|trouble|issue) (?:was |is )?with (?:the|your) (?:card|payment|bank)\b|"
        r"\binsufficient funds\b|\bcard (?:has |had |was )?(?:expired|run out|over its limit|maxed out)\b|"
        r"\b(?:shop|store|bank|issuer|card)\b.{0,25}\b(?:reject|refus|declin|den[iy])\w*\b.{0,20}\b(?:charge|payment|card)\b|"
        r"\b(?:bank|card|issuer)\b(?: \w+){0,2} turned (?:\w+ ){1,3}down\b|"
        r"\b(?:charge|payment) (?:as|was reported|was marked) (?:as )?failed\b",
        frozenset({"declined"}),
    ),
    (
        rf"\b{_PERSON}(?: (?:have|has|had|then|just|clearly|simply|also|ve)|'ve|'d)* (?:said no|declined|rejected|refused|"
        r"turned\b.{0,25}\bdown|answered no|answered with no|passed on|told (?:me|us) (?:no\b|not to)|chose not|"
        r"decided against|vetoed|opted out|withheld|did not approve|didn't approve|did not want|didn't want)\b|"
        r"\byou (?:told|asked) me (?:not to|to (?:leave|stop|drop|skip|cancel|forget|hold off))\b|\byour (?:no|refusal|rejection)\b(?!\.)|\bas (?:you|the customer) (?:declined|refused|wished|rejected)\b|"
        r"\byou (?:who |that )?(?:called (?:it|the whole thing|this) off|stopped it|turned it down|backed out|pulled out|changed your mind|pulled the plug)\b|"
        rf"\b{_PERSON}(?: (?:have|had|then|just|simply)|'ve|'d)* {_TO_A_BUTTON} (?:no|decline|reject|cancel|deny|not now|don't)\b|"
        rf"\b{_PERSON}(?: (?:have|had|then|just|simply)|'ve|'d)* (?:decided not to|preferred not to|didn't feel like|weren't (?:willing|happy|comfortable|ready)|were not (?:willing|happy|ready)|held off)\b|"
        r"\byour decision (?:not to|against)\b|\bat your (?:own )?(?:request|wish)\b|"
        r"\bstopped at your request\b|\byour answer no\b|\b(?:declined|rejected|refused|stopped|cancelled|turned down|aborted) by (?:you|the customer)\b|\byou (?:have |had |then |just |\'ve )*(?:cancelled|canceled|aborted) (?:it (?:yourself|before|halfway|at)|this (?:yourself|checkout)|the (?:checkout|purchase)|at the|before|halfway|midway|yourself)\b|\bapproval refused\b",
        frozenset({"rejected"}),
    ),
    (
        r"\b(?:refused|rejected|turned down) by the (?:shop|store|system|merchant)\b",
        frozenset({"declined", "stock"}),
    ),
    (
        r"\b(?:i|we)(?:'ve| have)?(?: already| also| just| then)* (?:asked|told|instructed|requested|contacted|notified) the (?:shop|store|seller|warehouse|bank)\b",
        frozenset({"declined", "stock", "mail", "unanswered"}),
    ),
    (
        r"\b(?:shop|store|seller|merchant|retailer)\b(?: (?!mail\b|server\b|only\b|not\b|never\b|that\b|which\b)\w+){0,2}? (?:said no|declined|refused|rejected|turned (?:it|this|that|us|me|your|the)\b|vetoed|blocked)\b",
        frozenset({"declined", "stock", "mail"}),
    ),
    (
        r"\b(?<!whether )(?<!if )(?:your|the) (?:payment|charge|card) (?:failed|bounced|fell through|did not go through|didn't go through)\b",
        frozenset({"declined", "stock"}),
    ),
    (
        r"\b(?:approval|cancellation|checkout|it)\b(?: \w+){0,2} (?:not|n't) (?:been )?(?:approved|granted|given)\b|"
        r"\b(?:checkout|cancellation|request) (?:merely |simply )?(?:wasn't|was not) approved\b|"
        r"\byou (?:never|hadn't|had not|haven't|have not) (?:yet )?(?:approved|agreed to|confirmed|said yes)\b",
        frozenset({"rejected", "expired"}),
    ),
    (
        r"\b(?:nobody|no one|no body) (?:ever )?(?:answered|replied|responded|reacted)\b|"
        r"\bno (?:answer|reply|response|word) (?:came )?from you\b|\byou (?:were|stayed|kept|remained) (?:silent|quiet)\b|"
        rf"\b{_PERSON} (?:didn't|did not|never|hadn't|haven't|failed to) (?:\w+ )?(?:answer|answered|reply|replied|respond|responded|react|get back)\b|"
        r"\b(?:didn't|did not|never) (?:hear|heard) (?:back )?(?:from )?you\b|\btimed out\b|\btime (?:ran|had run|has run) out\b|"
        rf"\bran out of time\b|\b{_OF_AN_APPROVAL}\b(?: \w+){{0,4}} (?:expired|lapsed|ran out|run out|closed|elapsed|left unanswered|went unanswered)\b",
        frozenset({"expired"}),
    ),
    (
        r"\byou (?:have )?let (?:it|(?:the|your) (?:approval|question|request|time|checkout))(?: \w+)? (?:expire|lapse|run out|time out)\b",
        frozenset({"expired"}),
    ),
    (
        r"\b(?:shop|store|bank|payment (?:service|provider))\b.{0,20}\b(?:didn't|did not|never|hasn't|has not|hadn't|failed to) (?:\w+ )?(?:answer|answered|reply|replied|respond|responded)\b|"
        r"\bno (?:answer|reply|response|word)\b.{0,15}\b(?:from|by) the (?:shop|store|bank)\b",
        frozenset({"unanswered", "expired"}),
    ),
    (
        r"\b(?:shop|store|we)(?:'s| is| are|'re| was| were) (?:now |all |completely )?out of (?:the|your|it|them|that|those|these)\b|"
        r"\b(?:sold|gone|went) to (?:somebody|someone|another|other)\b|\b(?:somebody|someone) else (?:has|got|took|bought|snapped|grabbed|beat)\b|\b(?:was|were|are|is) (?:all )?gone (?:by then|by now|already|before)\b|"
        r"\b(?:sold out|out of stock|none left|no longer available|isn't available|not available|"
        r"aren't available|unavailable|ran out of (?!time\b|patience\b)|(?<!approval )(?<!request )(?<!question )(?<!time )(?<!window )(?<!checkout )(?<!offer )(?<!deadline )(?<!clock )(?:had|has|have|'ve|'d) (?:all )?run out|gone by the time|backorder|back order)\b",
        frozenset({"stock"}),
    ),
    (
        r"^\W*(?:but )?it (?:has )?bounced\b|\b(?:mail )?server (?:wouldn't|would not|refused to) (?:take|accept)\b|"
        rf"\bmail server\b(?!.{{0,20}}(?:\b(?:not|never|no)|n't) (?:\w+ )?(?:respond|answer|repl|react)).{{0,40}}\b(?:refus|reject|bounc|declin|grump|fail|down|error|problem|would|did)\w*|\b(?:refused|rejected|bounced|declined|blocked|turned away) by .{{0,20}}mail server\b|\b{_MAIL}\b(?: \w+){{0,3}} (?:bounced|undeliverable)\b",
        frozenset({"mail"}),
    ),
    (
        r"\b(?:asked|told) the (?:shop|store|seller|warehouse) to\b.{0,30}\b(?:refused|declined|said no|wouldn't|would not)\b|"
        r"\b(?:shop|store|system|warehouse)\b.{0,20}\b(?:wouldn't|would not|didn't|refused to|won't|doesn't) (?:let|allow|permit|cancel)\b|"
        r"\b(?:period|window|deadline|time) (?:for|to) cancel\w*(?: \w+){0,2} (?:passed|over|closed|expired|elapsed|up|gone)\b|\b(?:system|shop|store) (?:has )?(?:refused|rejected|blocked)\b",
        frozenset({"mail"}),
    ),
    (r"\btoo late\b", frozenset({"mail", "expired"})),
)
"""What is said, and with which causes that agrees."""

INVENTED: Final = re.compile(
    r"\b(?:fraud\w*|suspicious|address (?:check|mismatch|verification)|address(?: \w+){0,2} (?:doesn't|didn't|does not|did not|wouldn't) match|"
    r"(?:(?:is|was|were|are|been|had|has|have) (?:already )?|already (?:been )?)(?:packed|shipped|dispatched|handed over|being packed|being prepared|left the warehouse)|too far along|already on (?:its|their) way|invalid address|address (?:on file )?(?:is|was) (?:invalid|wrong|incomplete)|"
    r"technical (?:issue|problem|glitch|error|fault|hiccup|difficult\w+|reasons?)|system (?:error|outage|crash\w*|failure)|(?:system|server|site|website) (?:is|was|went) down|"
    r"glitch|outage|maintenance|network (?:error|problem|issue)|connection (?:error|problem|issue|dropped|was lost)|(?:daily|credit|spending|card) limit|over (?:its|your|the) limit|"
    r"minimum order|customs|strike|bad weather|wrong (?:pin|cvv|code|number)|cvv|security code|account (?:is|was|has been) (?:locked|blocked|suspended)|"
    r"(?:inbox|mailbox) (?:is|was) full|(?:not|n't|wasn't|isn't) (?:enough|sufficient) (?:money|funds|balance|credit|cover)|(?:enough|too little) (?:money|funds|credit|balance) (?:on|in) (?:it|the|your)|insufficient (?:funds|balance|credit)|out of (?:money|funds)|overdrawn|card (?:is|was|has|had) (?:\w+ )?(?:expired|run out|blocked|frozen|stolen|lost|cancelled|locked|out of date)|out of date|expiry date|typo|no (?:cover|credit|money|funds|balance) (?:on (?:it|the|your)|left on|behind)|had no (?:cover|credit|money|funds)|debit card|(?:wrong|bad|incorrect|unknown|old|invalid) (?:mail |e ?mail )?address|(?:no|answer|approval|yes) (?:(?:came|was|is) )?too late|said no too late|misspel\w+|misspelt|(?:first|earlier|last|previous) (?:try|attempt|one) (?:had |has )?failed|spam filter|(?:marked|flagged|treated|classified|we're|it's|thinks? \w+ (?:is|are)) (?:as |for )?spam|too (?:large|big)|attachment|(?:shop|store|bank) (?:is|was) closed|duplicate|age (?:check|limit)|country|currency|bank holiday|too expensive|because of the price|overloaded)\b"
)
"""Reasons that nobody told."""

APPROVED: Final = re.compile(
    r"\b(?:in accordance with|thanks to|with|given|after|following|upon|on) your (?:approval|yes|ok|okay|go ahead|consent)\b|"
    r"(?<!had )\byou (?:said yes|approved|agreed|confirmed|gave (?:me )?(?:the |your )?(?:ok|okay|green light|go ahead|approval|yes))\b|"
    rf"\b{_PERSON} (?:has )?(?:approved|agreed|said yes|accepted)\b|\b(?<!for )approval (?:was |is |has been )?(?:granted|given|received|in)\b|"
    rf"\b{_PERSON}(?: (?:have|had|then|just)|'ve|'d)* {_TO_A_BUTTON} (?:yes|approve|confirm|accept|ok|okay)\b|"
    r"\bcancellation approved\b|\bcheckout approved\b|\bfigured it was a yes\b",
)
"""Says that the person said yes."""

ANSWERED: Final = re.compile(
    r"^\W*(?:there(?:'s| is)|i(?:'ve| have)(?: got)?|we(?:'ve| have)(?: got)?) (?:an?|the) (?:\w+ )?(?:confirmation|answer|reply|response) from the (?:mail server|server|shop|bank)\b|"
    r"\b(?:shop|store|bank|mail server)\b(?: (?!not\b|never\b|no\b|has not|neither\b)\w+){0,5} (?:confirmed|reported|accepted|replied|answered|approved|gave me|came back|says|responded)\b|\bthumbs up\b|\bno one needs to look\b|"
    r"\b(?:colleague|someone|somebody|human|person|team)\b (?:(?:has|have|had|already|just) ){0,2}(?:looked|checked|settled|sorted|cleared|confirmed|resolved)\b|\ball is clear\b|"
    r"\b(?:it|charge|payment|card) (?:was|is|has been|got) (?:then |now |finally )?(?:accepted|approved|confirmed|successful)\b|\b(?:charge|payment) is (?:settled|clear|certain)\b|\ball clear\b",
)
"""Says that the shop said something, where it said nothing."""
