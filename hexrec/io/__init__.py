"""Input and output files: discovery, remote files, archives, compression, changes in git, atomic writes."""
