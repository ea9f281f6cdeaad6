"""Questions to people and their answers: LangChain's human-in-the-loop shapes.

The request is langchain 1.x's HITL request, so that Studio, agent-chat-ui and Agent Inbox show it;
the answers of all three are read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    create_model,
    model_validator,
)

from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import StepState
from daybook.state.ledger.step import Step
from daybook.state.people.policy import Needs
from daybook.state.people.question import QUESTION_VERSION
from daybook.state.session import Person

DECIDED = {"approve": "approved", "edit": "edited", "reject": "rejected", "respond": "rejected"}
"""What the ledger says of an answer."""

_NATIVE = {"accept": "approve", "ignore": "reject", "response": "respond"}
"""Agent Inbox's own words."""


_NO_SCHEMAS: Mapping[str, Mapping[str, Any]] = {}


class EditedAction(BaseModel):
    """The call as a person wants it."""

    name: str
    args: dict[str, Any]


class Answer(BaseModel):
    """One decision of a person about one action."""

    model_config = ConfigDict(extra="forbid")

    type: Literal["approve", "edit", "reject", "respond"]
    message: str = Field(default="", max_length=2_000)
    edited_action: EditedAction | None = None

    @model_validator(mode="before")
    @classmethod
    def _read_other_shapes(cls, value: Any) -> Any:
        if not isinstance(value, Mapping) or "args" not in value:
            return value
        read: dict[str, Any] = {"type": _NATIVE.get(value.get("type", ""), value.get("type"))}
        args = value["args"]
        if isinstance(args, str):
            read["message"] = args
        elif isinstance(args, Mapping) and read["type"] == "edit":
            read["edited_action"] = {"name": args.get("action"), "args": args.get("args")}
        return read

    @model_validator(mode="after")
    def _edit_is_whole(self) -> Answer:
        if (self.type == "edit") != (self.edited_action is not None):
            raise ValueError('an edit needs "edited_action": {"name", "args"}, and only an edit')
        return self


class Answers(BaseModel):
    """The decisions of a person about every action of a plan, by position."""

    model_config = ConfigDict(extra="forbid")

    decisions: Sequence[Answer]
    approval_id: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _read_other_shapes(cls, value: Any) -> Any:
        listed = {"decisions": value} if isinstance(value, list) else value
        if isinstance(listed, Mapping) and isinstance(listed.get("decisions"), list):
            decisions = [
                {**one, "type": _NATIVE.get(one["type"], one["type"])}
                if isinstance(one, Mapping) and isinstance(one.get("type"), str)
                else one
                for one in listed["decisions"]
            ]
            return {**listed, "decisions": decisions}
        return listed


def answers_for(plan: Plan) -> type[Answers]:
    """Make the type of an answer to this plan: exactly one decision for each action.

    A question that was asked again must be answered by its approval id: two clicks on the first
    version would otherwise approve a second one unseen.
    """
    count = len(plan.actions)
    id_ = Annotated[str, Field(pattern=f"^{re.escape(plan.plan_id)}$")]
    fields: dict[str, Any] = {
        "decisions": (Annotated[list[Answer], Field(min_length=count, max_length=count)], ...),
        "approval_id": (id_, ...) if plan.approval == "asked again" else (id_ | None, None),
    }
    return create_model("Answers", __base__=Answers, **fields)


def was_given(answer: Any, plan: Plan, person: Person) -> bool:
    """Tell whether an answer, in whatever shape, is the one by which this person decided a plan."""
    if isinstance(answer, Mapping) and "decisions" not in answer and len(answer) == 1:
        (answer,) = answer.values()  # addressed to an interrupt
    try:
        given = [DECIDED[one.type] for one in Answers.model_validate(answer).decisions]
    except ValidationError:
        return False
    # What moved had been approved.
    decided = ["approved" if one.decision == "moved" else one.decision for one in plan.actions]
    return given == decided and all(a.decided_by == person.user_id for a in plan.actions)


