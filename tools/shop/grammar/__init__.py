"""How the embedded model understands and answers plain shopping English.

`rules` is the written grammar, run as it stands. Text becomes tokens, commands and intents
(`tokens`, `parser`, `reading`); the prompt becomes what is on view (`prompt`, `results`, `scene`);
intents meet it and become calls (`context`, `referents`, `desk`, `steps_*`, `dialogue`) or words
(`wording`).
"""
