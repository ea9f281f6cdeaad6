"""The errors. A message says what happened, what was kept safe, and what to do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any


class DaybookError(RuntimeError):
    """Be the root of everything that Daybook raises on purpose.

    RuntimeErrors, because the words of other exceptions do not reach a client of the server (held
    in tests/contract).
    """


class ConfigurationError(DaybookError):
    """A setting is missing or wrong; nothing was started."""


class CannotDecrypt(ConfigurationError):
    """Refuse to go on beside rows that were encrypted with another key, or with any."""

    def __init__(self) -> None:
        super().__init__(
            "What this database holds was encrypted, and not with the key of this process. Nothing "
            "was started or changed; set LANGGRAPH_AES_KEY to the key that it was written with."
        )


class UnknownSchema(ConfigurationError):
    """Refuse a database that another release has changed in a way this one cannot work with."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            "Another release of Daybook has migrated this database to a form that this release "
            f"cannot work with ({', '.join(names)}). Nothing was started or changed: start that "
            "release or a later one, or restore a backup from before."
        )


class DeclarationError(ConfigurationError):
    """A tool, plan or domain is declared wrongly; the message says what to write instead."""


class NotInstalled(ConfigurationError):
    """A part of Daybook is not installed here; the message names the extra that brings it."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} is not installed here. Nothing was started; it comes with: "
            f"pip install 'daybook-agent[{extra}]'"
        )


class LedgerRestored(ConfigurationError):
    """Refuse to send by a ledger that was restored or promoted: it may lack what was sent."""

    def __init__(self) -> None:
        super().__init__(
            "This ledger is on another database than before, or lacks what it held: a backup was "
            "restored, the server's files were put back, a crash lost commits, or a replica was "
            "promoted. It may lack effects that were sent, so nothing is sent by it. Run "
            "`daybook reconcile --apply` (for a graph of your own `daybook --domain "
            "module:LEDGER reconcile --apply`), or `daybook reconcile --accept` if nothing is "
            "missing."
        )


class EmbeddedPostgresError(ConfigurationError):
    """The embedded Postgres could not be started or reached."""


class StateError(DaybookError):
    """Stored or proposed state cannot be used."""


class UnsafeCheckpoint(StateError):
    """Refuse stored data that would be run, or made into objects, when it is read."""

    def __init__(self, kind: str) -> None:
        super().__init__(
            f"A checkpoint of this thread holds data of the kind {kind[:40]!r}, which Daybook "
            "never writes: somebody else did. Nothing of it was read or run; restore it from a "
            "backup."
        )


class UnknownStateVersion(StateError):
    """Refuse state whose version has no upgrade steps to this release's version."""


class IllegalMove(StateError):
    """Refuse a flow move that the flow table does not hold."""


class LedgerError(DaybookError):
    """The ledger refused an entry; nothing of the transaction was kept."""


class IllegalTransition(LedgerError):
    """Refuse an event that the recovery table does not allow in the step's state."""


class Overtaken(LedgerError):
    """Another process wrote first: read again and decide again."""


class OperationReused(LedgerError):
    """Refuse the same operation and generation with other arguments."""


class ReferenceHeld(LedgerError):
    """What names an effect at the other side belongs to another step: it is not bound to two."""


class PlanStillOpen(LedgerError):
    """Refuse new intents while a plan of the thread is open."""


class UnknownLedgerVersion(LedgerError):
    """Refuse an entry whose version has no upgrade steps to this release's version."""


class ChainBroken(LedgerError):
    """Say where the hash chain of a thread stops to verify."""


class ProjectionWrong(LedgerError):
    """Say what is kept beside a thread's entries and does not agree with them."""


class InputRefused(DaybookError):
    """Refuse what was given to a run, before anything of it is stored."""


class ArgumentsChanged(InputRefused):
    """A node that ran again called an effect with other arguments than were asked about."""


class ThreadBusy(DaybookError):
    """Another process works on the thread right now."""


class TakenOver(ThreadBusy):
    """This process was silent for so long that another one runs its thread."""

    def __init__(self, thread_id: str) -> None:
        super().__init__(
            f"Another process has taken the thread {thread_id} over: this one was silent for too "
            "long. What was sent is in the ledger, nothing is done twice; look at the thread again."
        )


class UnknownCheckpoint(DaybookError):
    """Refuse to run from a checkpoint that is not there."""


class UnknownPlan(DaybookError):
    """Refuse to act on a plan that the thread's ledger does not hold."""


class UnknownUser(DaybookError):
    """Nothing is known of a person; the message says where to look."""

    def __init__(self, user_id: str) -> None:
        super().__init__(
            f"User {user_id!r} not found. Nothing was done; DATABASE_URL, DAYBOOK_HOME and "
            "DAYBOOK_TENANT say where users are looked for."
        )


class NothingPending(DaybookError):
    """Refuse an answer when no question is pending."""


class ForeignThread(DaybookError):
    """Refuse a thread to a user it does not belong to."""

    def __init__(self, thread_id: str) -> None:
        super().__init__(
            f"The thread {thread_id} belongs to another user. Nothing was done; open a thread of "
            "your own."
        )


class NotSignedIn(DaybookError):
    """Refuse a request of somebody who does not say who they are."""


