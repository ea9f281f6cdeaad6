"""Render a report as HTML: a part of the console's page, or one file that needs no network."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from daybook.app import console
from daybook.app.console.pages import templates_of, value
from daybook.app.grading.report.summary import Report
from daybook.app.grading.verdict import COLUMNS, verdict_name

_FOLDER = Path(__file__).parent / "templates"

_TEMPLATES = templates_of(_FOLDER)
_TEMPLATES.filters["value"] = value
_TEMPLATES.globals |= {"columns": COLUMNS, "verdict_name": verdict_name}

STYLE = (_FOLDER / "report.css").read_text()
"""Styles of a report, on top of the console's stylesheet."""

_CONSOLE = Path(console.__file__).parent / "static" / "console.css"
# Read at import: a request must not wait for a disk.
_STYLES = Markup(f"{_CONSOLE.read_text()}\n{STYLE}")


def part(report: Report) -> Markup:
    """Return a report as the part below a page's heading."""
    return Markup(_TEMPLATES.get_template("report.html").render(report=report))


def file(report: Report) -> str:
    """Return a report as one HTML file."""
    return _TEMPLATES.get_template("file.html").render(
        report=report, body=part(report), styles=_STYLES
    )
