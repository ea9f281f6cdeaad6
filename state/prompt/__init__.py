"""What a prompt is measured and made of: epochs, progress, lessons, tokens."""
