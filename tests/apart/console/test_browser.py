"""The console as people use it: a real Chromium, a real server, a real shop and a merchant."""

import re
from typing import Any

import httpx
import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from tests.apart.console.conftest import Desk
from tests.apart.console.histories import SPITEFUL, Histories
from tests.conftest import Shop
from tests.merchants.stranger import Asked, Said, Stranger, said
from tests.purchases import PURCHASE, orders

pytestmark = pytest.mark.asyncio(loop_scope="session")

PHONE: Any = {"width": 360, "height": 740}


async def says(page: Any, text: str) -> None:
    """Say something and wait until it was answered."""
    answers = page.locator(".turn.agent:not(.running)")
    before = await answers.count()
    await page.get_by_label("Message").fill(text)
    await page.keyboard.press("Enter")
    await answers.nth(before).or_(page.locator(".question")).first.wait_for()
    await page.locator(".turn.running").wait_for(state="detached")


async def begins(page: Any) -> str:
    """Open a new conversation and return its id."""
    await page.get_by_role("button", name="New conversation").click()
    await page.get_by_label("Message").wait_for()
    return str(page.url).rsplit("/", 1)[1]


async def decision_of(beside: Postgres, thread_id: str) -> Entry:
    """Return the first decision of a thread."""
    entries = await beside.ledger.entries(thread_id)
    return next(entry for entry in entries if entry.event is Event.DECISION)


async def test_a_token_signs_in_until_one_signs_out(desk: Desk):
    async with desk.window() as page:
        await page.goto(f"{desk.url}/console/inbox")
        await page.get_by_label("Token").fill("daybook_nobody_nothing")
        await page.get_by_role("button", name="Sign in").click()
        assert "not valid" in await page.get_by_role("alert").inner_text()
        assert await page.locator(".development").count() == 0
    async with desk.window() as page:
        await page.goto(f"{desk.url}/console/")
        await page.get_by_label("Token").fill(desk.tokens["cleo"])
        await page.keyboard.press("Enter")
        await page.get_by_role("heading", name="Inbox").wait_for()
        cookies = {one["name"]: one for one in await page.context.cookies()}
        for name in ("daybook_session", "daybook_form"):
            assert cookies[name]["httpOnly"]
            assert (cookies[name]["sameSite"], cookies[name]["path"]) == ("Strict", "/console")
        await page.get_by_role("button", name="Sign out").click()
        await page.wait_for_url("**/console/sign-in")
        await page.goto(f"{desk.url}/console/search")
        assert page.url.endswith("/console/sign-in")


async def test_a_purchase_is_talked_over_approved_and_done_by_keyboard_alone(
    desk: Desk, shop: Shop, beside: Postgres
):
    async with desk.of("ada", "threads") as page:
        thread_id = await begins(page)
        await page.keyboard.press("Tab")
        assert await page.evaluate("document.activeElement.className") == "skip"
        await says(page, "add BOOT-013")
        await says(page, "check out")
        asked = page.locator(".question").get_by_role("heading")
        assert await asked.inner_text() == "Check out for 131.90 USD"
        assert shop.effects() == []
        approve = page.get_by_role("button", name="Approve")
        for _ in range(60):
            if await approve.evaluate("button => button === document.activeElement"):
                break
            await page.keyboard.press("Shift+Tab")
        await page.keyboard.press("Enter")
        await page.get_by_text("Your order is placed").wait_for()
        # The answer may stand there before the rest of the page was drawn anew.
        await page.locator(".flow [aria-current]", has_text="ordered").wait_for()
        await page.locator(".orders", has_text="placed").wait_for()
        await page.locator(".told .state.done").wait_for()
    assert shop.happened() == PURCHASE
    decision = await decision_of(beside, thread_id)
    assert (decision.author, decision.role) == ("ada", "customer")


async def test_progress_and_answer_are_streamed_as_they_come_and_a_refusal_is_said(
    desk: Desk, shop: Shop
):
    async def told(page: Any, text: str) -> dict[str, str]:
        token = await page.locator("input[name=form_token]").first.input_value()
        begun = await page.request.post(
            f"{page.url}/say",
            form={"form_token": token, "text": text},
            headers={"hx-request": "true"},
        )
        [stream] = re.findall(r'sse-connect="([^"]+)"', await begun.text())
        events = await (await page.request.get(f"{desk.url}{stream}")).text()
        return dict(re.findall(r"event: (\w+)\r?\ndata: (.+)", events))

    async with desk.of("ada", "threads") as page:
        await begins(page)
        found = await told(page, "find wool socks")
        assert list(found) == ["progress", "answer", "over"]
        assert "products for" in found["answer"]
        empty = await told(page, " ")
        assert list(empty) == ["refusal", "over"]
        assert "The message is empty" in empty["refusal"]


