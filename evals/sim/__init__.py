"""The simulator: whole days of several processes on one virtual clock, from one seed."""
