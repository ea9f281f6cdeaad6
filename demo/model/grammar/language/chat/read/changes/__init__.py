"""What changes the cart or an order, and what such a change would cost."""
