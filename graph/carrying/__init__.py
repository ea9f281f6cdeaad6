"""Carry effects out in a graph that somebody else wrote: what both smaller ways in stand on."""
