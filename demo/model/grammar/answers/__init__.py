"""Intents as answers to a question that was asked before."""
