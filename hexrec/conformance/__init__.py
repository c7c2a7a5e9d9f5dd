"""Conformance tests for other implementations of the rules.

`kit` reads the conformance kit in `fixtures/conformance`. `engine` runs an external engine with the protocol of
`docs/conformance.md`. `comparison` plays games with an engine and reports disagreements.
"""
