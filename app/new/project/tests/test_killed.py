"""Kill the agent at every moment of a hire, before a desk that fails; its record is the judge."""

from __future__ import annotations

from collections.abc import Callable

from daybook.testing import Report

from graph.app import open_resources
from graph.domain import DOMAIN
from service.desk import Desk

HIRES = {"hire red on 2031-05-06": [[("hire_bike", {"bike": "red", "day": "2031-05-06"})]]}
"""What a person says, and what the model decides on it."""


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
