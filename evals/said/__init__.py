"""How well answers are held against what is known: what is caught, and what altered."""
