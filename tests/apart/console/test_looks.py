"""How the console looks, in computed styles: zoom, colours, the field's words, several at once."""

import pytest

from tests.apart.console.conftest import Desk, keep
from tests.apart.console.histories import Histories
from tests.apart.console.test_browser import DESK, PHONE, begins, says
from tests.conftest import Shop
from tests.purchases import PURCHASE

pytestmark = pytest.mark.asyncio(loop_scope="session")

FAINT = """() => {
  const ink = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const drawn = (colour) => {
    ink.clearRect(0, 0, 1, 1); ink.fillStyle = colour; ink.fillRect(0, 0, 1, 1);
    return [...ink.getImageData(0, 0, 1, 1).data];
  };
  const light = (rgb) => rgb.slice(0, 3)
    .map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const paper = (one) => {
    for (; one; one = one.parentElement) {
      const behind = drawn(getComputedStyle(one).backgroundColor);
      if (behind[3] === 255) return behind;
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll("body *")].filter((one) => {
    const says = [...one.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!says || !one.getClientRects().length || one.closest("svg, .hidden, :disabled")) return false;
    const [text, behind] = [light(drawn(getComputedStyle(one).color)), light(paper(one))];
    return (Math.max(text, behind) + 0.05) / (Math.min(text, behind) + 0.05) < 4.5;
  }).map((one) => `${one.className}: ${one.textContent.trim().slice(0, 30)}`);
}"""
"""Returns what has less contrast than WCAG asks for (AA, 4.5 to 1)."""


async def test_title_and_field_say_what_fits_the_moment_and_what_is_typed_is_kept(
    desk: Desk, shop: Shop
):
    async with desk.of("ada", "threads") as page:
        await begins(page)
        field = page.get_by_label("Say something")

        async def fits(words: str) -> None:
            await page.locator(f"#text[placeholder*='{words}']").wait_for()

        await fits("For example: I need waterproof hiking boots")
        await says(page, "add BOOT-013")
        await fits("Say what you want next")
        await page.get_by_role("heading", name="add BOOT-013").wait_for()
        await says(page, "check out")
        await fits("Answer above, or say what to change")
        await page.get_by_role("heading", name="Swift River Waterproof Hiking Boot").wait_for()
        await field.fill("and when will it")
        await page.get_by_role("button", name="Approve").click()
        await page.locator(".orders", has_text="placed").wait_for()
        await fits("Say what you want next")
        assert await field.input_value() == "and when will it"


async def test_every_word_can_be_read_and_what_is_placed_is_no_warning(
    desk: Desk, shop: Shop, histories: Histories
):
    bought = await histories.sent_again()
    doubted = await histories.in_doubt()
    asked = await histories.asked_to_buy()
    threads = [f"threads/{one}" for one in (bought, doubted, asked)]
    staffs = ("inbox", "threads", "search", "verify", *threads)
    for name, places in (("ada", ("inbox", "threads", *threads)), ("cleo", staffs)):
        for light in ("light", "dark"):
            async with desk.of(name, "threads", color_scheme=light) as page:
                for place in places:
                    await page.goto(f"{desk.url}/console/{place}")
                    assert await page.evaluate(FAINT) == [], (place, light)
                await page.goto(f"{desk.url}/console/threads/{bought}")
                drawn = "getComputedStyle(document.querySelector('.orders .state')).color"
                named = """name => {
                    const one = document.body.appendChild(document.createElement("p"));
                    one.style.color = `var(${name})`;
                    return getComputedStyle(one).color;
                }"""
                placed = await page.evaluate(drawn)
                assert placed == await page.evaluate(named, "--done")
                assert placed != await page.evaluate(named, "--warn")