def request_for(
    plan: Plan, note: str = "", schemas: Mapping[str, Mapping[str, Any]] = _NO_SCHEMAS
) -> dict[str, Any]:
    """Write the question about a plan: every action with its steps, arguments and total.

    Args:
        schemas: tool to the JSON schema of its arguments, for those who let them be edited.
    """
    needs = plan.needs
    return {
        "action_requests": [
            {
                "name": action.tool,
                "args": dict(action.args),
                "description": "\n".join(
                    [*([note] if note else []), *described(action), *_who_decides(needs)]
                ),
            }
            for action in plan.actions
        ],
        "review_configs": [
            {
                "action_name": action.tool,
                "allowed_decisions": ["approve", "edit", "reject", "respond"],
                **({"args_schema": schemas[action.tool]} if action.tool in schemas else {}),
            }
            for action in plan.actions
        ],
        "approval_id": plan.plan_id,
        "needs": {"role": needs.role, "four_eyes": needs.four_eyes, "rules": list(needs.rules)},
        "waits_until": _utc(plan.deadline) if plan.deadline else None,
        "note": note,
        "plan": [shown(action) for action in plan.actions],
        "version": QUESTION_VERSION,
    }


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def described(action: Action) -> list[str]:
    """Describe an action so that a person can decide: what, how much, in which steps."""
    return [
        action.title,
        *(f"- {line}" for line in action.summary),
        "Steps (money in cents):" if action.total else "Steps:",
        *(
            line
            for number, step in enumerate(action.steps, 1)
            for line in _step(number, step, action)
        ),
        "If you reject it, nothing is done.",
    ]


def _step(number: int, step: Step, action: Action) -> list[str]:
    """Write a step as it would be called, and what was observed that it depends on."""
    called = f"{number}. {step.tool}({_args(step, action)})"
    return [called, f"   observed: {_observed(step)}"] if step.preconditions else [called]


def _observed(step: Step) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in step.preconditions.items())


def _who_decides(needs: Needs) -> list[str]:
    """Say who may approve, where it is not simply the customer."""
    if needs.role == "customer":
        return []
    beside = ", and not the person who asked for it" if needs.four_eyes else ""
    return [f"It takes a {needs.role} to approve it{beside} ({', '.join(needs.rules)})."]


def what_changed(before: Plan, now: Plan) -> str:
    """Say why a plan is asked about again, and how it differs from what was asked before."""
    moved = {action.call: action.told for action in before.actions if action.decision == "moved"}
    lines = [*moved.values()]
    earlier = {action.call: action for action in before.actions}
    for action in now.actions:
        shows = _lines if action.call in moved else _lines_with_observations
        was, is_ = (shows(one) for one in (earlier.get(action.call), action))
        lines += [f"was: {line}" for line in was if line not in is_]
        lines += [f"now: {line}" for line in is_ if line not in was]
    return "\n".join(["This is asked again. Nothing was done.", *lines]) if lines else ""


def _lines(action: Action | None) -> list[str]:
    return [action.title, *action.summary] if action is not None else []


def _lines_with_observations(action: Action | None) -> list[str]:
    """Write what was observed too, where nothing else says what moved."""
    steps = action.steps if action is not None else []
    observed = [f"observed: {_observed(step)}" for step in steps if step.preconditions]
    return [*_lines(action), *observed]


def withdrawn_because(plan: Plan) -> list[str]:
    """Say of a plan that cannot be asked about again what moved under it."""
    return [
        f"Something changed, so this was withdrawn: {action.title}"
        + (f" ({action.told})." if action.told else ".")
        for action in plan.actions
    ]


def shown(action: Action) -> dict[str, Any]:
    """Show an action as data, for those who draw tables."""
    return {
        "tool": action.tool,
        "title": action.title,
        "summary": list(action.summary),
        "total": str(action.total) if action.total else None,
        "steps": [
            {"tool": step.tool, "args": _shown_args(step), "observed": dict(step.preconditions)}
            for step in action.steps
        ],
    }


class DoubtAnswer(Answers):
    """A person's word on a step in doubt, in HITL shape: one `respond` whose message says it."""

    decisions: Annotated[list[Answer], Field(min_length=1, max_length=1)]

    @model_validator(mode="after")
    def _says_one_of_three(self) -> DoubtAnswer:
        verdict(self.decisions[0].message)
        return self


def doubt_answers(action: Action, step: Step) -> type[DoubtAnswer]:
    """Make the type of an answer about this step: "undo" only where it can be undone.

    A step that is asked about again must be answered by the id of that question: a second click on
    the first one would otherwise send it a third time.
    """
    id_ = Annotated[str, Field(pattern=f"^{re.escape(step.question or '')}$")]
    fields: dict[str, Any] = {"approval_id": (id_, ...) if step.asked > 1 else (id_ | None, None)}
    if not _can_be_undone(action, step):
        fields["decisions"] = (
            Annotated[
                list[Annotated[Answer, AfterValidator(_no_undo)]], Field(min_length=1, max_length=1)
            ],
            ...,
        )
    return create_model("DoubtAnswer", __base__=DoubtAnswer, **fields)


