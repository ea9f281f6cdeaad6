"""What is asked of goods: found, shown, read about, set side by side."""
