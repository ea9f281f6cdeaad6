"""The grade of a thread in the console: for staff, without a script, in any light and width."""

from typing import Any

import pytest

from tests.apart.console.conftest import Desk, keep
from tests.apart.console.histories import SPITEFUL, Histories

pytestmark = pytest.mark.asyncio(loop_scope="session")

PHONE: Any = {"width": 360, "height": 740}


async def test_staff_see_what_went_wrong_first_and_the_prompt_that_it_saw(
    desk: Desk, histories: Histories
):
    thread = await histories.said(SPITEFUL, "surprise me")
    async with desk.of("cleo", f"threads/{thread}", color_scheme="dark") as page:
        await page.get_by_role("link", name="Grade", exact=True).click()
        await page.get_by_role("heading", name="First wrong step").wait_for()
        first = page.locator("#first")
        assert "TENT-003" in await first.inner_text()
        assert "its digest is the one in the ledger" in await first.inner_text()
        assert SPITEFUL in await first.inner_text()
        assert await page.title() == f"Grade · {SPITEFUL} · Daybook"
        colour = "getComputedStyle(document.querySelector('.verdict.wrong')).backgroundColor"
        assert await page.evaluate(colour) != "rgba(0, 0, 0, 0)", "its own stylesheet is taken"
        await keep(page, "grade-dark")
    async with desk.of("cleo", f"threads/{thread}/grade", viewport=PHONE) as page:
        await page.get_by_role("heading", name="Every step").wait_for()
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        await keep(page, "grade-phone")
        async with page.expect_download() as downloading:
            await page.get_by_role("link", name="Download").click()
        assert (await downloading.value).suggested_filename == "grade.html"


async def test_customers_see_no_grade_not_even_of_their_own(desk: Desk, histories: Histories):
    thread = await histories.said("surprise me")
    async with desk.of("ada", f"threads/{thread}") as page:
        await page.get_by_role("link", name="Progress").wait_for()
        assert await page.get_by_role("link", name="Grade", exact=True).count() == 0
        answer = await page.goto(f"{desk.url}/console/threads/{thread}/grade")
        assert answer.status == 403
        assert "TENT-003" not in await page.content()
    async with desk.of("cleo", "threads/nowhere/grade") as page:
        assert "no such conversation" in await page.locator("main").inner_text()
