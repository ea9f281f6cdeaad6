"""A life: people, processes that die and sleep, a shop, and what the seed has planned."""
