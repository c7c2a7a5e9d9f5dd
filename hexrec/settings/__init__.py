"""What a project or a caller decides: configuration, selection of codes, baselines."""