async def test_a_clerk_decides_what_waits_and_a_late_answer_changes_nothing(
    desk: Desk, shop: Shop, histories: Histories, beside: Postgres
):
    rejected, edited = await histories.asked_to_buy(), await histories.asked_to_buy("dan")

    def opened(thread_id: str) -> str:
        return f"{desk.url}/console/inbox?kind=customers&open={thread_id}"

    async with desk.of("cleo", "inbox") as page, desk.of("olga", "verify") as late:
        # Her page is not told of what happens meanwhile.
        await late.route("**/inbox/live*", lambda route: route.abort())
        await late.goto(opened(rejected))
        await page.goto(opened(rejected))
        question = page.locator(f"form.question[action*='{rejected}']")
        await question.get_by_text("Change or reply").click()
        await question.get_by_label("Reason for rejecting, or what to do instead").fill(
            "Not today."
        )
        await question.get_by_role("button", name="Reject").click()
        await page.locator(".answered .outcome .text").wait_for()

        await page.goto(opened(edited))
        question = page.locator(f"form.question[action*='{edited}']")
        await question.get_by_text("Change or reply").click()
        cards = question.locator("select[name=arg-0-card_id]")
        assert await cards.locator("option").all_inner_texts() == [
            "visa ending in 0002",
            "mastercard ending in 5100",
        ]
        await cards.select_option("mastercard ending in 5100")
        await question.get_by_role("button", name="Approve with these changes").click()
        await page.locator(".answered .outcome", has_text="charged to card_dan_2").wait_for()

        old = late.locator(f"form.question[action*='{rejected}']")
        await old.get_by_role("button", name="Approve").click()
        await late.get_by_text("This question is closed").wait_for()
    assert shop.happened() == PURCHASE
    assert len(orders(shop, "dan")) == 1
    no, changed = await decision_of(beside, rejected), await decision_of(beside, edited)
    assert {(one.author, one.role) for one in (no, changed)} == {("cleo", "clerk")}
    assert (no.detail["decisions"], changed.detail["decisions"]) == (["rejected"], ["edited"])
    assert no.payload is not None
    assert no.payload["told"] == {"0": "Not today."}


async def test_a_doubt_is_shown_with_its_evidence_and_settled_by_a_persons_word(
    desk: Desk, shop: Shop, histories: Histories, beside: Postgres
):
    thread_id = await histories.in_doubt()
    async with desk.of("cleo", f"inbox?open={thread_id}") as page:
        question = page.locator(f"form.question[action*='{thread_id}']")
        asked = question.get_by_role("heading", name="It is not known whether")
        assert 'the mail "Hello" was sent' in await asked.inner_text()
        assert "As you asked." in await question.inner_text()
        # No answer is the default one: none is chosen, and Enter sends none.
        assert await question.locator("input:checked").count() == 0
        await question.get_by_label("Reference number").fill("MAIL-1")
        await page.keyboard.press("Enter")
        await question.get_by_role("button", name="Send answer").click()
        assert await question.is_visible()
        await question.get_by_role("radio", name="It happened").check()
        await question.get_by_role("button", name="Send answer").click()
        await page.locator(".answered .outcome .text").wait_for()
    said = [e for e in await beside.ledger.entries(thread_id) if e.event is Event.HAPPENED]
    assert [(e.author, e.role) for e in said] == [("cleo", "clerk")]
    assert shop.happened() == ["mail"]


async def asked_of_hal(desk: Desk) -> str:
    """Let somebody ask for what takes a clerk; return the thread."""
    async with desk.of("hal", "threads") as page:
        thread_id = await begins(page)
        await says(page, "add BOOT-013")
        await says(page, "check out")
        await page.locator(".question").wait_for()
    return thread_id


SPY = """
window.shown = [];
window.Notification = class { static permission = "granted"; static requestPermission = async () => "granted";
  constructor(title, about) { window.shown.push(about.body); } };
Object.defineProperty(document, "hidden", { get: () => window.isAway === true });
"""


