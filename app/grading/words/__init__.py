"""What words tell: of a result, of a thing that is meant, of how many, and of what is asked for."""
