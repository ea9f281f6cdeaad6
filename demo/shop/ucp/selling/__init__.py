"""What is sold: the catalogue, carts, checkout sessions, and the orders that come of them."""
