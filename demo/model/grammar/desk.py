"""Where a turn stands: which calls it made, which it still wants, and what there is to say.

Every model call of a turn works its intents out anew and takes the results that are there; a call
without a result is still to be made. So a turn needs no memory but its prompt.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from daybook.demo.model.grammar.seen.prompt import Call, Now, Prompt
from daybook.demo.model.grammar.seen.results import Ending, ending
from daybook.demo.model.grammar.seen.scene import Scene
from daybook.demo.model.grammar.wording import not_offered


@dataclass(frozen=True)
class Wish:
    """A call to be made."""

    tool: str
    args: Mapping[str, Any]


@dataclass(frozen=True)
class Do:
    """Calls that an intent needs before anything can be said."""

    wishes: tuple[Wish, ...]


@dataclass(frozen=True)
class Say:
    """What there is to say of an intent.

    `cart` asks for the cart below it; `changed` means that a change of the cart was made in full.
    """

    text: str
    question: str = ""
    cart: bool = False
    changed: bool = False


Step = Do | Say


@dataclass
class Desk:
    """One decision in the making. `scene` moves on as products are spoken of.

    `changed` are the products that clauses before this one put in, or changed.
    """

    prompt: Prompt
    scene: Scene
    offered: Collection[str]
    alone: bool = True
    changed: set[str] = field(default_factory=set)
    _left: list[Call] = field(init=False)

    def __post_init__(self) -> None:
        self._left = list(self.prompt.turn.calls)

    @property
    def now(self) -> Now:
        """Return the tail of the prompt."""
        return self.prompt.now

    def take(self, tool: str, **args: str) -> Call | None:
        """Take the first call of this turn that no intent has taken yet and that has these args.

        Texts are compared without regard to case: the machine may normalise arguments.
        """
        for call in self._left:
            if call.tool == tool and all(_same(call.args.get(k), v) for k, v in args.items()):
                self._left.remove(call)
                return call
        return None

    def ask_for(self, tool: str, **args: Any) -> Step:
        """Ask for a call, or say that its tool is not offered; None arguments are left out."""
        if tool not in self.offered:
            return Say(not_offered(tool, self.now))
        return Do((Wish(tool, {k: v for k, v in args.items() if v is not None}),))

    def speak_of(self, sku: str) -> None:
        """Make a product what "it" stands for from here on."""
        self.scene = self.scene.speaking_of(sku)


def refused(call: Call) -> str:
    """Return the sentence with which a call was refused, "" where it was not."""
    found = ending(call.tool, call.result)
    return found.sentence if found is not None and found.status == "refused" else ""


def ended(call: Call) -> Ending:
    """Return how an acting call ended; a text of another form is passed on as it stands."""
    return ending(call.tool, call.result) or Ending("ended", "", call.result)


def _same(one: Any, other: str) -> bool:
    return " ".join(str(one).casefold().split()) == " ".join(other.casefold().split())
