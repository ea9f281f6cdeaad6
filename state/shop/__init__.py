"""The demo shop's part of the state: cart, brief, checkout."""
