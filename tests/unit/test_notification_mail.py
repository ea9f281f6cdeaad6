"""A notification by mail gives neither words nor password to a server that cannot be trusted."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from daybook.app.notifications import mail
from daybook.app.notifications.channel import NotDelivered
from daybook.app.notifications.notice import notice_of
from daybook.app.notifications.routes import About, Route
from daybook.checkpoints.people.notifications import Delivery
from daybook.state.clock import SYSTEM
from tests.dev_server import free_port
from tests.unit.certificates import Authority
from tests.unit.smtp_server import post_office

ME = Route(name="me", channel="email", to="cleo@example.com", secret="MAIL")
WORDS = ("question", 1, "shop", "t-1", "ada", "p-1", "p-1", "pay", "clerk", None, "", None)
NOTICE = notice_of(Delivery("d-1", "me", *WORDS, SYSTEM.now(), True, ()), None, About())


class Office:
    """Take mails; note of each login and each mail whether it came encrypted."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, bool]] = []

    def login(self, server: Any, session: Any, envelope: Any, how: str, given: Any) -> AuthResult:
        """Let one person in."""
        self._note("login", server)
        return AuthResult(success=(given.login, given.password) == (b"cleo", b"a secret"))

    async def handle_MAIL(
        self, server: Any, session: Any, envelope: Any, sender: str, options: Any
    ):
        """Note it at its first command."""
        self._note("mail", server)
        envelope.mail_from = sender
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        """Take it."""
        return "250 taken"

    def _note(self, what: str, server: Any) -> None:
        self.heard.append((what, server.transport.get_extra_info("ssl_object") is not None))


@contextmanager
def office(**how: Any) -> Iterator[tuple[Office, int]]:
    """Let one listen."""
    one = Office()
    about = {"authenticator": one.login, "auth_require_tls": False, **how}
    post = Controller(one, hostname="127.0.0.1", port=free_port(), **about)
    post.start()
    try:
        yield one, post.port
    finally:
        post.stop()


@pytest.fixture(autouse=True)
def authorities_read_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo that the authorities are read once for all tests."""
    once: Any = ssl.create_default_context
    monkeypatch.setattr(ssl, "create_default_context", once.__wrapped__)


@pytest.fixture
def trusted(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> Authority:
    """Trust the certificate."""
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.certificate))
    return authority


def at(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("MAIL", url)


async def test_who_offers_starttls_is_told_all_encrypted(
    trusted: Authority, monkeypatch: pytest.MonkeyPatch
):
    # The server too refuses a login in the clear.
    with office(tls_context=trusted.server, auth_require_tls=True) as (one, port):
        at(monkeypatch, f"smtp://cleo:a%20secret@127.0.0.1:{port}")
        await mail.send(ME, NOTICE, "daybook@example.com")
    assert one.heard == [("login", True), ("mail", True)]


async def test_smtps_is_encrypted_from_the_first_byte(
    trusted: Authority, monkeypatch: pytest.MonkeyPatch
):
    with office(ssl_context=trusted.server) as (one, port):
        at(monkeypatch, f"smtps://cleo:a%20secret@127.0.0.1:{port}")
        await mail.send(ME, NOTICE, "daybook@example.com")
    assert one.heard == [("login", True), ("mail", True)]


@pytest.mark.parametrize(("scheme", "shows"), [("smtp", "tls_context"), ("smtps", "ssl_context")])
async def test_a_certificate_that_is_not_trusted_gets_nothing(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, scheme: str, shows: str
):
    with office(**{shows: authority.server}) as (one, port):
        at(monkeypatch, f"{scheme}://cleo:a%20secret@127.0.0.1:{port}")
        with pytest.raises(NotDelivered, match="SSLCertVerificationError"):
            await mail.send(ME, NOTICE, "daybook@example.com")
    assert one.heard == []


async def test_a_server_that_offers_no_starttls_gets_the_password_on_this_machine_alone(
    monkeypatch: pytest.MonkeyPatch,
):
    found = socket.getaddrinfo

    def here(host: str, *more: Any) -> Any:
        return found("127.0.0.1" if host == "mail.example.com" else host, *more)

    monkeypatch.setattr(socket, "getaddrinfo", here)
    with office() as (one, port):
        at(monkeypatch, f"smtp://cleo:a%20secret@mail.example.com:{port}")
        with pytest.raises(NotDelivered, match="no encryption") as refused:
            await mail.send(ME, NOTICE, "daybook@example.com")
        assert one.heard == []
        assert "secret" not in str(refused.value)
        at(monkeypatch, f"smtp://cleo:a%20secret@127.0.0.1:{port}")
        await mail.send(ME, NOTICE, "daybook@example.com")
    assert one.heard == [("login", False), ("mail", False)]


async def test_a_server_that_refuses_starttls_midway_gets_nothing(
    trusted: Authority, monkeypatch: pytest.MonkeyPatch
):
    async with post_office(trusted.server, starttls="454 not now") as post:
        at(monkeypatch, post.url.replace("://", "://cleo:secret@"))
        with pytest.raises(NotDelivered, match="SMTPResponseException"):
            await mail.send(ME, NOTICE, "daybook@example.com")
    assert post.taken == []
