"""What an answer claims of the cart, held against what is in it."""