def _can_be_undone(action: Action, step: Step) -> bool:
    """Tell whether "undo" is an answer: before the pivot the whole action can be undone.

    Not where the undo itself is asked about: the wish would be taken for the word that it happened.
    """
    if step.state is StepState.STUCK:
        return False
    return not action.pivot_done or (step.pivot and step.undo is not None)


def _no_undo(answer: Answer) -> Answer:
    if verdict(answer.message)[0] == "undo":
        raise ValueError('it cannot be undone: answer "it happened" or "it did not happen"')
    return answer


Verdict = Literal["happened", "not_happened", "undo"]

_VERDICTS: tuple[tuple[str, Verdict], ...] = (
    (r"it happened\b", "happened"),
    (r"it did not\b", "not_happened"),
    (r"undo\b", "undo"),
)


def verdict(message: str) -> tuple[Verdict, str]:
    """Read "it happened [REFERENCE]", "it did not happen" or "undo" out of a message.

    Raises:
        ValueError: it says none of the three.
    """
    words = message.strip()
    for phrase, said in _VERDICTS:
        if found := re.match(phrase, words, re.IGNORECASE):
            reference = words[found.end() :].strip(" :,.")
            return said, "" if said == "not_happened" else reference
    raise ValueError('answer "it happened REFERENCE", "it did not happen" or "undo REFERENCE"')


def doubt_request(action: Action, step: Step, needs: Needs, note: str = "") -> dict[str, Any]:
    """Write the question about a step in doubt or a stuck undo, with all the evidence."""
    stuck = step.state is StepState.STUCK
    asked = f"{step.undo}, the undo of {step.tool}" if stuck else step.tool
    evidence: dict[str, Any] = {
        "step": step.step_id,
        "tool": step.tool,
        "arguments": _known_args(action, step),
        "attempts": [
            {
                "number": attempt.number,
                "at": _utc(attempt.at),
                "answer": attempt.answer.value if attempt.answer else "none",
            }
            for attempt in (step.undos if stuck else step.attempts)
        ],
        "looked": [f"{look.began_at.isoformat()} {look.event.value}" for look in step.looks],
        "why": step.reason,
    }
    can_undo = _can_be_undone(action, step)
    said = ['"it happened REFERENCE"', '"it did not happen" (it is tried again)']
    said += [f'"undo REFERENCE" ({_undone_by_it(action, step)})'] if can_undo else []
    words = [
        note,
        f"Did this happen? {asked}: {step.reason}. Nobody but the other side can tell.",
        f"Answer {', '.join(said[:-1])} or {said[-1]}.",
    ]
    return {
        "action_requests": [
            {
                "name": "in_doubt",
                "args": {name: shown for name, shown in evidence.items() if shown},
                "description": " ".join(word for word in words if word),
            }
        ],
        "review_configs": [{"action_name": "in_doubt", "allowed_decisions": ["respond"]}],
        "in_doubt": step.step_id,
        "approval_id": step.question,
        "needs": {"role": needs.doubt, "four_eyes": False, "rules": list(needs.rules)},
        "note": note,
        "holds_back": not action.pivot_done,
        "can_be_undone": can_undo,
        "version": QUESTION_VERSION,
    }


def _undone_by_it(action: Action, asked: Step) -> str:
    """Say what the wish to undo comes to; what nothing undoes stands, as this step does then."""
    stands = [
        step.name
        for step in action.steps
        if step.undo is None and (step is asked or step.state is StepState.DONE)
    ]
    if not stands:
        return "all of it is undone"
    return f"all of it is undone but {', '.join(stands)}, which nothing here undoes"


def _known_args(action: Action, step: Step) -> dict[str, Any]:
    """Show arguments as they were sent: those that results of earlier steps give, filled in."""
    args = _shown_args(step)
    if step.bound is not None:
        return {**args, **step.bound}
    for name, bind in step.binds.items():
        with suppress(KeyError):
            args[name] = bind.value(action.results)
    return args


def _shown_args(step: Step) -> dict[str, Any]:
    return {**step.args, **{name: str(bind) for name, bind in step.binds.items()}}


def _args(step: Step, action: Action) -> str:
    """Write arguments; words and numbers that nobody observed say whose they are."""
    whose = action.edited_by or "the model"
    return ", ".join(
        f"{name}={value!r}" + (f" (as {whose} gave it)" if _is_given(name, value, action) else "")
        for name, value in _shown_args(step).items()
    )


def _is_given(name: str, value: Any, action: Action) -> bool:
    """Tell whether an argument is taken as it was given: several words, or a number."""
    if name not in action.args or action.args[name] != value or isinstance(value, bool):
        return False
    return isinstance(value, int | float) or (isinstance(value, str) and len(value.split()) > 1)
