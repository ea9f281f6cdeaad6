"""The protocol's AP2 extension: checkouts that a merchant signs, and mandates over them."""
