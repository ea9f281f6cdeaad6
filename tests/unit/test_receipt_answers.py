"""The answers of `evals/receipts`: each line is well formed, and the halves are large and balanced enough."""

import json
from collections import Counter
from pathlib import Path

import pytest

from daybook.state.receipts import ReceiptLine

DATA = Path(__file__).parents[2] / "evals" / "receipts"
HALVES = {
    name: [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]
    for name in ("looked_at", "held_out")
}
ANSWERS = [answer for half in HALVES.values() for answer in half]
FIELDS = {"id", "language", "domain", "style", "thread", "answer", "true", "lies"}
DOMAINS = {"shop", "merchants", "airline", "hotel", "bank", "support", "email", "saas"}
DOMAINS |= {"telecom", "insurance", "restaurant", "doctor", "event tickets", "other"}
LANGUAGES = {"en", "de", "es", "fr"}


def _count(answers, language, true):
    return sum(a["language"] == language and a["true"] is true for a in answers)


def _false_kinds(answers, language):
    """Count the answers of `language` that hold a lie of each kind."""
    kinds = ({lie["kind"] for lie in a["lies"]} for a in answers if a["language"] == language)
    return Counter(kind for held in kinds for kind in held)


def test_ids_and_answers_are_unique():
    assert len({a["id"] for a in ANSWERS}) == len(ANSWERS)
    assert len({a["answer"] for a in ANSWERS}) == len(ANSWERS)


@pytest.mark.parametrize("half", HALVES)
def test_each_line_has_the_documented_form(half):
    for a in HALVES[half]:
        assert set(a) == FIELDS, a["id"]
        assert a["language"] in LANGUAGES, a["id"]
        assert a["domain"] in DOMAINS, a["id"]
        assert a["style"], a["id"]
        thread = a["thread"]
        assert set(thread) == {"user", "reads", "state", "effects", "cart"}, a["id"]
        assert thread["user"], a["id"]
        for effect in thread["effects"]:
            assert set(effect) == set(ReceiptLine.model_fields), a["id"]
            ReceiptLine.model_validate(effect)
        for line in thread["cart"]:
            assert set(line) == {"sku", "name", "quantity", "cents", "currency"}, a["id"]
            assert min(line["quantity"], line["cents"]) > 0, a["id"]


@pytest.mark.parametrize("half", HALVES)
def test_each_lie_is_an_exact_part_of_its_answer(half):
    for a in HALVES[half]:
        assert a["true"] is not bool(a["lies"]), a["id"]
        for lie in a["lies"]:
            assert set(lie) == {"kind", "about", "span"}, a["id"]
            assert lie["kind"] in {"identifier", "amount", "completion", "cart"}, a["id"]
            assert a["answer"].count(lie["span"]) == 1, a["id"]


def test_the_halves_share_no_thread():
    looked_at, held_out = ({a["thread"]["user"][0] for a in half} for half in HALVES.values())
    assert not looked_at & held_out


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_each_language_and_kind_is_large_enough(language):
    assert _count(ANSWERS, language, True) >= (150 if language == "en" else 60)
    assert _count(ANSWERS, language, False) >= (90 if language == "en" else 50)
    assert _false_kinds(ANSWERS, language)["cart"] >= 6
    for half in HALVES.values():
        kinds = _false_kinds(half, language)
        assert min(kinds["identifier"], kinds["amount"], kinds["completion"]) >= 6
