"""What a clause can mean that needs no tool: talk, a yes, a no, and what was not understood."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Talk:
    """Say something that needs no tool."""

    about: Literal[
        "greeting",
        "thanks",
        "bye",
        "help",
        "identity",
        "name",
        "human",
        "trouble",
        "language",
        "off topic",
        "looking",
        "leave",
        "advice",
        "how to buy",
        "how to add",
        "how to cancel",
        "why",
        "as many",
        "how to change",
        "receipt",
        "unsure",
        "premises",
        "privacy",
        "pleased",
        "sorry",
        "told",
    ]
    name: str = ""


@dataclass(frozen=True)
class Agree:
    """Say yes to a question."""


@dataclass(frozen=True)
class Refuse:
    """Say no to a question."""


@dataclass(frozen=True)
class Finished:
    """Want nothing more, without saying to buy."""


@dataclass(frozen=True)
class NotUnderstood:
    """A clause outside the grammar. `hedged` means that it may reverse the clauses beside it."""

    text: str
    hedged: bool = False
