"""How well the check finds false claims, and whether receipts contradict each of them."""
