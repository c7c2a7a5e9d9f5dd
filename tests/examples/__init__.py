"""Games that are none of hexrec's own, as a package from elsewhere would bring them: one module each."""
