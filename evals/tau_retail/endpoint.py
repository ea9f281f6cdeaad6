"""The provider: it answers with what the real model decided at that point of a recorded run.

Which run is told by the model's name, `replay:NAME`; which point, by the number of assistant
messages in the request. The ids of calls are new each time, as they are with every provider.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evals.model_server import Unanswerable, calls_of, text_of
from evals.tau_retail.data import Decided, Script

MODEL = "replay:"
"""Begins the name of a model; the name of a session follows."""

CLOSING = "Thank you for your patience. I have nothing to add."
"""Said where the record ends with a call: whoever runs the loop asks once more."""

Fault = Callable[[bool], None]
"""Arms (True) or disarms the fault of a world's reads."""


@dataclass
class Session:
    """Follow one run as it is replayed.

    Attributes:
        asked: how often the model was asked, by the point of the run.
        results: tool messages of the last prompt that came over the wire, in order.
        wrong: what was asked that the record does not know.
    """

    script: Script
    fault: Fault
    asked: dict[int, int] = field(default_factory=dict)
    results: Sequence[str] = ()
    wrong: list[str] = field(default_factory=list)
    _is_armed: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def decided(self, messages: Sequence[Mapping[str, Any]]) -> Decided:
        """Return the decision at the point where the messages end.

        Raises:
            Unanswerable: the record does not come so far.
        """
        at = sum(message["role"] == "assistant" for message in messages)
        with self._lock:
            self.asked[at] = self.asked.get(at, 0) + 1
            self.results = [text_of(one) for one in messages if one["role"] == "tool"]
            decided = self._at(at)
            if decided.is_fault != self._is_armed:
                # Before the answer: the read that is decided here must meet it.
                self.fault(decided.is_fault)
                self._is_armed = decided.is_fault
            return decided

    def _at(self, at: int) -> Decided:
        decides = self.script.decides
        if at < len(decides):
            return decides[at]
        if at == len(decides) and decides and decides[-1].calls:
            return Decided(CLOSING)
        why = (
            f"{self.script.run_id} has {len(decides)} assistant messages and was asked for one "
            f"more after {at}"
        )
        self.wrong.append(why)
        raise Unanswerable(why)


class Endpoint:
    """Answer the requests of all sessions (a model of `evals.model_server`)."""

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}
        self._astray: list[str] = []

    def open(self, name: str, script: Script, fault: Fault) -> Session:
        """Begin a session under a name of its own.

        Args:
            fault: arms and disarms the fault of its world.
        """
        self._sessions[name] = Session(script, fault)
        return self._sessions[name]

    def close(self, name: str) -> None:
        """Forget a session; what is asked in it afterwards is an error."""
        del self._sessions[name]

    def astray(self) -> list[str]:
        """Return what was asked in no session since this was asked last."""
        told, self._astray = self._astray, []
        return told

    def reply(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answer one request.

        Raises:
            Unanswerable: there is no such session, or its record does not come so far.
        """
        name = str(request["model"])
        session = self._sessions.get(name.removeprefix(MODEL))
        if session is None:
            self._astray.append(f"there is no session of the model {name}")
            raise Unanswerable(self._astray[-1])
        return message_of(session.decided(request["messages"]))


def message_of(decided: Decided) -> dict[str, Any]:
    """Write a decision as OpenAI's message."""
    called = calls_of([(call.name, call.args) for call in decided.calls]) if decided.calls else {}
    return {"role": "assistant", **called, "content": decided.text or None}
