"""Every page of the console, light and dark, wide and narrow: pictures, axe, and what is covered."""

import uuid
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe

from daybook.checkpoints.people.tokens import Sessions
from tests.apart.console.conftest import SHOTS, Desk
from tests.apart.console.histories import Histories
from tests.apart.console.test_browser import begins, begins_with_merchants, says
from tests.conftest import Shop

pytestmark = pytest.mark.asyncio(loop_scope="session")

WRONG_WITH = Path(__file__).with_name("looks.js").read_text()


async def wrong_with(page: Any, name: str, *, is_for_approvers: bool) -> list[str]:
    """Keep four pictures of a page; say what is wrong with it, and what axe finds serious."""
    found = []
    for width in (1280, 360):
        for scheme in ("light", "dark"):
            await page.emulate_media(color_scheme=scheme)
            await page.set_viewport_size({"width": width, "height": 800})
            await page.screenshot(path=SHOTS / f"{name}-{width}-{scheme}.png", full_page=True)
            height = await page.evaluate("document.documentElement.scrollHeight")
            await page.set_viewport_size({"width": width, "height": max(height, 800)})
            wrong = await page.evaluate(WRONG_WITH, is_for_approvers)
            wrong += [
                f"{one['id']} at {node['target']}: {node['failureSummary']}"
                for one in (await Axe().run(page)).response["violations"]
                if one["impact"] in ("serious", "critical")
                for node in one["nodes"]
            ]
            found += [f"{name}, {width}, {scheme}: {one}" for one in wrong]
    return found


# The first test: afterwards there are tokens.
async def test_a_server_without_tokens_looks_right_and_says_so(browser: Any, served: Any):
    desk = Desk(browser, served.url, {}, Sessions(None))
    async with desk.window() as page:
        await page.goto(f"{served.url}/console/")
        assert "Authentication is disabled" in await page.get_by_role("note").inner_text()
        found = await wrong_with(page, "sign-in-development", is_for_approvers=False)
    assert not found, "\n".join(found)


async def happened(desk: Desk, shop: Shop, histories: Histories) -> dict[str, str]:
    """Let everything happen that pages show; return the conversations by what they show."""
    shop.product("BOOT-013", stock=50)
    threads = {
        "recovered": await histories.killed(),
        "declined": await histories.declined(),
        "doubt": await histories.in_doubt(),
        "another_doubt": await histories.in_doubt("ben"),
        "own": await histories.asked_to_buy(),
        "other": await histories.asked_to_buy("dan"),
        "interrupted": await histories.killed(),
    }
    async with desk.of("ada", f"threads/{threads['recovered']}") as page:
        await page.get_by_role("button", name="Continue").click()
        await page.locator(".told .state.done").wait_for()
        await page.goto(f"{desk.url}/console/threads")
        threads["new"] = await begins(page)
        await page.goto(f"{desk.url}/console/threads")
        await begins_with_merchants(page)
        await page.get_by_role("button", name="Approve").click()
        await page.locator(".panel.orders").get_by_role("link").wait_for()
        threads["merchants"] = str(page.url).rsplit("/", 1)[1].partition("?")[0]
    # A large one is asked about before it is put to an approver.
    for name, texts in (("large", ("add 9 BOOT-013", "check out")), ("small", ("add BOOT-013",))):
        async with desk.of("hal", "threads") as page:
            threads[name] = await begins(page)
            for text in (*texts, "check out"):
                await says(page, text)
            await page.locator(".question").wait_for()
    return threads


OPEN_ALL = "document.querySelectorAll('details').forEach((one) => { one.open = true })"


async def opens_all(page: Any) -> None:
    await page.evaluate(OPEN_ALL)


async def asks_for_keys(page: Any) -> None:
    await page.keyboard.press("?")


async def selects(page: Any, button: str = "Approve selected") -> None:
    await page.get_by_label("Select all").check()
    await page.get_by_role("button", name=button).click()
    await page.get_by_role("heading", name="questions").wait_for()


