"""The console's page of a thread's grade, registered as an entry point."""

from __future__ import annotations

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from daybook.app.console import house
from daybook.app.console.added import Page
from daybook.app.grading.report import html
from daybook.app.grading.report.summary import report_of


async def grade_page(request: Request, thread_id: str) -> Markup | Response:
    """Return the grade of a thread; as a file where `download` is asked for."""
    domain = await house.domain_of(thread_id)
    report = await report_of(house.postgres(), domain, thread_id)
    if "download" in request.query_params:
        about = {"content-disposition": 'attachment; filename="grade.html"'}
        return Response(html.file(report), media_type="text/html", headers=about)
    link = Markup('<p class="soft"><a href="?download">Download it as a file</a></p>')
    return html.part(report) + link


GRADE = Page(title="Grade", shows=grade_page, style=html.STYLE)
