"""Mail: taken or not taken, and no way to look it up for those who sent it."""

from typing import Any

import aiosmtplib
import pytest


async def test_an_accepted_message_is_listed_and_counted(shop: Any) -> None:
    assert await shop.mail("m1@example.org", to="ben@example.org")
    (mail,) = await shop.get("/mail")
    assert mail == {
        "message_id": "m1@example.org",
        "to": "ben@example.org",
        "subject": "Your order",
        "body": "Thank you.\n",
    }
    (effect,) = await shop.effects()
    assert (effect["effect"], effect["reference"]) == ("mail", "m1@example.org")
    assert effect["user_id"] == "ben"


async def test_refuse_is_a_451_of_the_message_that_matches_and_takes_nothing(shop: Any) -> None:
    await shop.fault("mail", "refuse", match="second")
    await shop.mail("first@example.org")
    with pytest.raises(aiosmtplib.SMTPDataError) as refused:
        await shop.mail("second@example.org")
    assert refused.value.code == 451
    assert len(await shop.get("/mail")) == len(await shop.effects()) == 1
    await shop.mail("second@example.org")


@pytest.mark.parametrize(
    ("mode", "seconds", "patience", "error"),
    [
        ("drop", None, 10, aiosmtplib.SMTPServerDisconnected),
        ("timeout", 3_600, 0.5, aiosmtplib.SMTPReadTimeoutError),
        # It is bounded for a patient sender.
        ("timeout", 0.1, 10, aiosmtplib.SMTPServerDisconnected),
    ],
)
async def test_the_message_is_taken_and_no_reply_comes(shop: Any, mode, seconds, patience, error):
    await shop.fault("mail", mode, **({"seconds": seconds} if seconds else {}))
    with pytest.raises(error):
        await shop.mail("m1@example.org", patience=patience)
    await shop.until(lambda: shop.effects("m1@example.org"))
    await shop.calm()
    assert len(await shop.effects("m1@example.org")) == 1
