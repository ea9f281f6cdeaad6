"""The judge of replayed runs can fail: a result or a write that is lost, doubled or other is seen."""

from dataclasses import replace
from typing import Any

import pytest

from evals.tau_retail.data import Call, Script, Turn
from evals.tau_retail.judge import Check, Evidence, duplicates, judge

READ = Call("get_order_details", {"order_id": "#W1"}, '{"status": "pending"}')
ADDRESS = Call("modify_user_address", {"user_id": "u", "zip": "1"}, '{"zip": "1"}', changed=True)
CANCEL = Call("cancel_pending_order", {"order_id": "#W1", "reason": "no longer needed"}, "done")

RUN = Script(
    run_id="retail/x/t0.0",
    source="x",
    model="m",
    says=("hello",),
    decides=tuple(Turn(calls=(call,)) for call in (READ, ADDRESS, CANCEL)),
    writes=(ADDRESS, CANCEL),
    final="f" * 64,
)
RESULTS = [READ.result, ADDRESS.result, CANCEL.result]


def execution(call: Call, key: str = "") -> dict[str, Any]:
    return {"tool": call.name, "args": call.args, "key": key, "text": call.result}


AS_RECORDED = Evidence(
    sha256=RUN.final,
    executions=[execution(ADDRESS), execution(CANCEL)],
    repeats=0,
    kept=RESULTS,
    wired=RESULTS,
)


def test_a_run_as_it_was_recorded_passes_and_an_error_of_the_harness_fails_it():
    assert judge(RUN, AS_RECORDED) == []
    (failure,) = judge(RUN, replace(AS_RECORDED, errors=["it broke" * 100]))
    assert (failure.check, len(failure.found)) == (Check.HARNESS, 200)


@pytest.mark.parametrize("where", ["kept", "wired"])
@pytest.mark.parametrize(
    ("found", "call"),
    [
        pytest.param([RESULTS[0], *RESULTS], 2, id="doubled"),
        pytest.param(RESULTS[1:], 1, id="missing"),
        pytest.param([*RESULTS, RESULTS[-1]], 4, id="doubled at the end"),
        pytest.param(RESULTS[:2], 3, id="missing at the end"),
        pytest.param([RESULTS[1], RESULTS[0], RESULTS[2]], 1, id="in another order"),
        pytest.param([RESULTS[0], RESULTS[1] + " ", RESULTS[2]], 2, id="another byte"),
    ],
)
def test_a_result_that_is_not_as_recorded_is_named(where: str, found: list[str], call: int):
    (failure,) = judge(RUN, replace(AS_RECORDED, **{where: found}))  # type: ignore[arg-type]
    assert (failure.check, failure.run_id, failure.call) == (Check.RESULTS, RUN.run_id, call)
    assert f"call {call}" in str(failure)


@pytest.mark.parametrize(
    ("done", "call"),
    [
        pytest.param([ADDRESS, ADDRESS, CANCEL], 2, id="doubled"),
        pytest.param([CANCEL], 1, id="missing"),
        pytest.param([ADDRESS], 2, id="missing at the end"),
        pytest.param([CANCEL, ADDRESS], 1, id="in another order"),
        pytest.param([replace(ADDRESS, args={"user_id": "v"}), CANCEL], 1, id="of another"),
    ],
)
def test_a_write_that_is_not_as_recorded_is_named(done: list[Call], call: int):
    evidence = replace(AS_RECORDED, executions=[execution(one) for one in done])
    (failure,) = judge(RUN, evidence)
    assert (failure.check, failure.call) == (Check.LOG, call)


def test_a_write_that_was_done_twice_is_counted_unless_the_model_itself_repeats_it():
    done = [execution(ADDRESS), execution(ADDRESS), execution(CANCEL)]
    evidence = replace(AS_RECORDED, executions=done)
    assert duplicates(RUN, evidence) == 1, "although the database cannot tell"
    assert duplicates(RUN, AS_RECORDED) == 0
    run = replace(RUN, writes=(ADDRESS, ADDRESS, CANCEL))
    assert duplicates(run, evidence) == 0
    assert not [one for one in judge(run, evidence) if one.check is Check.LOG]


def test_another_database_is_told_and_so_is_one_that_missed_the_task():
    assert [one.check for one in judge(RUN, replace(AS_RECORDED, sha256="0"))] == [Check.DATABASE]
    solved = replace(RUN, gold="9" * 64)
    (failure,) = judge(solved, AS_RECORDED)
    assert failure.expected == solved.gold
