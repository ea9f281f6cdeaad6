"""How well the check of receipts finds false claims, and whether receipts contradict each of them."""
