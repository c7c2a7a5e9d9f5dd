"""The version of hexrec: read by the build and by `hexrec --version` without importing anything else."""

__version__ = "1.0.0"
#: The version of the record format.
FORMAT_VERSION = "1"
