"""An answer as the terminal shows it: Markdown, and every character of it that is text."""

from __future__ import annotations

from markdown_it import MarkdownIt
from rich.console import RenderableType
from rich.markdown import Markdown
from rich.text import Text

# A model may write a tool call as text. As HTML (`<function=...>`) and as a link reference
# (`[TOOL_CALLS]: ...`) Markdown would show nothing of it.
_PARSER = (
    MarkdownIt("commonmark", {"html": False})
    .enable(["strikethrough", "table"])
    .disable(["reference", "html_inline", "html_block"])
)


def render_answer(text: str) -> RenderableType:
    """Render an answer; what would show nothing as Markdown is shown as it is."""
    shown = Markdown(text, hyperlinks=False)
    shown.parsed = _PARSER.parse(text)
    parts = [token for block in shown.parsed for token in (block, *(block.children or ()))]
    return shown if any(token.content.strip() for token in parts) else Text(text)
