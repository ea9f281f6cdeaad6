"""Every page of the console, light and dark, wide and narrow: pictures, axe, and what is covered."""

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe

from daybook.checkpoints.people.tokens import Sessions
from tests.apart.console.conftest import SHOTS, Desk
from tests.apart.console.histories import Histories
from tests.apart.console.test_browser import begins, begins_with_merchants, says
from tests.conftest import Shop

pytestmark = pytest.mark.asyncio(loop_scope="session")

SMALL = ("add BOOT-013", "check out")

WRONG_WITH = Path(__file__).with_name("looks.js").read_text()


async def wrong_with(page: Any, name: str, *, is_for_approvers: bool) -> list[str]:
    """Keep four pictures of a page, and say what is wrong with it."""
    found = []
    for width in (1280, 360):
        for scheme in ("light", "dark"):
            await page.emulate_media(color_scheme=scheme)
            await page.set_viewport_size({"width": width, "height": 800})
            await page.screenshot(path=SHOTS / f"{name}-{width}-{scheme}.png", full_page=True)
            height = await page.evaluate("document.documentElement.scrollHeight")
            await page.set_viewport_size({"width": width, "height": max(height, 800)})
            found += [
                f"{width} {scheme}: {one}"
                for one in await page.evaluate(WRONG_WITH, is_for_approvers)
            ]
            found += [
                f"{width} {scheme}: {one['id']} at {node['target']}: {node['failureSummary']}"
                for one in (await Axe().run(page)).response["violations"]
                if one["impact"] in ("serious", "critical")
                for node in one["nodes"]
            ]
    return found


# The first test: afterwards there are tokens.
async def test_a_server_without_tokens_looks_right_and_says_so(browser: Any, served: Any):
    desk = Desk(browser, served.url, {}, Sessions(None))
    async with desk.window() as page:
        await page.goto(f"{served.url}/console/")
        assert "Authentication is disabled" in await page.get_by_role("note").inner_text()
        assert await wrong_with(page, "sign-in-development", is_for_approvers=False) == []


class Scene(NamedTuple):
    """Let people sit down where something has happened: conversations by what they show."""

    desk: Desk
    threads: dict[str, str]

    def of(self, name: str, place: str) -> AbstractAsyncContextManager[Any]:
        """Yield a page on which somebody is signed in."""
        return self.desk.of(name, place.format(**self.threads))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def scene(
    browser: Any,
    served: Any,
    tokens: Any,
    beside: Any,
    shop_process: Any,
    open_for_all: Any,
    database: str,
) -> AsyncIterator[Scene]:
    """Let everything happen that pages show."""
    desk = Desk(browser, served.url, tokens, Sessions(beside.pool))
    with httpx.Client(base_url=shop_process.url, verify=False) as http:
        shop = Shop(shop_process.url, shop_process.smtp_url, http)
        open_for_all.use(database, shop)
        histories = Histories(open_for_all, shop)
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
        texts = {"large": ("add 9 BOOT-013", "check out", "check out"), "hal": SMALL}
        for name, said in texts.items():
            async with desk.of("hal", "threads") as page:
                threads[name] = await begins(page)
                for text in said:
                    await says(page, text)
                await page.locator(".question").wait_for()
        yield Scene(desk, threads)


class Look(NamedTuple):
    """One page: who looks at what, what is done there first, and whether approvers read it."""

    who: str
    place: str
    first: Callable[[Any], Awaitable[Any]] | None = None
    is_for_approvers: bool = True


async def opens_all(page: Any) -> None:
    """Open all that can be opened."""
    await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")


def selects(button: str) -> Callable[[Any], Awaitable[None]]:
    """Return what selects all of a list and presses a button."""

    async def first(page: Any) -> None:
        await page.get_by_label("Select all").check()
        await page.get_by_role("button", name=button).click()
        await page.get_by_role("heading", level=1).wait_for()

    return first


async def rejects_all(page: Any) -> None:
    """Answer several questions, and see what is said of it."""
    await selects("Reject selected")(page)
    await page.get_by_role("button", name="Reject all").click()
    await page.get_by_role("heading", name="answered").wait_for()


