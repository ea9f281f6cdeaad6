"""The progress of a thread as a markdown document, rendered from typed state and read back.

It is what a compaction keeps: the digest of the prompt, a version that people read and download,
and what another thread can start from.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from daybook.state.people.facts import Fact, Kind
from daybook.state.prompt.tokens import estimated

_FACTS: dict[Kind, str] = {
    "fact": "Facts",
    "preference": "Preferences",
    "constraint": "Constraints",
}
_BEFORE = {"said": "Earlier messages", "words": "Words at the hand-over", "decided": "Decisions"}
_AFTER = {"questions": "Open questions", "failed": "Tried and failed", "reads": "Earlier reads"}
"""Parts that are lists, before and after those of the domain, by the title of their section."""


def _one_line(text: str) -> str:
    return " ".join(text.split())


Line = Annotated[str, AfterValidator(_one_line), Field(min_length=1)]
"""Text without line breaks: an item of a list."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class Known(_Frozen):
    """A fact as the document tells it; source and date stand in the person's memory."""

    subject: Annotated[str, AfterValidator(_one_line), Field(pattern=r"^[^:]+$")]
    value: Line
    kind: Kind = "fact"

    def __str__(self) -> str:
        return f"{self.subject}: {self.value}"


class Section(_Frozen):
    """A part of the document that a domain adds."""

    title: Annotated[str, AfterValidator(_one_line), Field(pattern=r"^[A-Z]")]
    lines: tuple[Line, ...] = ()


class Progress(_Frozen):
    """What a thread has come to.

    Attributes:
        goal: what the person wants, or "".
        said: what they said that matters later, in their own words, oldest first.
        words: the messages with which the work was handed over, whole, oldest first.
        decided: what people decided and the outcome, oldest first.
        now: what the domain's state holds now.
        questions: what was asked and not answered.
        failed: what was tried and failed.
        reads: what was read and can be opened again by its handle.
    """

    goal: Annotated[str, AfterValidator(_one_line)] = ""
    facts: tuple[Known, ...] = ()
    said: tuple[Line, ...] = ()
    words: tuple[Line, ...] = ()
    decided: tuple[Line, ...] = ()
    now: tuple[Section, ...] = ()
    questions: tuple[Line, ...] = ()
    failed: tuple[Line, ...] = ()
    reads: tuple[Line, ...] = ()

    @property
    def lasting(self) -> Progress:
        """Return what stays true while the thread goes on: the digest of an epoch.

        What changes with every call stands in the prompt's tail and nowhere else.
        """
        return self.model_copy(update={"now": (), "questions": ()})

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing to say."""
        return self == Progress()


def known_fact(fact: Fact) -> Known:
    """Return a fact as the document tells it."""
    return Known(subject=fact.subject, value=fact.value, kind=fact.kind)


def render(progress: Progress) -> str:
    """Write the document; what is empty is left out."""
    parts: list[tuple[str, Sequence[object]]] = [
        ("Goal", (progress.goal,) if progress.goal else ()),
        *(
            (title, [one for one in progress.facts if one.kind == kind])
            for kind, title in _FACTS.items()
        ),
        *((title, getattr(progress, part)) for part, title in _BEFORE.items()),
        *((section.title, section.lines) for section in progress.now),
        *((title, getattr(progress, part)) for part, title in _AFTER.items()),
    ]
    written = [
        "\n".join([f"## {title}", *(f"- {line}" for line in lines)])
        for title, lines in parts
        if lines
    ]
    return "\n\n".join(["# Progress", *written])


def fitting(progress: Progress, most: int) -> Progress:
    """Return as much of a document as may stand in a prompt, facts before all else.

    Args:
        most: tokens, estimated from above.
    """
    while estimated(render(progress)) > most:
        for part in ("reads", "failed", "decided", "said", "facts", "words"):
            lines = getattr(progress, part)
            if lines:
                # The oldest goes first.
                progress = progress.model_copy(update={part: lines[1:]})
                break
        else:
            return progress.model_copy(update={"goal": ""})
    return progress


def parse(markdown: str) -> Progress:
    """Read a document that `render` wrote; sections that it does not know are the domain's.

    Raises:
        ValueError: it is no such document.
    """
    head, *blocks = re.split(r"^## ", markdown, flags=re.MULTILINE)
    if head.strip() != "# Progress":
        raise ValueError("The document does not start with the heading Progress.")
    found = dict(_block(block) for block in blocks)
    facts = [
        (kind, line.partition(": "))
        for kind, title in _FACTS.items()
        for line in found.pop(title, ())
    ]
    goal = next(iter(found.pop("Goal", ())), "")
    lists = {part: found.pop(title, ()) for part, title in (_BEFORE | _AFTER).items()}
    return Progress(
        goal=goal,
        facts=tuple(
            Known(subject=subject, value=value, kind=kind) for kind, (subject, _, value) in facts
        ),
        now=tuple(Section(title=title, lines=lines) for title, lines in found.items()),
        **lists,
    )


def _block(block: str) -> tuple[str, tuple[str, ...]]:
    title, *lines = block.rstrip().split("\n")
    if not all(line.startswith("- ") for line in lines):
        raise ValueError(f"The section {title} is not a list.")
    return title, tuple(line[2:] for line in lines)
