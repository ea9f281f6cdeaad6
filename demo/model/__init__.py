"""Stand in for a model provider: OpenAI's API over HTTP, behind it a table of commands.

Run it with `python -m daybook.demo.model`. It imports nothing of ours, and is reached over HTTP:
`server` and `wire` speak the API. `reply` is pure: no clock, no I/O, and no chance but for the ids
of calls. It knows the messages of the request and nothing else.
"""
