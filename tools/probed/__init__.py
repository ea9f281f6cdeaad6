"""What the rehearsals of an effect say of what is declared of it."""
