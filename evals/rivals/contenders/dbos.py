"""A workflow of DBOS: what is not repeatable is a step; `DBOS.launch` goes on with what is open."""

from __future__ import annotations

from dbos import DBOS, SetWorkflowID

from evals.rivals.cells import EFFECTS
from evals.rivals.contenders.outside import Order, Outside, Result, serve

_outside: Outside


@DBOS.step()
def ask(results: list[Result]) -> Result:
    """Ask the model."""
    return _outside.decide(results)


@DBOS.step()
def approve(effect: str) -> None:
    """Ask the person."""
    _outside.approve(effect)


@DBOS.step()
def read(tool: str, args: Result) -> Result:
    """Do what changes nothing."""
    return _outside.read(tool, args)


@DBOS.step()
def perform(effect: str, args: Result, key: str) -> Result:
    """Change the world."""
    return _outside.perform(effect, args, key, key)


@DBOS.workflow()
def purchase() -> str:
    """Loop as an agent does."""
    results: list[Result] = []
    while True:
        decided = ask(results)
        if "answer" in decided:
            return str(decided["answer"])
        name, args = decided["call"]["name"], decided["call"]["args"]
        if name in EFFECTS:
            approve(name)
            results.append(perform(name, args, f"{DBOS.workflow_id}/{len(results)}"))
        else:
            results.append(read(name, args))


def work(order: Order) -> str:
    """Buy; started again, launching is all that has to be done."""
    global _outside
    _outside = Outside(order)
    DBOS(
        config={"name": "purchase", "system_database_url": order["database"], "log_level": "ERROR"}
    )
    DBOS.launch()
    try:
        if order["is_restart"]:
            [found] = DBOS.list_workflows(sort_desc=True, limit=1)
            return str(DBOS.retrieve_workflow(found.workflow_id).get_result())
        with SetWorkflowID(order["run"]):
            return str(purchase())
    finally:
        DBOS.destroy()


if __name__ == "__main__":
    serve(work)
