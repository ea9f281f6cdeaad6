"""How well the check of receipts finds false claims, and what stands beside them."""
