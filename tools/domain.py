"""The definition of a domain: state, tools, flow, prompts and settlement. No node knows more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from daybook.state.agent import STORED_TYPES, AgentState, Upgrade, upgraded
from daybook.state.effects.keys import canonical
from daybook.state.errors import ConfigurationError, ToolFailed, ToolRefused
from daybook.state.flow import FlowTable
from daybook.state.ledger.plan import Action
from daybook.state.panel import Panel
from daybook.state.people.facts import MEMORY_EVENTS, memory_changed, subject_of
from daybook.state.people.policy import Policy
from daybook.state.prompt.progress import Section
from daybook.state.session import Session
from daybook.tools.boundary import made, made_or
from daybook.tools.builtin import read_again, render_history, render_recall
from daybook.tools.bumps import Bump
from daybook.tools.checks.domain import check_agents, check_flow, check_policy
from daybook.tools.checks.state import check_state, held_types, text_of, update_of
from daybook.tools.outcomes import outcome_line
from daybook.tools.receipts.claims import EffectKind
from daybook.tools.registry import Registry

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

State = Mapping[str, Any]
Update = dict[str, Any]


@dataclass(frozen=True)
class Change:
    """The effect of an event on the domain's state.

    Attributes:
        update: keys of the state to take.
        text: what happened, as a line that stays true ("meeting: 8 people on 2031-05-06").
        trigger: a trigger of the flow table, or "" when the flow does not move.
        makes_stale: tags of reads that it outdates.
    """

    update: Update
    text: str
    trigger: str = ""


@dataclass(frozen=True)
class Prompt:
    """The prompt of a domain.

    Attributes:
        system: instructions, constant within a release.
        read: renders a read's result: tool, handle, result, hidden keys.
        gist: summarises a read in a few words: tool, arguments, result. It replaces a result that
            is no longer in the prompt.
        tail: renders the volatile part of the state as lines.
        refused: renders the refusal of a call that did not run: tool, reason. A tool of that name
            need not exist.

    Example:
        >>> prompt = Prompt(system="You rent out rooms.")
        >>> print(prompt.read("find_rooms", 1, {"rooms": ["Barn"]}, ()))
        r1 find_rooms ok
        {"rooms":["Barn"]}
    """

    system: str
    read: Callable[[str, int, Any, Sequence[str]], str] = lambda tool, handle, result, hidden: (
        f"r{handle} {tool} ok\n{canonical(result)}"
    )
    gist: Callable[[str, Mapping[str, Any], Any], str] = lambda tool, args, result: canonical(
        dict(args)
    )
    tail: Callable[[State, Session], list[str]] = lambda state, session: []
    refused: Callable[[str, str], str] = lambda tool, words: words


@dataclass(frozen=True)
class Agent:
    """Declare one of several agents; one owns the conversation at a time.

    Attributes:
        system: its own instructions, constant within a release.
        positions: the flow positions that it owns.
    """

    name: str
    system: str
    positions: frozenset[str]


@dataclass(frozen=True)
class Warned:
    """A warning to the user about the state.

    Attributes:
        key: identifies the warning, which is shown once for as long as it lasts.
        text: one sentence.
    """

    key: str
    text: str


@dataclass(frozen=True)
class Sketch:
    """What a domain's state tells of a thread's progress."""

    goal: str = ""
    sections: tuple[Section, ...] = ()


def _refuse(state: State, event: Mapping[str, Any], turn_id: str) -> Change:
    raise ToolRefused("This domain accepts no events. Nothing was done.")


def _made_update(what: str, make: Callable[[], Update], refusal: str) -> Update:
    try:
        return made(what, lambda: update_of(make()))
    except ToolFailed as failed:
        raise ToolRefused(f"{refusal}: {failed.why}. Nothing was done.") from failed


def _no_model() -> BaseChatModel:
    raise ConfigurationError(
        "No model is set, and this domain has no stand-in. Nothing was started; set "
        "OPENAI_API_KEY or OPENAI_BASE_URL, or give the domain a stand_in or an embedded_model."
    )


@dataclass(frozen=True, kw_only=True)
class Domain:
    """Declare a domain. It opens no connections; these are in its resources.

    Attributes:
        flow: the positions of a thread, and the tools that the model is offered at each.
        policy: who must approve what; default what the tools declare.
        state: a `typing_extensions.TypedDict` that extends `AgentState`.
        version: of that state; older stored state goes through `upgrades`, an unknown one stops.
        initial: makes the domain's keys of a new thread's state from the services.
        apply: applies an event to the state; raises ToolRefused for an invalid one.
        settled: applies a finished action to the state.
        outcome: describes a finished action in one line, for the model and the ledger.
        hidden: names the keys of a read's rows to hide, from state and the user's messages.
        effect_kinds: kinds of effect beyond the common ones, for the check of
            what a model claims.
        warns: returns warnings to show with an answer, such as a merchant's message
            that the user must see. Each is shown once while it lasts.
        forgets: changes its own keys when the user wants a subject forgotten: state,
            subject in its normal form.
        agents: several agents by flow position; by default there is one, with the instructions
            of the prompt.
        bumps: questions to ask once before a costly call.
        pauses: tells whether the next decision may wait for a user.
        progress: describes the thread's progress from its state.
        carried: selects the state that a new thread copies from another.
        views: SQL views over a user's history, as queries of the views that
            every domain has.
        stand_in: without a provider, the module of a program that serves OpenAI's API in its
            place; it prints `{"model_url": ...}` when it listens, and ends at SIGTERM.
        embedded_model: without either, makes a model that runs in this process.
        shows: returns the panels that terminal and console show with the conversation.
        choices: returns titles for the choices of a plan's arguments, from the services and
            the user. They are shown to the approver and not stored: a street may be named,
            which `ActionDraft.choices` must not.
        greeting: the first message of a new conversation.
        example: an example of a first message.
        user: the default user.

    Raises:
        DeclarationError: its parts do not fit together; the message says what to write.

    Example:
        >>> async def send_fax(number: str, *, ctx: Any) -> Any:
        ...     "Send a fax."
        >>> fax = Domain(
        ...     name="fax",
        ...     registry=Registry([send_fax]),
        ...     flow=FlowTable("ready", {}, {"ready": frozenset({"send_fax"})}),
        ...     prompt=Prompt(system="You send faxes."),
        ... )
        >>> sorted(fax.registry.effects)
        ['send_fax']
    """

    name: str
    registry: Registry
    flow: FlowTable
    prompt: Prompt
    policy: Policy = field(default_factory=Policy)
    state: type = AgentState
    version: int = 1
    upgrades: Mapping[int, Upgrade] = field(default_factory=dict)
    initial: Callable[[Session, str, Any], Update] = lambda session, turn_id, services: {}
    apply: Callable[[State, Mapping[str, Any], str], Change] = _refuse
    settled: Callable[[State, Action], Update] = lambda state, action: {}
    outcome: Callable[[Action], str] = outcome_line
    hidden: Callable[[State, str, Any], Sequence[str]] = lambda state, words, result: ()
    effect_kinds: tuple[EffectKind, ...] = ()
    warns: Callable[[State], Sequence[Warned]] = lambda state: ()
    forgets: Callable[[State, str], Update] = lambda state, subject: {}
    agents: tuple[Agent, ...] = ()
    bumps: tuple[Bump, ...] = ()
    pauses: Callable[[State], bool] = lambda state: False
    progress: Callable[[State], Sketch] = lambda state: Sketch()
    carried: Callable[[State, Session, str], Update] = lambda state, session, turn_id: {}
    views: Mapping[str, str] = field(default_factory=dict)
    stand_in: str = ""
    embedded_model: Callable[[], BaseChatModel] = _no_model
    shows: Callable[[State], Sequence[Panel]] = lambda state: ()
    choices: Callable[[Any, Session], Awaitable[Mapping[str, Mapping[str, str]]]] | None = None
    greeting: str = "What would you like to do?"
    example: str = ""
    user: str = "anonymous"

    def __post_init__(self) -> None:
        check_state(self.state)
        check_flow(self.flow, self.registry)
        check_policy(self.policy, self.registry, self.flow)
        check_agents(self.agents, self.flow)

    def owner(self, flow: str) -> str:
        """Return the agent who owns the work at a flow position."""
        return next((one.name for one in self.agents if flow in one.positions), self.name)

    def system(self, flow: str) -> str:
        """Return the instructions of the agent who owns the work at a flow position."""
        mine = (one.system for one in self.agents if flow in one.positions)
        return next(mine, self.prompt.system)

    def initial_state(self, session: Session, turn_id: str, services: Any) -> Update:
        """Make the domain's keys of a new thread's state.

        Raises:
            ToolRefused: they cannot be made.
        """
        begin = partial(self.initial, session, turn_id, services)
        return _made_update("`initial`", begin, "This conversation cannot be started")

    def changed(self, state: State, event: Mapping[str, Any], turn_id: str) -> Change:
        """Apply an event to the state.

        Raises:
            ToolRefused: it cannot be applied, or the flow has no such move. A fault in `apply`
                refuses the event too: raised in a run it would meet every later run.
        """
        try:
            return made("`apply`", lambda: self._changed(state, event, turn_id))
        except ToolFailed as failed:
            raise ToolRefused("The event is invalid. Nothing was done.") from failed

    def _changed(self, state: State, event: Mapping[str, Any], turn_id: str) -> Change:
        if event.get("type") in MEMORY_EVENTS:
            facts, told = memory_changed(state.get("facts", ()), event)
            own: Update = {}
            if event["type"] == "forget":
                subject = subject_of(str(event["subject"]))
                own = made_or(dict, "`forgets`", lambda: update_of(self.forgets(state, subject)))
            return Change(update={"facts": facts, **own}, text=told)
        change = self.apply(state, event, turn_id)
        return replace(change, update=update_of(change.update), text=text_of(change.text))

    def taken_over(self, state: State, session: Session, turn_id: str) -> Update:
        """Make the state that a new thread copies from the one that it starts from.

        Raises:
            ToolRefused: it cannot be made.
        """
        take = partial(self.carried, state, session, turn_id)
        return _made_update("`carried`", take, "That conversation's state cannot be taken over")

    def after(self, state: State, action: Action) -> Update | None:
        """Return the state update of a finished action; None if `settled` fails.

        Raised, it would meet every later run, and what was done stands whatever the state holds.
        """
        return made_or(lambda: None, "`settled`", lambda: update_of(self.settled(state, action)))

    @property
    def needs_provider(self) -> bool:
        """Tell whether it has neither a stand-in nor a model of its own."""
        return not self.stand_in and self.embedded_model is _no_model

    def panels(self, stored: State) -> tuple[Panel, ...]:
        """Return the panels of a stored state of any version; none if that fails."""

        def panels_of() -> tuple[Panel, ...]:
            fresh = upgraded(stored, self.version, self.upgrades)
            return tuple(self.shows({**stored, **fresh}))

        return made_or(tuple, "`shows`", panels_of)

    def hides(self, state: State, words: str, result: Any) -> tuple[str, ...]:
        """Return the keys of a read's rows to hide, in first and repeated results.

        Raises:
            ToolRefused, ToolFailed: they cannot be determined, so the result must not be shown.
        """
        return made(
            "`hidden`", lambda: tuple(map(text_of, self.hidden(state, words, read_again(result))))
        )

    def rendered(self, tool: str, handle: int, result: Any, hidden: Sequence[str]) -> str:
        """Render a read's result for the model, of this domain's reads and the built-in ones.

        A result that cannot be written is named: raised here it would meet every later prompt.
        """
        own = {"query_history": render_history, "recall": render_recall}.get(tool)
        return made_or(
            lambda: f"r{handle} {tool} ok, but its result cannot be shown",
            f"`read` of the prompt, for a result of {tool},",
            lambda: text_of(
                own(handle, result, hidden, self.rendered)
                if own is not None
                else self.prompt.read(tool, handle, result, hidden)
            ),
        )

    def gist(self, tool: str, args: Mapping[str, Any], result: Any) -> str:
        """Summarise a read in a few words; empty if `gist` fails."""
        say = self.prompt.gist
        return made_or(str, "`gist` of the prompt", lambda: text_of(say(tool, args, result)))

    def tail(self, state: State, session: Session) -> list[str]:
        """Render the volatile part of the state as lines; a note if `tail` fails."""
        return made_or(
            lambda: ["state: cannot be shown now"],
            "`tail` of the prompt",
            lambda: list(map(text_of, self.prompt.tail(state, session))),
        )

    def refused(self, tool: str, words: str) -> str:
        """Describe a call that was refused before it ran; in default words if `refused` fails."""
        say = self.prompt.refused
        return made_or(lambda: words, "`refused` of the prompt", lambda: text_of(say(tool, words)))

    def outcome_line(self, action: Action) -> str:
        """Describe a finished action in one line; in default words if `outcome` fails.

        It fails, for instance, on a result without its number: a person said that it happened.
        """
        said = made_or(
            lambda: outcome_line(action),
            f"`outcome`, for {action.tool},",
            lambda: text_of(self.outcome(action)),
        )
        # What a person wrote of it is no line of its own, which would read as another event.
        return " ".join(said.split())

    def warnings(self, state: State) -> list[Warned]:
        """Return the warnings to show with an answer; none if `warns` fails."""

        def found() -> list[Warned]:
            return [Warned(text_of(one.key), text_of(one.text)) for one in self.warns(state)]

        return made_or(list, "`warns`", found)

    def may_wait(self, state: State) -> bool:
        """Tell whether the next decision may pause the work until a user answers."""
        return made_or(bool, "`pauses`", lambda: bool(self.pauses(state)))

    def sketch(self, state: State) -> Sketch:
        """Return the progress of a thread from its state; empty if `progress` fails."""

        def sketch_of() -> Sketch:
            sketch = self.progress(state)
            return Sketch(text_of(sketch.goal), tuple(sketch.sections))

        return made_or(Sketch, "`progress`", sketch_of)

    @property
    def restored_types(self) -> tuple[type, ...]:
        """Return the models and enums that a checkpoint restores; other values stay plain data."""
        return (*STORED_TYPES, *held_types(self.state))
