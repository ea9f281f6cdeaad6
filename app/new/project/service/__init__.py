"""A fake service, called over HTTP, until you have a real one.

The agent imports nothing from here. To use your own service, set `SERVICE_URL`.
"""
