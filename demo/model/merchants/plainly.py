"""What tools and merchants say, for a person who has never read of either."""

import re
from collections.abc import Callable
from typing import Final

_STATUS: Final = {
    "incomplete": "not complete yet",
    "requires_escalation": "waiting for you at the merchant's own page",
    "ready_for_complete": "ready to be ordered",
    "complete_in_progress": "being ordered",
    "completed": "ordered",
    "canceled": "given back",
}
_STATUSES: Final = re.compile(
    r"\b(requires_escalation|ready_for_complete|complete_in_progress)\b"
    r"|(?<=\b(?:is|as) )(incomplete|completed|canceled)\b"
)
_CHOICE: Final = re.compile(r"([^,()]+?) \(([^()]*)\)")


def _choices(listed: str) -> str:
    """Write "home (Home)" as a person reads it: "Home (home)"."""
    return ", ".join(f"{label} ({one.strip()})" for one, label in _CHOICE.findall(listed)) or listed


_Say = str | Callable[[re.Match[str]], str]

_RULES: Final[tuple[tuple[re.Pattern[str], _Say], ...]] = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        (
            r"^There is no merchant (\S+?)\. There is: (.+?)\.?$",
            r'I do not know a merchant "\1" here. I can buy at: \2.',
        ),
        (
            r"^It needs an address_id; there is: (.+)\.$",
            lambda found: f"Where shall it go? Say which: {_choices(found[1])}.",
        ),
        (
            r"^It needs an instrument_id for (\S+); there is: (.+)\.$",
            lambda found: f"What pays at {found[1]}? Say which: {_choices(found[2])}.",
        ),
        (
            r"The service at (?:https?://)?([^\s/]+)\S* cannot be reached \(\w+\)\."
            r" Nothing was changed; see that it runs, then try again\.",
            r"\1 cannot be reached just now. Nothing was changed; try again later.",
        ),
        (
            r"(\S+) cannot be bought from: (.+?)\. Nothing was changed; see that .*$",
            r"\1 cannot be bought from: \2. Nothing was changed.",
        ),
        (r"(\S+) sells nothing by the id (\S+)\.", r"\1 has nothing with the id \2."),
        (
            r"The checkout at (\S+) is not open for what is in the cart now: call open_checkout"
            r" first\.",
            r'The checkout at \1 is not open for what is in the cart now: say "check out at \1".',
        ),
        (
            r" Call place_order, refresh_checkout or cancel_checkout\.",
            r' Say "check out" to order it, or "cancel the checkout".',
        ),
        (
            r"wants its customer to go on at its own page: (\S+)",
            r"wants you to go on at its own page: \1",
        ),
        (
            r" Give them this link; when they are done, call refresh_checkout\.",
            r' When you are done there, say "done".',
        ),
        (
            r": call refresh_checkout to take up what came of it\.",
            r'. Say "done" to see what came of it.',
        ),
        (r"; call refresh_checkout, or buy elsewhere\.", r'. Say "refresh", or buy elsewhere.'),
    )
)


def plainly(said: str) -> str:
    """Say in plain words what a tool said; what it names by itself stays."""
    for pattern, words in _RULES:
        said = pattern.sub(words, said)
    return _STATUSES.sub(lambda found: _STATUS[found[0]], said)


def standing(status: str) -> str:
    """Say how a checkout stands."""
    return _STATUS.get(status, status.replace("_", " "))
