"""What the merchant says of itself: its profile, its envelope and messages, its signature."""
