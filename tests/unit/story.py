"""Stories of a plan on paper: what happens, and what is due then, phrase by phrase.

A story is its title after `#`, its parts and the class of their tools, and phrases with `;` between
them: `-> claim order 1` is what is due, `=> end` what is due once all that is due is written.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from daybook.state.ledger.next_action import (
    AskApproval,
    AskDoubt,
    Claim,
    ClaimUndo,
    End,
    LookFor,
    NextAction,
    Over,
    Wait,
)
from daybook.state.ledger.recovery import Event, StepState
from evals.protocol.parts import (
    CHARGE,
    CLASSES,
    MAIL,
    NEITHER,
    ONLY,
    ORDER,
    RESERVE,
    RETENTION,
    Part,
)
from tests.unit.paper import PATIENCE, Paper, approved, step_id

CANCEL, REFUND = Part("cancel"), Part("refund", pivot=True)
PARTS = {
    part.name: part for part in (RESERVE, CHARGE, ORDER, MAIL, ONLY, Part("note"), CANCEL, REFUND)
}
NAMED = {name.upper().replace(" ", "_"): known for name, known in CLASSES.items()}
ANY = {
    "ANY": list(NAMED),
    "KEYED": [name for name, known in NAMED.items() if known.honours_key],
    "PROBED": [name for name, known in NAMED.items() if known.provable],
}
AT_THE_DOOR = {"code": "unauthorized", "at_the_door": True}
FOR_GOOD = {"reason": "already shipped", "final": True}


@dataclass(frozen=True)
class Story:
    """One story by one class of tool; an empty class is the worst."""

    parts: tuple[str, ...]
    of: str
    by: str
    phrases: tuple[str, ...]

    def play(self) -> None:
        """Let it all happen, and hold what is due against what the story says."""
        parts = tuple(PARTS[name] for name in self.parts)
        known = NAMED.get(self.by, NEITHER)
        told = {self.of: known} if self.of else {name: known for name in self.parts if self.by}
        paper = approved(*parts, of=told)
        for phrase in self.phrases:
            _say(paper, phrase)


def stories(text: str, macros: Mapping[str, str] | None = None) -> pytest.MarkDecorator:
    """Parametrise a test with the stories of a text, each by each class that it names.

    Args:
        macros: phrases that stand for several.
    """
    told = {
        f"{title} [{one.by}]" if one.by else title: one
        for title, body in re.findall(r"^# (.+)\n((?:[^#\n].*\n)+)", text, re.MULTILINE)
        for one in _read(" ".join(body.split()), macros or {})
    }
    assert len(set(re.findall(r"^# .+$", text, re.MULTILINE))) == text.count("# ")
    return pytest.mark.parametrize("story", told.values(), ids=list(told))


def _read(body: str, macros: Mapping[str, str]) -> Iterator[Story]:
    head, _, said = body.partition(":")
    parts, _, classes = head.partition(" by ")
    parts, _, of = parts.partition(" | ")
    phrases = tuple(_spread(said, macros))
    for one in classes.split() or [""]:
        for by in ANY.get(one, [one]):
            assert not by or by in NAMED, by
            yield Story(tuple(parts.split()), of, by, phrases)


def _spread(said: str, macros: Mapping[str, str]) -> Iterator[str]:
    for phrase in filter(None, map(str.strip, said.split(";"))):
        if again := re.fullmatch(r"(\d) x \[(.+)\]", phrase):
            for _ in range(int(again[1])):
                yield from again[2].split(", ")
        elif phrase in macros:
            yield from _spread(macros[phrase], macros)
        else:
            yield phrase


def _say(paper: Paper, phrase: str) -> None:
    if phrase.endswith(" if probed"):
        phrase = phrase.removesuffix(" if probed")
        if not next(iter(paper.guarantees.values())).provable:
            return
    if match := re.fullmatch(r"([-=])> (.+)", phrase):
        move = paper.due if match[1] == "-" else paper.follow
        _hold(paper, match[2], move)
    elif match := re.fullmatch(r"(-?[\d.]+)(s|us)", phrase):
        paper.now += _time(phrase)
    elif match := re.fullmatch(r"reason: (.+)", phrase):
        assert paper.plan.actions[0].reason == match[1]
    elif phrase == "the key runs out":
        (known,) = set(paper.guarantees.values())
        paper.now += RETENTION - PATIENCE.budget - PATIENCE.settle_after(known)
    elif phrase == "written":
        for entry in paper.due().entries:
            paper.take(entry)
    elif phrase == "not closing":
        assert not paper.plan.actions[0].closing
    elif phrase == "closed":
        paper.closed()
    elif phrase in ("succeeded", "ended"):
        paper.write(Event(phrase))
    elif phrase == "asked to undo it":
        paper.write(Event.CLOSING, detail={"action": 0, "reason": phrase})
    else:
        name, _, what = phrase.partition(" ")
        _step(paper, *name.partition("#")[::2], what)


def _time(text: str) -> timedelta:
    return (
        timedelta(microseconds=float(text[:-2])) if "u" in text else timedelta(0, float(text[:-1]))
    )


def _step(paper: Paper, name: str, number: str, what: str) -> None:
    step, at = paper.step(name), int(number) if number else None
    more: dict[str, Any] = {"detail": {"reason": "no connection"}}
    refusal: dict[str, Any] = {"payload": {"reason": "card declined"}}
    match what.split():
        case ["done"]:
            paper.done(name, id=name)
        case ["held", time]:
            until = paper.now + PATIENCE.budget + PATIENCE.settle_after(paper.guarantees[name])
            paper.done(name, expires_at=(until + _time(time)).isoformat())
        case ["claimed"]:
            paper.claimed(name)
        case ["unanswered" | "refused" | "declined" as event]:
            paper.attempted(name, Event(event), **(refusal if event == "declined" else more))
        case ["turned", "away"]:
            paper.attempted(name, Event.DECLINED, detail=AT_THE_DOOR)
        case ["never", "fails"]:
            if isinstance(paper.follow(), LookFor):
                paper.looked(name, Event.UNREACHABLE)
            assert step.state is not StepState.NEGATIVE
        case ["keeps", "the", "rest"]:
            move = paper.follow()
            if step.state is StepState.UNKNOWN:
                assert not isinstance(move, ClaimUndo | End)
            if isinstance(move, LookFor):
                paper.looked(name, Event.ABSENT)
        case ["hears", "acknowledged"]:
            paper.acknowledged(name, at, id=name)
        case ["hears", event]:
            paper.answered(name, Event(event), at, **more)
        case ["absent" | "unreachable" as event]:
            paper.looked(name, Event(event))
        case ["unreachable", "by", "a", "fault"]:
            paper.looked_in_vain(name)
        case ["found" | "verified" as event]:
            paper.looked(name, Event(event), result={"id": name})
        case ["settles" | "settled" as word]:
            paper.now = max(attempt.settle_at for attempt in step.attempts)
            paper.later(microseconds=word == "settled")
        case ["doubted"]:
            paper.write(Event.IN_DOUBT, step, detail={"reason": "no proof"})
        case ["happened" | "not_happened" as event]:
            paper.write(Event(event), step, author="ada", payload={"result": {"reference": "c"}})
        case ["undo", "claimed"]:
            paper.undo_claimed(name)
        case ["undo", "failed", *for_good]:
            told = FOR_GOOD if for_good else {"reason": "no connection", "final": False}
            paper.write(Event.UNDO_FAILED, step, attempt=1, detail=told)
        case ["undone"]:
            paper.undone(name)
        case ["superseded"]:
            paper.write(Event.SUPERSEDED, step, detail={"reason": "the price moved"})
        case ["undo", "unproved"]:
            paper.now = step.undos[0].settle_at + PATIENCE.unproved
        case ["answers", "otherwise"]:
            paper.acknowledged(name, at, id="another")
        case ["answers"]:
            paper.answered(name, Event.ACKNOWLEDGED, payload={"result": {"id": name}})
        case ["gave", result]:
            assert step.result == {"id": result}
        case ["because", *why]:
            assert step.reason == " ".join(why)
        case ["open" | "settled_by", *answers]:
            attempt = step.attempts[int(number) - 1]
            assert attempt.is_open == (what == "open")
            assert not answers or attempt.answer is Event(answers[0])
        case ["is", state]:
            assert step.state is StepState(state)
        case _:
            raise ValueError(f"no phrase: {name} {what}")


def _hold(paper: Paper, said: str, move: Any) -> None:
    if said.startswith("writes "):
        assert [event.value for event in paper.due_events()] == said.split()[1:]
    elif said == "anything":
        move()
    elif said == "wait":
        assert isinstance(move(), Wait)
    else:
        assert move() == _move(paper, said)


def _move(paper: Paper, said: str) -> NextAction:
    match said.split():
        case ["end"]:
            return End()
        case ["over"]:
            return Over()
        case ["approval"]:
            return AskApproval()
        case ["claim", name, number]:
            return Claim(step_id(name), int(number))
        case ["look", name]:
            return LookFor(step_id(name))
        case ["ask", name]:
            return AskDoubt(step_id(name))
        case ["undo", name, number]:
            return ClaimUndo(step_id(name), int(number))
        case ["settle", name]:
            until = max(attempt.settle_at for attempt in paper.step(name).attempts)
            return Wait(until, f"{name} may still be on its way")
        case ["wait", time, *why]:
            return Wait(paper.now + _time(time), " ".join(why))
    raise ValueError(f"no move: {said}")
