"""The chat: one conversation at a time, continued where it was interrupted."""

from __future__ import annotations

import os
import shlex
import sys
import uuid
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, Interrupt, StateSnapshot
from psycopg import OperationalError

from daybook.app.conversations import answers
from daybook.app.conversations.terminal import HELP, Terminal, is_help, is_quit
from daybook.app.domains import served_by
from daybook.checkpoints.kept.keeper import kept_beside
from daybook.graph.model.stand_in import keep_stand_in
from daybook.graph.resume import TAKES_UP, Left, left_in
from daybook.graph.serve import Opened
from daybook.graph.settings.environment import Settings
from daybook.nodes.past.fresh import FRESH_FROM
from daybook.nodes.running.identity import acting, session_of
from daybook.state.errors import (
    DaybookError,
    InputRefused,
    ModelUnavailable,
    NothingPending,
    ThreadBusy,
    ToolRefused,
)
from daybook.state.ledger.stopping import STOP, is_stop
from daybook.state.panel import Panel
from daybook.state.people.questions.message import is_asked
from daybook.state.people.questions.question import (
    Question,
    barred,
    is_doubt,
    question_of,
    schema_of,
)
from daybook.state.people.tool_messages import is_called
from daybook.state.receipts import is_receipt
from daybook.state.run_input import check_caller, checked_id
from daybook.state.session import Person

_ENDS = "Ctrl-D ends the chat; help lists its commands."
_GOES_ON = "An empty line continues from there."
_NOW = "The current state:"
_LOOKS_AGAIN = "The result is shown when it has finished. An empty line checks again."
_TAKING_UP = {
    Left.CUT_OFF: "Continuing the interrupted turn.",
    Left.UNSETTLED: "Checking the outcome of unfinished actions.",
}


@dataclass(frozen=True)
class Options:
    """How a chat is held.

    Attributes:
        thread: continue or begin this one; None opens the user's newest unfinished one, or a new.
        user: who speaks; None is who the domain says.
        approves_all: approve every plan without asking; still recorded as the user's.
        fresh_from: begin a new thread with the progress of this one, and nothing else of it.
        argv: the words by which the program was called.
    """

    thread: str | None
    user: str | None
    role: str
    approves_all: bool
    fresh_from: str | None
    argv: tuple[str, ...]


async def chat(settings: Settings, terminal: Terminal, options: Options) -> None:
    """Hold a conversation until the input ends.

    Raises:
        DaybookError: something is not set up, or another process works on the thread.
    """
    served = served_by(settings)
    if why := served.warns():
        terminal.note(why)
    person = Person(options.user or served.domain.user, options.role)
    check_caller(person.user_id, person.role)
    named = checked_id(options.thread, "a thread") if options.thread is not None else None
    if options.fresh_from is not None:
        checked_id(options.fresh_from, "a thread")
        named = named or str(uuid.uuid4())
    async with AsyncExitStack() as stack:
        with terminal.working():
            terminal.progress(f"Starting database and {served.domain.name}...")
            if (module := served.domain.stand_in) and not settings.has_provider:
                # Asked soon. Where it cannot run, whoever asks it says so.
                start = partial(keep_stand_in, settings.home, module)
                await stack.enter_async_context(kept_beside(start))
            opened = await stack.enter_async_context(served.open())
        await _Conversation(opened, terminal, named, person, options).hold()


def continuing(argv: Sequence[str], thread_id: str) -> str:
    """Return the command that continues a thread, quoted so that it can be pasted."""
    called, *given = argv
    is_named = any(word.partition("=")[0] == "--thread" for word in given)
    given += [] if is_named else ["--thread", thread_id]
    if opens := os.environ.get("DAYBOOK_CHAT_COMMAND"):
        options = shlex.join(given[given.index("chat") + 1 :] if "chat" in given else given)
        return opens.replace("{}", shlex.quote(options))
    is_module = Path(called).name == "__main__.py"
    program = [sys.executable, "-m", "daybook.app"] if is_module else [called]
    return shlex.join([*program, *given])


class _Stop(Exception):
    """A person answers a question by the wish to stop."""


class _Said(Exception):
    """A person says something to the assistant while a question waits."""


