"""Questions and answers, in the form of LangChain's human-in-the-loop requests and responses.

One form, which Studio, agent-chat-ui, Agent Inbox and the SDK show and answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import StepState
from daybook.state.ledger.step import Step
from daybook.state.people.policy import Needs
from daybook.state.people.questions.markdown import (
    arguments,
    can_be_undone,
    described,
    doubt_shown,
    given_in,
    known_args,
    shown_args,
    summary_of,
)
from daybook.state.people.questions.question import QUESTION_VERSION, typed
from daybook.state.session import Person

DECIDED = {"approve": "approved", "edit": "edited", "reject": "rejected", "respond": "rejected"}
"""What the ledger says of an answer."""

Schemas = Mapping[str, Mapping[str, Any]]
"""Tool to the JSON schema of its arguments, for those that let them be edited."""

_NO_SCHEMAS: Schemas = {}


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
    def _read_args(cls, value: Any) -> Any:
        """Read what Agent Inbox calls `args` of a decision: why not, or the edited call."""
        if not isinstance(value, Mapping) or "args" not in value:
            return value
        read = {name: one for name, one in value.items() if name != "args"}
        args = value["args"]
        if isinstance(args, str):
            read["message"] = args
        elif isinstance(args, Mapping) and value.get("type") == "edit":
            read["edited_action"] = {"name": args.get("action"), "args": args.get("args")}
        return read

    @model_validator(mode="after")
    def _edit_is_whole(self) -> Answer:
        if (self.type == "edit") != (self.edited_action is not None):
            raise ValueError('an edit, and only an edit, has "edited_action": {"name", "args"}')
        return self


class Answers(BaseModel):
    """The decisions of a person about every action of a question, by position."""

    model_config = ConfigDict(extra="forbid")

    decisions: Sequence[Answer]
    approval_id: str | None = None


def answers_for(plan: Plan, schemas: Schemas = _NO_SCHEMAS) -> type[Answers]:
    """Make the type of an answer to this plan: exactly one decision for each action.

    A question that was asked again must be answered by its approval id: two clicks on the first
    version would otherwise approve a second one unseen, and one answer that is given twice would
    count as that of two people. A rejection needs none.

    Args:
        schemas: by which text that a client sends for an edited number is read.
    """

    def fitting(answers: Answers) -> Answers:
        _check(answers, len(plan.actions), plan.question)
        does_something = any(one.type in ("approve", "edit") for one in answers.decisions)
        is_again = plan.approval == "asked again" or plan.approvals
        if is_again and does_something and answers.approval_id is None:
            raise ValueError("approval_id: required, as the question was asked again")
        for action, answer in zip(plan.actions, answers.decisions, strict=True):
            if answer.edited_action is not None:
                _read_fields(answer.edited_action, action, schemas)
        return answers

    return cast("type[Answers]", Annotated[Answers, AfterValidator(fitting)])


def _check(answers: Answers, actions: int, question: str | None) -> None:
    """Refuse an answer that does not fit a question about so many actions, or names another."""
    if len(answers.decisions) != actions:
        raise ValueError(f"decisions: expected {actions}, one for each action")
    if answers.approval_id not in (None, question):
        raise ValueError("approval_id: it does not match the pending question")


def _read_fields(edited: EditedAction, action: Action, schemas: Schemas) -> None:
    """Give what was typed into a client's fields the types of the arguments."""
    schema = schemas.get(edited.name, {})
    for name, text in edited.args.items():
        if isinstance(text, str):
            # What cannot be read is refused by the tool, which says what it should be.
            with suppress(ValueError):
                edited.args[name] = typed(text, action.args.get(name), name, schema)


