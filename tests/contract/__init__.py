"""The contract test: what LangGraph and its server do that Daybook stands on.

It holds the behaviour of the installed versions, not of Daybook. It runs first: when a version
moves and a test here fails, the docstring of that test says what in Daybook has to be rethought.
"""
