"""The stand-in where it buys from several merchants: a small grammar of its own."""
