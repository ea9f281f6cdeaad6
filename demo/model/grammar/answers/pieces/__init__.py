"""What a message is made of: put right, put in order, and cut into its wishes and goods."""