def was_given(answer: Any, plan: Plan, person: Person) -> bool:
    """Tell whether an answer is the one by which this person decided a plan."""
    if isinstance(answer, Mapping) and "decisions" not in answer and len(answer) == 1:
        (answer,) = answer.values()  # addressed to an interrupt
    try:
        answers = Answers.model_validate(answer)
    except ValidationError:
        return False
    given = [DECIDED[one.type] for one in answers.decisions]
    if not plan.decided:
        # It takes others, too.
        has_approved = person.user_id in [one.user for one in plan.approvals]
        return has_approved and answers.approval_id != plan.question and {*given} == {"approved"}
    # What moved had been approved.
    decided = ["approved" if one.decision == "moved" else one.decision for one in plan.actions]
    return given == decided and all(a.decided_by == person.user_id for a in plan.actions)


def request_for(plan: Plan, note: str = "", schemas: Schemas = _NO_SCHEMAS) -> dict[str, Any]:
    """Write the question about a plan: every action with its steps, arguments and total.

    Args:
        note: why it is asked again, or why the last answer could not be taken.
    """
    needs = plan.needs
    return {
        "action_requests": [
            {
                "name": action.tool,
                "args": dict(action.args),
                "description": described(action, note, plan),
            }
            for action in plan.actions
        ],
        "review_configs": [
            {
                "action_name": action.tool,
                "allowed_decisions": ["approve", "edit", "reject", "respond"],
                **(
                    {"args_schema": _with_choices(schemas[action.tool], action)}
                    if action.tool in schemas
                    else {}
                ),
            }
            for action in plan.actions
        ],
        "approval_id": plan.question,
        "plan_id": plan.plan_id,
        "needs": {
            "role": needs.role,
            "four_eyes": needs.four_eyes,
            "rules": list(needs.rules),
            "approvals": needs.approvals,
            "people": list(needs.people),
            **({"asked_by": needs.asked_by} if needs.asked_by else {}),
        },
        "approved_by": [
            {
                "user": one.user,
                "role": one.role,
                "stands_for": list(one.stands_for),
                "at": _utc(one.at) if one.at else None,
            }
            for one in plan.approvals
        ],
        "waits_until": _utc(plan.deadline) if plan.deadline else None,
        "note": note,
        "plan": [action_data(action) for action in plan.actions],
        "version": QUESTION_VERSION,
    }


def _with_choices(schema: Mapping[str, Any], action: Action) -> dict[str, Any]:
    """Name in the schema of arguments what may be chosen, each with words."""
    properties: dict[str, Any] = {**schema.get("properties", {})}
    for name, choices in action.choices.items():
        if name in properties:
            named = [{"const": value, "title": words} for value, words in choices.items()]
            properties[name] = {**properties[name], "oneOf": named}
    return {**schema, "properties": properties} if action.choices else dict(schema)


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")


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
    return [action.title, *summary_of(action)] if action is not None else []


def _lines_with_observations(action: Action | None) -> list[str]:
    """Write what was observed too, where nothing else says what moved."""
    steps = action.steps if action is not None else []
    seen = [f"observed: {arguments(step.preconditions)}" for step in steps if step.preconditions]
    return [*_lines(action), *seen]


def withdrawn_because(plan: Plan) -> list[str]:
    """Say of a plan that cannot be asked about again what moved under it."""
    return [
        f"Something changed, so this was withdrawn: {action.title}"
        + (f" ({action.told})." if action.told else ".")
        for action in plan.actions
    ]


def action_data(action: Action) -> dict[str, Any]:
    """Show an action as data, for those who draw tables."""
    return {
        "tool": action.tool,
        "title": action.title,
        "summary": summary_of(action),
        "total": str(action.total) if action.total else None,
        "steps": [
            {
                "tool": step.tool,
                "args": shown_args(step),
                "observed": dict(step.preconditions),
                **({"money": list(step.money)} if step.money else {}),
                **({"given": given} if (given := given_in(shown_args(step), action)) else {}),
            }
            for step in action.steps
        ],
    }


Verdict = Literal["happened", "not_happened", "undo"]

_REFERENCE = (
    r"(?:(?: ?[:,\u2013\u2014-] ?| )[\"'`(<#]?(?!\d+[x%])"
    r"(?P<reference>[^\s\"'`()<>,;]*\d[^\s\"'`()<>,;]*?)[\"'`)>]?)?"
)
"""A reference contains a digit; any other word may mean the contrary."""

