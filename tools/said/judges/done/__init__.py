"""What is said of effects and orders: done or not, why, how much money, which goods."""
