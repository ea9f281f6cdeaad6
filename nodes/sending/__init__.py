"""Send one effect once: claim, call, look, record."""