async def test_the_inbox_is_worked_through_by_keys_that_send_nothing(
    desk: Desk, shop: Shop, histories: Histories
):
    first, second = await asked_of_hal(desk), await asked_of_hal(desk)
    doubted, own = await histories.in_doubt(), await histories.asked_to_buy()
    async with desk.of("hal", "inbox") as page:
        await page.locator("form.question").first.wait_for()
    async with desk.of("cleo", "inbox") as page:
        rows = page.locator("#list .row")
        waiting = await rows.count()
        assert await page.title() == f"({waiting}) Inbox \N{MIDDLE DOT} Daybook"
        assert await page.locator(f"#row-{own}").count() == 0

        async def focused() -> str:
            return str(await page.evaluate("document.activeElement.id"))

        await page.keyboard.press("j")
        top = await focused()
        await page.keyboard.press("ArrowDown")
        assert await focused() != top
        await page.keyboard.press("k")
        assert await focused() == top
        await page.keyboard.press("x")
        assert await page.locator("#list .choose input:checked").count() == 1
        await page.keyboard.press("?")
        await page.locator("dialog[open]").wait_for()
        await page.keyboard.press("Escape")
        while await focused() != f"row-{second}":
            await page.keyboard.press("j")
        await page.keyboard.press("o")
        card = page.locator(f"form.question[action*='{second}']")
        await card.wait_for()
        assert f"open={second}" in page.url
        assert await page.locator("#list .choose input:checked").count() == 1, "it stays chosen"
        for key, button in (("a", "Approve"), ("r", "Reject")):
            await page.keyboard.press(key)
            assert await page.evaluate("document.activeElement.textContent") == button
        await card.get_by_text("Change or reply").click()
        typed = card.get_by_label("Reason for rejecting, or what to do instead")
        await typed.fill("")
        await typed.press_sequentially("jar?")
        assert await typed.input_value() == "jar?"
        await typed.fill("")

        # Filters stay in the address, and through an opened card.
        await page.locator(".filters summary").click()
        await page.get_by_label("Customer").fill("hal")
        await page.get_by_role("button", name="Apply").click()
        await page.locator(f"#row-{first}").click()
        await page.locator(f"form.question[action*='{first}']").wait_for()
        assert "customer=hal" in page.url
        await page.locator(f"#row-{doubted}").wait_for(state="detached")
        assert shop.happened() == ["mail"], "no key sends anything"


async def test_a_hidden_inbox_counts_what_waits_in_its_title_and_notifies(desk: Desk, shop: Shop):
    async with desk.of("cleo", "threads") as page:
        await page.add_init_script(SPY)
        await page.goto(f"{desk.url}/console/inbox")
        before = await page.locator("#list .row").count()
        await page.evaluate("window.isAway = true")
        thread_id = await asked_of_hal(desk)
        await page.locator(f"#row-{thread_id}").wait_for()
        await page.wait_for_function("window.shown.length > 0")
        assert await page.evaluate("window.shown") == [f"Open questions: {before + 1}"]
        assert (await page.title()).startswith(f"({before + 1}) ")
    async with desk.of("cleo", "inbox") as page:
        ask = page.get_by_role("button", name="Turn on notifications")
        if await page.evaluate("Notification.permission") == "default":
            await page.context.grant_permissions(["notifications"], origin=desk.url)
            await ask.click()
            await ask.wait_for(state="hidden")


async def test_a_purchase_that_was_killed_goes_on_and_its_timeline_shows_crash_and_probe(
    desk: Desk, shop: Shop, histories: Histories
):
    thread_id = await histories.killed()
    assert shop.happened() == ["reserve", "charge"]
    async with desk.of("ada", f"threads/{thread_id}") as page:
        await page.get_by_role("button", name="Continue").click()
        await page.locator(".told .state.done").wait_for()
        assert shop.happened() == PURCHASE
    async with desk.of("cleo", f"threads/{thread_id}/ledger") as page:
        await page.locator(".timeline .state.done").first.wait_for()
        assert "1 crash" in await page.locator(".glance").inner_text()
        assert "1 lookup" in await page.locator(".glance").inner_text()
        charge = page.locator("tbody.step", has_text="charge")
        assert await charge.locator(".mark.crash").count() == 1
        assert await charge.locator(".mark.probe").count() == 1
        await charge.get_by_role("link").press("Enter")
        record = page.get_by_label("Record of charge")
        await record.wait_for()
        await record.get_by_text("Arguments, results and").click()
        shown = await record.inner_text()
        assert "charge_payment" in shown
        assert "98.90 USD" in shown
        assert [line for line in shown.split("\n") if "found" in line]


async def test_what_people_write_is_shown_as_text(desk: Desk, shop: Shop, histories: Histories):
    thread_id = await histories.said(SPITEFUL)
    async with desk.of("olga", f"threads/{thread_id}") as page:
        said = await page.locator(".turn .bubble").all_inner_texts()
        assert SPITEFUL in said
        assert await page.title() == f"{SPITEFUL} \N{MIDDLE DOT} Daybook"


