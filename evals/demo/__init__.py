"""One purchase killed after its charge, by Daybook and by a loop: `daybook demo`."""
