"""Compare what the agent says with what the service has done."""

from __future__ import annotations

from service.desk import Desk
from tests.conftest import APPROVE, REJECT, Talk


def test_what_is_approved_is_done_once(talk: Talk, desk: Desk) -> None:
    asked = talk.hold("hire red on 2031-05-06").asked
    assert asked[0]["plan"][0]["title"] == "Hire the red bike on 2031-05-06"
    assert desk.happened() == []
    done = talk.hold(APPROVE)
    assert desk.happened() == ["hold", "charge"]
    assert done.text.endswith("the red bike is yours on 2031-05-06")


def test_what_is_rejected_is_not_done(talk: Talk, desk: Desk) -> None:
    done = talk.hold("hire red on 2031-05-06", REJECT)
    assert f"rejected by {talk.user}" in done.text
    assert desk.happened() == []


def test_a_large_charge_takes_a_clerk_and_a_declined_card_gives_the_bike_back(
    talk: Talk, desk: Desk
) -> None:
    asked = talk.hold("hire gold on 2031-05-06", APPROVE).asked
    assert asked, "a customer may not approve it, so it is asked again"
    assert desk.happened() == []
    done = talk.hold(APPROVE, role="clerk")
    assert desk.happened() == ["hold", "release"]
    assert "The card was declined. Undone: hold." in done.text
