// The keys that step through the game.

import { state, step } from "./app.js";
import { $ } from "./elements.js";
import { play, stop } from "./playback.js";

export function beginKeyboard() {
  document.addEventListener("keydown", keys);
}

/** @param {KeyboardEvent} event */
function keys(event) {
  if (!state.data?.board || event.ctrlKey || event.altKey || event.metaKey) return;
  const target = /** @type {Element} */ (event.target);
  if (target.closest("input, textarea, select")) return;
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  const onStage = target.closest("#stage");
  if (onStage) Object.assign(steps, { Home: -Infinity, End: Infinity });
  if (event.key in steps) {
    event.preventDefault();
    stop();
    step(steps[event.key]);
  } else if (event.key === " " && target === $("board")) {
    event.preventDefault();
    if (!$("play").disabled) play();
  }
}
