"""Text without control characters or markup, for each place where it is shown.

What a service, a review, a model or a person wrote is not ours. Signs that steer a terminal, turn
the direction of a line or are not seen at all are taken out of it; what a format reads as more than
text is written so that it is read as text.
"""

from __future__ import annotations

import re
from typing import Any

_NEW_LINE = re.compile("\r\n|[\u2028\u2029]")

# Controls (C0 but tab and line feed, DEL, C1), signs of direction, signs without width, tags,
# halves of pairs. Joiners belong to words of many scripts and to emoji, and to nothing in ASCII.
_NO_TEXT = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b"
    "\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e0fff]|(?<![^\x00-\x7f])[\u200c\u200d]"
)
_UNSHOWN = re.compile(_NO_TEXT)

_LEADS_ELSEWHERE = re.compile(r"[\\\[\]<`]")
_ADDRESS = re.compile(r"(https?|ftp)(?=://)|(www)(?=\.)", re.IGNORECASE)
"""What clients make a link of by themselves (GitHub's Markdown), however it is escaped."""

_TAG = re.compile(r"<[^<>]{0,200}>")


def printable(text: str) -> str:
    r"""Leave of a text what is seen, with its tabs and line ends: for a terminal, HTML and prompts.

    HTML is escaped beside by its templates.

    Example:
        >>> printable("Sock\x1b[2J\u202e \x9b31m[/bold]")
        'Sock[2J 31m[/bold]'
    """
    return _UNSHOWN.sub("", _NEW_LINE.sub("\n", text))


def in_a_line(given: Any, most: int) -> str:
    r"""Take a text of a stranger as one line of at most `most` characters, without tags.

    "" if it is no text.

    Example:
        >>> in_a_line("Sock\n<b>SALE</b> \x1b[2J now", 16)
        'Sock SALE [2J...'
    """
    if not isinstance(given, str):
        return ""
    line = " ".join(_TAG.sub(" ", printable(given[: most * 8])).split())
    return line if len(line) <= most else f"{line[: most - 3]}..."


def plain_json(text: str) -> str:
    r"""Write signs that are not seen as escapes in a JSON text, which says the same then.

    Example:
        >>> plain_json('"a\u202eb"')
        '"a\\u202eb"'
    """
    return _UNSHOWN.sub(_escaped, text)


def in_markdown(text: str) -> str:
    r"""Write text as one line of Markdown that holds no link, picture, tag or code.

    Example:
        >>> in_markdown("Sock ![x](http://y)\n# Yes")
        'Sock !\\[x\\](http ://y) / # Yes'
    """
    line = " / ".join(part.strip() for part in printable(text).splitlines() if part.strip())
    return _ADDRESS.sub(r"\g<0> ", _LEADS_ELSEWHERE.sub(r"\\\g<0>", line))


def _escaped(sign: re.Match[str]) -> str:
    units = sign.group().encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
