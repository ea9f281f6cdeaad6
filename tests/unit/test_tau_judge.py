"""The judge of replayed runs can fail: a result or a write that is lost, doubled or other is seen."""

from dataclasses import replace
from typing import Any

import pytest

from evals.tau_retail.data import Call, Decided, Script
from evals.tau_retail.judge import Check, Evidence, Kept, duplicates, judge, origin_of, outcome_of

READ = Call("get_order_details", {"order_id": "#W1"}, '{"status": "pending"}')
ADDRESS = Call("modify_user_address", {"user_id": "u", "zip": "1"}, '{"zip": "1"}', changed=True)
CANCEL = Call("cancel_pending_order", {"order_id": "#W1", "reason": "no longer needed"}, "done")

RUN = Script(
    run_id="retail/x/t0.0",
    source="x",
    model="m",
    says=("hello",),
    decides=tuple(Decided(calls=(call,)) for call in (READ, ADDRESS, CANCEL)),
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


@pytest.mark.parametrize("where", ["kept", "wired"])
def test_results_and_writes_that_differ_only_far_behind_are_told_by_where_they_do(where: str):
    long = replace(READ, result="{" + 900 * "." + '"pending"}')
    run = replace(RUN, decides=(Decided(calls=(long,)), *RUN.decides[1:]))
    results = [long.result, *RESULTS[1:]]
    evidence = replace(AS_RECORDED, kept=results, wired=results)
    assert judge(run, evidence) == []
    other = [long.result.replace("pending", "delivered"), *RESULTS[1:]]
    (failure,) = judge(run, replace(evidence, **{where: other}))  # type: ignore[arg-type]
    assert (failure.check, failure.call) == (Check.RESULTS, 1)
    assert "pending" in failure.expected
    assert "delivered" in failure.found
    assert len(failure.expected) < 300
    args = {"order_id": "#W1", "item_ids": 90 * ["0123456789"]}
    write = Call("return_delivered_order_items", args, "done")
    run = replace(RUN, writes=(write,))
    other = replace(write, args=args | {"item_ids": [*args["item_ids"][:-1], "9"]})
    assert judge(run, replace(AS_RECORDED, executions=[execution(write)])) == []
    (failure,) = judge(run, replace(AS_RECORDED, executions=[execution(other)]))
    assert failure.check is Check.LOG


def test_what_was_done_is_known_after_a_command_was_killed_while_it_wrote(tmp_path):
    evidence = replace(AS_RECORDED, kept=RESULTS[1:])
    kept = Kept(tmp_path / "outcomes.jsonl")
    for trial in (1, 2):
        kept.keep(outcome_of(RUN, evidence, trial=trial, kills=1))
    text = kept.file.read_text()
    kept.file.write_text(text[:-10])
    again = Kept(kept.file)
    assert list(again.outcomes) == [(RUN.run_id, 1)]
    assert again.outcomes[RUN.run_id, 1] == kept.outcomes[RUN.run_id, 1]
    again.keep(kept.outcomes[RUN.run_id, 2])
    assert Kept(kept.file).outcomes == kept.outcomes


def test_what_came_of_other_code_or_data_is_played_again(tmp_path):
    file, now = tmp_path / "outcomes.jsonl", "the code as it is now"
    Kept(file, "the code as it was").keep(outcome_of(RUN, AS_RECORDED, trial=1))
    kept = Kept(file, now)
    assert kept.outcomes == {}
    kept.keep(outcome_of(RUN, AS_RECORDED, trial=2))
    assert list(Kept(file, now).outcomes) == [(RUN.run_id, 2)]


def test_code_and_data_name_where_an_outcome_comes_from(tmp_path):
    (tmp_path / "db.json").write_text("{}")
    named = origin_of(tmp_path)
    assert named == origin_of(tmp_path)
    (tmp_path / "db.json").write_text("[]")
    assert named != origin_of(tmp_path)
