"""Language server for editors (`hexrec lsp`): diagnostics, hovers, completions, quick fixes and symbols."""
