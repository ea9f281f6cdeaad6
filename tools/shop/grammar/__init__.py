"""How the embedded model understands and answers plain shopping English.

`rules` and `rules_past` are the written grammar, run as it stands. Text becomes tokens, commands
and intents (`tokens`, `parser`, `reading`, `reading_past`); the prompt becomes what is on view and
what is known (`prompt`, `digest`, `results`, `scene`, `facts`, `brief`, `ordered`); intents meet
it and become calls (`context`, `bumped`, `interview`, `referents`, `desk`, `steps`, `steps_*`,
`dialogue`) or words (`wording`). As the reviewer it answers by `reviewer`.
"""
