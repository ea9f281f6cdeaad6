"""Buying from merchants that speak the Universal Commerce Protocol."""
