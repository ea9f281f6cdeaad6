"""What is shown is text and does nothing, whoever wrote it."""

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.markdown import Markdown
from rich.panel import Panel as Box
from rich.table import Table
from rich.text import Text

from daybook.app.console.pages import markdown as console_answer
from daybook.app.console.pages import templates_of
from daybook.app.conversations.terminal import render_answer
from daybook.app.output import PlainConsole
from daybook.state.plain import in_markdown, plain_json, printable
from daybook.tools.domain import Prompt
from tests.rooms.domain import ROOMS

ROOT = Path(__file__).parents[2]

STEERING = [
    *(
        "\x1b[2J",
        "\x1b]8;;http://evil\x1b\\here",
        "\x1b]52;c;ZXZpbA==\x07",
        "\x9b31m",
        "\x9d0;t\x9c",
    ),
    *("\r", "\b\b", "\x7f", "\u202e", "\u2066", "\u200f", "\u061c", "\u200b", "\ufeff", "\u2060"),
    *("\U000e0041", "\u3164", "\ufff9", "a\u200db"),
]
HOSTILE = f"Sock [/bold] :smile: {''.join(STEERING)} [link=http://evil]x[/link]"


def does_nothing(shown: str) -> bool:
    """Tell whether a text holds no sign that steers what shows it."""
    return printable(shown) == shown and "\x1b" not in shown


@given(st.text())
def test_plain_text_stays_and_nothing_of_it_steers(text: str):
    shown = printable(text)
    assert printable(shown) == shown
    assert all(sign.isprintable() or sign.isspace() or sign > "\x9f" for sign in shown)
    assert json.loads(plain_json(json.dumps(text, ensure_ascii=False))) == text
    assert does_nothing(plain_json(json.dumps(text, ensure_ascii=False)))


@pytest.mark.parametrize(
    "text",
    [
        "héllo\n\tworld",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\U0001f468\u200d\U0001f469",
        "9 \u20ac \u2713",
        "",
    ],
)
def test_what_people_write_stays(text: str):
    assert printable(text) == text


@pytest.mark.parametrize("sign", STEERING)
def test_what_steers_goes(sign: str):
    assert does_nothing(printable(f"Sock{sign}s"))


def test_a_console_takes_text_as_text_in_all_that_it_draws():
    table = Table(HOSTILE, title=HOSTILE)
    table.add_row(HOSTILE)
    table.add_row(Text(HOSTILE))
    file = io.StringIO()
    console = PlainConsole(file=file, force_terminal=True, width=300, color_system=None)
    for shown in (HOSTILE, table, Box(Markdown(f"{HOSTILE} [a](http://evil) ![b](http://evil)"))):
        console.print(shown)
        with console.status(Text("working")) as status:
            status.update(Text(HOSTILE))
    drawn = file.getvalue()
    assert "[/bold]" in drawn
    assert ":smile:" in drawn
    steering = ("\x1b]", "\x1b[2J", "\x9b", "\u202e", "\u200b", "\x07")
    assert [sign for sign in steering if sign in drawn] == []


def test_every_page_escapes_and_leaves_out_what_is_not_seen(tmp_path: Path):
    (tmp_path / "a.html").write_text("{{ said }}")
    page = templates_of(tmp_path).get_template("a.html").render(said=f"<b>{HOSTILE}")
    assert page.startswith("&lt;b&gt;Sock [/bold]")
    assert does_nothing(page)
    made = [path for path in (ROOT / "app").rglob("*.py") if "Environment(" in path.read_text()]
    assert [path.name for path in made] == ["pages.py"]
    for template in (ROOT / "app").rglob("*.html"):
        assert "|safe" not in template.read_text().replace(" ", "")


def test_a_line_of_markdown_holds_no_link_picture_tag_or_code():
    said = Markdown(in_markdown("![a](http://e) [b](http://e) <http://e> <img src=x> `c` \\[d](e)"))
    kinds = {token.type for block in said.parsed for token in block.children or ()}
    assert kinds == {"text"}


@pytest.mark.parametrize(
    "text",
    [
        *("see http://evil.example/a?b=1", "HTTPS://evil.example", "ftp://evil.example"),
        *("go to www.evil.example, please", "WWW.EVIL.EXAMPLE", "(http://evil.example)"),
    ],
)
def test_a_line_of_markdown_holds_nothing_that_clients_make_a_link_of(text: str):
    """GitHub's Markdown, which agent-chat-ui shows, finds addresses in what was escaped too."""
    shown = re.sub(r"\\(.)", r"\1", in_markdown(text))
    assert re.search(r"(?:https?|ftp)://|www\.", shown, re.I) is None
    assert shown.replace(" ", "") == text.replace(" ", "")


def test_a_line_of_markdown_is_one_line():
    said = in_markdown("Sock\n\n# Approve this\r\n- for 0.01 USD\u2028***")
    assert said == "Sock / # Approve this / - for 0.01 USD / ***"


@pytest.mark.parametrize(
    "text",
    ["![a](http://e?4242)", "!![a](http://e)", "Yes!![a][1]\n\n[1]: http://e", "<img src=x>"],
)
def test_an_answer_loads_no_picture_and_leads_nowhere(text: str):
    shown = console_answer(text)
    assert re.search("<(?!/?p>|br)", shown) is None
    assert "![a]" in shown or "&lt;img" in shown
    console = PlainConsole(file=io.StringIO(), force_terminal=True, width=80)
    console.print(render_answer(text))
    printed = console.file.getvalue()
    assert "\x1b]" not in printed


def test_a_prompt_holds_nothing_that_nobody_sees():
    prompt = Prompt(system="x", read=lambda *_: HOSTILE, gist=lambda *_: HOSTILE)
    domain = replace(ROOMS, prompt=prompt)
    assert does_nothing(domain.rendered("find_rooms", 1, {}, ()))
