"""The chat model: which one, through which API, and how its cache is used."""
