"""What the run of a signed-in user may contain, and how many unfinished runs a user may have.

What is not named here is refused. The executor believes nothing but Postgres, whatever a run
carries. These rules keep a client from what it could still do: rewrite what a conversation shows,
stop it half-way, or speak as another. Rates, open connections and addresses are for a reverse proxy
to bound (docs/operations.md).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from daybook.app.server.inside import CHECKPOINT, is_over
from daybook.graph.settings.environment import settings_from
from daybook.state.errors import TooMany
from daybook.state.session import ROLES, Person, user_named

_CONFIG = frozenset({"configurable", "metadata", "tags", "recursion_limit"})

_WHO = frozenset({"user_id", "author", "role"})

_OF_THE_SERVER = frozenset(
    {
        "langgraph_auth_user",
        "langgraph_auth_user_id",
        "langgraph_auth_permissions",
        "langgraph_request_id",
        "user-agent",
        "__after_seconds__",
        "__context_provided__",
        "__event_streaming_v2",
        "__otel_traceparent__",
        "__otel_tracestate__",
        "__request_start_time_ms__",
    }
)
"""Keys that the server adds, beside headers; it takes no signed-in user from a client."""

_HEADERS = ("x-", "langsmith-")

_STRATEGIES = frozenset({"enqueue", "reject", "interrupt"})

_RESOLVED = ("goto", "__end__")
"""What "mark as resolved" of agent-chat-ui sends: it withdraws the question."""

_UNWANTED = ("interrupt_before", "interrupt_after", "feedback_keys")


NO_WORDS = "messages of {}: staff may answer the question of a thread, but not write in it"


def named_in(given: Mapping[str, Any]) -> Person | None:
    """Return whom a run names that is not signed for; None if it names nobody.

    The context of a run has no role.
    """
    configurable = (given.get("config") or {}).get("configurable") or {}
    context = given.get("context") or {}
    name = configurable.get("user_id") or context.get("user_id")
    if not isinstance(name, str) or not name:
        return None
    return Person(name, str(configurable.get("role") or ROLES[0]))


def fault_in(run: Mapping[str, Any], person: Person, owner: str) -> str:
    """Say what a run carries that this person may not send, or nothing.

    Args:
        run: as the server hands it to an authorization handler, without a checkpoint of the head.
        owner: the thread's user.
    """
    given = run.get("kwargs") or {}
    if given.get("webhook"):
        return "a webhook: this server does not support them"
    if person.user_id != owner and given.get("input") is not None:
        return NO_WORDS.format(owner)
    if why := _fault_in_who(given, person, owner):
        return why
    if person.role == ROLES[-1]:
        return ""
    faults = (
        *_faults_in_input(given),
        *_faults_in_config(given),
        *(name for name in _UNWANTED if given.get(name)),
        *(["after_seconds"] if run.get("after_seconds") else ()),
        *(
            ["multitask_strategy"]
            if (run.get("multitask_strategy") or "enqueue") not in _STRATEGIES
            else ()
        ),
    )
    return ", ".join(faults)


def holds_overwrite(value: Any) -> bool:
    """Tell whether a value goes around the reducers of the state somewhere inside."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Mapping):
            if "__overwrite__" in one or one.get("type") == "__overwrite__":
                return True
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return False


def _fault_in_who(given: Mapping[str, Any], person: Person, owner: str) -> str:
    """Refuse to speak as another, or as more than one is; nobody would believe it, either."""
    # Not sets: a client may send what has no hash.
    allowed = {
        "user_id": (person.user_id, owner),
        "author": (person.user_id,),
        "role": (person.role,),
    }
    for place in _places(given):
        for name in _WHO & place.keys():
            named = place[name]
            if isinstance(named, str) and name != "role":
                named = user_named(named)
            if named and named not in allowed[name]:
                return f"{name} {place[name]!r}: you are {person.user_id} ({person.role})"
    return ""


def _faults_in_input(given: Mapping[str, Any]) -> Iterable[str]:
    command = given.get("command") or {}
    yield from (
        f"command.{name}"
        for name in command
        if name != "resume" and command[name] and (name, command[name]) != _RESOLVED
    )
    if holds_overwrite(given.get("input")) or holds_overwrite(command):
        yield "__overwrite__"


def _faults_in_config(given: Mapping[str, Any]) -> Iterable[str]:
    yield from (f"config.{name}" for name in given.get("config") or () if name not in _CONFIG)
    allowed = _WHO | _OF_THE_SERVER | {"thread_id"}
    for place in _places(given):
        for name in place:
            if name in CHECKPOINT:
                yield "a checkpoint that is not the newest of the thread"
            elif name not in allowed and not name.startswith(_HEADERS):
                yield f"config.configurable.{name}"


def _places(given: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    """Return where a client may name who it is: configurable and context, mostly the same."""
    configurable = (given.get("config") or {}).get("configurable") or {}
    return [place for place in (configurable, given.get("context") or {}) if place]


# -- how many runs ---------------------------------------------------------------------------------


_SOON = 5
"""Seconds after which to retry: a run may have ended by then."""


@dataclass(eq=False)
class UnfinishedRun:
    """A run that has not ended; without an id it is being created, or never was."""

    thread_id: str
    run_id: str | None = None


class UnfinishedRuns:
    """The runs of each user that have not ended.

    Args:
        most: of one user.
        is_over: given a thread, a run of it and its user, tells whether that run has ended.
    """

    def __init__(
        self, most: int, is_over: Callable[[str, str, str], Awaitable[bool]] = is_over
    ) -> None:
        self._most, self._is_over = most, is_over
        self._runs: dict[str, list[UnfinishedRun]] = {}

    async def begin(self, user_id: str, thread_id: str, run_id: str | None = None) -> UnfinishedRun:
        """Count a run that a user begins.

        Raises:
            TooMany: too many have not ended.
        """
        runs = self._runs.setdefault(user_id, [])
        for one in list(runs) if len(runs) >= self._most else ():
            if one.run_id is not None and await self._is_over(one.thread_id, one.run_id, user_id):
                self.end(user_id, one)
        # Nothing is awaited in between: of many that come at once no more get in than may.
        if len(runs) >= self._most:
            why = f"You have {self._most} unfinished runs, which is the limit"
            raise TooMany(why, _SOON)
        run = UnfinishedRun(thread_id, run_id)
        runs.append(run)
        return run

    def end(self, user_id: str, run: UnfinishedRun) -> None:
        """Count a run no more: it has ended, or was not begun after all."""
        if run in self._runs.get(user_id, ()):
            self._runs[user_id].remove(run)


@lru_cache(maxsize=1)
def unfinished_runs() -> UnfinishedRuns:
    """Return those of this process."""
    return UnfinishedRuns(settings_from().runs_unfinished)
