"""Drafts: what a plan proposes before it is written to the ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from daybook.state.effects.bind import Binding
from daybook.state.effects.exact import unsendable
from daybook.state.effects.keys import storable
from daybook.state.errors import DeclarationError
from daybook.state.money import Money
from daybook.state.people.policy import Facts
from daybook.tools.calling import jsonable

if TYPE_CHECKING:
    from daybook.tools.kinds import EffectTool

_LONGEST = 500
"""Characters of an operation's name at most: the database finds it by an index."""


def names_operation(op: Any) -> bool:
    """Tell whether something can be the name of a business operation."""
    return isinstance(op, str) and 0 < len(op.strip()) <= len(op) <= _LONGEST and storable(op) == op


def _args(whose: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Write arguments as plain data that a question, the ledger and a request can hold."""
    args: dict[str, Any] = jsonable(given)
    if why := unsendable(args):
        raise DeclarationError(
            f"The arguments of {whose} cannot be stored: {why}. Nothing was written; use JSON "
            "values."
        )
    return args


@dataclass(frozen=True)
class StepDraft:
    """Propose one effect.

    Attributes:
        name: unique in its action; bindings and compensation refer to it.
        tool: an effect of the registry.
        op: the business operation, which is also the idempotency key.
        args: stored as plain data: a date as text.
        binds: arguments to be taken from results of earlier steps.
        pivot: the point of no return: once it is done, the action is not compensated.

    Raises:
        DeclarationError: its arguments cannot be stored.

    Example:
        >>> from datetime import date
        >>> StepDraft("hold", "hold_room", "room/Barn/hold", {"day": date(2031, 5, 6)}).args
        {'day': '2031-05-06'}
    """

    name: str
    tool: str
    op: str
    args: Mapping[str, Any]
    binds: Mapping[str, Binding] = field(default_factory=dict)
    pivot: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "args", _args(f"the step {self.name}", self.args))


@dataclass(frozen=True)
class ActionDraft:
    """Propose the steps for one call of the model.

    Attributes:
        title: a title for the approver; empty if the arguments say it all.
        steps: in order; exactly one of them is the pivot.
        summary: lines for the approver: what, how much, to whom.
        total: the money that it moves, if any.
        choices: argument to its possible values, each with a label, for an approver who edits it.
        about: its subject in a few words, shown in lists: "Wool Socks and 2 more". Default the
            title.

    Raises:
        DeclarationError: the steps do not fit together, or its arguments cannot be stored.

    Example:
        >>> from daybook.state.effects.bind import take
        >>> hold = StepDraft("hold", "hold_room", "room/Barn/hold", {"room": "Barn"})
        >>> held = {"hold_id": take("hold", "id")}
        >>> book = StepDraft("book", "book_room", "room/Barn/book", {}, held, pivot=True)
        >>> action = ActionDraft("book", {"room": "Barn"}, "Book the Barn", (hold, book))
        >>> [step.name for step in action.steps]
        ['hold', 'book']
    """

    tool: str
    args: Mapping[str, Any]
    title: str
    steps: tuple[StepDraft, ...]
    summary: tuple[str, ...] = ()
    total: Money | None = None
    choices: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    about: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "args", _args(f"the plan {self.tool}", self.args))
        object.__setattr__(self, "choices", _args(f"the plan {self.tool}", self.choices))
        self._check_words()
        names = [step.name for step in self.steps]
        pivots = [step.name for step in self.steps if step.pivot]
        if len(pivots) != 1:
            raise DeclarationError(
                f"The plan {self.tool} has {len(pivots) or 'no'} pivots {pivots or ''}of its "
                f"steps {names}. Nothing was written; write pivot=True on exactly one step: if a "
                "step fails, the steps before the pivot are undone and those after it are not."
            )
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise DeclarationError(
                f"The plan {self.tool} has several steps named {', '.join(twice)}. Nothing was "
                "written; give each step a unique name."
            )
        ops = [step.op for step in self.steps]
        if same := sorted({op for op in ops if ops.count(op) > 1}):
            raise DeclarationError(
                f"The plan {self.tool} has several steps with the operation {same[0]}. Nothing "
                "was written; give each step its own operation, since an operation is done once."
            )
        for index, step in enumerate(self.steps):
            self._check_binds(step, names[:index])

    def _check_words(self) -> None:
        summary: Any = self.summary
        texts: tuple[Any, ...] = (self.tool, self.title, self.about, *summary)
        if not all(isinstance(text, str) for text in texts) or isinstance(summary, str):
            raise DeclarationError(
                f"The plan {self.tool} has a title or a summary line that is not text. Nothing "
                "was written; use text, and a tuple of lines for the summary."
            )
        if not isinstance(self.total, Money | None):
            raise DeclarationError(
                f"The plan {self.tool} has a {type(self.total).__name__} as its total. Nothing "
                'was written; write total=Money(amount=12_900, currency="USD"), or leave it out.'
            )
        if nameless := [step.name for step in self.steps if not names_operation(step.op)]:
            raise DeclarationError(
                f"In the plan {self.tool} the operation of {', '.join(nameless)} is not a valid "
                f"name. Nothing was written; use at most {_LONGEST} characters, such as "
                "order/O-1/charge."
            )

    def _check_binds(self, step: StepDraft, earlier: list[str]) -> None:
        for argument, binding in step.binds.items():
            if unknown := [take.step for take in binding.takes if take.step not in earlier]:
                raise DeclarationError(
                    f"In the plan {self.tool} the argument {argument} of {step.name} is taken "
                    f"from {', '.join(unknown)}, which is not an earlier step. Nothing was "
                    f"written; the earlier steps are {earlier or 'none'}."
                )
            places = binding.template.count("{}")
            if binding.into == "text" and places != len(binding.takes):
                raise DeclarationError(
                    f"In the plan {self.tool} the template of the argument {argument} of "
                    f"{step.name} has {places} places {{}} for {len(binding.takes)} values. "
                    "Nothing was written; write one {} for each value, and no text in a template "
                    "that may itself contain {}."
                )


def facts_of(
    steps: Sequence[tuple[EffectTool, Money | None]], user: str, flow: str | None
) -> list[Facts]:
    """Return what policy looks at of the steps of a plan, each with what it moves."""
    moved: dict[str, list[Money | None]] = {}
    for effect, amount in steps:
        moved.setdefault(effect.name, []).append(amount)
    return [
        Facts(
            tool=effect.name,
            kind=effect.kind,
            at=flow or "",
            user=user,
            amount=_sum(moved[effect.name]),
            declared=effect.approval,
            expires_after=_seconds(effect.expires_after),
            remind_after=_seconds(effect.remind_after),
        )
        for effect, _ in steps
    ]


def _seconds(length: timedelta | None) -> float | None:
    return length.total_seconds() if length is not None else None


def _sum(amounts: Sequence[Money | None]) -> Money | None:
    """Add up; not known where one of them is not, or where they are in several currencies.

    Ten small refunds in one plan are not judged as small ones, and one that is less than nothing
    makes no other one small.
    """
    known = [amount for amount in amounts if amount is not None and amount.amount >= 0]
    currencies = {amount.currency for amount in known}
    if len(known) < len(amounts) or len(currencies) != 1:
        return None
    return Money(amount=sum(amount.amount for amount in known), currency=currencies.pop())
