"""Read the request's messages: the turns, the results of calls, and the section "# Now".

Results hold names, descriptions and reviews that strangers wrote. They are data: lines are read by
the form that the tools give them, and nothing in them is taken for something that the user said.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from daybook.demo.model.wire import Message

_HANDED_OVER: Final = "[handed over"
"""Begins the message that replaces the user's own when another agent takes over within a turn."""

_ASKED: Final = "asked first: "


@dataclass(frozen=True)
class Call:
    """A tool call of an earlier answer, and the text of its result."""

    tool: str
    args: Mapping[str, Any]
    result: str

    @property
    def refusal(self) -> str | None:
        """Return why the call was not run; None if it was."""
        head = f"{self.tool} refused: "
        return self.result.removeprefix(head) if self.result.startswith(head) else None

    @property
    def question(self) -> str:
        """Return the question that the user is to answer before the call is run; "" if none."""
        refusal = self.refusal or ""
        return refusal.removeprefix(_ASKED) if refusal.startswith(_ASKED) else ""

    @property
    def is_read(self) -> bool:
        """Tell whether the result is that of a read: its head, and rows below it."""
        return re.match(rf"r\d+ {re.escape(self.tool)} ok\b", self.result) is not None

    @property
    def rows(self) -> list[str]:
        """Return the rows of a read's result; none if it was not a read."""
        return self.result.split("\n")[1:] if self.is_read else []


_LATER = "[later] "


@dataclass
class Turn:
    """A user's message, the calls that followed, and the answer ("" if there is none yet)."""

    text: str
    calls: list[Call] = field(default_factory=list)
    answer: str = ""


@dataclass(frozen=True)
class Prompt:
    """All that the model knows.

    Attributes:
        tail: the lines of the section "# Now", which hold the state as it is.
    """

    past: tuple[Turn, ...]
    turn: Turn
    tail: tuple[str, ...]

    def now(self, name: str) -> str:
        """Return the value of a line "name: value" of "# Now"; "" if there is none."""
        head = f"{name}: "
        return next((line[len(head) :] for line in self.tail if line.startswith(head)), "")

    @property
    def is_handed_over(self) -> bool:
        """Tell whether another agent had the work earlier in this turn."""
        return self.turn.text.startswith(_HANDED_OVER)


def read_prompt(messages: Sequence[Message]) -> Prompt:
    """Read a request's messages; what is missing is empty."""
    fixed = [one.text for one in messages if one.role in ("system", "developer")]
    tail = next((text for text in reversed(fixed) if text.startswith("# Now")), "")
    turns = _turns(messages)
    current = turns.pop() if turns else Turn("")
    return Prompt(
        past=tuple(turns),
        turn=current,
        tail=tuple(tail.split("\n")),
    )


def last_list(turns: Sequence[Turn], tool: str) -> tuple[Turn, Call] | None:
    """Return the newest list and its turn; None if there is none, or that turn has several."""
    for turn in reversed(turns):
        found = [call for call in turn.calls if call.tool == tool and call.rows]
        if found:
            return (turn, found[0]) if len(found) == 1 else None
    return None


def _turns(messages: Iterable[Message]) -> list[Turn]:
    turns: list[Turn] = []
    made: dict[str, tuple[str, Mapping[str, Any]]] = {}
    for message in messages:
        if message.role == "user":
            turns.append(Turn(message.text.strip()))
        elif message.role == "assistant":
            if not turns:
                turns.append(Turn(""))
            for one in message.tool_calls or ():
                made[one.id] = (one.function.name, one.args or {})
            if not message.tool_calls:
                turns[-1].answer = message.text
        elif message.role == "tool" and message.tool_call_id in made:
            turns[-1].calls.append(Call(*made[message.tool_call_id], message.text))
        elif message.text.startswith(_LATER) and turns and turns[-1].answer:
            # What an earlier turn's call came to, which waited while another one was answered.
            came = message.text.removeprefix(_LATER)
            turns.append(Turn("", [Call(came.partition(" ")[0], {}, came)]))
    return turns
