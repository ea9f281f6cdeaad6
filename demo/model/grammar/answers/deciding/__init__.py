"""What is decided in a few words after something was talked over: "sold. the second one"."""
