"""The record: its schema, validation, canonical form, identity and replay. Knows no file format."""
