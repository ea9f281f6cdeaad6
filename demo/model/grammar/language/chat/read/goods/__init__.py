"""What is looked for, and what is asked of goods, of two of them, or of the shop."""
