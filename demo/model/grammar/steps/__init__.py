"""What each intent needs next: calls, or what there is to say."""
