"""What is said of goods: how they are made, rated, set beside one another, counted, left."""
