"""The version of hexrec, which the build and `hexrec --version` read without further imports."""

__version__ = "1.0.0"
#: The version of the record format.
FORMAT_VERSION = "1"