async def selects_doubts(page: Any) -> None:
    await selects(page, "Selected did not happen")


async def rejects_all(page: Any) -> None:
    await selects(page, "Reject selected")
    await page.get_by_role("button", name="Reject all").click()
    await page.get_by_role("heading", name="answered").wait_for()


async def verifies(page: Any) -> None:
    await page.get_by_role("button", name="Verify").click()
    await page.get_by_text("All hashes match").wait_for()


async def chooses_the_charge(page: Any) -> None:
    await page.locator("tbody.step", has_text="charge").get_by_role("link").first.click()
    await page.get_by_label("Record of charge").wait_for()
    await page.locator(".raw summary").click()


async def signs_in_wrongly(page: Any) -> None:
    await page.context.clear_cookies()
    await page.reload()
    await page.get_by_label("Token").fill("daybook_unknown")
    await page.get_by_role("button", name="Sign in").click()
    await page.get_by_role("alert").wait_for()


LOOKS: dict[str, tuple[Any, ...]] = {
    "inbox": ("cleo", "inbox"),
    "inbox-approval": ("cleo", "inbox?open={large}"),
    "inbox-approval-open": ("cleo", "inbox?open={large}", opens_all),
    "inbox-doubt": ("cleo", "inbox?open={doubt}", opens_all),
    "inbox-filtered": ("cleo", "inbox?customer=hal&from=1&open={small}"),
    "inbox-none": ("cleo", "inbox?customer=nobody"),
    "inbox-keys": ("cleo", "inbox", asks_for_keys),
    "inbox-refused": ("cleo", "inbox?from=many"),
    "inbox-customer": ("hal", "inbox"),
    "inbox-empty": ("eve", "inbox"),
    "together": ("cleo", "inbox?kind=approval", selects),
    "together-doubt": ("cleo", "inbox?kind=doubt", selects_doubts),
    "threads": ("cleo", "threads"),
    "threads-customer": ("ada", "threads"),
    "threads-none": ("cleo", "threads?named=nobody"),
    "threads-empty": ("eve", "threads"),
    "thread-new": ("ada", "threads/{new}"),
    "thread-question": ("ada", "threads/{own}"),
    "thread-doubt": ("ada", "threads/{doubt}"),
    "thread-done": ("ada", "threads/{recovered}"),
    "thread-declined": ("cleo", "threads/{declined}"),
    "thread-interrupted": ("ada", "threads/{interrupted}"),
    "thread-large": ("cleo", "threads/{large}"),
    "thread-merchants": ("ada", "threads/{merchants}"),
    "progress": ("cleo", "threads/{recovered}/progress"),
    "search": ("cleo", "search?user=ada"),
    "search-none": ("cleo", "search?product=umbrella"),
    "search-refused": ("cleo", "search?from_amount=many"),
    "not-found": ("ada", f"threads/{uuid.UUID(int=0)}/progress"),
    "no-access": ("ada", "search"),
    "together-done": ("cleo", "inbox?kind=customers", rejects_all),
}

FOR_ENGINEERS: dict[str, tuple[Any, ...]] = {
    "ledger": ("olga", "threads/{recovered}/ledger"),
    "ledger-record": ("olga", "threads/{recovered}/ledger", chooses_the_charge),
    "ledger-doubt": ("olga", "threads/{doubt}/ledger", opens_all),
    "ledger-declined": ("olga", "threads/{declined}/ledger", opens_all),
    "verify": ("olga", "verify", verifies),
    "sign-in": ("olga", "inbox", signs_in_wrongly),
}


async def test_every_page_looks_right_and_axe_finds_nothing_serious(
    desk: Desk, shop: Shop, histories: Histories
):
    threads, found = await happened(desk, shop, histories), []
    for name, (who, place, *first) in {**LOOKS, **FOR_ENGINEERS}.items():
        async with desk.of(who, place.format(**threads)) as page:
            for does in first:
                await does(page)
            found += await wrong_with(page, name, is_for_approvers=name in LOOKS)
    assert not found, "\n".join(found)
