"""The language server: what editors show of records while they are written (`hexrec lsp`)."""