class _Conversation:
    """One thread."""

    def __init__(
        self,
        opened: Opened,
        terminal: Terminal,
        thread_id: str | None,
        person: Person,
        options: Options,
    ) -> None:
        self._graph, self._domain = opened.graph, opened.domain
        self._postgres, self._world = opened.resources.postgres, opened.resources.world
        self._terminal = terminal
        self._thread_id = thread_id
        self._person = person
        self._owner = person.user_id
        self._options = options
        self._told: dict[str, str] = {}
        self._shown: dict[str, Panel] = {}
        self._unanswered: ModelUnavailable | None = None
        self._is_busy = False
        self._is_left = False
        self._is_begun = False

    @property
    def _config(self) -> RunnableConfig:
        return {
            "configurable": {
                "thread_id": self._thread_id,
                "user_id": self._person.user_id,
                "role": self._person.role,
            }
        }

    async def hold(self) -> None:
        """Take up what was cut off, then read and answer lines until the input ends.

        Raises:
            ModelUnavailable: the last line was not answered: a script learns it by the exit code.
        """
        try:
            await self._begin()
            while not self._is_left and (line := self._terminal.message()) is not None:
                await self._answer_line(line)
        finally:
            # Ctrl-C too: at the prompt the first, within a run the second.
            if self._is_begun:
                command = continuing(self._options.argv, self._thread_id or "")
                self._terminal.hint(f"Continue this conversation with: {command}")
        if self._unanswered:
            raise self._unanswered

    async def _answer_line(self, line: str) -> None:
        if line:
            await self._say(line)
        elif self._unanswered:
            await self._run(None)
        elif self._is_busy:
            await self._look_again()

    async def _look_again(self) -> None:
        """Show where the thread stands after another process was met at it."""
        self._is_busy = False
        snapshot = await self._graph.aget_state(self._config)
        self._terminal.note(_NOW)
        self._show(snapshot.values, all_of_them=True)
        await self._take_up(snapshot)

    async def _say(self, line: str) -> None:
        try:
            said = {"role": "user", "content": line, "id": str(uuid.uuid4())}
            await self._run({"messages": [said]})
        except (DaybookError, OperationalError):
            if not self._terminal.interactive:
                self._terminal.note("Stopped here: the rest of the input was not read.")
            raise

    async def _begin(self) -> None:
        """Take up what was cut off in an earlier process; a new thread greets."""
        self._thread_id = self._thread_id or await self._unfinished() or str(uuid.uuid4())
        # Before anything of it is shown: it may be another user's.
        self._owner = await self._postgres.threads.owner_for(self._person, self._thread_id)
        config = acting(self._config, self._person, self._owner)
        session = session_of(config, self._postgres.tenant_id)
        await self._postgres.threads.admits(session, self._graph.domain, self._world)
        self._terminal.note(f"thread {self._thread_id}")
        if self._options.fresh_from is not None:
            await self._start_from(self._options.fresh_from)
        snapshot = await self._graph.aget_state(self._config)
        self._is_begun = True
        if not snapshot.values:
            self._terminal.say(f"{self._domain.greeting} {_ENDS}")
            return
        self._told = _told_before(snapshot.values["messages"])
        self._show(snapshot.values, all_of_them=True)
        await self._take_up(snapshot)

    async def _start_from(self, source: str) -> None:
        """Begin with the progress of another thread; once, however often this is tried."""
        event = {"id": f"fresh-from-{source}", "type": FRESH_FROM, "thread": source}
        await self._graph.ainvoke({"events": [event]}, self._config)
        self._terminal.note(
            f"Started from {source}: its progress document and its state were copied, and nothing "
            f"else. daybook progress {self._thread_id} --version 1 prints the document."
        )

    async def _take_up(self, snapshot: StateSnapshot) -> None:
        left = await left_in(snapshot, self._postgres)
        if left is Left.QUESTION:
            self._terminal.note(_reopened(snapshot))
            await self._ask(snapshot)
        elif left is not None:
            self._terminal.note(_TAKING_UP[left])
            await self._run(TAKES_UP[left])
            snapshot = await self._graph.aget_state(self._config)
            if await left_in(snapshot, self._postgres) is Left.UNSETTLED:
                self._terminal.note("The outcome is not known yet.")

    async def _unfinished(self) -> str | None:
        """Find the user's newest thread with work in progress or a question waiting."""
        threads, domain = self._postgres.threads, self._graph.domain
        for thread in await threads.of_user(self._person.user_id, domain, self._world):
            if thread.status in ("active", "waiting"):
                return thread.thread_id
        return None

    async def _run(self, given: Any) -> None:
        self._unanswered = None
        self._is_busy = is_behind = False
        try:
            with self._terminal.working():
                streamed: dict[str | None, str] = {}
                async for mode, chunk in self._graph.astream(
                    given, self._config, stream_mode=["custom", "messages"]
                ):
                    if mode == "custom" and "progress" in chunk:
                        self._terminal.progress(chunk["progress"])
                    elif mode == "messages" and isinstance(chunk[0], AIMessageChunk):
                        text = streamed.get(chunk[0].id, "") + chunk[0].text
                        streamed[chunk[0].id] = text
                        self._terminal.streams(text)
        except ModelUnavailable as error:
            self._unanswered = error
            self._terminal.warn(str(error))
            self._terminal.note(_GOES_ON)
        except (InputRefused, NothingPending, ThreadBusy) as error:
            if not self._terminal.interactive:
                raise
            self._terminal.warn(str(error))
            is_behind = isinstance(error, ThreadBusy | NothingPending)
            self._is_busy = isinstance(error, ThreadBusy)
        # Read again: another process may have continued the thread meanwhile.
        snapshot = await self._graph.aget_state(self._config)
        if is_behind:
            self._terminal.note(_NOW)
        self._show(snapshot.values, all_of_them=is_behind)
        if self._is_busy:
            # What waits in the checkpoint may be answered by the other one just now.
            self._terminal.note(_LOOKS_AGAIN)
        elif await left_in(snapshot, self._postgres) is Left.QUESTION:
            await self._ask(snapshot)

    def _show(self, values: Mapping[str, Any], *, all_of_them: bool = False) -> None:
        """Print new messages, changed panels, and the status beside a text without a receipt.

        A claim that the check does not find (of a change of the cart, say) thus stands beside what
        ledger and state hold, in whatever language it was made.
        """
        is_bare = self._say_what_is_new(values)
        unchanged = self._show_panels(values, all_of_them=all_of_them)
        if is_bare:
            self._terminal.note(" · ".join(["no side effects this turn", *filter(None, unchanged)]))

    def _say_what_is_new(self, values: Mapping[str, Any]) -> bool:
        """Print new messages; tell whether they are text of the model without a receipt."""
        has_text = has_receipt = False
        for message in values.get("messages", ()):
            if not isinstance(message, AIMessage):
                continue
            if is_asked(message.id) or is_called(message.id) or not message.text:
                continue  # the one is put by itself, the other was told as it happened
            if message.text == self._told.get(message.id or ""):
                continue
            self._told[message.id or ""] = message.text
            if is_receipt(message.id):
                has_receipt = True
                self._terminal.receipt(message.text)
            else:
                has_text = True
                self._terminal.say(message.text)
        return has_text and not has_receipt

    def _show_panels(self, values: Mapping[str, Any], *, all_of_them: bool = False) -> list[str]:
        """Print panels that changed, once they held something; return the others as phrases."""
        unchanged = []
        for panel in self._domain.panels(values) if values else ():
            before = self._shown.get(panel.title)
            self._shown[panel.title] = panel
            is_news = panel != before and (before is not None or bool(panel.lines))
            if panel.told and (is_news or all_of_them):
                self._terminal.panel(panel)
            elif panel.told:
                unchanged.append(panel.summary)
        return unchanged

    async def _ask(self, snapshot: StateSnapshot) -> None:
        """Put the question that waits; at the end of the input it stays waiting."""
        interrupt: Interrupt = snapshot.interrupts[0]
        try:
            await self._put(interrupt, snapshot)
        except _Said as said:
            await self._say(str(said))
        except _Stop:
            stop = {"id": str(uuid.uuid4()), "type": STOP}
            try:
                await self._run({"events": [stop]})
            except ToolRefused as refused:
                self._terminal.warn(str(refused))

    async def _put(self, interrupt: Interrupt, snapshot: StateSnapshot) -> None:
        request = question_of(interrupt.value)
        why_not = barred(request, self._person, self._owner)
        if is_doubt(request) and why_not:
            self._terminal.evidence(request["action_requests"][0])
            self._terminal.warn(why_not)
            decisions = None
        elif is_doubt(request):
            decisions = self._about_doubt(request)
        elif why_not:
            decisions = self._refused(request, why_not)
        else:
            decisions = self._about_plan(request, snapshot.values.get("note", ""))
        if decisions is None:
            self._terminal.note("Nothing was decided; the question is still open.")
            return
        answer: dict[str, Any] = {"decisions": decisions}
        if request["approval_id"] is not None:
            answer["approval_id"] = request["approval_id"]
        await self._run(Command(resume={interrupt.id: answer}))

    def _refused(self, request: Question, why_not: str) -> list[dict[str, Any]] | None:
        """Show what waits for someone else; who may not approve it may still say no."""
        decisions = []
        for shown in request["plan"]:
            self._show_plan(request, shown, why_not)
            decision = self._answer(
                "reject? (n [reason]; Enter leaves it waiting) ",
                answers.rejection,
                may_wait=True,
                shown=shown,
            )
            if decision is None:
                return None
            decisions.append(decision)
        return decisions

    def _show_plan(self, request: Question, shown: Mapping[str, Any], note: str) -> None:
        """Show one action that waits, and until when it does."""
        self._terminal.plan(shown, note)
        if until := request["waits_until"]:
            self._terminal.note(f"Expires at {until[:16].replace('T', ' ')} UTC.")

    def _about_plan(self, request: Question, note: str) -> list[dict[str, Any]] | None:
        decisions = []
        asked = zip(request["action_requests"], request["plan"], strict=True)
        for number, (action, shown) in enumerate(asked):
            self._show_plan(request, shown, note)
            if self._options.approves_all:
                self._terminal.note("Approved (--yes).")
                decisions.append({"type": "approve"})
                continue
            decision = self._answer(
                f"approve? ({answers.help_with(action)}) ",
                partial(answers.decision, action=action, schema=schema_of(request, number)),
                shown=shown,
            )
            if decision is None:
                return None
            decisions.append(decision)
        return decisions

    def _about_doubt(self, request: Question) -> list[dict[str, Any]] | None:
        self._terminal.evidence(request["action_requests"][0])
        prompt = f"did it happen? ({answers.doubt_help(request)}) "
        decision = self._answer(prompt, answers.doubt, may_wait=not request["holds_back"])
        return None if decision is None else [decision]

    def _answer(
        self,
        prompt: str,
        read: Any,
        *,
        may_wait: bool = False,
        shown: Mapping[str, Any] | None = None,
    ) -> dict[str, Any] | None:
        while (line := self._terminal.read(prompt)) is not None:
            if may_wait and not line.strip():
                return None
            if is_stop(line):
                raise _Stop
            if is_quit(line):
                self._is_left = True
                return None
            if is_help(line):
                self._terminal.note(HELP)
                continue
            if shown is not None and answers.wants_arguments(line):
                self._terminal.arguments(shown)
                continue
            try:
                answer: dict[str, Any] = read(line)
            except answers.Unclear as unclear:
                is_own = self._owner == self._person.user_id
                if shown is not None and is_own and answers.is_message(line):
                    raise _Said(line) from unclear
                self._terminal.warn(str(unclear))
            else:
                return answer
        return None


def _reopened(snapshot: StateSnapshot) -> str:
    """Say which question is put again, and since when it waits."""
    request = question_of(snapshot.interrupts[0].value)
    titles = [shown["title"] for shown in request.get("plan", ())] or ["a step in doubt"]
    since = (snapshot.created_at or "")[:16].replace("T", " ")
    return f"Reopening the question that has waited since {since} UTC: {', '.join(titles)}"


def _told_before(messages: Sequence[AnyMessage]) -> dict[str, str]:
    """Return the messages up to a person's last one; what came after it may not have been seen."""
    people = [place for place, one in enumerate(messages) if isinstance(one, HumanMessage)]
    return {one.id: one.text for one in messages[: people[-1] if people else 0] if one.id}
