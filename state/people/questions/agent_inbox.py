"""Agent Inbox's form of a question and of an answer, beside langchain's.

Agent Inbox and agent-chat-ui show one action with fields to edit, and answer by a list of one. What
they show as the action's name is our title, and what is typed into their fields is text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.state.ledger.plan import Action, Plan
from daybook.state.people.questions.described import headline
from daybook.state.people.questions.edited import typed

Schemas = Mapping[str, Mapping[str, Any]]

NATIVE = {"accept": "approve", "ignore": "reject", "response": "respond"}
"""Agent Inbox's types of an answer, as langchain names them."""

_NO = frozenset({"ignore", "response", "reject", "respond"})


def plan_form(plan: Plan, description: str) -> dict[str, Any]:
    """Write the question about a plan; of several actions none can be edited by itself."""
    alone = len(plan.actions) == 1
    return {
        "action_request": {
            "action": _title(plan),
            "args": dict(plan.actions[0].args) if alone else {},
        },
        "config": _config(accept=True, edit=alone, ignore=True),
        "description": description,
    }


def _title(plan: Plan) -> str:
    """Return the name under which a plan is shown; one that is asked again has a name of its own.

    Agent Inbox sends no approval id, but it sends back the name of what a user accepts.
    """
    title = "; ".join(map(headline, plan.actions))
    return f"{title} (asked again, {plan.plan_id[:6]})" if plan.approval == "asked again" else title


def doubt_form(title: str, evidence: Mapping[str, str], description: str) -> dict[str, Any]:
    """Write the question about a step in doubt, which is answered by words alone."""
    return {
        "action_request": {"action": title, "args": dict(evidence)},
        "config": _config(accept=False, edit=False, ignore=False),
        "description": description,
    }


def _config(*, accept: bool, edit: bool, ignore: bool) -> dict[str, bool]:
    return {
        "allow_accept": accept,
        "allow_edit": edit,
        "allow_respond": True,
        "allow_ignore": ignore,
    }


def read_for(value: Any, plan: Plan, schemas: Schemas) -> Any:
    """Read an answer as Agent Inbox sends it, in langchain's form; any other stays as it is.

    One answer is about the whole plan, as it is shown as one action.
    """
    given = {"decisions": value} if isinstance(value, list) else value
    if not isinstance(given, Mapping) or not isinstance(given.get("decisions"), list):
        return value
    decisions: list[Any] = given["decisions"]
    if len(decisions) == 1 and isinstance(decisions[0], Mapping):
        is_native = decisions[0].get("type") in NATIVE
        decisions = decisions * len(plan.actions) if is_native else decisions
    if _names_the_question(decisions, plan):
        given = {"approval_id": plan.plan_id, **given}
    pairs = zip(decisions, plan.actions, strict=False)
    title = _title(plan)
    edited = [_edited(decision, action, title, schemas) for decision, action in pairs]
    return {**given, "decisions": [*edited, *decisions[len(edited) :]]}


def _names_the_question(decisions: list[Any], plan: Plan) -> bool:
    """Tell whether answers without an approval id can only be to this version of a question.

    They send its own name back, or they reject: then nothing is done that the user has not seen.
    """
    title = _title(plan)
    return all(
        isinstance(one, Mapping) and (one.get("type") in _NO or _name_in(one.get("args")) == title)
        for one in decisions
    )


def _name_in(args: Any) -> Any:
    return args.get("action") if isinstance(args, Mapping) else None


def _edited(decision: Any, action: Action, title: str, schemas: Schemas) -> Any:
    """Bring an edit to langchain's form: the tool by its name, the fields in their types."""
    if not isinstance(decision, Mapping) or decision.get("type") != "edit":
        return decision
    edit: Any = decision.get("edited_action") or decision.get("args")
    if not isinstance(edit, Mapping):
        return decision
    if decision.get("edited_action") and "args" in edit:
        return {name: one for name, one in decision.items() if name != "args"}
    fields: Any = edit.get("args", edit.get("arguments"))
    if not isinstance(fields, Mapping):
        return decision
    named = edit.get("action", edit.get("name"))
    name = action.tool if named == title else named
    schema = schemas.get(str(name), {})
    read = {key: _read(text, action.args.get(key), key, schema) for key, text in fields.items()}
    return {"type": "edit", "edited_action": {"name": name, "args": read}}


def _read(text: Any, was: Any, name: str, schema: Mapping[str, Any]) -> Any:
    if not isinstance(text, str):
        return text
    try:
        return typed(text, was, name, schema)
    except ValueError:
        # The tool refuses it, and says what it should be.
        return text


def with_choices(schema: Mapping[str, Any], action: Action) -> dict[str, Any]:
    """Name in the schema of arguments what may be chosen, each with words."""
    properties: dict[str, Any] = {**schema.get("properties", {})}
    for name, choices in action.choices.items():
        if name in properties:
            named = [{"const": value, "title": words} for value, words in choices.items()]
            properties[name] = {**properties[name], "oneOf": named}
    return {**schema, "properties": properties} if action.choices else dict(schema)
