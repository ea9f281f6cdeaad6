"""The last answers of real models in recorded runs of tau-bench retail that reached their goal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from daybook.tools.said.grammar.kinds import Kind, kinds_of
from daybook.tools.said.known import Effect, known
from evals.said.answers import Answer
from evals.tau_retail.data import Call, Run, TauRetail

_REACHED = 1.0


def recorded(data: TauRetail) -> Iterator[Answer]:
    """Yield the last answer of each run that reached its goal."""
    tools = [tool.name for tool in data.tools if tool.is_write]
    kinds = tuple({kind.name: kind for tool in tools for kind in kinds_of(tool)}.values())
    for run in data.runs("recorded"):
        if run.reward == _REACHED:
            yield from _last(run, kinds, data.policy)


def _last(run: Run, kinds: tuple[Kind, ...], policy: str) -> Iterator[Answer]:
    results, said, before = list[str](), list[str](), list[str]()
    effects: list[Effect] = []
    told = max((at for at, turn in enumerate(run.turns) if turn.assistant), default=-1)
    for turn in run.turns[: told + 1]:
        if turn.user is not None:
            said.append(turn.user)
            effects = [replace(one, is_now=False) for one in effects]
        for call in turn.calls:
            results.append(call.recorded or call.result)
            # What a model has worked out by a tool is told with what it was worked out from.
            before.append(" ".join(map(str, call.args.values())))
            effects += _effects(call)
        before += [turn.assistant] if turn.assistant else []
    if told >= 0:
        about = known(results, said, effects=effects, kinds=kinds, beside=[policy, *before[:-1]])
        # A run is named by its model and task: what models say of one task is alike.
        text = run.turns[told].assistant or ""
        yield Answer(text, about, True, "recorded runs", run.task_id)


def _effects(call: Call) -> Iterator[Effect]:
    if not call.changed:
        return
    given = [one for value in call.args.values() for one in _each(value)]
    ids = frozenset(one.lower().lstrip("#") for one in given)
    for kind in kinds_of(call.name):
        yield Effect(kind, "done", ids, is_now=True, succeeded=True)


def _each(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]
