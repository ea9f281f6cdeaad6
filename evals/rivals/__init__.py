"""The same purchase, killed at the same instants, by Daybook and by others: `make rivals`."""
