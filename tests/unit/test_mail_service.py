"""One mail over SMTP: before the final dot, or with an error reply, it is provably not sent."""

import email
from email.message import EmailMessage
from email.policy import default

import pytest

from daybook.state.clock import SYSTEM
from daybook.state.effects.deadline import Deadline
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.errors import DeclarationError, ServiceUnavailable
from daybook.tools.services.mail import MailService, message_id
from tests.unit.certificates import Authority
from tests.unit.smtp_server import DROP, SILENCE, Post, post_office
from tests.unit.test_http_service import closed_port

SOON = 1.0
"""Seconds after which a reply is given up that does not come."""


async def sent(
    url: str,
    *,
    subject: str = "Your order",
    body: str = "Thank you, Ada.",
    seconds: float = 15,
) -> Outcome:
    deadline = Deadline(SYSTEM.monotonic() + seconds, "kernel")
    return await MailService(url).send(
        "ada@example.com", subject, body, key="turn/1/1", deadline=deadline
    )


async def sent_to(seconds: float = 15, **replies: str) -> tuple[Outcome, Post]:
    async with post_office(**replies) as post:
        return await sent(post.url, seconds=seconds), post


def _read(mail: str) -> EmailMessage:
    message = email.message_from_bytes(mail.encode(), policy=default)
    assert isinstance(message, EmailMessage)
    return message


async def test_a_mail_that_is_taken_is_confirmed():
    outcome, post = await sent_to()
    assert outcome == Confirmed({"message_id": message_id("turn/1/1")})
    mail = _read(post.taken[0])
    assert (mail["To"], mail["Subject"]) == ("ada@example.com", "Your order")
    assert mail["Message-ID"] == f"<{message_id('turn/1/1')}>"
    assert "Thank you, Ada." in mail.get_content()


async def test_no_connection_is_not_sent():
    assert isinstance(await sent(closed_port().replace("http", "smtp")), NotSent)


async def test_a_mail_server_whose_certificate_nobody_trusts_is_given_no_mail(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
):
    async with post_office(authority.server) as post:
        outcome = await sent(post.url)
        with pytest.raises(ServiceUnavailable, match=r"^The certificate of 127\.0\.0\.1 is not"):
            await MailService(post.url).greet(5)
        assert isinstance(outcome, NotSent)
        assert "the certificate of 127.0.0.1 is not trusted: " in outcome.reason
        assert post.taken == []
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.certificate))
        assert isinstance(await sent(post.url), Confirmed)


async def test_a_yes_to_the_announcement_of_a_mail_is_no_yes_to_the_mail():
    """The server says 250 where it should ask for the mail: nothing was given to it yet."""
    outcome, post = await sent_to(data="250 ok")
    assert not isinstance(outcome, Confirmed)
    assert post.taken == []


BEFORE_THE_DATA = {
    "421 shutting down": "greeting mail rcpt data",
    DROP: "greeting mail rcpt",
    SILENCE: "greeting mail rcpt",
    "451 try later": "greeting mail rcpt data",
    "what?": "greeting mail rcpt",
}


@pytest.mark.parametrize(
    ("reply", "step"), [(r, step) for r, steps in BEFORE_THE_DATA.items() for step in steps.split()]
)
async def test_what_ends_before_the_data_is_not_sent(reply: str, step: str):
    seconds = SOON if reply == SILENCE else 15
    outcome, post = await sent_to(seconds, **{step: reply})
    assert isinstance(outcome, NotSent)
    assert (post.greeted, post.taken) == (1, [])


@pytest.mark.parametrize("step", ["greeting", "mail", "rcpt", "data"])
async def test_a_refusal_for_good_before_the_data_is_declined(step: str):
    outcome, post = await sent_to(**{step: "550 no such mailbox"})
    assert isinstance(outcome, Declined)
    assert outcome.code == "smtp_550"
    assert post.taken == []


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("421 shutting down", NotSent),
        ("452 disk full", NotSent),
        ("554 rejected", Declined),
        (DROP, Unknown),
        (SILENCE, Unknown),
        ("what?", Unknown),
        ("299 hm", Unknown),
    ],
)
async def test_after_the_final_dot_an_error_is_a_no_and_what_says_nothing_unknown(reply, kind):
    """What says nothing must not be sent again for that: it may have been taken."""
    outcome, post = await sent_to(SOON if reply == SILENCE else 15, dot=reply)
    assert type(outcome) is kind
    assert post.greeted == 1
    assert kind is not Unknown or len(post.taken) == 1


async def test_a_subject_that_cannot_stand_in_a_header_is_provably_not_sent():
    """The model writes subjects: one with a line break must not end as a mail in doubt."""
    async with post_office() as post:
        outcome = await sent(post.url, subject="Your order\nBcc: eve@example.com")
    assert isinstance(outcome, NotSent | Declined)
    assert post.taken == []


async def test_a_body_that_looks_like_the_end_of_a_mail_arrives_whole():
    async with post_office() as post:
        outcome = await sent(post.url, body="before\n.\nafter")
    assert isinstance(outcome, Confirmed)
    assert "after" in post.taken[0]


async def test_a_mail_whose_time_is_over_is_not_sent():
    outcome, post = await sent_to(seconds=0)
    assert isinstance(outcome, NotSent)
    assert post.greeted == 0


def test_a_password_in_the_url_is_refused_and_not_silently_dropped():
    with pytest.raises(DeclarationError, match=r"mail\.example\.com") as refused:
        MailService("smtp://ada:hidden4711@mail.example.com:25")
    assert "hidden4711" not in str(refused.value)
