"""Questions to people and their answers: LangChain's human-in-the-loop shapes.

The request is langchain 1.x's HITL request, so that Studio, agent-chat-ui and Agent Inbox show it;
the answers of all three are read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, Any, Literal, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
    create_model,
    model_validator,
)

from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import StepState
from daybook.state.ledger.step import Step
from daybook.state.people.policy import Needs
from daybook.state.people.questions.agent_inbox import (
    NATIVE,
    Schemas,
    doubt_form,
    plan_form,
    read_for,
    with_choices,
)
from daybook.state.people.questions.described import (
    can_be_undone,
    described,
    doubt_shown,
    doubt_title,
    evidence_shown,
    given_in,
    known_args,
    observed,
    shown_args,
    summary_of,
)
from daybook.state.people.questions.question import QUESTION_VERSION
from daybook.state.session import Person

DECIDED = {"approve": "approved", "edit": "edited", "reject": "rejected", "respond": "rejected"}
"""What the ledger says of an answer."""

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
    def _read_agent_inbox(cls, value: Any) -> Any:
        if not isinstance(value, Mapping) or "args" not in value:
            return value
        read: dict[str, Any] = {"type": NATIVE.get(value.get("type", ""), value.get("type"))}
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
    def _read_agent_inbox(cls, value: Any) -> Any:
        listed = {"decisions": value} if isinstance(value, list) else value
        if isinstance(listed, Mapping) and isinstance(listed.get("decisions"), list):
            decisions = [
                {**one, "type": NATIVE.get(one["type"], one["type"])}
                if isinstance(one, Mapping) and isinstance(one.get("type"), str)
                else one
                for one in listed["decisions"]
            ]
            return {**listed, "decisions": decisions}
        return listed


def answers_for(plan: Plan, schemas: Schemas = _NO_SCHEMAS) -> type[Answers]:
    """Make the type of an answer to this plan: exactly one decision for each action.

    A question that was asked again must be answered by its approval id: two clicks on the first
    version would otherwise approve a second one unseen.

    Args:
        schemas: of `request_for`, by which text that is typed into Agent Inbox is read.
    """
    model = _answers(len(plan.actions), is_named=plan.approval == "asked again")

    def read(value: Any) -> Answers:
        return model.model_validate(read_for(value, plan, schemas), context=plan.plan_id)

    # To make a model, and its JSON schema, takes longer than all else that is done for a question.
    read_as: Any = Annotated[Any, PlainValidator(read), WithJsonSchema(_naming(model, plan))]
    return cast("type[Answers]", read_as)


@lru_cache
def _answers(count: int, *, is_named: bool) -> type[Answers]:
    """Make the model of an answer to so many actions.

    Args:
        is_named: it names the question.
    """
    id_ = Annotated[str, AfterValidator(_names_it)]
    fields: dict[str, Any] = {
        "decisions": (Annotated[list[Answer], Field(min_length=count, max_length=count)], ...),
        "approval_id": (id_, ...) if is_named else (id_ | None, None),
    }
    return create_model("Answers", __base__=Answers, **fields)


def _names_it(value: str, info: ValidationInfo) -> str:
    if value != info.context:
        raise ValueError("it is the id of another question")
    return value


@lru_cache
def _schema(model: type[Answers]) -> dict[str, Any]:
    """Return the JSON schema of a model, whole: what a client gets of it stands by itself."""
    schema = model.model_json_schema()
    defs = schema.pop("$defs")

    def whole(value: Any) -> Any:
        if isinstance(value, list):
            return [whole(one) for one in value]
        if not isinstance(value, dict):
            return value
        if "$ref" in value:
            return whole(defs[value["$ref"].rpartition("/")[2]])
        return {name: whole(one) for name, one in value.items()}

    return cast("dict[str, Any]", whole(schema))


def _naming(model: type[Answers], plan: Plan) -> dict[str, Any]:
    """Return the JSON schema of an answer to this plan, which names no other one."""
    schema = _schema(model)
    known = schema["properties"]["approval_id"]
    string = {"type": "string", "pattern": f"^{re.escape(plan.plan_id)}$"}
    named = {**known, "anyOf": [string, {"type": "null"}]} if "anyOf" in known else known | string
    return {**schema, "properties": {**schema["properties"], "approval_id": named}}


def was_given(answer: Any, plan: Plan, person: Person) -> bool:
    """Tell whether an answer, in whatever shape, is the one by which this person decided a plan."""
    if isinstance(answer, Mapping) and "decisions" not in answer and len(answer) == 1:
        (answer,) = answer.values()  # addressed to an interrupt
    try:
        read = Answers.model_validate(read_for(answer, plan, {}))
        given = [DECIDED[one.type] for one in read.decisions]
    except ValidationError:
        return False
    # What moved had been approved.
    decided = ["approved" if one.decision == "moved" else one.decision for one in plan.actions]
    return given == decided and all(a.decided_by == person.user_id for a in plan.actions)


def request_for(plan: Plan, note: str = "", schemas: Schemas = _NO_SCHEMAS) -> dict[str, Any]:
    """Write the question about a plan: every action with its steps, arguments and total.

    Args:
        note: why it is asked again, or why the last answer could not be taken.
        schemas: tool to the JSON schema of its arguments, for those who let them be edited.
    """
    needs = plan.needs
    descriptions = [described(action, note, needs) for action in plan.actions]
    return {
        "action_requests": [
            {
                "name": action.tool,
                "args": dict(action.args),
                "arguments": dict(action.args),  # the name that Agent Inbox knows
                "description": description,
            }
            for action, description in zip(plan.actions, descriptions, strict=True)
        ],
        "review_configs": [
            {
                "action_name": action.tool,
                "allowed_decisions": ["approve", "edit", "reject", "respond"],
                **(
                    {"args_schema": with_choices(schemas[action.tool], action)}
                    if action.tool in schemas
                    else {}
                ),
            }
            for action in plan.actions
        ],
        **plan_form(plan, "\n\n".join(descriptions)),
        "approval_id": plan.plan_id,
        "needs": {"role": needs.role, "four_eyes": needs.four_eyes, "rules": list(needs.rules)},
        "waits_until": _utc(plan.deadline) if plan.deadline else None,
        "note": note,
        "plan": [shown(action) for action in plan.actions],
        "version": QUESTION_VERSION,
    }


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
    seen = [f"observed: {observed(step)}" for step in steps if step.preconditions]
    return [*_lines(action), *seen]


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
        "summary": summary_of(action),
        "total": str(action.total) if action.total else None,
        "steps": [
            {
                "tool": step.tool,
                "args": shown_args(step),
                "observed": dict(step.preconditions),
                **({"given": given} if (given := given_in(shown_args(step), action)) else {}),
            }
            for step in action.steps
        ],
    }


class DoubtAnswer(Answers):
    """A person's word on a step in doubt, in HITL shape: one decision whose message says it."""

    decisions: Annotated[list[Answer], Field(min_length=1, max_length=1)]


