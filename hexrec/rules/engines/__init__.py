"""The engines: the rules of each game and nothing else. Their words are in `hexrec.rules.games.<game>`."""
