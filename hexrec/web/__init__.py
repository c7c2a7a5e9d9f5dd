"""The page: a viewer and editor of games in the browser.

`replay` returns the data that the page draws, `assembly` the page as one file or as files for a server, and `site` the
page with its engines in the browser.
"""
