"""The engines: reference games, a conformance suite over every game, and the literal transcriptions."""
