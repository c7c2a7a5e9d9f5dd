"""Add a built-in game: `nox -s new-game -- NAME`; with `--package NAME FOLDER`, write a package with a game.

The first run writes the package of the game: description, rules and words, with marks for the parts to fill in. Once
they are written, the next run for a built-in game checks them and writes all other files of the game, from random games
and from the examples in its description: fixtures, questions of the conformance kit, a page, a picture, lines in lists.
Then it renews the generated files, and lists what is missing. No run changes a file that somebody may have edited: it
adds only what is not there.
"""
