"""The same report on a record by every way: commands, service, page, library, with kernels and without."""
