"""One mail over SMTP: before the final dot, or with an error reply, it is provably not sent."""

import email
from email.message import EmailMessage
from email.policy import default

import pytest

from state.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from tests.unit.smtp_server import DROP, SILENCE, Post, post_office
from tests.unit.test_http_service import closed_port
from tools.mail import MailService, message_id


async def sent(url: str, *, subject: str = "Your order", seconds: float = 5) -> Outcome:
    return await MailService(url).send(
        "ada@example.com", subject, "Thank you, Ada.", key="turn/1/1", seconds=seconds
    )


async def sent_to(seconds: float = 5, **replies: str) -> tuple[Outcome, Post]:
    async with post_office(**replies) as post:
        return await sent(post.url, seconds=seconds), post


def _read(mail: str) -> EmailMessage:
    message = email.message_from_string(mail, policy=default)
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


@pytest.mark.parametrize("step", ["greeting", "mail", "rcpt"])
@pytest.mark.parametrize("reply", [DROP, SILENCE])
async def test_a_connection_that_ends_before_the_data_is_not_sent(step: str, reply: str):
    outcome, post = await sent_to(seconds=0.3, **{step: reply})
    assert isinstance(outcome, NotSent)
    assert post.taken == []


@pytest.mark.parametrize("step", ["greeting", "mail", "rcpt", "data"])
async def test_a_refusal_for_now_before_the_data_is_not_sent(step: str):
    outcome, post = await sent_to(**{step: "451 try later"})
    assert isinstance(outcome, NotSent)
    assert post.taken == []


@pytest.mark.parametrize("step", ["greeting", "mail", "rcpt", "data"])
async def test_a_refusal_for_good_before_the_data_is_declined(step: str):
    outcome, post = await sent_to(**{step: "550 no such mailbox"})
    assert isinstance(outcome, Declined)
    assert outcome.code == "smtp_550"
    assert post.taken == []


async def test_an_error_reply_after_the_data_says_that_the_mail_was_not_taken():
    for_now, _ = await sent_to(dot="452 disk full")
    for_good, _ = await sent_to(dot="554 rejected")
    assert isinstance(for_now, NotSent)
    assert isinstance(for_good, Declined)


@pytest.mark.parametrize("reply", [DROP, SILENCE])
async def test_no_reply_after_the_final_dot_is_unknown(reply: str):
    outcome, post = await sent_to(seconds=0.5, dot=reply)
    assert isinstance(outcome, Unknown)
    assert len(post.taken) == 1


@pytest.mark.parametrize("replies", [{"mail": "451 later"}, {"dot": DROP}, {"dot": "452 later"}])
async def test_a_mail_is_sent_once_whatever_comes_of_it(replies: dict[str, str]):
    _, post = await sent_to(**replies)
    assert post.greeted == 1
    assert len(post.taken) <= 1


async def test_a_subject_that_cannot_stand_in_a_header_is_provably_not_sent():
    """The model writes subjects: one with a line break must not end as a mail in doubt."""
    async with post_office() as post:
        outcome = await sent(post.url, subject="Your order\nBcc: eve@example.com")
    assert isinstance(outcome, NotSent | Declined)
    assert post.taken == []


async def test_a_body_that_looks_like_the_end_of_a_mail_arrives_whole():
    async with post_office() as post:
        body = "before\n.\nafter"
        outcome = await MailService(post.url).send("ada@example.com", "x", body, key="k", seconds=5)
    assert isinstance(outcome, Confirmed)
    assert "after" in post.taken[0]


def test_the_message_id_is_the_keys_own():
    assert message_id("a/1") == message_id("a/1") != message_id("a/2")
