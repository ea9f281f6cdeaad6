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


VARIANTS = [(width, scheme) for width in (1280, 360) for scheme in ("light", "dark")]


async def wrong_with(page: Any, name: str, *, is_for_approvers: bool) -> list[str]:
    """Keep four pictures of a page; say what is wrong with it, and what axe finds serious."""
    found = []
    for width, scheme in VARIANTS:
        await page.emulate_media(color_scheme=scheme)
        await page.set_viewport_size({"width": width, "height": 800})
        await page.screenshot(path=SHOTS / f"{name}-{width}-{scheme}.png", full_page=True)
    await page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    for width, scheme in VARIANTS:
        await page.emulate_media(color_scheme=scheme)
        await page.set_viewport_size({"width": width, "height": 800})
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


ALL, ASKED = "checkbox Select all", "heading questions"
REJECTED = (ALL, "button Reject selected", "button Reject all", "heading answered")

# Who looks at which page, and what is clicked there first: a role, and a name.
LOOKS: dict[str, tuple[str, ...]] = {
    "inbox": ("cleo", "inbox"),
    "inbox-approval": ("cleo", "inbox?open={large}"),
    "inbox-doubt": ("cleo", "inbox?open={doubt}"),
    "inbox-filtered": ("cleo", "inbox?customer=hal&from=1&open={small}"),
    "inbox-none": ("cleo", "inbox?customer=nobody"),
    "inbox-keys": ("cleo", "inbox", "button Keyboard shortcuts"),
    "inbox-refused": ("cleo", "inbox?from=many"),
    "inbox-customer": ("hal", "inbox"),
    "inbox-empty": ("eve", "inbox"),
    "together": ("cleo", "inbox?kind=approval", ALL, "button Approve selected", ASKED),
    "together-doubt": ("cleo", "inbox?kind=doubt", ALL, "button Mark as not", ASKED),
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
    "together-done": ("cleo", "inbox?kind=customers", *REJECTED),
}

FOR_ENGINEERS: dict[str, tuple[str, ...]] = {
    "ledger": ("olga", "threads/{recovered}/ledger"),
    "ledger-record": ("olga", "threads/{recovered}/ledger", "link charge", "heading Charge"),
    "ledger-doubt": ("olga", "threads/{doubt}/ledger"),
    "ledger-declined": ("olga", "threads/{declined}/ledger"),
    "grade": ("olga", "threads/{recovered}/grade"),
    "verify": ("olga", "verify", "button Verify", "status"),
    "sign-in": ("olga", "inbox", "button Sign out", "heading Sign in"),
}


async def test_every_page_looks_right_and_axe_finds_nothing_serious(
    desk: Desk, shop: Shop, histories: Histories
):
    threads, found = await happened(desk, shop, histories), []
    for name, (who, place, *clicks) in {**LOOKS, **FOR_ENGINEERS}.items():
        async with desk.of(who, place.format(**threads)) as page:
            for what in clicks:
                role, _, named = what.partition(" ")
                await page.get_by_role(role, name=named or None).first.click()
            found += await wrong_with(page, name, is_for_approvers=name in LOOKS)
    assert not found, "\n".join(found)
