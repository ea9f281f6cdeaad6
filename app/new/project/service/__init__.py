"""The outside world, until there is a real one: a fake that is called over HTTP.

Nothing here is imported by the agent. `SERVICE_URL` names another one.
"""
