"""Write a report as HTML: a part of the console's page, or one file that needs no network."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from daybook.app import console
from daybook.app.console.pages import templates_of, value
from daybook.app.grading.shown.report import COLUMNS, Report, judged_as

_FOLDER = Path(__file__).parent / "templates"

_TEMPLATES = templates_of(_FOLDER)
_TEMPLATES.filters["value"] = value
_TEMPLATES.globals |= {"columns": COLUMNS, "judged_as": judged_as}

STYLE = (_FOLDER / "report.css").read_text()
"""Of a report; it stands on the console's own stylesheet."""

_CONSOLE = Path(console.__file__).parent / "static" / "console.css"
# Read when the module is imported: a page must not wait for a disk.
_STYLES = Markup(f"{_CONSOLE.read_text()}\n{STYLE}")


def part(report: Report) -> Markup:
    """Write a report as what stands below a page's heading."""
    return Markup(_TEMPLATES.get_template("report.html").render(report=report))


def file(report: Report) -> str:
    """Write a report as one file."""
    return _TEMPLATES.get_template("file.html").render(
        report=report, body=part(report), styles=_STYLES
    )
