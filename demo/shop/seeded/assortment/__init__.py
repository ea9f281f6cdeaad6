"""What the shop sells, a module for each kind, and the names that its products have."""
