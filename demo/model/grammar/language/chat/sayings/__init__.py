"""Sentences whose meaning their whole pattern tells: data by subject, and their reader."""
