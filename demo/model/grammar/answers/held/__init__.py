"""A change of the cart held against the words and the talk: made, or asked about."""
