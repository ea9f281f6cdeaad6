"""What is said of one thing among several: the cheapest, dearer than another, all of them."""
