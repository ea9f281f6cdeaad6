"""What nobody needs to keep: card numbers, their codes and secrets, and how they are taken out."""
