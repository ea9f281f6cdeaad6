"""Check a model's text against the receipts of the thread: identifiers, amounts, completion claims.

Precision comes before recall: what cannot be judged passes. A receipt stands beside the text in any
case (state/receipts.py); a finding here adds one line of correction to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

from daybook.state.receipts import ReceiptLine, ReceiptStatus
from daybook.tools.receipts.amounts import amounts_in, derived, sums
from daybook.tools.receipts.claims import KINDS, EffectKind, kinds_of
from daybook.tools.receipts.identifiers import KnownIdentifiers, unknown_identifiers
from daybook.tools.receipts.reports import (
    Report,
    is_unsupported,
    language_of,
    may_claim,
    owns_up,
    reports,
)
from daybook.tools.receipts.text import WORDS, Sentence, lower, normalised, sentences

_SUPPORTS: Final = {
    "book": {"reserve", "order", "change"},
    "reserve": {"book", "order", "change"},
    "order": {"book", "reserve"},
    "transfer": {"charge", "refund"},
    "change": {"book", "reserve", "order", "create"},
    "create": {"book", "reserve", "change", "send"},
}
"""What else than an effect of its own kind makes a claim true: who orders a ticket books it."""
_LABEL: Final = 6
_EXPLAINS: Final = 3
"""Words before, and behind, the colon of an entry that explains: "Charged: the money was taken"."""
_LIKE_STATE: Final = {"change", "create"}
"""Kinds whose words also tell of changes of state."""
_OPEN: Final = {ReceiptStatus.WAITING, ReceiptStatus.PENDING, ReceiptStatus.IN_DOUBT}
_MOST_REPORTS: Final = 12
"""Of one sentence."""

FindingKind = Literal["identifier", "amount", "completion"]


@dataclass(frozen=True)
class Known:
    """What the model was shown, and what the ledger holds.

    Attributes:
        texts: everything in which an identifier may stand: results of reads, ledger lines, state,
            user messages, system text.
        effects: the receipt lines of the thread.
        current: those of them that the text answers for, of the turn; all by default. A text need
            not speak of what an earlier one has told.
        kinds: the kinds of effects that the domain can have. What "I" claim to have done is judged
            by the default table too; the passive ("was transferred") by these kinds alone.
    """

    texts: tuple[str, ...] = ()
    effects: tuple[ReceiptLine, ...] = ()
    current: tuple[ReceiptLine, ...] | None = None
    kinds: tuple[EffectKind, ...] = KINDS


@dataclass(frozen=True)
class Finding:
    """Something in a text that the receipts contradict.

    Attributes:
        about: the kind of effect; empty for an identifier.
        start: of the span in the text; `end` is behind it.
        quote: the words found.
        correction: what the receipts say instead.
    """

    kind: FindingKind
    about: str
    start: int
    end: int
    quote: str
    correction: str


def check(text: str, known: Known) -> list[Finding]:
    """Return what the receipts contradict, in the order of the text; takes time linear in it."""
    checked = _Check(text, known)
    found = {
        (finding.kind, finding.about, finding.quote.lower()): finding
        for finding in (*checked.identifiers(), *checked.effects())
    }
    return sorted(found.values(), key=lambda finding: finding.start)


def correction_text(findings: Sequence[Finding]) -> str:
    """Return one line that corrects all findings; empty for none."""
    said = dict.fromkeys(finding.correction for finding in findings)
    return f"Correction: {' '.join(said)}" if said else ""


class _Check:
    """One text and what is known, prepared once."""

    def __init__(self, text: str, known: Known) -> None:
        self._text, self._known = text, known
        self._plain = normalised(text)
        self._lowered = lower(self._plain)
        self._domain = {kind.name for kind in known.kinds}
        self._kinds = (*known.kinds, *(kind for kind in KINDS if kind.name not in self._domain))
        self._of = [(line, self._names_of(line) or {""}) for line in known.effects]
        self._current = known.effects if known.current is None else known.current
        self._held = {name for _, names in self._of for name in names}
        self._sentences = list(sentences(self._lowered))
        texts = [normalised(text) for text in known.texts]
        texts += [normalised(line.reason) for line in known.effects]
        self._ids = KnownIdentifiers([*texts, *(line.id for line in known.effects)])
        self._read(lower("\n".join(texts)))
        self._hidden = self._hidden_effects()

    def _hidden_effects(self) -> list[ReceiptLine]:
        """Return the effects that are not done and that the text does not own up to."""
        if owns_up(self._sentences, self._language):
            return []
        said = [" ".join(one.texts) for one in self._sentences if one.place != "quote"]
        of_return = [self._patterns[name] for name in ("refund", "cancel")]
        is_returned = any(one.search(text) for one in of_return for text in said)
        is_started = any(self._language.started.search(text) for text in said)
        owned = {ReceiptStatus.DONE}
        owned |= {ReceiptStatus.UNDONE} if is_returned else set()
        owned |= {ReceiptStatus.PENDING, ReceiptStatus.IN_DOUBT} if is_started else set()
        return [line for line in self._current if line.status not in owned]

    def _read(self, shown: str) -> None:
        """Take in what was shown: its words, and the amounts that follow from those in it."""
        self._language = language_of(self._lowered, shown)
        self._comparable = shown if language_of(shown) is self._language else ""
        code = self._language.code
        self._patterns = {
            kind.name: kind.patterns[code] for kind in self._kinds if code in kind.words
        }
        self._mentioned = {name for name, one in self._patterns.items() if one.search(shown)}
        self._seen = {one.cents for one in amounts_in(shown)}
        own = [line.amount for line in self._known.effects if line.amount]
        stated = list(amounts_in(self._lowered))
        is_summed = any(one.cents in sums(own) - set(own) - {0} for one in stated)
        self._unstated = [
            (line, names)
            for line, names in self._of
            if line.amount
            and not is_summed
            and not any(one.agrees([line.amount], line.currency) for one in stated)
            and not any(one.is_rough and one.is_near(line.amount) for one in stated)
        ]

    def _finding(self, kind: FindingKind, about: str, start: int, end: int, said: str) -> Finding:
        return Finding(kind, about, start, end, self._text[start:end], said)

    def identifiers(self) -> Iterator[Finding]:
        for start, end in unknown_identifiers(self._plain, self._ids):
            said = f"{self._text[start:end]} is not an identifier that this conversation has seen."
            yield self._finding("identifier", "", start, end, said)

    def effects(self) -> Iterator[Finding]:
        """Judge what is reported as done, and amounts that are said of effects."""
        is_unreal_list = False
        for sentence in self._sentences:
            if not sentence.words or sentence.place == "quote":
                continue
            start, end = sentence.words[0].start, sentence.words[-1].end
            reported = list(islice(reports(sentence, self._language, self._kinds), _MOST_REPORTS))
            if any(line.amount is not None for line in self._known.effects):
                yield from self._amounts(sentence, reported, start, end)
            if sentence.place in ("entry", "row") and is_unreal_list:
                continue
            if sentence.ends_with == ":" or sentence.place == "heading":
                is_planned = self._language.plan.search(" ".join(sentence.texts))
                is_unreal_list = bool(is_planned) or owns_up([sentence], self._language)
            for report in reported:
                lines = self._lines(report, start, end)
                if self._is_false(report, sentence, {line.status for line in lines}):
                    yield self._completion(report.kinds, lines, start, end)
            is_done = {line.status for line in self._meant(start, end)} == {ReceiptStatus.DONE}
            if self._hidden and not is_done and may_claim(sentence, self._language):
                kinds = self._names_of(self._hidden[0])
                yield self._completion(kinds, self._hidden, start, end)
                self._hidden = []

    def _meant(self, start: int, end: int) -> list[ReceiptLine]:
        """Return the effects that a sentence means: it has their identifier or amount."""
        said, sentence = list(amounts_in(self._lowered, start, end)), self._lowered[start:end]
        return [
            line
            for line, _ in self._of
            if (line.id and line.id.lower() in sentence)
            or (line.amount and any(one.agrees([line.amount], line.currency) for one in said))
        ]

    def _lines(self, report: Report, start: int, end: int) -> list[ReceiptLine]:
        """Return the effects that a report may be about."""
        meant = self._meant(start, end)
        wanted = report.kinds.union(*(_SUPPORTS.get(name, ()) for name in report.kinds))
        costs = "charge" in report.kinds and "charge" not in self._held
        lines = []
        for line, names in self._of:
            # A tool whose name tells nothing may have done it; and where charges are no effects of
            # their own, whatever costs something charged it.
            is_unnamed = names == {""} and line.status is ReceiptStatus.DONE
            is_cost = costs and line.amount and "refund" not in names
            if wanted & names or is_unnamed or is_cost:
                lines.append(line)
        return [line for line in lines if line in meant] or lines

    def _is_false(self, report: Report, sentence: Sentence, statuses: set[ReceiptStatus]) -> bool:
        """Tell whether a report is held to be false."""
        if ReceiptStatus.DONE in statuses:
            return False
        if "change" not in self._domain and report.kinds <= _LIKE_STATE:
            # It may be a change of the cart, or of other state, which is no effect.
            return False
        if not report.kinds:
            is_unsupported_ = is_unsupported(report, self._language, self._comparable)
            return not self._known.effects and is_unsupported_
        words = sentence.texts
        is_explained = ":" in words[:_LABEL] and len(words) - words.index(":") > _EXPLAINS
        if sentence.place == "entry" and is_explained and not report.kinds & self._held:
            return False
        if report.is_started and statuses & _OPEN:
            return False
        if report.kinds & {"refund", "cancel"} and any(
            line.status is ReceiptStatus.UNDONE for line in self._known.effects
        ):
            return False
        if report.frame == "reported" or statuses:
            return True
        if report.frame == "state":
            return False
        # What the model read of an older effect or of a rule, it may repeat.
        return bool(report.kinds & self._domain and not report.kinds & self._mentioned)

    def _names_of(self, line: ReceiptLine) -> set[str]:
        return {kind.name for kind in kinds_of(line.kind, self._kinds)}

    def _completion(
        self, kinds: Collection[str], lines: Sequence[ReceiptLine], start: int, end: int
    ) -> Finding:
        kind = next((kind for kind in self._kinds if kind.name in kinds), None)
        label = kind.label if kind else "effect"
        nothing = f"No {label} was made in this conversation."
        said = " ".join(f"{line}." for line in lines[:3]) or nothing
        return self._finding("completion", kind.name if kind else "", start, end, said)

    def _amounts(
        self, sentence: Sentence, reported: Sequence[Report], start: int, end: int
    ) -> Iterator[Finding]:
        """Judge the amounts said of effects of which the text states the own amount nowhere.

        A truthful answer may give many sums, but of an effect it gives the effect's own. What a
        clause reports, or says beside the effect's identifier, is held to that strictly; what
        stands beside a mention of its kind may be another sum that is known or was worked out.
        """
        said = self._lowered[start:end]
        if WORDS["supposed"].intersection(sentence.texts):
            return
        found = [one for one in amounts_in(self._lowered, start, end) if not one.is_rough]
        told = {name for one in reported for name in one.kinds}
        mentioned = {name for name, one in self._patterns.items() if one.search(said)}
        is_open = owns_up([sentence], self._language)
        # Where charges are no effects of their own, whatever costs something is charged.
        if "charge" in mentioned and "charge" not in self._held:
            mentioned |= self._held - {"refund"}
        for line, names in self._unstated:
            is_named = bool(line.id) and line.id.lower() in said
            if not is_named and line not in self._current:
                continue
            of_others = any(told & other for _, other in self._of)
            is_reported = bool(told & names) or (bool(reported) and not of_others)
            is_denied = is_open and line.status is not ReceiptStatus.DONE
            is_mentioned = bool(mentioned & names) and not is_denied
            is_total = bool(self._language.total.search(said))
            is_told = bool(line.id) and line.id.lower() in self._lowered
            is_strict = is_named or is_reported or is_mentioned or (is_total and is_told)
            if not is_strict and not is_total:
                continue
            allowed = {one.amount for one, _ in self._of if one.amount}
            if not (is_named or is_reported or is_mentioned):
                allowed |= derived([line.amount or 0])
            for amount in found:
                is_own = any(amount.agrees([one], line.currency) for one in allowed)
                is_known = not is_strict and amount.cents in self._seen
                if not is_own and not is_known:
                    yield self._finding("amount", line.kind, amount.start, amount.end, f"{line}.")
                    return
