"""Mutants of the engine, each of which lacks one promise; the simulator must find every one.

A mutant replaces functions, properties or statements of the engine in this process.
"""

from __future__ import annotations

import importlib
import itertools
import sys
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

from daybook.state.ledger.next_action import Claim
from daybook.state.ledger.recovery import StepState
from evals.sim.judge import SQL
from evals.sim.recipe import AT_MERCHANTS

Make = Callable[[Any], Any]
"""Make the replacement of what is there."""


class NothingToMutate(Exception):
    """What a mutant replaces is not there (any more)."""


@dataclass(frozen=True)
class Patch:
    """A replacement of one thing of the engine.

    Attributes:
        module: its module, below `daybook`.
        name: in the module, with its class or table before a dot.
    """

    module: str
    name: str
    make: Make

    @contextmanager
    def made(self) -> Iterator[None]:
        """Make it for the length of the block, wherever a function was imported.

        Raises:
            NothingToMutate: there is no such thing.
        """
        owner, last = self._found()
        known = owner[last] if isinstance(owner, dict) else vars(owner)[last]
        made = self.make(known)
        is_imported = "." not in self.name and callable(known)
        places = _holders(known) if is_imported else [(owner, last)]
        try:
            for place, name in places:
                _put(place, name, made)
            yield
        finally:
            for place, name in places:
                _put(place, name, known)

    def _found(self) -> tuple[Any, str]:
        try:
            owner: Any = importlib.import_module(f"daybook.{self.module}")
        except ModuleNotFoundError as error:
            raise NothingToMutate(f"there is no module {self.module}") from error
        first, _, last = self.name.rpartition(".")
        owner = getattr(owner, first, None) if first else owner
        held = owner if isinstance(owner, dict) else vars(owner) if owner is not None else {}
        if last not in held:
            raise NothingToMutate(f"there is no {self.module}.{self.name}")
        return owner, last


def _put(place: Any, name: str, value: Any) -> None:
    if isinstance(place, dict):
        place[name] = value
    else:
        setattr(place, name, value)


def _holders(known: Any) -> list[tuple[Any, str]]:
    """Find all modules that hold a function, under whatever name."""
    ours = [module for name, module in list(sys.modules.items()) if name.startswith("daybook.")]
    return [
        (module, name)
        for module in ours
        for name, value in list(vars(module).items())
        if value is known
    ]


@contextmanager
def all_made(patches: Sequence[Patch]) -> Iterator[None]:
    """Make several patches for the length of the block.

    Raises:
        NothingToMutate: one of them finds nothing to replace; then none is made.
    """
    with ExitStack() as stack:
        for patch in patches:
            stack.enter_context(patch.made())
        yield


@dataclass(frozen=True)
class Mutant:
    """An engine that lacks one promise.

    Attributes:
        does: what it does wrong.
        lives: what the seeds begin with of the lives in which it is hunted: where they are lived.
    """

    name: str
    does: str
    patches: tuple[Patch, ...]
    lives: str = ""


def _always(value: Any) -> Make:
    """Replace a property, or a field with a default, by one value."""
    return lambda known: property(lambda self: value, lambda self, given: None)


def _nothing(known: Any) -> Any:
    return lambda *args, **kwargs: None


def _nothing_async(known: Any) -> Any:
    async def nothing(*args: Any, **kwargs: Any) -> None:
        pass

    return nothing


_EARLY: dict[str, Any] = {}
"""What was sent before its claim, by the step."""


def _sends_before_its_claim(known: Any) -> Any:
    async def claim(engine: Any, plan: Any, due: Any, moved: Any = None) -> Any:
        from daybook.nodes.effects.engine import reading
        from daybook.nodes.effects.provider import call, forward

        if isinstance(due, Claim):
            claimed = reading(plan, due.step_id, engine.clock.now(), engine.clock)
            _EARLY[due.step_id] = await call(engine, forward(engine, claimed))
        return await known(engine, plan, due, moved)

    return claim


def _knows_what_was_sent(known: Any) -> Any:
    async def call(engine: Any, request: Any) -> Any:
        return _EARLY.pop(request.key, None) or await known(engine, request)

    return call


def _settled_when_sent(known: Any) -> Any:
    def look_or_act(self: Any, step: Any, guarantees: Any, open_: Any) -> Any:
        first = min(attempt.at for attempt in step.attempts)
        attempts = [replace(one, settle_at=first) for one in step.attempts]
        return known(self, replace(step, attempts=attempts), guarantees, open_)

    return look_or_act


def _in_the_order_done(known: Any) -> Any:
    def closing(self: Any) -> Any:
        return known(replace(self, action=replace(self.action, steps=self.action.steps[::-1])))

    return closing


def _another_key_each_time(known: Any) -> Any:
    numbers = itertools.count()
    return lambda contract, key: known(contract, f"{key}/{next(numbers)}")


