"""What a life stands on: a virtual loop, a network in memory, and sessions in order."""
