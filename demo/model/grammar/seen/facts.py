"""What is known of the person: from the digest, the tail and what was remembered since."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from daybook.demo.model.grammar.language.words import EXPANSIONS, kind_of, stems
from daybook.demo.model.grammar.seen.digest import Known, known_in
from daybook.demo.model.grammar.seen.prompt import Call, Prompt

_LITTLE: Final = frozenset({"my", "the", "a", "an", "to", "of", "i", "and"})
_MONEY: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d{1,7}(?:\.\d{1,2})?")
_SIZE: Final = re.compile(r"\b(?:\d{1,3}(?:\.\d)?|[xX]{0,3}[sSmMlL])\b")
_SIZES: Final = {
    "hiking-boots": ("shoe size", "boot size", "size"),
    "socks": ("sock size", "shoe size", "size"),
    "jackets": ("jacket size", "clothing size", "size"),
}

Facts = dict[str, Known]
"""By subject."""


def facts_now(prompt: Prompt) -> Facts:
    """Return what is known now, with what this turn has changed."""
    return _with_news(_changed(_begun(prompt), prompt.turn.calls), prompt)


def facts_before(prompt: Prompt) -> Facts:
    """Return what was known when the turn began, so that a wish means the same in all of it."""
    facts = _with_news(_begun(prompt), prompt)
    for call in prompt.turn.calls:
        subject = call.args.get("subject")
        if call.tool == "forget" and isinstance(subject, str) and _line(call):
            facts.setdefault(subject, Known(subject, ""))
    return facts


def about(words: Sequence[str], facts: Facts) -> list[Known]:
    """Return the facts that words are about: the one of that name, else those that have them."""
    wanted = _folded(words)
    same = [known for known in facts.values() if _folded(known.subject.split()) == wanted]
    if same:
        return same
    return [k for k in facts.values() if wanted <= _folded([*k.subject.split(), *k.value.split()])]


def size_for(words: Iterable[str], facts: Facts) -> str:
    """Return the size that is known for a kind of goods, "" where none is."""
    kind = kind_of(words)
    subjects = _SIZES.get(kind, ("size",)) if kind is not None else ("size", "shoe size")
    said = next((facts[subject].value for subject in subjects if subject in facts), "")
    found = _SIZE.search(said)
    return found.group() if found else ""


def budget(facts: Facts) -> int | None:
    """Return the budget that is known in cents, or None."""
    known = facts.get("budget")
    found = _MONEY.search(known.value) if known is not None else None
    if found is None:
        return None
    whole, _, part = found.group().replace(",", "").partition(".")
    return int(whole) * 100 + int((part + "00")[:2])


def _begun(prompt: Prompt) -> Facts:
    facts = {known.subject: known for known in prompt.digest.facts}
    for turn in prompt.past:
        facts = _changed(facts, turn.calls)
    return facts


def _changed(facts: Facts, calls: Iterable[Call]) -> Facts:
    changed = dict(facts)
    for call in calls:
        line = _line(call)
        if call.tool == "forget" and line.startswith("forgot "):
            changed.pop(line.removeprefix("forgot "), None)
        elif call.tool == "remember":
            kind = call.args.get("kind", "fact")
            known = known_in(line, kind if kind in ("preference", "constraint") else "fact")
            changed |= {one.subject: one for one in known}
    return changed


def _with_news(facts: Facts, prompt: Prompt) -> Facts:
    """Take what was said in other threads: the tail tells only what is newer than the rest."""
    return {**facts, **{known.subject: known for known in prompt.now.news}}


def _line(call: Call) -> str:
    """Return what a change of the memory came to, "" where it was refused."""
    head, _, line = call.result.partition("memory: ")
    return "" if head else line.split("\n")[0].strip()


def _folded(words: Iterable[str]) -> frozenset[str]:
    plain = (EXPANSIONS.get(word, word) for word in " ".join(words).lower().split())
    return stems(word for word in plain if word not in _LITTLE)