async def test_a_clerk_approves_several_at_once_after_seeing_the_sum(
    desk: Desk, shop: Shop, histories: Histories
):
    asked = [await histories.asked_to_buy(user) for user in ("ada", "hugo")]
    async with desk.of("cleo", "inbox?kind=approval") as page:
        for thread_id in asked:
            await page.locator(f"[name='chosen-{thread_id}']").check()
        # What is chosen is not drawn over by news.
        await page.evaluate("htmx.trigger('#list', 'sse:changed')")
        await page.locator("#news").wait_for()
        await keep(page, "inbox-chosen")
        await page.get_by_role("button", name="Approve chosen").click()
        await page.get_by_role("heading", name="Approve 2 questions: 197.80 USD in all?").wait_for()
        assert shop.effects() == []
        await keep(page, "together")
        await page.get_by_role("button", name="Approve all 2").click()
        for number in range(2):
            came = page.locator(".came").nth(number).get_by_text("98.90 USD charged")
            await came.wait_for()
        await keep(page, "together-done")
    assert sorted(shop.happened()) == sorted(PURCHASE * 2)


async def test_a_page_is_no_longer_than_what_it_shows(desk: Desk, shop: Shop):
    async with desk.of("ada", "threads") as page:
        await begins(page)
        for _ in range(3):
            await says(page, "find wool socks")
        below = (
            "document.documentElement.scrollHeight - document.querySelector('main').offsetHeight"
        )
        above = "document.querySelector('main').offsetTop"
        assert await page.evaluate(f"{below} - {above}") <= DESK["height"] / 10
        await page.set_viewport_size(PHONE)
        await page.reload()
        field = await page.get_by_label("Say something").bounding_box()
        assert field is not None
        assert field["y"] < 2 * PHONE["height"], "one need not scroll past all that was said"


async def test_what_is_refused_stands_beside_what_was_typed_and_takes_nothing_away(
    desk: Desk, shop: Shop
):
    async with desk.of("ada", "threads") as page:
        await begins(page)
        await says(page, "find wool socks")
        field = page.get_by_label("Say something")
        await field.evaluate("field => { field.maxLength = 1e6; field.value = 'x'.repeat(7e4) }")
        await page.get_by_role("button", name="Send").click()
        await page.locator("#refused", has_text="The form is larger than").wait_for()
        assert await page.locator(".turn").count() == 2
        assert len(await field.input_value()) == 70_000
        await keep(page, "refused")
        await field.fill("")
        await says(page, "find wool socks")
        assert await page.locator("#refused").inner_text() == ""


async def test_a_page_says_that_the_server_is_gone_and_keeps_what_was_typed(desk: Desk, shop: Shop):
    async with desk.of("ada", "threads") as page:
        await begins(page)
        await says(page, "find wool socks")
        lost = page.locator("#lost")
        assert not await lost.is_visible()
        await page.route("**/say", lambda route: route.abort())
        await page.get_by_label("Say something").fill("add the first one")
        await page.keyboard.press("Enter")
        await lost.wait_for()
        assert await page.get_by_label("Say something").input_value() == "add the first one"
        await keep(page, "lost")
        await page.unroute("**/say")
        await says(page, "add the first one")
        assert not await lost.is_visible()


async def test_a_timeline_that_was_opened_stays_open_when_it_is_drawn_again(
    desk: Desk, shop: Shop, histories: Histories
):
    thread_id = await histories.said("add BOOT-001", "check out", "check out")
    async with desk.of("cleo", f"threads/{thread_id}") as page:
        old = page.locator("details.drawn").last
        assert await old.get_attribute("open") is None
        await old.locator("summary").press("Enter")
        assert await old.get_attribute("open") is not None
        async with page.expect_response("**/ledger*"):
            await page.evaluate("htmx.trigger('#ledger', 'sse:changed')")
        await page.wait_for_function("document.querySelectorAll('details.drawn[open]').length == 2")


async def test_a_conversation_goes_on_without_scripts(desk: Desk, shop: Shop):
    async with desk.of("ada", "threads", java_script_enabled=False) as page:
        await begins(page)
        await page.get_by_label("Say something").fill("add BOOT-013")
        await page.get_by_role("button", name="Send").click()
        # The page looks again by itself while a run is under way.
        await page.locator(".turn.agent:not(.running)").wait_for()
        await page.get_by_label("Say something").fill("check out")
        await page.get_by_role("button", name="Send").click()
        await page.get_by_role("button", name="Approve").click()
        await page.locator(".orders", has_text="placed").wait_for()
    assert shop.happened() == PURCHASE
