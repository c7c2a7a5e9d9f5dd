"""Records: schema, validation, canonical form, identity and replay. Independent of file formats."""
