"""The protocol, searched whole: every order of what can happen to a few attempts.

Decisions are the real ones: `daybook.state.ledger.next_action` over real plans, folded by the real
`Plan.apply`; what an answer and a look-up come to is judged and written by the real
`daybook.state.effects.evidence`. What stands around them in `nodes` (a claim decided again under
the lock, send, look, record) is driven as it is there. Modelled are the other side, what it shows
that is not ours, the wire, the clock and people. `python -m evals.protocol` prints what was
searched. What the simulator really wrote is held against the same rules (`walk`).
"""
