"""One program a contender; they import nothing of Daybook's but `daybook.py`, and run elsewhere."""
