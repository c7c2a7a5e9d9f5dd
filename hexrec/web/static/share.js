// The link that holds the game, and a place in it.

import { goTo, state } from "./app.js";
import { $, EMBEDDED, complain, say } from "./elements.js";
import { check } from "./intake.js";
import { packed, unpacked } from "./link.js";

export function beginShare() {
  $("link").hidden = Boolean(EMBEDDED);
  $("link").addEventListener("click", shareLink);
  if (EMBEDDED) return;
  window.addEventListener("hashchange", readLink);
  readLink();
}

async function shareLink() {
  const text = state.data.record ? JSON.stringify(state.data.record) : state.text;
  const place = state.data.board ? `&ply=${state.ply}` : "";
  const branches = state.path.length ? `&line=${state.path.map((branch) => branch.join(".")).join("-")}` : "";
  history.replaceState(null, "", `#game=${await packed(text)}${place}${branches}`);
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
    $("text").value = text;
    await check(text);
  } catch {
    complain("The link is damaged: it holds no game.");
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
    goTo(path, Number(given.get("ply")) || 0, true);
  } catch {
    goTo([], 0, true); // the line is not in the game
  }
}
