"""How people write: the same in the words that the rules know, without what stands beside it."""
