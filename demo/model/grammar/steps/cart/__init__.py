"""The steps of the cart: what changes it, what is asked before that, and what it comes to."""
