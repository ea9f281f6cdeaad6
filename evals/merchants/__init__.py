"""The Universal Commerce Protocol, both sides: conformance of the shop and of us, and kills."""
