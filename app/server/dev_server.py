"""Serve the graph with `langgraph dev`, after checks of what would make it fail."""

from __future__ import annotations

import json
import os
import socket
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from daybook.app.conversations.terminal import Terminal
from daybook.app.domain_names import CONFIG, chosen, graphs_of, place_of
from daybook.app.domains import import_domain
from daybook.app.server.loopback import STUDIOS, is_loopback_host
from daybook.checkpoints.people.tokens import Tokens
from daybook.checkpoints.postgres import Postgres
from daybook.graph.database import open_database
from daybook.graph.settings.environment import Settings
from daybook.state.errors import ConfigurationError, NotInstalled
from daybook.tools.domain import Domain

HOST = "127.0.0.1"
PORT = 2024

_HOME = Path(__file__).resolve().parents[2]

JOBS = "100"
"""The number of runs that the server fetches at a time; DAYBOOK_RUNS limits how many execute. With
few, it would fetch only runs that wait for their own thread, and no other run would start."""

OURS = {
    "dependencies": ["."],
    "auth": {"path": "daybook.app.server.auth:auth", "disable_studio_auth": True},
    "http": {
        "app": "daybook.app.console.app:app",
        "disable_mcp": True,
        "disable_a2a": True,
        "disable_ui": True,
        "disable_webhooks": True,
        # Pages that may read what the server answers. None brings a cookie along: a page has to be
        # given a token. CORS_CONFIG in the environment names others instead.
        "cors": {
            "allow_origins": [*STUDIOS],
            "allow_origin_regex": r"http://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?",
            "allow_methods": ["*"],
            "allow_headers": ["*"],
            "expose_headers": ["content-location", "x-pagination-total", "x-pagination-next"],
        },
    },
    "webhooks": {"url": {"allowed_domains": ["*.invalid"]}},
}
"""The settings of every server beside its graph; a test compares them with langgraph.json."""

NO_TOKEN = (
    "Authentication is disabled: any local client can act as any user. Other machines are not "
    "served. To enable it, create a token: daybook token USER"
)

_QUIET = {
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "LANGGRAPH_NO_VERSION_CHECK": "true",
    "LOG_LEVEL": "WARNING",
}
"""Defaults that keep the addresses visible in the terminal."""


async def prepare(settings: Settings, terminal: Terminal, host: str, port: int) -> Path:
    """Check what the server needs, and print where it is going to be.

    Returns:
        The langgraph.json that it serves.

    Raises:
        ConfigurationError: the server is not installed, has no langgraph.json, its port is taken,
            the host is none, or it would let in other machines without tokens.
        DaybookError: the database cannot be reached.
    """
    _refuse_without_server()
    config = _config(settings)
    if ":" in host:
        raise ConfigurationError(
            "The server listens only on IPv4 addresses. Nothing was started; choose another host, "
            f"such as {HOST}."
        )
    async with open_database(settings) as postgres:
        needs_tokens = await check_place(postgres, host, port)
    at = f"http://{'localhost' if host == '0.0.0.0' else host}:{port}"
    terminal.note(f"Serving {config}; Ctrl-C stops it.")
    for what, url in (
        ("API", at),
        ("Console", f"{at}/console"),
        ("Studio", f"https://smith.langchain.com/studio/?baseUrl={at}"),
        ("API docs", f"{at}/docs"),
    ):
        terminal.note(f"  {what:<9} {url}")
    if needs_tokens:
        terminal.note("Clients need a token; create one: daybook token USER")
    else:
        terminal.warn(NO_TOKEN)
    return config


def start(config: Path, host: str, port: int) -> NoReturn:
    """Become the server of a langgraph.json."""
    sys.stdout.flush()
    if config.name == CONFIG:
        os.chdir(config.parent)
    # The server keeps a file of what is said beside langgraph.json: nobody else's to read.
    os.umask(0o077)
    command = [
        *(sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload"),
        *("--n-jobs-per-worker", JOBS, "--host", host, "--port", str(port)),
        *("--config", str(config)),
    ]
    os.execve(sys.executable, command, {**_QUIET, **os.environ})


def _config(settings: Settings) -> Path:
    """Return the langgraph.json to serve: of this folder, of Daybook, or one that is written.

    It is written for a domain that is named, and that the one of this folder does not serve.
    """
    here, own = Path.cwd() / CONFIG, _HOME / CONFIG
    name = chosen(settings)
    if name is not None:
        domain = import_domain(name).domain
        if here.exists() and place_of(name) in graphs_of(here).values():
            return here
        return _written(settings.home / "serve" / f"{domain.name}.json", domain)
    for config in (here, own):
        if config.exists():
            return config
    raise ConfigurationError(
        f"No {CONFIG} was found in this folder or a checkout of Daybook. Nothing was started; run "
        "this in a folder with a langgraph.json, or name a domain: daybook --domain module:NAME "
        "serve"
    )


def _written(to: Path, domain: Domain) -> Path:
    """Write a langgraph.json that serves a domain as Daybook's own serves the shop."""
    says = dict(OURS)
    says["graphs"] = {
        domain.name: {"path": "daybook.app.domain_graph:graph", "description": domain.greeting}
    }
    says["checkpointer"] = {"path": "daybook.app.domain_graph.checkpointer"}
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(json.dumps(says, indent=2))
    return to


def _refuse_without_server() -> None:
    if find_spec("langgraph_cli") is None or find_spec("langgraph_api") is None:
        # In a checkout, `make serve` installs it.
        raise NotInstalled("The server", "server")


async def check_place(postgres: Postgres, host: str, port: int) -> bool:
    """Refuse to serve other machines without tokens, or at a port that is in use.

    Returns:
        Whether users need a token.

    Raises:
        ConfigurationError: either is so.
    """
    needs_tokens = await Tokens(postgres.pool).were_made()
    if not needs_tokens and not is_loopback_host(host):
        raise ConfigurationError(
            f"Other machines can reach the server at {host}, but no token exists: any client "
            "could act as any user. Nothing was started; create a token first: daybook token USER"
        )
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
            probe.listen(1)
    except OSError as error:
        raise ConfigurationError(
            f"Port {port} of {host} cannot be used: {error.strerror or error}. Nothing was "
            "started; stop what uses it, or choose another port: daybook serve --port N"
        ) from error
    return needs_tokens