class TooMany(DaybookError):
    """Refuse what is more than one user may ask for.

    Attributes:
        seconds: after which to come back, at least 1.
    """

    def __init__(self, why: str, seconds: float) -> None:
        self.seconds = max(1, math.ceil(seconds))
        super().__init__(
            f"{why}. Nothing was done; come back in {self.seconds} "
            f"second{'s' if self.seconds > 1 else ''}."
        )


class StaffMayNot(DaybookError):
    """Refuse to let staff speak in another person's thread."""

    def __init__(self, thread_id: str, owner: str) -> None:
        super().__init__(
            f"The thread {thread_id} is {owner}'s: who serves may answer its question or let it go "
            "on, and not speak in it. Nothing was done; give an answer, or open a thread of your "
            "own."
        )


class ForeignDomain(DaybookError):
    """Refuse a thread to a domain it does not belong to."""

    def __init__(self, thread_id: str, domain: str) -> None:
        super().__init__(
            f"The thread {thread_id} belongs to the domain {domain}, not to this one. Nothing was "
            "done; open a thread of this domain, or run the agent of that one."
        )


class ForeignWorld(DaybookError):
    """Refuse a thread to a process that reaches another outside world than it deals with."""

    def __init__(self, thread_id: str, theirs: str, ours: str) -> None:
        super().__init__(
            f"The thread {thread_id} deals with {theirs}, and this process reaches {ours}. Nothing "
            "was done: what was begun there would be begun anew, or given up, here. Set the URLs "
            "of its services as they were, or open another thread."
        )


class ThreadClosed(DaybookError):
    """Refuse a thread whose conversation was erased, for its person or after its time."""

    def __init__(self, thread_id: str) -> None:
        super().__init__(
            f"The thread {thread_id} is closed: what was said in it was erased, on request or "
            "after its time. Nothing was done; begin a new thread."
        )


class ToolRefused(DaybookError):
    """Refuse a call with a sentence that whoever can mend it can read.

    Attributes:
        code: the class of the refusal in snake_case, such as "out_of_stock". Lessons are counted
            by it, so it must name no id and nothing of a user.
    """

    code = "refused"

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code


class ChoiceNeeded(ToolRefused):
    """Ask for arguments that have several possible values.

    Attributes:
        choices: argument name to the lines to choose from, each beginning with the value.

    """

    code = "choice_needed"

    def __init__(self, choices: Mapping[str, Sequence[str]]) -> None:
        self.choices = {name: tuple(lines) for name, lines in choices.items()}
        super().__init__("; ".join(f"needs {name}" for name in self.choices))


class ToolBarred(ToolRefused):
    """Refuse a call by a rule that operators made for the tool."""

    code = "barred"


class ToolChanged(ToolRefused):
    """Refuse a call of another server's tool that is no longer what was declared and approved.

    Attributes:
        why: what is otherwise, as part of a sentence.
    """

    code = "tool_changed"

    def __init__(self, why: str, server: str) -> None:
        self.why = why
        super().__init__(
            f"{why[:1].upper()}{why[1:]}. Nothing was sent; an operator looks at it with "
            f"`daybook mcp inspect {server}`, and takes it over."
        )


class ToolFailed(DaybookError):
    """A tool's own code failed, or did not end in time; nothing of what it raised is told.

    It is no refusal: of an effect nobody knows whether it was sent.

    Attributes:
        why: what went wrong, as part of a sentence ("the tool failed (KeyError)").
        raised: what it raised, whose words are other people's; None where it took too long.
    """

    def __init__(self, why: str, raised: BaseException | None = None) -> None:
        self.why = why
        self.raised = raised
        super().__init__(f"{why[:1].upper()}{why[1:]}. Go on without.")


class EffectNotDone(DaybookError):
    """Tell a node that the effect which it called was not done, so that it may do something else.

    Attributes:
        code: refused (it could not be begun), rejected, expired or withdrawn (by whom it was put
            to), failed (provably nothing was done, or it was undone); of one that was declined,
            the code that the function gave.
    """

    def __init__(self, message: str, code: str) -> None:
        self.code = code
        super().__init__(message)


class EffectDeclined(EffectNotDone):
    """Tell a node that its effect arrived and was refused for good; `code` says as what."""


class EffectUnsettled(DaybookError):
    """Nobody knows yet whether an effect was done; it is looked at again, not repeated."""


class NothingCame(ToolRefused):
    """Say in a look-up that nothing came of an effect, since the other side has decided so.

    It counts as absence, and what was decided is not asked for again under the same key.

    Attributes:
        detail: how the other side shows it, without secrets or personal data.
    """

    def __init__(self, message: str, detail: Mapping[str, Any] | None = None) -> None:
        self.detail = dict(detail or {})
        super().__init__(message)


class ServiceUnavailable(DaybookError):
    """A read or a look-up had no answer from the other side.

    Attributes:
        status: HTTP status of what it answered instead; None where it answered nothing.
    """

    def __init__(self, message: str, *, status: int | None = None) -> None:
        self.status = status
        super().__init__(message)


class StillInHand(ServiceUnavailable):
    """Say in a look-up that the other side has accepted an effect and has not done it yet.

    It is looked at again, for as long as `Patience.in_hand`, and meanwhile it is never sent again.
    """


class DatabaseUnavailable(DaybookError):
    """The database cannot be reached."""


class ModelUnavailable(DaybookError):
    """The model's provider gave no decision; effects are untouched."""


NOTHING_DONE = (
    "Nothing was done in this step; what was done before stands. Send the message again, or go on "
    "with the same command."
)
"""Ends what ModelUnavailable says in a conversation."""
