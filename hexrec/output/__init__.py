"""Report formats, and tables of scores."""
