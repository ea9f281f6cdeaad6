"""The errors. A message says what happened, what was kept safe, and what to do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any


class DaybookError(RuntimeError):
    """The base class of every error that Daybook raises.

    It is a RuntimeError, because the server hides the messages of other exceptions from clients
    (held in tests/contract).
    """


class ConfigurationError(DaybookError):
    """A setting is missing or invalid; nothing was started."""


class CannotDecrypt(ConfigurationError):
    """The database holds rows that this process has no key for."""

    def __init__(self) -> None:
        super().__init__(
            "This database is encrypted with a key that this process does not have. Nothing was "
            "started or changed; set LANGGRAPH_AES_KEY to the key that the data was written with."
        )


class UnknownSchema(ConfigurationError):
    """Another release migrated the database to a schema that this release does not support."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            "Another release of Daybook migrated this database to a schema that this release does "
            f"not support ({', '.join(names)}). Nothing was started or changed: start that release "
            "or a later one, or restore an earlier backup."
        )


class DeclarationError(ConfigurationError):
    """A tool, plan or domain is declared incorrectly; the message says what to write instead."""


class NotInstalled(ConfigurationError):
    """An optional dependency is missing; the message names the extra that installs it."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} is not installed. Nothing was started; install it with: "
            f"pip install 'daybook-agent[{extra}]'"
        )


class LedgerRestored(ConfigurationError):
    """The ledger was restored or promoted and may lack effects that were sent."""

    def __init__(self) -> None:
        super().__init__(
            "This ledger moved to another database or lost entries: a backup or a disk snapshot "
            "was restored, a crash lost commits, or a replica was promoted. It may lack effects "
            "that were sent, so it sends nothing. Run `daybook reconcile --apply` (for a graph of "
            "your own `daybook --domain module:LEDGER reconcile --apply`), or `daybook reconcile "
            "--accept` if nothing is missing."
        )


class EmbeddedPostgresError(ConfigurationError):
    """The embedded Postgres could not be started or reached."""


class StateError(DaybookError):
    """Stored or proposed state cannot be used."""


class UnsafeCheckpoint(StateError):
    """A checkpoint holds data that could run code when it is read."""

    def __init__(self, kind: str) -> None:
        super().__init__(
            f"A checkpoint of this thread holds data of the type {kind[:40]!r}, which Daybook "
            "never writes. Another program wrote it. Nothing of it was loaded; restore the "
            "checkpoint from a backup."
        )


class UnknownStateVersion(StateError):
    """The stored state has a version that this release cannot upgrade."""


class IllegalMove(StateError):
    """The domain's flow does not allow this change of state."""


class LedgerError(DaybookError):
    """The ledger refused an entry; its transaction was rolled back."""


class IllegalTransition(LedgerError):
    """The recovery table does not allow the event in the step's state."""


class Overtaken(LedgerError):
    """Another process wrote to the thread first; read the ledger again and retry."""


class OperationReused(LedgerError):
    """The operation exists already, with different arguments."""


class ReferenceHeld(LedgerError):
    """The provider's reference to an effect is bound to another step already."""


class PlanStillOpen(LedgerError):
    """The thread has an open plan, so no new plan can start."""


class UnknownLedgerVersion(LedgerError):
    """A ledger entry has a version that this release cannot read."""


class ChainBroken(LedgerError):
    """The hash chain of a thread does not verify; the message says from which entry on."""


class ProjectionWrong(LedgerError):
    """The work list of a thread does not agree with its ledger entries."""


class InputRefused(DaybookError):
    """The input of a run is invalid; nothing of it was stored."""


class ArgumentsChanged(InputRefused):
    """A node that ran again called an effect with arguments other than those that were approved."""


class ThreadBusy(DaybookError):
    """Another process is working on the thread."""


class TakenOver(ThreadBusy):
    """The runner lease of this process expired, and another process took the thread over."""

    def __init__(self, thread_id: str) -> None:
        super().__init__(
            f"Another process took over the thread {thread_id} because this one did not renew its "
            "lease. What was sent is in the ledger, and nothing is done twice; read the thread "
            "again."
        )


class UnknownCheckpoint(DaybookError):
    """The checkpoint does not exist, or was pruned."""


class UnknownPlan(DaybookError):
    """The thread's ledger has no such plan."""


class UnknownUser(DaybookError):
    """The user does not exist; the message says where it was looked for."""

    def __init__(self, user_id: str) -> None:
        super().__init__(
            f"User {user_id!r} not found. Nothing was done; check that DATABASE_URL, DAYBOOK_HOME "
            "and DAYBOOK_TENANT name the right database and tenant."
        )


class NothingPending(DaybookError):
    """There is no pending question to answer."""


class ForeignThread(DaybookError):
    """The thread belongs to another user."""

    def __init__(self, thread_id: str) -> None:
        super().__init__(
            f"The thread {thread_id} belongs to another user. Nothing was done; open a thread of "
            "your own."
        )


class NotSignedIn(DaybookError):
    """The request has no valid token."""


class TooMany(DaybookError):
    """The user sent too many requests.

    Attributes:
        seconds: to wait before the next request, at least 1.
    """

    def __init__(self, why: str, seconds: float) -> None:
        self.seconds = max(1, math.ceil(seconds))
        super().__init__(
            f"{why}. Nothing was done; retry in {self.seconds} "
            f"second{'s' if self.seconds > 1 else ''}."
        )


