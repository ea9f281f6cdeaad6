"""What the shop takes back, promises and wraps: whole sentences."""

from typing import Final

from daybook.demo.model.grammar.language.chat.sayings.table import ASKS, GOODS, Sayings
from daybook.demo.model.grammar.language.intents.orders import AskPolicy

RETURNS: Final[Sayings] = (
    (
        r"(?:and |so |but |ok )*(?:can|could|may|do) (?:i|we|you) (?:\w+ )?(?:swap|exchange"
        r"|change|switch)"
        r" (?:it|them|these|those|that|this|the \w+|sizes?)? ?(?:later |afterwards )?(?:for|to"
        r"|into) "
        r"(?:another|a different|a bigger|a smaller|a larger|the next|the other) (?:size"
        r"|colou?r)\b.*",
        (AskPolicy("returns"),),
    ),
    (
        rf".*\b(?:{ASKS}|i)\b.*\b(?:return|returns|send|give|bring|take|sent|refund(?:s|ed"
        rf"|able)?)\b"
        rf"(?: {GOODS}| the [a-z]+(?: [a-z]+)?| my [a-z]+)?(?: back)?\b"
        r".*\b(?:back|return|returns|used|worn|opened|refund(?:s|ed|able)?|policy|days|not fit"
        r"|not like|unhappy|return|label|window)\b.*",
        (AskPolicy("returns"),),
    ),
    (
        r"(?!.*\b(?:i want|give me) (?:a refund|my money)\b)"
        rf"{ASKS}\b.*\b(?:returns?|returnable|refunds?|refundable|exchanges?|exchanged?"
        r"|money back|swap sizes|send (?:it|them|something|this|those|these) back)\b.*",
        (AskPolicy("returns"),),
    ),
    (
        r"(?:what about |and |your )?(?:the )?(?:free )?(?:returns?|refunds?|exchanges?)"
        r"(?: (?:policy|policies|period|window|label|costs?|fees?|rules?|possible|info))?"
        r"(?: please)?",
        (AskPolicy("returns"),),
    ),
    (
        r"(?:and |so |but |ok )?what (?:if|happens if|happens when|when) .*\b(?:not fit|too "
        r"(?:small|big"
        r"|large|tight|short|long|wide|narrow|heavy)|not like|break|breaks|broken|wrong size"
        r"|the wrong|damaged|defective|faulty|unhappy|not happy|change my mind|not work|fall apart"
        r"|leak|leaks|tear|tears|rip|rips)\b.*",
        (AskPolicy("returns"),),
    ),
    (
        r"i (?:want|need|would like|have) to (?:return|send back|exchange) .*",
        (AskPolicy("returns"),),
    ),
    (
        r"i (?:got|received|have got|was sent) (?:the wrong|a wrong|a broken|a damaged|a "
        r"defective|another).*"
        r"|(?:it|they|the [a-z]+|my [a-z]+) (?:is|are|arrived|came|was|were) (?:broken|damaged"
        r"|defective|faulty|torn"
        r"|the wrong [a-z]+|too (?:small|big|large|tight))\b.*(?:return|back|refund|what|now)?.*"
        r"|how many days (?:do i have|for)\b.*|.*\b(?:return|refund) (?:policy|window|period"
        r"|label)\b.*",
        (AskPolicy("returns"),),
    ),
    (
        r"(?:and |so |but |ok |what |or )*(?:if|when|in case) (?:i|we|my \w+|someone) (?:drops?"
        r"|breaks?"
        r"|tears?|rips?|damages?|cracks?|snaps?) (?:it|them|one|this|that)(?: .*)?",
        (AskPolicy("warranty"),),
    ),
    (
        r".*\b(?:warranty|warranties|guaranteed?|guarantees|lifetime)\b.*",
        (AskPolicy("warranty"),),
    ),
    (
        r".*\b(?:gift ?wrap(?:ped|ping)?|gift receipt|gift message|gift box|gift cards?|gift "
        r"bag)\b.*",
        (AskPolicy("gifts"),),
    ),
    (
        rf"{ASKS}\b.*\bwrap\b.*|.*\bwrapped (?:up )?(?:as|for) a (?:gift|present)\b.*"
        r"|.*\bas a gift for\b.*\bwrap.*",
        (AskPolicy("gifts"),),
    ),
)  # fmt: skip
