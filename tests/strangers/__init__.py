"""Services that nobody here wrote, as their public documentation has them, and agents on them.

`services` are fake providers, each as some real API is, and `domains` what an adopter would write
for each from docs/tools.md. `python -m tests.strangers` kills their agents at every moment there
is, lets the services misbehave, and judges by what each of them really did.
"""
