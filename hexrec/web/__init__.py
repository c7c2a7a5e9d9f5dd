"""The page: a game in the browser, to be stepped through. The same page is served, and written as one file a record.

`replay_data` makes of a verdict all that the page needs to draw a game, `position_data` the same of one position,
`entry_data` what it needs to enter turns there, `static_page` one HTML file that works by itself, and `assets` what a
server hands out.
"""

from hexrec.web.assembly import CONTENT_SECURITY_POLICY, Asset, assets, static_page
from hexrec.web.replay import entry_data, position_data, replay_data

__all__ = ["CONTENT_SECURITY_POLICY", "Asset", "assets", "entry_data", "position_data", "replay_data", "static_page"]
