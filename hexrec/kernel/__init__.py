"""The rules once more, on arrays that compile to machine code: whole records at once, verdicts without words."""