async def test_a_form_that_another_site_sends_is_refused(
    desk: Desk, shop: Shop, histories: Histories, beside: Postgres
):
    thread_id = await histories.asked_to_buy("ada")
    before = await beside.ledger.entries(thread_id)
    question = before[-1].plan_id or ""
    async with desk.of("ada", "threads") as page:
        token = await page.locator("input[name=form_token]").first.input_value()
        cookies = {one["name"]: one["value"] for one in await page.context.cookies()}
    fields = {"decision-0": "approve", "approval_id": question}
    forged = [
        ({}, fields),
        ({}, {**fields, "form_token": "0" * 64}),
        ({"origin": "https://evil.example.com"}, {**fields, "form_token": token}),
        ({"sec-fetch-site": "cross-site"}, {**fields, "form_token": token}),
    ]
    async with httpx.AsyncClient(base_url=desk.url, cookies=cookies) as http:
        for headers, form in forged:
            place = f"/console/threads/{thread_id}/answer"
            response = await http.post(place, data=form, headers=headers)
            assert response.status_code == 403, (headers, form)
            assert response.headers["x-frame-options"] == "DENY"
            assert "script-src 'self'" in response.headers["content-security-policy"]
    assert await beside.ledger.entries(thread_id) == before
    assert shop.effects() == []


async def test_a_conversation_goes_on_without_scripts(desk: Desk, shop: Shop):
    async with desk.of("ada", "threads", java_script_enabled=False) as page:
        await begins(page)
        await page.get_by_label("Message").fill("add BOOT-013")
        await page.get_by_role("button", name="Send").click()
        # The page looks again by itself while a run is under way.
        await page.locator(".turn.agent:not(.running)").wait_for()
        await page.get_by_label("Message").fill("check out")
        await page.get_by_role("button", name="Send").click()
        await page.get_by_role("button", name="Approve").click()
        await page.locator(".orders", has_text="placed").wait_for()
    assert shop.happened() == PURCHASE


async def begins_with_merchants(page: Any) -> None:
    """Open a new conversation with merchants, and bring it to the question."""
    await page.get_by_role("button", name="New with merchants").click()
    await says(page, "find a boot")
    await says(page, "add the first one")
    await says(page, "check out")


async def test_what_is_bought_of_a_merchant_is_approved_and_shown_at_the_console(
    desk: Desk, merchant: Stranger
):
    before = len(merchant.of("complete"))
    async with desk.of("ada", "threads") as page:
        await begins_with_merchants(page)
        await page.get_by_role("heading", name=f"Checkout at {merchant.name}").wait_for()
        await page.get_by_role("button", name="Approve").click()
        order = page.locator(".panel.orders")
        await order.get_by_role("link").wait_for()
        assert merchant.name in await order.inner_text()
        await page.locator(".turn.running").wait_for(state="detached")
        await page.goto(f"{desk.url}/console/threads")
        listed = page.locator("tbody tr").first
        assert f"Trail Boot at {merchant.name}" in await listed.inner_text()
        assert await listed.locator(".state").inner_text() == "done"
    assert len(merchant.of("complete")) == before + 1


async def test_a_merchant_hands_over_to_its_own_page_which_the_console_leads_to(
    desk: Desk, merchant: Stranger
):
    async def escalated(asked: Asked) -> Said:
        session = merchant.sessions[asked.path.strip("/").split("/")[-2]]
        page = f"{merchant.url}/go/{session['id']}"
        session |= {"status": "requires_escalation", "continue_url": page}
        return said(session)

    async with desk.of("ada", "threads", viewport=PHONE, color_scheme="dark") as page:
        await begins_with_merchants(page)
        merchant.does("complete", escalated)
        await page.get_by_role("button", name="Approve").click()
        link = page.get_by_role("link", name="Continue on its page")
        await link.wait_for()
        assert str(await link.get_attribute("href")).startswith(f"{merchant.url}/go/")
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


async def test_the_inbox_says_that_somebody_looks_at_it_only_where_it_can_be_seen(desk: Desk):
    told: list[str] = []
    async with desk.of("cleo", "threads") as page:
        page.on(
            "request",
            lambda one: told.append(one.url.rsplit("/", 1)[1]) if one.method == "POST" else None,
        )
        await page.add_init_script(
            "let away = true; Object.defineProperty(document, 'hidden', {get: () => away});"
            "window.look = (is) => { away = is; document.dispatchEvent(new Event('visibilitychange')) }"
        )
        await page.goto(f"{desk.url}/console/inbox")
        await page.get_by_role("heading", name="Inbox").wait_for()
        await page.evaluate("look(true)")
        assert told == []
        async with page.expect_response("**/inbox/here") as answer:
            await page.evaluate("look(false)")
        assert ((await answer.value).status, told) == (204, ["here"])
