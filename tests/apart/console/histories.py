"""What the console is shown in tests: purchases that were killed, declined and left in doubt."""

import uuid
from dataclasses import replace

from tests.conftest import Shop
from tests.integration.runners import BUYING, Errand, Outcome, Runners, answers, says
from tests.purchases import SHORT

SPITEFUL = "<script>document.title = 'taken over'</script>"
"""A message that must be shown as what it is."""

MAIL = ("send_email", {"subject": "Hello", "body": "As you asked."})

TALK = {
    **BUYING,
    "add BOOT-013": [("add_to_cart", {"sku": "BOOT-013"})],
    "surprise me": [("add_to_cart", {"sku": "TENT-003"})],
    "mail me": [MAIL],
    "mail me twice": [MAIL, ("send_email", {"subject": "Again", "body": "And once more."})],
    SPITEFUL: f"You said {SPITEFUL}",
}

APPROVE = {"type": "approve"}


class Histories:
    """Let threads happen, in processes of their own."""

    def __init__(self, runners: Runners, shop: Shop) -> None:
        self._runners, self._shop = runners, shop

    async def said(self, *texts: str, user: str = "ada") -> str:
        """Begin a thread in which somebody says something; return its id."""
        thread_id = str(uuid.uuid4())
        for number, text in enumerate(texts):
            errand = says(thread_id, text, f"m{number}-{thread_id[:8]}", user=user, talk=TALK)
            await self._done(errand)
        return thread_id

    async def asked_to_buy(self, user: str = "ada") -> str:
        """Bring a purchase to its question."""
        return await self.said("add BOOT-001", "check out", user=user)

    async def killed(self, at: str = "after_reply:charge_payment") -> str:
        """Kill a purchase in the middle; nobody goes on with it."""
        thread_id = await self.asked_to_buy()
        errand = replace(answers(thread_id, APPROVE, talk=TALK), lease=0.5)
        killed = await self._runners.run(errand.dies(at))
        assert killed.killed
        return thread_id

    async def declined(self) -> str:
        """Let the card be declined: what was reserved is given back."""
        thread_id = await self.asked_to_buy("dan")
        await self._done(answers(thread_id, APPROVE, user="dan", talk=TALK))
        return thread_id

    async def in_doubt(self, user: str = "ada") -> str:
        """Lose the mail server's last word: nobody can tell whether the mail went out."""
        thread_id = await self.said("mail me", user=user)
        self._shop.fault("mail", "drop")
        errand = answers(thread_id, APPROVE, user=user, talk=TALK)
        await self._done(replace(errand, budget=SHORT))
        return thread_id

    async def _done(self, errand: Errand) -> Outcome:
        outcome = await self._runners.run(errand)
        assert not outcome.error, outcome.words
        assert not outcome.killed, outcome.log
        return outcome
