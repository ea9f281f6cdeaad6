"""Tell those who may answer that a question waits, outside of the console."""
