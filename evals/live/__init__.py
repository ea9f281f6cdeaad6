"""Thirty written conversations with a real model, each judged by what really happened."""
