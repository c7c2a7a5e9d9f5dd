// The link that holds the game, and a place in it.

import { goTo, on, state } from "./app.js";
import { settled } from "./editing.js";
import { $, EMBEDDED, say } from "./elements.js";
import { check } from "./intake.js";
import { packed, unpacked } from "./link.js";
import { fail } from "./workspace.js";

export function beginShare() {
  $("link").hidden = Boolean(EMBEDDED);
  $("link").addEventListener("click", shareLink);
  if (EMBEDDED) return;
  window.addEventListener("hashchange", readLink);
  // An address that holds the game holds what is played on, too: to load the page again loses nothing.
  on("place", () => {
    if (state.document.changed && location.hash.startsWith("#game=")) address();
  });
  readLink();
}

/** Puts the game as it is, and the place in it, into the address. */
async function address() {
  const { record } = state.document;
  const text = record ? JSON.stringify(record) : state.text;
  const place = state.data.board ? `&ply=${state.ply}` : "";
  const branches = state.path.length ? `&line=${state.path.map((branch) => branch.join(".")).join("-")}` : "";
  const packedGame = await packed(text);
  if (state.document.record === record) history.replaceState(null, "", `#game=${packedGame}${place}${branches}`);
}

async function shareLink() {
  await settled();
  await address();
  let note = "The address of this page now holds the game";
  try {
    await navigator.clipboard.writeText(location.href);
    note += ", and is copied";
  } catch {
    // Not every page may use the clipboard; the address is there to be copied by hand.
  }
  $("save-note").textContent = `${note}.`;
  say($("save-note").textContent);
}

async function readLink() {
  const given = new URLSearchParams(location.hash.slice(1));
  const game = given.get("game");
  if (EMBEDDED || !game) return;
  try {
    const text = await unpacked(game);
    if (!(await check(text))) return;
  } catch {
    fail("The link is damaged: it holds no game.");
    return;
  }
  if (!state.data?.board || !given.has("ply")) return;
  const path = /** @type {Path} */ (
    (given.get("line") ?? "")
      .split("-")
      .filter(Boolean)
      .map((branch) => branch.split(".").map(Number))
  );
  try {
    goTo(path, Number(given.get("ply")) || 0, { quiet: true });
  } catch {
    goTo([], 0, { quiet: true }); // the line is not in the game
  }
}
