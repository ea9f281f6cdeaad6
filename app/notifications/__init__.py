"""Notify those who may answer an open question, outside the console."""