async def verifies(page: Any) -> None:
    """Verify the ledger."""
    await page.get_by_role("button", name="Verify").click()
    await page.get_by_role("status").wait_for()


async def chooses_the_charge(page: Any) -> None:
    """Open the record of a step, whole."""
    await page.locator("tbody.step", has_text="charge").get_by_role("link").first.click()
    await page.get_by_label("Record of charge").wait_for()
    await page.locator(".raw summary").click()


LOOKS = {
    "inbox": Look("cleo", "inbox"),
    "inbox-approval": Look("cleo", "inbox?open={large}"),
    "inbox-approval-open": Look("cleo", "inbox?open={large}", opens_all),
    "inbox-doubt": Look("cleo", "inbox?open={doubt}", opens_all),
    "inbox-filtered": Look("cleo", "inbox?customer=hal&from=1&open={hal}"),
    "inbox-nothing": Look("cleo", "inbox?customer=nobody"),
    "inbox-shortcuts": Look("cleo", "inbox", lambda page: page.keyboard.press("?")),
    "inbox-refused": Look("cleo", "inbox?from=many"),
    "inbox-customer": Look("hal", "inbox"),
    "inbox-empty": Look("olga", "inbox?kind=doubt&customer=hal"),
    "together": Look("cleo", "inbox?kind=approval", selects("Approve selected")),
    "together-doubt": Look("cleo", "inbox?kind=doubt", selects("Selected did not happen")),
    "threads": Look("cleo", "threads"),
    "threads-customer": Look("ada", "threads"),
    "threads-none": Look("cleo", "threads?named=nobody"),
    "threads-empty": Look("eve", "threads"),
    "thread-new": Look("ada", "threads/{new}"),
    "thread-question": Look("ada", "threads/{own}"),
    "thread-doubt": Look("ada", "threads/{doubt}"),
    "thread-done": Look("ada", "threads/{recovered}"),
    "thread-declined": Look("cleo", "threads/{declined}"),
    "thread-interrupted": Look("ada", "threads/{interrupted}"),
    "thread-large": Look("cleo", "threads/{large}"),
    "thread-merchants": Look("ada", "threads/{merchants}"),
    "progress": Look("cleo", "threads/{recovered}/progress"),
    "search": Look("cleo", "search?user=ada"),
    "search-nothing": Look("cleo", "search?product=umbrella"),
    "search-refused": Look("cleo", "search?from_amount=many"),
    "not-found": Look("ada", f"threads/{uuid.UUID(int=0)}/progress"),
    "no-access": Look("ada", "search"),
    "ledger": Look("olga", "threads/{recovered}/ledger", is_for_approvers=False),
    "ledger-record": Look("olga", "threads/{recovered}/ledger", chooses_the_charge, False),
    "ledger-doubt": Look("olga", "threads/{doubt}/ledger", opens_all, False),
    "ledger-declined": Look("olga", "threads/{declined}/ledger", opens_all, False),
    "verify": Look("olga", "verify", is_for_approvers=False),
    "verify-done": Look("olga", "verify", verifies, False),
    "together-done": Look("cleo", "inbox?kind=customers", rejects_all),
}


@pytest.mark.parametrize("name", LOOKS)
async def test_a_page_looks_right_and_axe_finds_nothing_serious(scene: Scene, name: str):
    look = LOOKS[name]
    async with scene.of(look.who, look.place) as page:
        if look.first is not None:
            await look.first(page)
        assert await wrong_with(page, name, is_for_approvers=look.is_for_approvers) == []


async def test_the_page_to_sign_in_looks_right(scene: Scene):
    async with scene.desk.window() as page:
        await page.goto(f"{scene.desk.url}/console/sign-in")
        await page.get_by_label("Token").fill("daybook_unknown")
        await page.get_by_role("button", name="Sign in").click()
        await page.get_by_role("alert").wait_for()
        assert await wrong_with(page, "sign-in", is_for_approvers=False) == []
