"""What is asked of goods that were shown: what they are like, in another unit, side by side."""
