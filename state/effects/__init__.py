"""One effect: its keys, decided arguments, evidence, outcome and guarantees."""
