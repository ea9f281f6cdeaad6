"""The notebooks run from top to bottom, and their cells show what their words say."""

import os
from pathlib import Path

import jupytext
import pytest
from nbclient import NotebookClient

from daybook.app.notebook import open_shop
from tests.conftest import Shop

NOTEBOOKS = Path(__file__).parents[3] / "notebooks"


class Run:
    """Execute a notebook in a kernel of its own, from top to bottom."""

    def __init__(self, name: str, **environment: str) -> None:
        notebook = jupytext.read(NOTEBOOKS / f"{name}.py")
        client = NotebookClient(notebook, timeout=120, kernel_name="python3")
        # Without a home of theirs, as for most who open one.
        ours = {name: value for name, value in os.environ.items() if name != "DAYBOOK_HOME"}
        client.execute(env={**ours, **environment})
        self._cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert [output for output in self._outputs if output.get("name") == "stderr"] == []

    def each(self, code: str) -> list[str]:
        """Return what each of the cells that hold this code has shown, as text."""
        cells = [cell for cell in self._cells if code in cell.source]
        assert cells, f"no cell holds {code}"
        return ["\n".join(map(_text, cell.outputs)) for cell in cells]

    def shown(self, code: str) -> str:
        """Return what the cells that hold this code have shown, as one text."""
        return "\n".join(self.each(code))

    @property
    def pictures(self) -> int:
        """Count the plots that were drawn."""
        return sum("image/png" in output.get("data", {}) for output in self._outputs)

    @property
    def _outputs(self) -> list[dict]:
        return [output for cell in self._cells for output in cell.outputs]


def _text(output: dict) -> str:
    data = output.get("data", {})
    return str(output.get("text") or data.get("text/markdown") or data.get("text/plain", ""))


@pytest.fixture
def ours(postgres_url: str, shop: Shop) -> dict[str, str]:
    """Name the test's own database and shop, as somebody who has their own would."""
    return {"DATABASE_URL": postgres_url, "SHOP_URL": shop.url, "SMTP_URL": shop.smtp_url}


def test_a_first_purchase_starts_all_it_needs_and_leaves_nothing(tmp_path: Path) -> None:
    run = Run("first_purchase", TMPDIR=str(tmp_path))

    drawn = run.shown("draw_mermaid()")
    assert drawn.startswith("```mermaid")
    assert all(node in drawn for node in ("receive", "decide", "intend", "approve", "execute"))
    assert "charge 131.90 USD to visa ending in 4242" in run.shown("action_requests")
    assert run.shown("Command(resume=answer)").startswith("Your order is placed")
    assert run.shown("await happened()").split("\n") == [
        "[]",
        "['reserve', 'charge', 'order', 'mail']",
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_purchase_that_is_killed_after_its_charge_is_charged_once(
    ours: dict[str, str], shop: Shop
) -> None:
    run = Run("crash_and_recovery", **ours)

    assert "killed by SIGKILL: True" in run.shown("subprocess.run")
    assert "charge: looking up whether it happened" in run.shown("await go_on()")
    before, after = run.each('await ledger("/charge")')
    assert "attempted" in before
    assert "found" not in before
    assert "found" in after
    assert shop.happened() == ["reserve", "charge", "order", "mail"]


def test_own_tools_are_compensated_and_approved_by_whom_their_policy_says(
    ours: dict[str, str],
) -> None:
    run = Run("own_tools", **ours)

    assert "Undone: hold." in run.shown("send_part T-2")
    assert "('release', 'H-3')" in run.shown("send_part T-2")
    assert "'role': 'clerk'" in run.shown('question.value["needs"]')
    assert "needs approval by a clerk" in run.shown('state["note"]')
    assert "('credit', 'T-1', 3000)" in run.shown("ainvoke(answer, cleo)")
    assert run.shown('entry["role"]') == "('cleo', 'clerk')"


def test_the_ledger_is_read_with_plots_and_verified(ours: dict[str, str]) -> None:
    run = Run("reading_the_ledger", **ours)

    assert run.pictures == 3
    assert "rejected  hugo  customer" in run.shown("waits.sort_values")
    assert len(run.shown("ledger.verify(").splitlines()) == 1 + 5
    assert "permission denied" in run.shown("update ledger_event")


def test_two_merchants_are_bought_from_and_a_lost_answer_is_one_order(
    postgres_url: str, tmp_path: Path
) -> None:
    run = Run("two_merchants", DATABASE_URL=postgres_url, TMPDIR=str(tmp_path))

    found = run.shown("find something waterproof")
    assert "(PACK-" in found
    assert "(BOOT-" in found
    assert "Total: 169.00 USD" in run.shown("action_requests")
    first, second = (one for one in run.each("await approve(question)") if one)
    assert "order DB-" in first
    assert "order DB-" in second
    entries = run.shown("await ledger(at_boots)")
    assert entries.count("attempted") == 1
    assert "unanswered" in entries
    assert "found" in entries
    assert run.shown('"body" in row').count('"credential":"$credential"') == 2
    happened = "['reserve', 'charge', 'order']"
    assert run.shown("/effects").split() == f"{happened} {happened}".split()
    assert list(tmp_path.iterdir()) == []


async def test_a_cell_that_is_run_again_closes_what_it_had_opened(
    ours: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DAYBOOK_HOME")
    for name, value in ours.items():
        monkeypatch.setenv(name, value)
    try:
        first, again = await open_shop(), await open_shop()

        assert not first.home.exists()
        await first.close()
        config = {"configurable": {"thread_id": "again", "user_id": "ada"}}
        said = {"messages": [{"role": "user", "content": "hello"}]}
        assert (await again.graph.ainvoke(said, config))["messages"]
    finally:
        await (await open_shop()).close()

    assert not again.home.exists()
    await again.close()
