"""Fuzzing: targets, each a function of bytes that fails where hexrec breaks a promise, and mutators that know grammars.

`python -m tests.fuzz TARGET SECONDS` runs one under atheris; `README.md` has what is promised and what was found.
"""
