"""The pytest plugin: `crash_matrix` and `fake_provider` as fixtures, and `--crash-junit FILE`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from daybook.testing import Provider, Report

_REPORTS = pytest.StashKey[list["Report"]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the file into which the cells of all matrices are written."""
    group = parser.getgroup("daybook")
    group.addoption("--crash-junit", type=Path, help="write the cells of crash matrices as JUnit")


@pytest.fixture
def crash_matrix(request: pytest.FixtureRequest) -> Callable[..., Report]:
    """Return `daybook.testing.crash_matrix`, whose table is shown when the tests are over."""

    def run(subject: Any, given: Any, **options: Any) -> Report:
        from daybook.testing import crash_matrix

        report = crash_matrix(subject, given, **options)
        request.config.stash.setdefault(_REPORTS, []).append(report)
        return report

    return run


@pytest.fixture
def fake_provider() -> Iterator[Provider]:
    """Yield a provider that is served in a thread; its address is its `url`."""
    from daybook.testing.http import serve
    from daybook.testing.provider import Provider

    provider = Provider()
    with serve({"provider": provider}) as url:
        provider.url = f"{url}/provider"
        yield provider
        provider.go_on.set()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Show the tables, and write the JUnit file."""
    reports = config.stash.get(_REPORTS, [])
    if not reports:
        return
    from daybook.testing.report import Report

    whole = Report([verdict for report in reports for verdict in report.verdicts])
    whole.show()
    if file := config.getoption("--crash-junit"):
        whole.junit(file)
