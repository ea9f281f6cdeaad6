"""Who must approve what in the shop, where nothing else is set.

Every effect on stock, money or mail needs its customer (the tools declare it), and a purchase or a
cancellation is approved as a whole. Rules of a deployment stand in the file that DAYBOOK_POLICY
names, and come before these.
"""

from __future__ import annotations

from daybook.state.money import Money
from daybook.state.people.policy import Policy, Rule

POLICY = Policy(
    rules=(
        Rule(
            name="large refunds",
            tools=("refund_payment",),
            above=Money(amount=100_000, currency="USD"),
            approval="clerk",
        ),
    )
)
