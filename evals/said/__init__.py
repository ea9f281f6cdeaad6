"""How well answers are held against what is known: false ones that are caught, true ones altered."""
