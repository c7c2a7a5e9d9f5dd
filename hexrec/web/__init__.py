"""The page: a viewer and editor of games in the browser.

`replay` returns the data that the page draws, `answers` has their types, and `assembly` makes the page: one file, files
for a server, or a static site with the engines in the browser.
"""
