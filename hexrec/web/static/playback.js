// Stepping through the game: the buttons and the slider, and playing by itself.

import { goTo, on, state, step } from "./app.js";
import { $, enable, recall } from "./elements.js";
import { playable } from "./tree.js";

/** @type {number | undefined} */
let timer;

export function beginPlayback() {
  on("place", showControls);
  /** @type {[HTMLButtonElement, number][]} */
  const steppers = [
    [$("first"), -Infinity],
    [$("back"), -1],
    [$("forward"), 1],
    [$("last"), Infinity],
  ];
  for (const [button, by] of steppers) {
    button.addEventListener("click", () => {
      stop();
      step(by);
    });
  }
  $("play").addEventListener("click", play);
  recall("speed");
  $("speed").addEventListener("change", () => {
    if (timer) run();
  });
  $("slider").addEventListener("input", () => {
    stop();
    goTo(state.path, Number($("slider").value));
  });
}

function showControls() {
  const most = playable(state.line);
  $("slider").max = String(most);
  $("slider").value = String(state.ply);
  $("slider").setAttribute("aria-valuetext", state.ply ? `after ply ${state.ply}` : "before the first turn");
  for (const button of [$("first"), $("back")]) enable(button, state.ply > 0);
  for (const button of [$("forward"), $("last")]) enable(button, state.ply < most);
  enable($("play"), most > 0);
  if (state.ply === most) stop();
}

export function play() {
  if (!playable(state.line)) return;
  if (timer) return stop();
  if (state.ply === playable(state.line)) goTo(state.path, 0);
  $("play").textContent = "Pause";
  run();
}

/** Steps on at the speed that is chosen. */
function run() {
  clearInterval(timer);
  timer = setInterval(() => step(1), 1000 / Number($("speed").value));
}

export function stop() {
  clearInterval(timer);
  timer = undefined;
  $("play").textContent = "Play";
}
