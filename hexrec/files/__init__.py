"""Files and folders: what is found, opened, unpacked, compared with git, and written whole or not at all."""
