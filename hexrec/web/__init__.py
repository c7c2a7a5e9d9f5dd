"""The page: a viewer and editor of games in the browser.

`replay` returns the data that the page draws, `answers` has their types. `assembly` makes the page from its `scripts`,
as one file or files for a server, and `site` the site without a server.
"""
