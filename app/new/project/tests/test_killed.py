"""Kill the agent during a hire, with a desk that fails, and judge it by the desk's record."""

from __future__ import annotations

from collections.abc import Callable

from daybook.testing import Report

from graph.app import open_resources
from graph.domain import DOMAIN
from service.desk import Desk

HIRES = {"hire red on 2031-05-06": [[("hire_bike", {"bike": "red", "day": "2031-05-06"})]]}
"""A user's message, and the calls that the model decides on."""


def test_a_bike_is_hired_once_or_given_back_whatever_is_killed(
    crash_matrix: Callable[..., Report],
) -> None:
    report = crash_matrix(
        DOMAIN,
        HIRES,
        provider=Desk,
        resources=open_resources,
        environment="SERVICE_URL",
        behaviours=["honours keys"],
        declines="charge",
        part=0.1,
    )
    assert report.ok, report
