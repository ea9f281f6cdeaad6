"""The shop as a merchant of the Universal Commerce Protocol, over the same goods and effects.

Facts of the protocol that are kept here: it is asked at what `/.well-known/ucp` names, over REST or
MCP; a business outcome is 200 with messages, and never an error of HTTP; an idempotency key means
the same bytes; what becomes of an order is told, signed, at least once.
"""
