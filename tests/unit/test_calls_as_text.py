"""A tool call that a model writes as text is read as text, wherever an answer is shown."""

import html
import io
import re

import pytest

from daybook.app.console.pages import answer as console_answer
from daybook.app.conversations.terminal import Terminal
from daybook.app.output import PlainConsole

AS_IT_IS = [
    '<tool_call>{"name": "add_to_cart", "arguments": {"sku": "BOOT-013"}}</tool_call>',
    '<tool_call>\n{"name": "add_to_cart", "arguments": {"sku": "BOOT-013"}}\n</tool_call>',
    '<tools>\n{"name": "add_to_cart"}\n</tools>',
    "<function=add_to_cart><parameter=sku>BOOT-013</parameter></function>",
    '<invoke name="add_to_cart">\n<parameter name="sku">BOOT-013</parameter>\n</invoke>',
    '<|python_tag|>{"name": "add_to_cart", "parameters": {"sku": "BOOT-013"}}',
    '[TOOL_CALLS] [{"name": "add_to_cart", "arguments": {"sku": "BOOT-013"}}]',
    '[TOOL_CALLS]: [{"name":"add_to_cart"}]',
    '{"name": "add_to_cart", "parameters": {"sku": "BOOT-013"}}',
    '[add_to_cart(sku="BOOT-013")]',
    "<tool_call>",
    "<!-- add_to_cart -->",
    "```tool_call",
    "```\n```",
    "Sure!\n\n<function_call>\nadd_to_cart\n</function_call>",
]
IN_A_FENCE = ["```json\n{}\n```", "```tool_call\n{}", "```\n{}\n```"]
"""Of these the code is shown, in a block."""

CALL = '{"name": "add_to_cart"}'
WRITTEN = [
    *((text, text) for text in AS_IT_IS),
    *((fence.replace("{}", CALL), CALL) for fence in IN_A_FENCE),
]


def without_space(text: str) -> str:
    return re.sub(r"\s+", "", text)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    terminal = Terminal()
    terminal.interactive = True
    terminal._console = PlainConsole(file=io.StringIO(), width=200)
    return terminal


def printed(terminal: Terminal, text: str) -> str:
    terminal.say(text)
    file = terminal._console.file
    assert isinstance(file, io.StringIO)
    return re.sub(r"[╭╮╰╯│─]", "", file.getvalue())


@pytest.mark.parametrize(("text", "read"), WRITTEN)
def test_the_terminal_prints_all_of_it(terminal: Terminal, text: str, read: str):
    assert without_space(printed(terminal, text)) == without_space(read)


@pytest.mark.parametrize(("text", "read"), WRITTEN)
def test_the_console_shows_all_of_it(text: str, read: str):
    shown = str(console_answer(text))
    tags = set(re.findall(r"<(/?\w+)", shown))
    assert tags <= {"p", "/p", "br", "pre", "/pre", "code", "/code"}
    assert without_space(html.unescape(re.sub(r"<[^>]*>", "", shown))) == without_space(read)


def test_markdown_is_still_rendered(terminal: Terminal):
    shown = printed(terminal, "**Two** boots:\n\n- one\n- two\n\n| a | b |\n|---|---|\n| c | d |")
    assert "**" not in shown
    assert "•" in shown
    assert "|" not in shown
    assert "<strong>Two</strong>" in console_answer("**Two** boots")
