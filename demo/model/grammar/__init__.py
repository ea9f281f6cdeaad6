"""How the stand-in understands and answers plain shopping English.

`language` turns text into typed intents by the written grammar (`language.written`);
`seen` reads what the prompt says; `answers` are intents as answers to a question; `dialogue`
decides by `steps` which calls are next, or what there is to say in the sentences of `wording`. As
the reviewer it answers by `reviewer`.
"""
