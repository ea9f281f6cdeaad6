"""What people write in a chat: their spelling, and sentences that no rule of the grammar foresees.

`spelling` reads short forms and typing errors as the words that they stand for, `sayings` holds
patterns of whole sentences, `read` reads the rest by the words in it that mean something, and
`joining` puts together again what `parts` has cut.
"""
