"""Render the pages: templates, and the formats of money, times and values."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from jinja2 import DictLoader, Environment, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from daybook.state.clock import SYSTEM
from daybook.state.money import CENTS, Money, in_units
from daybook.state.plain import printable

_FOLDER = Path(__file__).parent / "templates"


def templates_of(folder: Path) -> Environment:
    """Read the templates of a folder."""
    return Environment(
        loader=DictLoader({path.name: path.read_text() for path in folder.glob("*.html")}),
        autoescape=True,
        finalize=_seen,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def _seen(thing: Any) -> Any:
    """Leave of a value what is seen, before it is escaped."""
    if isinstance(thing, Markup):
        return Markup(printable(thing))
    return printable(thing) if isinstance(thing, str) else thing


# Read when the module is imported: a page must not wait for a disk, nor block the server's loop.
_TEMPLATES = templates_of(_FOLDER)

_MARKDOWN = MarkdownIt("commonmark", {"html": False, "breaks": True}).disable(
    ["link", "image", "autolink", "reference", "html_inline", "html_block", "heading", "lheading"]
)


def page(request: Request, name: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Render a template for whoever is signed in."""
    return HTMLResponse(rendered(request, name, **values), status)


def rendered(request: Request, name: str, **values: Any) -> str:
    """Render a template to text; htmx asks for parts of a page, browsers for all of it."""
    about = {
        "person": getattr(request.state, "person", None),
        "form_token": getattr(request.state, "form_token", ""),
        "development": getattr(request.state, "development", False),
        "path": request.url.path,
        "request": request,
    }
    return _TEMPLATES.get_template(name).render({**about, **values})


def is_part(request: Request) -> bool:
    """Tell whether htmx asks for a part of a page."""
    return request.headers.get("hx-request") == "true"


class Refused(Exception):
    """Something cannot be done; raised by a page, and told by the guard that stands before it."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.sentence, self.status = sentence, status


def refused(request: Request, sentence: str, status: int) -> HTMLResponse:
    """Say in a sentence why something cannot be done; nothing was done."""
    name = "sentence.html" if is_part(request) else "refused.html"
    return HTMLResponse(rendered(request, name, status=status, sentence=sentence), status)


def thread_url(thread_id: str) -> str:
    """Return where a thread's page is; its name may hold any character but a slash."""
    return f"/console/threads/{quote(thread_id, safe='')}"


def markdown(text: str) -> Markup:
    """Write what the agent says: emphasis and lists, and nothing that leads elsewhere.

    What would show nothing as Markdown (an opened code block) is written as it is.
    """
    shown = Markup(_MARKDOWN.render(text))
    return shown if shown.striptags() else Markup("<p>{}</p>").format(text)


def _time(at: datetime, words: str, how: str = "") -> Markup:
    """Write an instant in relative words, with UTC on hover; console.js keeps `how` current."""
    utc = at.astimezone(UTC)
    exact = utc.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    html = Markup('<time datetime="{}" title="{}" data-how="{}">{}</time>')
    return html.format(exact, exact_time(at), how, words)


def exact_time(at: datetime) -> str:
    """Write an instant in UTC, for what is looked up elsewhere."""
    return at.astimezone(UTC).strftime("%d %b %Y, %H:%M:%S UTC")


def age(at: datetime) -> Markup:
    """Write how long ago an instant is, or how long until it is: in one unit."""
    apart = SYSTEM.now() - at
    seconds = apart.total_seconds()
    if abs(seconds) < 5:
        return _time(at, "just now", "age")
    return _time(at, f"{roughly(apart)} ago" if seconds > 0 else f"in {roughly(-apart)}", "age")


def since(at: datetime) -> Markup:
    """Write how long something has waited."""
    return _time(at, roughly(max(SYSTEM.now() - at, timedelta())), "since")


def offset(at: datetime, begin: datetime) -> Markup:
    """Write an instant of a timeline: how long after its beginning."""
    return _time(at, f"+{max(at - begin, timedelta()).total_seconds():,.3f} s")


_UNITS = (("second", 1, 60), ("minute", 60, 5_400), ("hour", 3_600, 48 * 3_600))
"""Each with its seconds, and below how many seconds it is used; console.js has the same."""


def roughly(lasted: timedelta) -> str:
    """Write how long something lasts, in the largest unit that says enough."""
    seconds = lasted.total_seconds()
    fits = ((name, length) for name, length, below in _UNITS if seconds < below)
    name, length = next(fits, ("day", 86_400))
    count = round(seconds / length)
    return f"{count:,} {name}{'' if count == 1 else 's'}"


_THOUSANDS = re.compile(r"(?<![\w.,])(?<!\w-)\d{4,}(?=\.\d\d\b|(?:\.\d+)? [A-Z]{3}\b)")


def grouped(text: str) -> str:
    """Write amounts of money in a text with separators of thousands."""
    return _THOUSANDS.sub(lambda found: f"{int(found[0]):,}", text)


def amount(money: Money) -> str:
    """Write money with separators of thousands."""
    return grouped(str(money))


def duration(lasted: timedelta) -> str:
    """Write how long something lasted, for engineers: to the millisecond."""
    return f"{lasted.total_seconds():,.3f} s"


def value(thing: Any) -> str:
    """Write a value of an argument: text as it is, everything else as JSON."""
    return thing if isinstance(thing, str) else json.dumps(thing, ensure_ascii=False, default=str)


def argument(
    name: str, thing: Any, args: Mapping[str, Any], money: Sequence[str] | None = None
) -> str:
    """Write an argument; what is cents is written in units.

    Args:
        money: which argument of a call is declared to be, and which its currency; None for what was
            observed or returned, where names say so.
    """
    cents, code = money or ("", "currency")
    is_cents = name == cents if money is not None else name in CENTS
    if isinstance(thing, int) and not isinstance(thing, bool) and is_cents:
        currency = str(args.get(code, code if money else ""))
        return grouped(f"{in_units(thing, currency)} {currency}".rstrip())
    return value(thing)


def host(url: str) -> str:
    """Return whose page a link leads to; "" for what is no page."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return parts.netloc if parts.scheme in ("http", "https") and parts.hostname else ""


def label(name: str) -> str:
    """Write a name of the code in words."""
    return name.replace("_", " ")


def sentence(text: str) -> str:
    """Write a reason as a sentence."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else ""


_STATES = {
    "unknown": "no answer yet",
    "in_doubt": "in doubt",
    "negative": "no effect",
    "void": "not sent",
    "intended": "recorded",
    "stuck": "needs review",
    "undoing": "rolling back",
    "undone": "rolled back",
}


def state(name: str) -> str:
    """Write a step's state in words."""
    return _STATES.get(name, name)


_TEMPLATES.filters |= {
    "age": age,
    "amount": amount,
    "markdown": markdown,
    "exact": exact_time,
    "grouped": grouped,
    "host": host,
    "instant": datetime.fromisoformat,
    "lasted": duration,
    "offset": offset,
    "sentence": sentence,
    "since": since,
    "state": state,
    "value": value,
    "label": label,
}
_TEMPLATES.globals |= {"argument": argument, "thread_url": thread_url}
