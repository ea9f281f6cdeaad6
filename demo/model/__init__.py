"""Stand in for a model provider: OpenAI's API over HTTP, behind it a model of written rules.

Run it with `python -m daybook.demo.model`. Nothing imports this package and it imports nothing of
ours: the API is the contract. `server` and `wire` speak it; `reply` is pure: no clock, no chance
(but for the ids of calls, which are new each time), no I/O. It knows the prompt and nothing else.
"""
