"""The engines: reference games, perft, a conformance suite over every game, and the literal transcriptions."""
