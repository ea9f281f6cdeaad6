"""Read the digest: what the prompt keeps of the conversation before it begins."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from daybook.demo.model.grammar.language.intents.goods import Search
from daybook.demo.model.grammar.language.intents.past import FactKind

HEAD: Final = "# Progress"

_KINDS: Final[dict[str, FactKind]] = {
    "Facts": "fact",
    "Preferences": "preference",
    "Constraints": "constraint",
}
_READ: Final = re.compile(r"^r(\d{1,6}) (\w+) ?(.*)$")
_SEARCH: Final = re.compile(r'^"(.*)"(?: \(([^()]*)\))?: (.*)$')
_MOST: Final = re.compile(r"^max (\d{1,9})\.(\d\d)")


@dataclass(frozen=True)
class Known:
    """One thing that is known of the person; `kind` is None where the prompt does not say it."""

    subject: str
    value: str
    kind: FactKind | None = None


@dataclass(frozen=True)
class Before:
    """A read that the prompt holds no more: its handle, its tool, and what it was about."""

    handle: int
    tool: str
    about: str

    @property
    def search(self) -> Search | None:
        """Return what was searched for, or None where it was no search."""
        found = _SEARCH.match(self.about) if self.tool == "search_products" else None
        if found is None:
            return None
        limits = [limit.strip() for limit in (found[2] or "").split(",") if limit.strip()]
        most = next((m for limit in limits if (m := _MOST.match(limit))), None)
        category = next((limit for limit in limits if not _MOST.match(limit)), None)
        return Search(found[1], category, int(most[1]) * 100 + int(most[2]) if most else None)


@dataclass(frozen=True)
class Digest:
    """What the digest tells: the facts, and what was read, oldest first."""

    facts: tuple[Known, ...] = ()
    reads: tuple[Before, ...] = ()


def read_digest(text: str) -> Digest:
    """Read the digest as far as it goes; it may have been cut."""
    facts: list[Known] = []
    reads: list[Before] = []
    title = ""
    for line in text.split("\n"):
        if line.startswith("## "):
            title = line[3:].strip()
        elif line.startswith("- ") and title in _KINDS:
            facts += known_in(line[2:], _KINDS[title])
        elif line.startswith("- ") and title == "Read before" and (read := _READ.match(line[2:])):
            reads.append(Before(int(read[1]), read[2], read[3]))
    return Digest(tuple(facts), tuple(reads))


def known_in(line: str, kind: FactKind | None = None) -> Iterable[Known]:
    """Yield the fact that a line of the form "subject: value" states, if it is of this form."""
    subject, separator, value = line.partition(": ")
    if separator and value.strip():
        yield Known(subject.strip(), value.strip(), kind)
