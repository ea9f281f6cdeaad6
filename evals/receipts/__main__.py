"""Measure the check of receipts on both halves of the answers; exit 1 where a bound is missed.

Of the half that is held out only counts are printed.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from daybook import ReceiptLine
from daybook.state.money import in_units
from daybook.state.receipts import effects_beside
from daybook.state.shop.cart import Cart, CartLine
from daybook.tools.receipts.check import Known, check
from daybook.tools.receipts.claims import KINDS, kinds_of
from daybook.tools.shop.domain import SHOP

_HERE: Final = Path(__file__).parent
_HALVES: Final = ("looked_at", "held_out")
_LANGUAGES: Final = ("en", "de", "es", "fr")
_MOST_TRUE_FLAGGED: Final = 1 / 200
"""Of all true answers of the half held out."""
_LEAST_FOUND: Final[Mapping[str, float]] = {"identifier": 0.95, "completion": 0.80, "amount": 0.80}
"""Of the false claims of a kind in the half held out, in each language."""

Answer = Mapping[str, Any]
Counts = Counter[tuple[str, str, str]]
"""By language, kind (`true` for true answers) and `all`, `found` or `beside`."""


def main() -> int:
    """Print the figures of both halves, and return 1 where a bound is missed."""
    missed: list[str] = []
    for half in sys.argv[1:] or _HALVES:
        counts = _measured(half)
        _print(half, counts)
        missed += _everywhere_missed(half, counts)
        if half == "held_out":
            missed += _missed(counts)
    for line in missed:
        print(f"MISSED: {line}")
    return 1 if missed else 0


def _measured(half: str) -> Counts:
    counts: Counts = Counter()
    for line in (_HERE / f"{half}.jsonl").read_text(encoding="utf-8").splitlines():
        answer: Answer = json.loads(line)
        language = answer["language"]
        effects = tuple(_line(effect) for effect in answer["thread"]["effects"])
        found = {finding.kind for finding in check(answer["answer"], _known(answer, effects))}
        if answer["true"]:
            counts[language, "true", "all"] += 1
            counts[language, "true", "found"] += bool(found)
            counts.update((language, "true", kind) for kind in found)
        for lie in answer["lies"]:
            counts[language, lie["kind"], "all"] += 1
            counts[language, lie["kind"], "found"] += lie["kind"] in found
            counts[language, lie["kind"], "beside"] += _is_beside(answer, effects, lie)
    return counts


def _line(effect: Mapping[str, Any]) -> ReceiptLine:
    return ReceiptLine(**{name: value for name, value in effect.items() if value is not None})


def _known(answer: Answer, effects: tuple[ReceiptLine, ...]) -> Known:
    thread = answer["thread"]
    kinds = {kind.name: kind for line in effects for kind in kinds_of(line.kind)}
    kinds |= {kind.name: kind for kind in KINDS}
    texts = (*thread["user"], *thread["reads"], *thread["state"])
    return Known(texts, effects, kinds=tuple(kinds.values()))


def _is_beside(answer: Answer, effects: tuple[ReceiptLine, ...], lie: Mapping[str, Any]) -> bool:
    """Tell whether what is rendered beside the answer says what is so of a false claim."""
    if lie["kind"] == "cart":
        return _cart_is_beside(answer["thread"]["cart"])
    *rows, last = effects_beside(effects).splitlines()
    if len(rows) != len(effects) or not re.fullmatch(r"No (other )?effect was carried out.*", last):
        return False
    for row, effect in zip(rows, answer["thread"]["effects"], strict=True):
        name, _, said = row.removeprefix("- ").partition(": ")
        parts = re.sub(r" \(.*", "", said).split(", ")
        due = [effect["status"]] + [effect["id"]] * bool(effect["id"])
        if effect["amount"] is not None:
            units = in_units(effect["amount"], effect["currency"])
            due.append(f"{units} {effect['currency']}".strip())
        if name != effect["kind"].replace("_", " ") or parts != due:
            return False
    return True


def _cart_is_beside(held: list[Mapping[str, Any]]) -> bool:
    currency = held[0]["currency"] if held else "USD"
    lines = tuple(
        CartLine(
            sku=one["sku"], name=one["name"], quantity=one["quantity"], unit_price=one["cents"]
        )
        for one in held
    )
    panel = SHOP.shows({"cart": Cart(cart_id="cart", currency=currency, lines=lines)})[0]
    if not held:
        return not panel.lines and bool(panel.empty)
    rows = [
        (
            one["name"],
            one["sku"],
            str(one["quantity"]),
            in_units(one["cents"]),
            in_units(one["cents"] * one["quantity"]),
        )
        for one in held
    ]
    total = in_units(sum(one["cents"] * one["quantity"] for one in held))
    return [line.cells for line in panel.lines] == rows and panel.total == total


def _print(half: str, counts: Counts) -> None:
    heads = ("true flagged", *(f"{kind} found" for kind in _LEAST_FOUND), "contradicted beside")
    print(f"\n{half.replace('_', ' ')}")
    print("".join(f"{head:<22}" for head in ("", *heads)))
    for language in (*_LANGUAGES, "all"):
        cells = [
            _cell(counts, language, "true"),
            *(_cell(counts, language, k) for k in _LEAST_FOUND),
        ]
        cells.append(_cell(counts, language, "", "beside"))
        print("".join(f"{cell:<22}" for cell in (language, *cells)))
    by_kind = (f"{_sum(counts, 'all', 'true', kind)} by {kind}" for kind in _LEAST_FOUND)
    print(f"true answers flagged: {', '.join(by_kind)}")


def _cell(counts: Counts, language: str, kind: str, name: str = "found") -> str:
    part, whole = _sum(counts, language, kind, name), _sum(counts, language, kind, "all")
    return f"{part} of {whole}"


def _sum(counts: Counts, language: str, kind: str, name: str) -> int:
    """Add counts of a language or `all`, and of a kind or all false claims."""
    return sum(
        count
        for (one, of, what), count in counts.items()
        if language in (one, "all") and what == name and (of == kind or (not kind and of != "true"))
    )


def _everywhere_missed(half: str, counts: Counts) -> list[str]:
    beside, lies = _sum(counts, "all", "", "beside"), _sum(counts, "all", "", "all")
    return [] if beside == lies else [f"{half}: {lies - beside} claims with no receipt beside"]


def _missed(counts: Counts) -> list[str]:
    flagged, true = _sum(counts, "all", "true", "found"), _sum(counts, "all", "true", "all")
    missed = [f"{flagged} of {true} true answers flagged"] * (flagged > _MOST_TRUE_FLAGGED * true)
    for kind, least in _LEAST_FOUND.items():
        for language in _LANGUAGES:
            found, claims = (
                _sum(counts, language, kind, "found"),
                _sum(counts, language, kind, "all"),
            )
            if found < least * claims:
                missed.append(f"{language}: {found} of {claims} false claims of {kind} found")
    return missed


if __name__ == "__main__":
    sys.exit(main())
