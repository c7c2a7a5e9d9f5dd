"""Games that occur more than once: found, and each kept once."""
