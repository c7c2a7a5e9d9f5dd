// The keys that mean the same everywhere outside of fields: stepping, undo and redo, taking a part of a turn back.

import { state, step } from "./app.js";
import { redo, undo } from "./editing.js";
import { takeBack } from "./entry.js";
import { stop } from "./playback.js";

export function beginKeyboard() {
  document.addEventListener("keydown", keys);
}

/** @param {KeyboardEvent} event */
function keys(event) {
  if (!state.data?.board || event.altKey) return;
  const target = /** @type {Element} */ (event.target);
  if (event.key === "Escape" && state.chosen.length) return takeBack();
  if (target.closest("input, textarea, select")) return;
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() === "z") {
      event.preventDefault();
      (event.shiftKey ? redo : undo)();
    } else if (event.key.toLowerCase() === "y") {
      event.preventDefault();
      redo();
    }
    return;
  }
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  if (target.closest("#stage")) Object.assign(steps, { Home: -Infinity, End: Infinity });
  if (!(event.key in steps)) return;
  event.preventDefault();
  stop();
  step(steps[event.key]);
}
