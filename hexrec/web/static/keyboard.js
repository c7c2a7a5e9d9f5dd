// The keys that mean the same everywhere outside of fields: stepping, undo and redo, taking a part of a turn back.

import { state, step } from "./app.js";
import { chosen, queued } from "./clicks.js";
import { redo } from "./editing.js";
import { takeBack, undoLast } from "./entry.js";
import { stopMarking } from "./notes.js";
import { stop } from "./playback.js";

export function beginKeyboard() {
  document.addEventListener("keydown", keys);
}

/** @param {KeyboardEvent} event */
function keys(event) {
  if (!state.data?.board || event.altKey) return;
  const target = /** @type {Element} */ (event.target);
  if (event.key === "Escape") {
    const begun = chosen(state.meaning).length || queued(state.meaning).length;
    return begun ? takeBack() : stopMarking();
  }
  if (target.closest("input, textarea, select")) return;
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() === "z") {
      event.preventDefault();
      (event.shiftKey ? redo : undoLast)();
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
