// Stones that move: what one turn does, or takes back, is seen in a moment. Whoever steps on sooner sees no motion, and
// neither do readers who ask their system for less of it.

import { stonesAfter } from "./tree.js";

/** How long a motion takes, and how long after one step another shows motion again, in milliseconds. */
const MOMENT = 160;
const LEISURE = 200;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {number[]} */
let stood = [];
let stepped = -Infinity;
/** @type {Animation[]} */
let running = [];

/**
 * Moves the stones of a picture from where they stood in the one before it, if it is a turn away.
 * @param {import("./board.js").BoardPicture} picture @param {number[]} stones
 * @param {Start} start @param {Step[]} line @param {number} ply
 */
export function setInMotion(picture, stones, start, line, ply) {
  const before = stood;
  const soon = performance.now() - stepped < LEISURE;
  stood = stones;
  if (same(before, stones)) return;
  stepped = performance.now();
  for (const motion of running) motion.cancel();
  running = [];
  picture.layers.leaving.replaceChildren();
  if (soon || calm.matches || before.length !== stones.length) return;
  const near = (/** @type {number} */ other) => same(before, stonesAfter(start, line, other, stones.length));
  if (ply > 0 && near(ply - 1)) turn(picture, before, stones, line[ply - 1], false);
  else if (line[ply]?.changes && near(ply + 1)) turn(picture, before, stones, line[ply], true);
}

/**
 * @param {import("./board.js").BoardPicture} picture @param {number[]} before @param {number[]} after
 * @param {Step} step @param {boolean} back
 */
function turn(picture, before, after, step, back) {
  const path = step.parts?.find((part) => part.role === "path")?.cells ?? [];
  const [from, to] = back ? [path.at(-1), path[0]] : [path[0], path.at(-1)];
  for (const cell of after.keys()) {
    const node = picture.pieces.get(cell)?.node;
    if (from !== undefined && to !== undefined && cell === to && node) {
      const [[x, y], [startX, startY]] = [picture.at[to], picture.at[from]];
      move(node, [{ transform: `translate(${startX - x}px, ${startY - y}px)` }, { transform: "none" }]);
    } else if (before[cell] === after[cell] || (cell === from && to !== undefined)) continue;
    else if (!node) leave(picture, before, cell, [{}, { opacity: 0, transform: "scale(0.7)" }]);
    else if (!before[cell]) move(node, [{ opacity: 0, transform: "scale(0.5)" }, {}]);
    else if (before[cell] * after[cell] > 0) move(node, [{ transform: "translateY(-6px)" }, {}]);
    else {
      leave(picture, before, cell, [{}, { transform: "scaleX(0)", offset: 0.5 }, { transform: "scaleX(0)" }]);
      move(node, [{ transform: "scaleX(0)" }, { transform: "scaleX(0)", offset: 0.5 }, {}]);
    }
  }
}

/**
 * Shows what stood on a cell until it has gone.
 * @param {import("./board.js").BoardPicture} picture @param {number[]} before @param {number} cell
 * @param {Keyframe[]} frames
 */
function leave(picture, before, cell, frames) {
  const node = picture.piece(cell, before, false);
  picture.layers.leaving.append(node);
  move(node, frames).addEventListener("finish", () => node.remove());
}

/** @param {SVGElement} node @param {Keyframe[]} frames */
function move(node, frames) {
  const motion = node.animate(frames, { duration: MOMENT, easing: "ease-out" });
  running.push(motion);
  return motion;
}

/** @param {number[]} one @param {number[]} other */
const same = (one, other) => one.length === other.length && one.every((value, cell) => value === other[cell]);
