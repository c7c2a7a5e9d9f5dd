"""The same report on a record by every way: commands, service, page, library, rules compiled and interpreted."""
