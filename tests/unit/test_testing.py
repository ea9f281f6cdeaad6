"""The parts of `daybook.testing`: the fake provider, the instants, the report."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest

from daybook.state.effects.guarantees import Guarantees
from daybook.testing import Behaviour, Provider, Report
from daybook.testing.cells import Cell
from daybook.testing.http import serve
from daybook.testing.judge import Evidence, Expected, Verdict, judge
from daybook.testing.matrix import allowed_behaviours
from daybook.testing.processes import Ended

KEY = {"idempotency-key": "k"}


@pytest.fixture
def to() -> Iterator[Any]:
    """Reach a provider of some behaviour."""
    with ExitStack() as opened:

        def reach(**behaviour: Any) -> tuple[Provider, httpx.Client]:
            provider = Provider(Behaviour(**behaviour))
            url = opened.enter_context(serve({"it": provider}))
            return provider, opened.enter_context(httpx.Client(base_url=f"{url}/it"))

        yield reach


@pytest.mark.parametrize(
    ("behaviour", "done"),
    [({}, 1), ({"keys": "ignored"}, 2), ({"keys": "forgotten"}, 2)],
    ids=["honoured", "ignored", "forgotten"],
)
def test_keys_are_honoured_ignored_or_forgotten(to, behaviour, done):
    provider, http = to(**behaviour)
    for _ in range(2):
        assert http.post("/charges", json={"amount": 5}, headers=KEY).json()["amount"] == 5
    assert provider.happened() == ["charges"] * done
    assert [one["key"] for one in http.get("/effects").json()] == ["k"] * done


def test_a_reply_is_lost_once_and_the_key_shows_what_was_done(to):
    provider, http = to(loses=(504,))
    answers = [http.post("/charges", json={}, headers=KEY).status_code for _ in range(2)]
    assert (answers, provider.happened()) == ([504, 200], ["charges"])


def test_what_is_accepted_is_done_later_and_a_list_has_pages(to):
    _, http = to(keys="ignored", accepts=0.01, page=1, id_field="charge_id")
    for _ in range(2):
        accepted = http.post("/charges", json={"reference": "r"})
        assert accepted.status_code == 202
    assert len(http.get("/effects").json()) == 2
    first = http.get("/charges", params={"reference": "r"}).json()
    rest = http.get("/charges", params={"reference": "r", "cursor": first["next_cursor"]}).json()
    assert [row["charge_id"] for row in first["matches"] + rest["matches"]] == ["CH-1", "CH-2"]


def test_a_wrong_answer_is_given_and_the_record_stays_right(to):
    provider, http = to()
    provider.lie("reply", "charges", "", "amount")
    assert http.post("/charges", json={"amount": 5}, headers=KEY).json()["amount"] == 1
    assert http.get("/effects").json()[0]["amount"] == 5


@pytest.mark.parametrize(
    ("guarantees", "names"),
    [
        (
            Guarantees(honours_key=True),
            ["honours keys", "is late", "loses replies", "forgets keys"],
        ),
        (Guarantees(), ["ignores keys", "loses replies, ignores keys"]),
    ],
)
def test_an_effect_meets_the_providers_that_its_declaration_allows(guarantees, names):
    declared = SimpleNamespace(guarantees=guarantees, probe=object())
    assert allowed_behaviours(SimpleNamespace(declared=declared)) == names


DONE = Expected(done={"charges": 1}, kinds={"charge": "charges"})
ROW = {"effect": "charges", "of": "", "undoes": False, "customer": ""}


def judged(effects: int, state: str, *, doubt: bool = False) -> Verdict:
    entries = [{"event": "in_doubt", "step": "s", "reason": "no reply"}] if doubt else []
    end = {
        "steps": [{"tool": "charge", "step": "s", "state": state}],
        "entries": entries,
        "succeeded": [state == "done"],
    }
    found = {"end": end, "error": "", "seconds": 1.0, "passed": []}
    rows = [{**ROW, "id": f"CH-{number}"} for number in range(effects)]
    cell = Cell("honours keys", "done", "performed", kind="charges")
    return judge(cell, Evidence(rows, [Ended(True, None, ""), Ended(False, found, "")]), DONE)


def test_twice_lost_and_without_a_doubt_are_told_apart():
    assert judged(1, "done").wrong == []
    assert judged(2, "done").twice == 1
    assert judged(0, "done").lost == 1
    assert judged(1, "negative").unsaid == 1
    assert judged(1, "negative", doubt=True).unsaid == 0


def test_a_report_is_a_table_and_a_junit_file(tmp_path: Path):
    missed = Verdict(Cell.parse("honours keys.done.killed:before_model:#1"))
    report = Report([judged(1, "done"), judged(2, "done"), missed])
    assert not report.ok
    assert "happened twice" in str(report)
    report.junit(tmp_path / "crash.xml")
    suite = ElementTree.parse(tmp_path / "crash.xml").getroot()
    counts = [suite.attrib[name] for name in ("tests", "failures", "skipped")]
    assert counts == ["3", "1", "1"]