_VERDICTS: tuple[tuple[str, Verdict], ...] = (
    (rf"it happened{_REFERENCE}", "happened"),
    (r"it did(?: not|n't|n\u2019t)(?: happen)?", "not_happened"),
    (rf"undo(?: it)?{_REFERENCE}", "undo"),
)


def verdict(message: str) -> tuple[Verdict, str]:
    """Read "it happened [REFERENCE]", "it did not happen" or "undo [REFERENCE]" in a message.

    Raises:
        ValueError: it says none of the three, or something besides.
    """
    words = " ".join(message.split()).strip(" \"'`\u201c\u201d.!;\u2026")
    for phrase, said in _VERDICTS:
        if found := re.fullmatch(phrase, words, re.IGNORECASE):
            return said, found.groupdict().get("reference") or ""
    raise ValueError('answer "it happened REFERENCE", "it did not happen" or "undo REFERENCE"')


def doubt_answers(step: Step) -> type[Answers]:
    """Make the type of an answer about a step in doubt: one decision, whose message says it.

    Whether its words say enough is for `unclear`.
    """

    def fitting(answers: Answers) -> Answers:
        _check(answers, 1, step.question)
        return answers

    return cast("type[Answers]", Annotated[Answers, AfterValidator(fitting)])


def unclear(answer: Answers, action: Action, step: Step) -> str:
    """Say why an answer about a step cannot be taken, or nothing.

    "Undo" only where it can be undone. Of a step that is asked about again, the answer must name
    that question: a second click on the first one would otherwise send it a third time, or tell of
    an effect's undo what was said of the effect.
    """
    try:
        said, reference = verdict(answer.decisions[0].message)
    except ValueError:
        return (
            "The answer does not say whether it happened. Nothing was changed; answer with one "
            "of the lines below."
        )
    if said == "undo" and not can_be_undone(action, step):
        return "It cannot be undone. Nothing was changed; say whether it happened."
    if step.seconds and (said == "not_happened" or reference not in ("", step.reference)):
        return (
            f"{step.reference} is proven to be this step's effect. Nothing was changed; answer "
            '"it happened" to continue, and resolve the other one with the provider.'
        )
    if step.asked > 1 and answer.approval_id is None:
        return (
            "The question was asked again, and that answer may belong to the earlier one. "
            "Nothing was changed; answer with the approval_id of this question, as the console "
            "and the command line do."
        )
    return ""


def doubt_request(
    action: Action, step: Step, needs: Needs, happening: str, note: str = ""
) -> dict[str, Any]:
    """Write the question about a step in doubt or a stuck undo, with all the evidence.

    Agent Inbox shows a text box only where `reject` is allowed: the text counts, and not which
    button sent it.

    Args:
        happening: that it happened, in the words of its tool.
        note: why the last answer could not be taken.
    """
    is_stuck = step.state is StepState.STUCK
    evidence: dict[str, Any] = {
        "step": step.step_id,
        "tool": step.tool,
        "arguments": known_args(action, step),
        "attempts": [
            {
                "number": attempt.number,
                "at": _utc(attempt.at),
                "answer": attempt.answer.value if attempt.answer else "none",
            }
            for attempt in (step.undos if is_stuck else step.attempts)
        ],
        "looked": [f"{look.began_at.isoformat()} {look.event.value}" for look in step.looks],
        "why": step.reason,
    }
    request = {
        "name": "in_doubt",
        "args": {name: shown for name, shown in evidence.items() if shown},
        "description": doubt_shown(action, step, happening, note),
    }
    return {
        "action_requests": [request],
        "review_configs": [{"action_name": "in_doubt", "allowed_decisions": ["respond", "reject"]}],
        "in_doubt": step.step_id,
        "about": step.undo if is_stuck else step.tool,
        "approval_id": step.question,
        "needs": {"role": needs.doubt, "four_eyes": False, "rules": list(needs.rules)},
        "note": note,
        "holds_back": not action.pivot_done,
        "can_be_undone": can_be_undone(action, step),
        "version": QUESTION_VERSION,
    }
