"""How the domain speaks: to its model, and to its person beside the conversation."""
