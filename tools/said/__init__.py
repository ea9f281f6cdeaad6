"""What an answer claims, held against what is known: no model is asked."""
