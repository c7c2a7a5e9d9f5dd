"""Whether another program plays by the same rules: a kit of questions with their answers, and engines put to them.

`kit` reads and answers the kit, the files of `fixtures/conformance`, which `write` completes; `engine` talks with an
external engine over the protocol of `docs/conformance.md`; `comparison` plays games on both sides.
"""
