"""Kill the agent at every moment of a hire, before a desk that fails; its record is the judge."""

from __future__ import annotations

from collections.abc import Callable

from daybook.testing import Answer, Fault, Provider, Refusal, Report, Request, as_json

from graph.app import open_resources
from graph.domain import DOMAIN

HIRES = {"hire red on 2031-05-06": [[("hire_bike", {"bike": "red", "day": "2031-05-06"})]]}
"""What a person says, and what the model decides on it."""


class FakeDesk(Provider):
    """Speak as the desk does: it honours keys, but for holds."""

    paths = {"/holds": "hold", "/charges": "charge", "/releases": "release"}
    refers = {"charge": ("hold", "hold"), "release": ("hold", "hold")}
    undoes = frozenset({"release"})
    undone_code = "no_hold"

    def look(self, request: Request) -> Answer:
        if request.path != "/bikes":
            return super().look(request)
        return as_json(200, {"bikes": [{"bike": "red", "amount": 2500, "currency": "EUR"}]})

    def act(self, kind: str, request: Request, fault: Fault | None) -> Answer | None:
        is_keyed = kind != "hold"
        return (super().act if is_keyed else self.attempt)(kind, request, fault)

    def declined(self, kind: str) -> Refusal:
        return Refusal({"charge": "card_declined"}.get(kind, "taken"), "Declined.")


def test_a_bike_is_hired_once_or_given_back_whatever_is_killed(
    crash_matrix: Callable[..., Report],
) -> None:
    report = crash_matrix(
        DOMAIN,
        HIRES,
        provider=FakeDesk,
        resources=open_resources,
        environment="SERVICE_URL",
        behaviours=["honours keys"],
        declines="charge",
        part=0.1,
    )
    assert report.ok, report