def doubt_answers(step: Step) -> type[DoubtAnswer]:
    """Make the type of an answer about this step, whatever its words say: see `unclear`."""
    id_ = Annotated[str, Field(pattern=f"^{re.escape(step.question or '')}$")]
    fields: dict[str, Any] = {"approval_id": (id_ | None, None)}
    return create_model("DoubtAnswer", __base__=DoubtAnswer, **fields)


def unclear(answer: DoubtAnswer, action: Action, step: Step) -> str:
    """Say why an answer about a step cannot be taken, or nothing.

    "Undo" only where it can be undone. Of a step that is asked about again, the answer must name
    that question, by its id or by how often it was asked: a second click on the first one would
    otherwise send it a third time, or tell of an effect's undo what was said of the effect.
    """
    message = answer.decisions[0].message
    try:
        said, reference = verdict(message)
    except ValueError:
        return (
            "That says neither that it happened nor that it did not. Nothing was changed; answer "
            "with one of the lines below."
        )
    if said == "undo" and not can_be_undone(action, step):
        return "It cannot be undone. Nothing was changed; say whether it happened."
    if step.seconds and (said == "not_happened" or reference not in ("", step.reference)):
        return (
            f"{step.reference} is proved to be this step's effect. Nothing was changed; answer "
            '"it happened" to go on, and look after the other one at the provider.'
        )
    if step.asked > 1 and not answer.approval_id and _counted(message) != step.asked:
        lines = (f'"it {word} ({step.asked})"' for word in ("happened", "did not happen"))
        return (
            "It is asked again, and that answer may be to the question before. Nothing was "
            f"changed; answer {' or '.join(lines)}."
        )
    return ""


Verdict = Literal["happened", "not_happened", "undo"]

_VERDICTS: tuple[tuple[str, Verdict], ...] = (
    (r"it happened\b", "happened"),
    (r"it did not(?: happen)?\b", "not_happened"),
    (r"undo\b", "undo"),
)


_ASKED = re.compile(r"\s*\((\d+)\)")
"""How often it was asked, behind a verdict."""


def verdict(message: str) -> tuple[Verdict, str]:
    """Read "it happened [REFERENCE]", "it did not happen" or "undo" out of a message.

    Raises:
        ValueError: it says none of the three.
    """
    said, rest = _begun(message)
    reference = _ASKED.sub("", rest, count=1) if _ASKED.match(rest) else rest
    return said, "" if said == "not_happened" else reference.strip(" :,.")


def _counted(message: str) -> int | None:
    """Read which asking a message answers: "it happened (2) REFERENCE"."""
    _, rest = _begun(message)
    number = _ASKED.match(rest)
    return int(number[1]) if number else None


def _begun(message: str) -> tuple[Verdict, str]:
    """Read the verdict that a message begins with, and what follows."""
    words = message.strip()
    for phrase, said in _VERDICTS:
        if found := re.match(phrase, words, re.IGNORECASE):
            return said, words[found.end() :]
    raise ValueError('answer "it happened REFERENCE", "it did not happen" or "undo REFERENCE"')


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
            for attempt in (step.undos if step.state is StepState.STUCK else step.attempts)
        ],
        "looked": [f"{look.began_at.isoformat()} {look.event.value}" for look in step.looks],
        "why": step.reason,
    }
    known = {name: shown for name, shown in evidence.items() if shown}
    description, fields = doubt_shown(action, step, happening, note), evidence_shown(action, step)
    # `arguments` is what Agent Inbox shows of it.
    request = {"name": "in_doubt", "args": known, "arguments": fields, "description": description}
    decisions = ["respond", "reject"]
    return {
        "action_requests": [request],
        "review_configs": [{"action_name": "in_doubt", "allowed_decisions": decisions}],
        **doubt_form(doubt_title(step, happening), fields, description),
        "in_doubt": step.step_id,
        "about": step.undo if step.state is StepState.STUCK else step.tool,
        "approval_id": step.question,
        "needs": {"role": needs.doubt, "four_eyes": False, "rules": list(needs.rules)},
        "note": note,
        "holds_back": not action.pivot_done,
        "can_be_undone": can_be_undone(action, step),
        "version": QUESTION_VERSION,
    }
