"""`make live` and `make evals` with a scripted provider: right in all thirty, wrong in four ways."""

import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from rich.console import Console

from daybook.app.grading.grade import grade
from daybook.graph.settings.environment import settings_from
from daybook.tools.shop.domain import SHOP
from evals.live.judging import Conversation, Decision, Judge, Scripted, conversations
from evals.live.playing import Played, passes, play_all, show
from evals.model_server import Model, serving
from evals.steps.__main__ import play_written
from evals.steps.validation import alarms_on, validate


async def played(
    model: Model, folder: Path, wanted: Sequence[Conversation], **environment: str
) -> list[Played]:
    """Hold conversations once, with a model that is reached over HTTP."""
    found: list[Played] = []
    with serving({"live": model}) as served:
        settings = settings_from({"OPENAI_BASE_URL": served["live"].url, **environment})
        await play_all(wanted, 1, settings, folder, found.append)
    return found


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[Played]:
    """Hold all conversations with the decisions that are written beside them."""
    return play_written(tmp_path_factory.mktemp("live"))


def test_a_provider_that_decides_rightly_passes_all_thirty(written: list[Played]):
    found = written
    assert [(one.name, one.faults) for one in found if one.faults] == []
    assert {one.name for one in found} == {one.name for one in conversations()}
    assert len(found) == 30
    assert passes(found, 1) == 1.0
    shown = io.StringIO()
    show(found, 1, Console(file=shown, width=150))
    assert "pass^1" in shown.getvalue()


def test_the_step_checks_find_faults_and_leave_right_steps_alone(written: list[Played]):
    trajectories = [one.trajectory for one in written]
    clean = alarms_on([grade(one) for one in trajectories])
    assert (clean.hits, clean.examples) == (0, [])
    for row in validate(trajectories, SHOP.flow.offered, seed=7):
        assert row.found.of > 0, row.fault.name
        assert row.is_kept, (row.fault.name, row.found, row.alarms)


AGAIN: Decision = [("get_cart", {})]
"""Decided for ever by a model that never ends."""

WRONG: Mapping[str, tuple[Judge, Mapping[int, Decision]]] = {
    # The wrong item: asked for BOOT-001.
    "search and buy one": (Judge.EFFECTS, {2: [("add_to_cart", {"sku": "BOOT-008"})]}),
    # A checkout that nobody asked for, and that a hasty person approves.
    "asked only: the cart": (
        Judge.EFFECTS,
        {2: [("checkout", {})], 3: "Your order {order} is placed. Your cart came to 26.70 USD."},
    ),
    # An answer without the price.
    "asked only: a price": (Judge.ANSWERS, {1: "TENT-001 is a fine tent."}),
    # It never ends.
    "what a person says of themselves": (Judge.END, dict.fromkeys(range(99), AGAIN)),
}


class Wrong(Scripted):
    """Decide otherwise than is written, where `WRONG` says so."""

    def decided(self, one: Conversation, at: int) -> Decision:
        otherwise = WRONG[one.name][1]
        return otherwise[at] if at in otherwise else super().decided(one, at)


async def test_each_way_to_be_wrong_is_found_by_the_right_judge(tmp_path: Path):
    wanted = [one for one in conversations() if one.name in WRONG]
    found = await played(Wrong(wanted).reply, tmp_path, wanted, DAYBOOK_DECISIONS="6")
    assert len(found) == len(WRONG)
    for one in found:
        judges = {fault.judge for fault in one.faults}
        assert WRONG[one.name][0] in judges, (one.name, one.faults)
    assert passes(found, 1) == 0.0
    by_name = {one.name: one for one in found}
    # An answer has no effect at the shop.
    assert {fault.judge for fault in by_name["asked only: a price"].faults} == {Judge.ANSWERS}
    told = " ".join(fault.why for fault in by_name["search and buy one"].faults)
    assert "BOOT-001" in told
    assert "BOOT-008" in told
