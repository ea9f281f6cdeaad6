"""What a clause means that no rule takes: a module per subject; `loosely` asks them in turn."""
