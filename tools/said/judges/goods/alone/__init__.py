"""What is said of a thing by itself: how it is, what it measures, how many there are, what reviews tell."""
