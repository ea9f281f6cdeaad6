"""What the model of this domain may call: reads, changes of carts, plans, and their effects."""
