"""How English speaks of effects: data."""