def _a_doubt_told_again_is_an_answer(known: Any) -> Any:
    def entries_of(plan: Any, step: Any, evidence: Any, judged: Any) -> Any:
        is_again = step.state is StepState.IN_DOUBT and evidence.outcome is not None
        return known(plan, step, evidence, replace(judged, doubt="") if is_again else judged)

    return entries_of


def _never_past_the_pivot(known: Any) -> Any:
    return {state: replace(row, after_pivot=row.forward) for state, row in known.items()}


def _orders_under_keys_of_their_own(known: Any) -> Any:
    async def send(
        self: Any, operation: str, *args: Any, key: str, deadline: Any, **more: Any
    ) -> Any:
        if operation == "complete_checkout":
            key = str(uuid.uuid5(uuid.UUID(key), str(deadline.at)))
        return await known(self, operation, *args, key=key, deadline=deadline, **more)

    return send


def _of_whatever_question(known: Any) -> Any:
    return lambda answers, actions, question: known(answers, actions, answers.approval_id)


def _signed_by_whoever_names_a_key(known: Any) -> Any:
    return SimpleNamespace(key_named=known.key_named, verify=lambda *_: None)


_MOVE = "state.ledger.next_action"
_PAGE = "checkpoints.ledger.page"
_PLAN = "state.ledger.plan"

MUTANTS = (
    Mutant(
        "early-send",
        "sends before its claim is committed",
        (
            Patch("nodes.effects.provider", "call", _knows_what_was_sent),
            Patch("nodes.effects.claim", "claim", _sends_before_its_claim),
        ),
    ),
    Mutant(
        "no-fence",
        "lets a runner that was taken over write checkpoints",
        (Patch("checkpoints.runs.runners", "Runners.epoch_of", _nothing),),
    ),
    Mutant(
        "no-renewal",
        "does not renew its lease",
        (Patch("checkpoints.runs.runners", "ThreadLeases._renew", _nothing_async),),
    ),
    Mutant(
        "early-absence",
        "believes an absence before D has passed",
        (Patch(_MOVE, "_Settlement._look_or_act", _settled_when_sent),),
    ),
    Mutant(
        "unbound-approval",
        "carries out what was approved although its arguments are others by now",
        (Patch(_PLAN, "Plan.is_bound", _always(True)),),
    ),
    Mutant(
        "forward-undo",
        "undoes in the order in which it did",
        (Patch(_MOVE, "_Settlement._closing", _in_the_order_done),),
    ),
    Mutant(
        "key-by-call",
        "sends every attempt under a key of its own",
        (Patch("tools.services.http", "effect_headers", _another_key_each_time),),
    ),
    Mutant(
        "fresh-reads",
        "does not make reads stale by what it writes",
        (Patch(_PAGE, "Page.make_stale", _nothing),),
    ),
    Mutant(
        "no-lock",
        "writes outcomes without the lock of the thread, under the next number",
        (
            Patch(_PAGE, "_SQL.lock_head", lambda _: SQL["read_without_a_lock"]),
            Patch(_PAGE, "_SQL.append_page", lambda _: SQL["append_under_the_next_number"]),
        ),
    ),
    Mutant(
        "withdrawn-mismatch",
        "takes a mismatch that is told once more for an answer",
        (Patch("state.effects.evidence", "entries_of", _a_doubt_told_again_is_an_answer),),
    ),
    Mutant(
        "undone-pivot",
        "undoes an order because of its mail",
        (Patch(_MOVE, "RECOVERY", _never_past_the_pivot),),
    ),
    Mutant(
        "any-answer",
        "takes the answer to one question for another's",
        (Patch("state.people.questions.approvals", "_check", _of_whatever_question),),
    ),
    Mutant(
        "unasked",
        "asks nobody",
        (
            Patch(_PLAN, "Plan.decided", _always(True)),
            Patch(_PLAN, "Plan.is_bound", _always(True)),
            Patch(_PLAN, "Action.is_approved", _always(True)),
        ),
    ),
    Mutant(
        "key-by-order",
        "sends every Complete of an order under a key of its own",
        (Patch("tools.merchants.merchant", "Merchant.send", _orders_under_keys_of_their_own),),
        AT_MERCHANTS,
    ),
    Mutant(
        "unverified-event",
        "takes an event for its merchant's by the name of its key",
        (Patch("graph.merchants.events", "signatures", _signed_by_whoever_names_a_key),),
        AT_MERCHANTS,
    ),
    Mutant(
        "untold-session",
        "says nothing of sessions that were opened in vain",
        (Patch("tools.merchants.settlement", "_perhaps_open", lambda known: lambda action: []),),
        AT_MERCHANTS,
    ),
)


def mutant_of(name: str) -> Mutant:
    """Return the mutant of a name.

    Raises:
        NothingToMutate: there is no such mutant.
    """
    for one in MUTANTS:
        if one.name == name:
            return one
    raise NothingToMutate(f"there is no mutant {name}")
