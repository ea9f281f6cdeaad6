"""Evidence in the talk for the changes that were read, and what speaks against them."""
