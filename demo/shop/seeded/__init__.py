"""What every shop begins with: goods, reviews, people."""
