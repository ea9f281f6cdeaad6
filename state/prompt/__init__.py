"""The parts of a prompt: epochs, progress, lessons, token estimates."""
