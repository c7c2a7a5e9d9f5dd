// The page of the board: shows the record that the extension sends, after the turns up to the cursor.

/* global acquireVsCodeApi */
import "hexrec-board";

/** @typedef {{ record: object, ply: number | null }} Shown */

// @ts-expect-error VS Code adds this function to its pages
const host = acquireVsCodeApi();
const board = /** @type {HTMLElement & { record: object, ply: number, plies: number }} */ (
  document.createElement("hexrec-board")
);
board.toggleAttribute("controls", true);
board.toggleAttribute("playable", true);
let drawn = "";

addEventListener("message", (/** @type {MessageEvent<Shown>} */ { data: { record, ply } }) => {
  document.querySelector("#hint")?.remove();
  if (!board.isConnected) document.body.append(board);
  const text = JSON.stringify(record);
  // Turns that were tried on the board stay until the record changes.
  if (text !== drawn) board.record = record;
  else if (ply === null) return;
  drawn = text;
  board.ply = ply ?? board.plies;
});

function followTheme() {
  board.setAttribute("theme", document.body.dataset.vscodeThemeKind?.includes("light") ? "light" : "dark");
}
new MutationObserver(followTheme).observe(document.body, { attributeFilter: ["data-vscode-theme-kind"] });
followTheme();
host.postMessage("loaded");
