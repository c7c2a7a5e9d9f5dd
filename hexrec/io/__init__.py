"""Files and folders: found, opened, decompressed, compared with git, and written whole or not at all."""
