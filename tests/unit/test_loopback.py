"""Which requests come from this machine itself, and which only look like it."""

from typing import Any

import pytest

from daybook.app.server.loopback import is_loopback_host, outside


def request(*headers: tuple[str, str], client: Any = "127.0.0.1", server: Any = "127.0.0.1"):
    """Return the scope of a request; it names its host unless the headers do."""
    named = () if any(name == "host" for name, _ in headers) else (("host", "127.0.0.1:2024"),)
    return {
        "type": "http",
        "client": (client, 50_000) if client else None,
        "server": (server, 2024) if server else None,
        "headers": [(name.encode(), value.encode()) for name, value in (*named, *headers)],
    }


@pytest.mark.parametrize(
    "scope",
    [
        request(),
        request(("host", "localhost:2024")),
        request(("host", "[::1]:2024"), client="::1", server="::1"),
        request(("origin", "http://localhost:3000")),
        request(("origin", "https://smith.langchain.com")),
    ],
)
def test_what_this_machine_sends_is_from_here(scope: dict[str, Any]):
    assert outside(scope) == ""


@pytest.mark.parametrize(
    ("scope", "why"),
    [
        (request(client="192.168.1.7"), "over the network"),
        (request(server="192.168.1.1"), "over the network"),
        (request(client=None), "over the network"),
        (request(server=None), "over the network"),
        (request(("x-forwarded-for", "127.0.0.1")), "proxy"),
        (request(("X-Forwarded-Host", "localhost")), "proxy"),
        (request(("forwarded", "for=127.0.0.1")), "proxy"),
        (request(("x-real-ip", "127.0.0.1")), "proxy"),
        (request(("via", "1.1 a")), "proxy"),
        (request(("true-client-ip", "192.0.2.1")), "proxy"),
        (request(("cdn-loop", "one")), "proxy"),
        (request(("host", "evil.example:2024")), "Host header"),
        (request(("host", "localhost.evil.example")), "Host header"),
        (request(("host", "127.0.0.1.evil.example")), "Host header"),
        (request(("host", "")), "Host header"),
        (request(("host", "[")), "Host header"),
        (request(("host", "localhost"), ("host", "evil.example")), "Host header"),
        (request(("host", "localhost@evil.example")), "Host header"),
        (request(("host", "evil.example@127.0.0.1")), "Host header"),
        (request(("host", "evil.example@localhost:2024")), "Host header"),
        (request(("host", "127.0.0.1/evil.example")), "Host header"),
        (request(("host", "127.0.0.1:80evil.example")), "Host header"),
        (request(("host", "[::1]evil.example")), "Host header"),
        (request(("host", "lo\tcalhost")), "Host header"),
        (request(("origin", "http://evil.example@127.0.0.1")), "another site"),
        (request(("origin", "chrome-extension://localhost")), "another site"),
        (request(("origin", "//localhost")), "another site"),
        (request(("origin", "http://localhost/evil.example")), "another site"),
        (request(("origin", "https://evil.example")), "another site"),
        (request(("origin", "null")), "another site"),
        (request(("origin", "https://smith.langchain.com.evil.example")), "another site"),
        (request(("origin", "http://localhost.evil.example")), "another site"),
    ],
)
def test_what_comes_from_elsewhere_is_told(scope: dict[str, Any], why: str):
    assert why in outside(scope)


HERE = ("127.0.0.1", "127.9.9.9", "localhost", "::1")
ELSEWHERE = ("0.0.0.0", "::", "10.0.0.1", "evil.example", "")


def test_a_host_to_listen_on_is_this_machines_alone_or_not():
    assert [host for host in (*HERE, *ELSEWHERE) if is_loopback_host(host)] == list(HERE)
