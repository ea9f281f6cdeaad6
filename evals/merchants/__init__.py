"""Merchants of the Universal Commerce Protocol: conformance, purchases, and kills of a purchase."""
