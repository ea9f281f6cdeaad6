"""Wishes for goods, read clause by clause by what is there."""