class StaffMayNot(DaybookError):
    """Staff may not write messages in another user's thread."""

    def __init__(self, thread_id: str, owner: str) -> None:
        super().__init__(
            f"The thread {thread_id} belongs to {owner}. Staff may answer its question or let it "
            "continue, but not write in it. Nothing was done; give an answer, or open a thread of "
            "your own."
        )


class ForeignDomain(DaybookError):
    """The thread belongs to another domain."""

    def __init__(self, thread_id: str, domain: str) -> None:
        super().__init__(
            f"The thread {thread_id} belongs to the domain {domain}. Nothing was done; open a "
            "thread of this domain, or run the agent of the other one."
        )


class ForeignWorld(DaybookError):
    """The thread uses services other than those that this process is configured for."""

    def __init__(self, thread_id: str, theirs: str, ours: str) -> None:
        super().__init__(
            f"The thread {thread_id} uses {theirs}, but this process reaches {ours}. Nothing was "
            "done, since effects that started there would be repeated or lost here. Restore the "
            "URLs of its services, or open another thread."
        )


class ThreadClosed(DaybookError):
    """The thread was erased, for its user or by retention."""

    def __init__(self, thread_id: str) -> None:
        super().__init__(
            f"The thread {thread_id} is closed: its messages were erased, on request or by "
            "retention. Nothing was done; open a new thread."
        )


class ToolRefused(DaybookError):
    """A tool refuses a call before anything is sent; the model and the user read the message.

    Attributes:
        code: the class of the refusal in snake_case, such as "out_of_stock". Lessons are counted
            by it, so it must contain no id and no personal data.
    """

    code = "refused"

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code


class ChoiceNeeded(ToolRefused):
    """An argument has several possible values; the model is asked to choose.

    Attributes:
        choices: argument name to the lines to choose from, each beginning with the value.
    """

    code = "choice_needed"

    def __init__(self, choices: Mapping[str, Sequence[str]]) -> None:
        self.choices = {name: tuple(lines) for name, lines in choices.items()}
        super().__init__("; ".join(f"needs {name}" for name in self.choices))


class ToolBarred(ToolRefused):
    """An operator switched the tool off or limited it."""

    code = "barred"


class ToolChanged(ToolRefused):
    """A tool of an MCP server is no longer what was declared and approved.

    Attributes:
        why: what changed, as part of a sentence.
    """

    code = "tool_changed"

    def __init__(self, why: str, server: str) -> None:
        self.why = why
        super().__init__(
            f"{why[:1].upper()}{why[1:]}. Nothing was sent; an operator can review the change with "
            f"`daybook mcp inspect {server}` and accept it."
        )


class ToolFailed(DaybookError):
    """The code of a tool raised an unexpected error or timed out; its message is not shown.

    It is not a refusal: an effect may have been sent.

    Attributes:
        why: what went wrong, as part of a sentence ("the tool failed (KeyError)").
        raised: the exception, whose message may hold anything; None for a timeout.
    """

    def __init__(self, why: str, raised: BaseException | None = None) -> None:
        self.why = why
        self.raised = raised
        super().__init__(f"{why[:1].upper()}{why[1:]}. Continue without it.")


class EffectNotDone(DaybookError):
    """The effect that a node called was not done; the node may catch this and continue.

    Attributes:
        code: "refused" (it could not start), "rejected", "expired" or "withdrawn" (by the approver
            or the user), "failed" (nothing was done, or it was undone). Of a declined effect, the
            code that the function gave.
    """

    def __init__(self, message: str, code: str) -> None:
        self.code = code
        super().__init__(message)


class EffectDeclined(EffectNotDone):
    """The provider declined the effect for good; `code` says why."""


class EffectUnsettled(DaybookError):
    """The outcome of an effect is not known yet; a look-up follows, and it is not repeated."""


class NothingCame(ToolRefused):
    """Raised in a look-up when the provider decided that it will not do the effect.

    It counts as absence, and the request is not sent again under the same key.

    Attributes:
        detail: the provider's status fields, without secrets or personal data.
    """

    def __init__(self, message: str, detail: Mapping[str, Any] | None = None) -> None:
        self.detail = dict(detail or {})
        super().__init__(message)


class ServiceUnavailable(DaybookError):
    """The provider did not answer a read or a look-up.

    Attributes:
        status: HTTP status of its error response; None without a response.
    """

    def __init__(self, message: str, *, status: int | None = None) -> None:
        self.status = status
        super().__init__(message)


class StillInHand(ServiceUnavailable):
    """Raised in a look-up when the provider accepted an effect and has not done it yet.

    The look-up is repeated for up to `Patience.in_hand`; the effect is not sent again meanwhile.
    """


class DatabaseUnavailable(DaybookError):
    """The database cannot be reached."""


class ModelUnavailable(DaybookError):
    """The model provider gave no usable answer; no effect was started."""


NOTHING_DONE = (
    "Nothing was done in this step, and earlier results are kept. Send the message again, or "
    "continue with the same command."
)
"""Ends the message of ModelUnavailable in a conversation."""
