"""Games that occur more than once: fingerprints, prefixes, and the filter that keeps one of each."""
