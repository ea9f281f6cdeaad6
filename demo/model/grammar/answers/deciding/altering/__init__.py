"""What is changed of what is in the cart already: "the bags to 10", "take hers out again"."""
