"""The page: a viewer and editor of games in the browser.

`replay_data` returns the data of a game, `position_data` of one position, and `entry_data` the data for entering turns.
`static_page` returns a self-contained HTML file for one record, and `assets` the files for a server.
"""

from hexrec.web.assembly import CONTENT_SECURITY_POLICY, Asset, assets, static_page
from hexrec.web.replay import entry_data, position_data, replay_data

__all__ = ["CONTENT_SECURITY_POLICY", "Asset", "assets", "entry_data", "position_data", "replay_data", "static_page"]
