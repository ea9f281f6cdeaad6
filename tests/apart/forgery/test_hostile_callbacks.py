"""What is sent in Slack's name, and to the inbox, answers nothing and is answered in words."""

import json
import random
import uuid
from collections import Counter
from datetime import timedelta
from urllib.parse import urlencode

import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.state.clock import SYSTEM
from daybook.state.ledger.recovery import Event
from tests.apart.callers import Caller
from tests.apart.forgery.conftest import FEW
from tests.apart.forgery.hostile import TEXTS, THINGS
from tests.apart.forgery.test_doors import DEEP, log_of
from tests.apart.forgery.test_lapsed import sent, signed_in
from tests.dev_server import DevServer
from tests.integration.receivers import signed

pytestmark = pytest.mark.asyncio(loop_scope="session")

SEED = 20_261_129


@pytest.fixture
async def delivery(judge: Postgres, waiting: str) -> str:
    """Return by which delivery the question that waits was told at Slack."""
    outbox = judge.notifications
    await outbox.keep_on("shop")
    for noted in await outbox.unrouted("shop", 999):
        await outbox.route(noted, [("approvals", "question", 0.0)])
    claimed = await outbox.claim("shop", 999, timedelta(minutes=1))
    return next(one.delivery_id for one in claimed if one.thread_id == waiting)


def pressed(delivery: str, user: str = "UCLEO", word: str = "approve") -> dict[str, object]:
    action = {"action_id": word, "value": delivery}
    return {"team": {"id": "T1"}, "user": {"id": user}, "actions": [action]}


async def test_hostile_requests_in_slacks_name_answer_nothing(
    nobody: Caller,
    judge: Postgres,
    server: DevServer,
    waiting: str,
    delivery: str,
    request: pytest.FixtureRequest,
):
    choose, before = random.Random(SEED), len(log_of(server))
    statuses: Counter[int] = Counter()
    real = urlencode({"payload": json.dumps(pressed(delivery))}).encode()
    kept: list[tuple[bytes, dict[str, str]]] = []

    def forged() -> tuple[bytes, dict[str, str]]:
        """Send the true answer without a signature that is good for it, by now."""
        now = SYSTEM.now().timestamp()
        good = signed(real.replace(b"approve", b"reject"), now)
        stamp, signature = "x-slack-request-timestamp", "x-slack-signature"
        headers = choose.choice(
            (
                *({}, good, signed(real, now, "another"), signed(real, now - 400)),
                *(signed(real, now + 400), {**signed(real, now), stamp: f"{now + 1:.0f}"}),
                {
                    **signed(real, now),
                    stamp: choose.choice(("", "0", "-1", "nan", "9" * 11, "1e9")),
                },
                {
                    **good,
                    signature: choose.choice(("", "v0=", "v0=00", "v1=" + "0" * 64, "v0=\xe9")),
                },
                {**good, "content-type": choose.choice(("application/json", "", "text/plain"))},
            )
        )
        return real, headers

    def garbage() -> tuple[bytes, dict[str, str]]:
        """Send what Slack might sign, and is no answer of anybody here."""
        about = pressed(delivery, choose.choice(("UNOBODY", "UADA", *TEXTS)))
        if choose.random() < 0.7:
            about = pressed(choose.choice((str(uuid.uuid4()), *TEXTS)))
            about[choose.choice([*about])] = choose.choice(THINGS)
        said = choose.choice((json.dumps(about), json.dumps(about), *DEEP, *TEXTS))
        body = choose.choice(
            (
                *(urlencode({"payload": said}, errors="replace").encode() for _ in range(4)),
                *(b"payload=" + said.encode(errors="replace"), b"\xff" * 50, b"x=" * 200_001, b""),
            )
        )
        headers = signed(body, SYSTEM.now().timestamp())
        kept.append((body, headers))
        return body, headers

    for _ in range(request.config.getoption("--requests", default=FEW)):
        make = choose.choice((forged, garbage, garbage))
        is_again = bool(kept) and choose.random() < 0.2
        body, headers = choose.choice(kept) if is_again else make()
        raw = {name: value.encode() for name, value in headers.items()}
        answer = await nobody.http.post("/daybook/slack", content=body, headers=raw)
        wanted = {409, 413} if is_again else {401} if make is forged else {200, 409, 413}
        assert answer.status_code in wanted, (answer.status_code, body[:300], headers)
        statuses[answer.status_code] += 1
    assert {200, 401, 409, 413} <= statuses.keys()
    events = [one.event for one in await judge.ledger.entries(waiting)]
    assert Event.DECISION not in events
    assert "Traceback" not in log_of(server)[before:]


async def test_hostile_forms_at_the_inbox_answer_nothing(
    judge: Postgres,
    server: DevServer,
    tokens: dict[str, str],
    waiting: str,
    request: pytest.FixtureRequest,
):
    choose, before = random.Random(SEED), len(log_of(server))
    count = request.config.getoption("--requests", default=FEW) // 5
    names = ("word", "decision", "approval_id", "confirmed", f"chosen-{waiting}", "user", "role")
    words = (*TEXTS, "approve", "happened", "operator", waiting, json.dumps(THINGS[-1]))
    places = ("inbox/here", "inbox/together", f"threads/{waiting}/answer", "inbox", "inbox/live")
    for name in ("ben", "cleo"):
        async with signed_in(server, tokens[name]) as http:
            for _ in range(count):
                # Cleo might answer it: what she sends to it is never the whole of an answer.
                fields = {
                    n: choose.choice(words) for n in choose.sample(names, 3 + (name == "ben"))
                }
                if name == "cleo":
                    fields.pop("approval_id", None)
                answer = await sent(http, choose.choice(places), **fields)
                assert answer.status_code < 500, (name, fields, answer.text[:300])
                asked = {n: choose.choice(words)[:500] for n in ("page", "kind", "seen")}
                assert (await http.get("/console/inbox", params=asked)).status_code < 500, asked
    seen = await judge.ledger.entries(waiting)
    assert Event.DECISION not in [one.event for one in seen]
    assert "Traceback" not in log_of(server)[before:]
