"""Drawings to scale: a plan's timeline, a turn's trace."""
