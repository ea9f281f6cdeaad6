"""The protocol, searched whole: every order of what can happen to a few attempts.

Decisions are the real ones: `state.settle` over real plans, folded by the real `Plan.apply`. What
stands around them in `nodes` (a claim decided again under the lock, send, look, record) is driven as
it is there; the other side, the wire, the clock and people are modelled. `python -m tests.model`
prints what was searched.
"""
