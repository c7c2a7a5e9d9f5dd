"""Whether another program plays by the same rules: a kit of questions with their answers, for any language.

`kit` reads and answers the kit, the files of `fixtures/conformance`; `write` completes them.
"""
