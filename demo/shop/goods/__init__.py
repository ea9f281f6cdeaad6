"""Stock and prices, and how they are searched."""
