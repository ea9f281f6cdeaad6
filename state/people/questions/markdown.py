"""Questions as Markdown that stays readable if a client joins its lines.

Blocks are apart by an empty line, every sentence ends, money is written in units, and nothing is
written as code writes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import StepState
from daybook.state.ledger.step import Step
from daybook.state.money import CENTS, in_units
from daybook.state.people.policy import a_role
from daybook.state.plain import in_markdown

_ID = re.compile(r"[A-Za-z#][\w:/#-]*\d[\w:/#-]*")
"""An id: a letter and a digit without spaces. Anything else is text or a number."""

_NOT_YET = "Nothing is done before it is approved."


def plan_shown(plan: Plan, note: str = "") -> str:
    """Write what is asked about a plan, as a person needs it to decide; the steps are left out.

    Args:
        note: why it is asked again, or why the last answer could not be taken.
    """
    actions = [block for one in plan.actions for block in (_titled(one), _listed(summary_of(one)))]
    return _blocks([*_noted(note), *actions, _NOT_YET, *who_decides(plan)])


def doubt_shown(action: Action, step: Step, happening: str, note: str = "") -> str:
    """Write what is asked about a step in doubt.

    Args:
        happening: that it happened, in the words of its tool.
        note: why the last answer could not be taken.
    """
    is_stuck = step.state is StepState.STUCK
    about = f"{step.undo}, the undo of {step.tool}" if is_stuck else step.tool
    title = in_markdown(f"It is not known whether {_joined(happening)} ({about})")
    asked = f"{title}. Did it happen?"
    return _blocks([*_noted(note), asked, _known(action, step), _answers(action, step)])


def described(action: Action, note: str = "", plan: Plan | None = None) -> str:
    """Describe an action whole: what, how much, in which steps with which arguments.

    Args:
        plan: that it is of, where it is said who may approve that.
    """
    steps = [f"{number}. {_step(step, action)}" for number, step in enumerate(action.steps, 1)]
    return _blocks(
        [
            *_noted(note),
            _titled(action),
            _listed(summary_of(action)),
            "The steps:",
            "\n".join(steps),
            *_choices(action),
            "If you reject it, nothing is done.",
            *(who_decides(plan) if plan is not None else ()),
        ]
    )


def headline(action: Action) -> str:
    """Return the title of an action, with what it costs."""
    total = str(action.total or "")
    return action.title if total in action.title else f"{action.title} ({total})"


def who_decides(plan: Plan) -> list[str]:
    """Say who may approve, where it is not simply the customer."""
    needs = plan.needs
    if needs.role == "customer":
        return []
    who = (
        f"{needs.approvals} users, each at least {a_role(needs.role)},"
        if needs.approvals > 1
        else a_role(needs.role)
    )
    among = f": {' or '.join(needs.people)}" if needs.people else ""
    beside = ", but not by the user who asked for it" if needs.is_of_others else ""
    rules = f" ({', '.join(needs.rules)})" if needs.rules else ""
    said = [f"It needs approval by {who}{among}{beside}{rules}."]
    if plan.approvals:
        given = " and ".join(in_markdown(one.user) for one in plan.approvals)
        said.append(f"Approved by {given}; {needs.approvals - len(plan.approvals)} more needed.")
    return said


def shown_args(step: Step) -> dict[str, Any]:
    """Return arguments, and of those that earlier results give, which result it is."""
    return {**step.args, **{name: str(bind) for name, bind in step.binds.items()}}


def known_args(action: Action, step: Step) -> dict[str, Any]:
    """Return arguments as they were sent: those that results of earlier steps give, filled in."""
    args = shown_args(step)
    if step.bound is not None:
        return {**args, **step.bound}
    for name, bind in step.binds.items():
        with suppress(KeyError):
            args[name] = bind.value(action.results)
    return args


def can_be_undone(action: Action, step: Step) -> bool:
    """Tell whether "undo" is an answer: before the pivot the whole action can be undone.

    Not where the undo itself is asked about: the wish would be taken for the word that it happened.
    """
    if step.state is StepState.STUCK:
        return False
    known = [one for one in action.steps if one is step or one.state is StepState.DONE]
    if not any(one.undo is not None for one in known):
        return False
    return not action.pivot_done or (step.pivot and step.undo is not None)


def _known(action: Action, step: Step) -> str:
    reason = in_markdown(step.reason).rstrip(".")
    sent = arguments(known_args(action, step), money=step.money or ())
    said = f"Reason: {reason}. Check with the provider."
    return f"{said} It was called with {sent}." if sent else said


def _answers(action: Action, step: Step) -> str:
    said = [
        '"it happened REFERENCE", or "it happened" if it has none',
        '"it did not happen": it is tried again; if it did happen, this creates a duplicate',
    ]
    if can_be_undone(action, step):
        said.append(f'"undo REFERENCE", or "undo": {_undone_by_it(action, step)}')
    return "\n\n".join(["Answer with one of these:", _listed(said)])


def _undone_by_it(action: Action, asked: Step) -> str:
    """Say what the wish to undo comes to; what nothing undoes stands, as this step does then."""
    stands = [
        step.name
        for step in action.steps
        if step.undo is None and (step is asked or step.state is StepState.DONE)
    ]
    if not stands:
        return "the whole action is undone"
    return f"the whole action is undone except {', '.join(stands)}, which cannot be undone"


def _blocks(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in parts if part)


def _noted(note: str) -> list[str]:
    return [in_markdown(line) for line in note.split("\n") if line]


def _titled(action: Action) -> str:
    return f"**{in_markdown(headline(action))}**"


def _listed(lines: Sequence[str]) -> str:
    return "\n".join(f"- {in_markdown(_joined(line)).rstrip('.')}." for line in lines)


def _choices(action: Action) -> list[str]:
    """Say what else may be chosen, where there is a choice."""
    said = []
    for name, choices in action.choices.items():
        if len(choices) > 1:
            named = [in_markdown(f"{value} ({words})") for value, words in choices.items()]
            said.append(f"{_words(name)} may be {', '.join(named[:-1])} or {named[-1]}.")
    return said


def _step(step: Step, action: Action) -> str:
    """Write a step as it would be called, and what was observed that it depends on."""
    args = arguments(shown_args(step), action, step.money or ())
    called = f"{step.tool}: {args}." if args else f"{step.tool}."
    return f"{called} Observed: {arguments(step.preconditions)}." if step.preconditions else called


def arguments(
    args: Mapping[str, Any], of: Action | None = None, money: Sequence[str] | None = None
) -> str:
    """Write arguments as people read them.

    Args:
        of: the action that they are of: words and numbers that nobody observed say whose they are.
        money: of a call, the argument that is declared to hold cents, and the one that holds the
            currency, or a currency; () for none. None for what was observed, where names say so.
    """
    marks = given_in(args, of) if of is not None else {}
    return ", ".join(
        f"{_words(name)} {_amount(name, value, args, money)}"
        + (f" ({marks[name]})" if name in marks else "")
        for name, value in args.items()
    )


def given_in(args: Mapping[str, Any], of: Action) -> dict[str, str]:
    """Return the arguments that nobody observed, each with whose words or number it is."""
    said = f"as {of.edited_by or 'the model'} gave it"
    return {name: said for name, value in args.items() if _is_given(name, value, of)}


def summary_of(action: Action) -> list[str]:
    """Return the lines that a person can decide on; what a model gave is marked as its own."""
    if not action.is_bare:
        return list(action.summary)
    marks = given_in(action.args, action)
    lines = zip(action.args, action.summary, strict=True)
    return [f"{line} ({marks[name]})" if name in marks else line for name, line in lines]


def _amount(name: str, value: Any, args: Mapping[str, Any], money: Sequence[str] | None) -> str:
    cents, code = money or ("", "currency")
    currency = args.get(code, code if money else None)
    is_cents = name == cents if money is not None else name in CENTS
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if is_whole and is_cents and isinstance(currency, str):
        return f"{in_units(value, currency)} {currency}"
    return _value(value, money if money is None else ())


def _value(value: Any, money: Sequence[str] | None = None) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and (sent := _sent(value)) is not None:
        return f"({arguments(sent, money=money)})"
    if isinstance(value, str):
        text = in_markdown(_joined(re.sub(r"<([^<>]*)>", r"(\1)", value)))
        return f"“{text}”" if len(text.split()) != 1 else text
    if isinstance(value, Mapping):
        return f"({arguments(value, money=money)})"
    if isinstance(value, Sequence):
        return ", ".join(_value(one, money) for one in value) or "none"
    return str(value)


def _sent(text: str) -> Mapping[str, Any] | None:
    """Read a body that is sent as JSON; None if a text is none."""
    if not text.startswith("{"):
        return None
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) and read else None


def _joined(text: str) -> str:
    return " / ".join(line.strip() for line in text.splitlines() if line.strip())


def _words(name: str) -> str:
    return name.replace("_", " ")


def _is_given(name: str, value: Any, action: Action) -> bool:
    """Tell whether an argument is taken as it was given, and holds several words, or a number."""
    return name in action.args and action.args[name] == value and _has_words_or_number(value)


def _has_words_or_number(value: Any) -> bool:
    if isinstance(value, str):
        return _ID.fullmatch(value.strip()) is None
    if isinstance(value, Mapping):
        return any(map(_has_words_or_number, value.values()))
    if isinstance(value, Sequence):
        return any(map(_has_words_or_number, value))
    return isinstance(value, int | float) and not isinstance(value, bool)
