// The board, its caption and the legend.

import { sample } from "./board.js";
import { certainChanges } from "./choices.js";
import { chosen, offered, queued } from "./clicks.js";
import { current, ended, nameOf, on, own, shownTurn, state, system, toPlay } from "./app.js";
import { $, cellAt, make, say, titled } from "./elements.js";
import { setInMotion } from "./motion.js";
import { stonesAfter } from "./tree.js";
import { claimed } from "./verdict.js";
import { fits, frame } from "./zoom.js";

export function beginStage() {
  on("record", () => ($("stage").hidden = !state.data?.board));
  on("place", (quiet) => {
    showBoard();
    if (!quiet) say($("caption").textContent);
  });
  on("meaning", () => {
    if (state.data?.board && state.picture.drawn) showPointers();
  });
  $("board").addEventListener("pointerover", (event) => hover(event.pointerType === "mouse" ? cellAt(event) : null));
  $("board").addEventListener("pointerleave", () => hover(null));
  new ResizeObserver(() => {
    if (state.data?.board && state.picture.shown.labels !== labelsHere()) showBoard();
  }).observe($("board"));
  on("look", () => {
    if (state.data?.board) showBoard();
  });
}

function showBoard() {
  const { board, start } = state.data;
  const stones = stonesAfter(start, state.line, state.ply, board.cells.length);
  const marks = [...(current().marks ?? []), ...(current().parts ?? [])];
  const next = state.line[state.ply];
  const illegal = next?.illegal ? state.names.through(next.turn.toLowerCase(), own()) : [];
  const caption = captionText(next);
  $("caption").textContent = caption;
  const theme = $("theme").value;
  const { markup } = current();
  const said = (markup?.words ?? []).map(({ name, cells, joiner }) => `${name}: ${cells.map(nameOf).join(joiner)}`);
  const words = [description(stones, marks), ...said.map((line) => `${line}.`)].join(" ");
  const names = { system: system(), labels: labelsHere() };
  const view = { stones, marks, markup, illegal, ...pointers(), ...names, theme };
  const drawn = state.picture.draw({ ...view, title: caption, description: words });
  if (drawn.parentNode !== $("board")) $("board").replaceChildren(drawn);
  frame();
  setInMotion(state.picture, stones, start, state.line, state.ply);
  const kinds = new Map(marks.map((mark) => [mark.name, mark]));
  $("legend").replaceChildren(
    ...[...kinds.values()].map((mark) => make("li", {}, sample(mark, theme), mark.name)),
    ...said.map((line) => make("li", {}, line)),
  );
}

/** Which cells have their names written: names at the rim are left out where the cells need their room. */
function labelsHere() {
  const { value } = $("labels");
  return value === "ends" && !fits({ labels: value, system: system() }) ? "none" : value;
}

/** Shows other parts of a turn, or the keyboard's cell, on the same position. */
export function showPointers() {
  const stones = stonesAfter(state.data.start, state.line, state.ply, state.data.board.cells.length);
  state.picture.point({ ...pointers(), stones });
  $("caption").textContent = captionText(state.line[state.ply]);
}

/** @param {number | null} cell */
function hover(cell) {
  if (cell === state.hovered) return;
  state.hovered = cell;
  if (state.data?.board) showPointers();
}

/** What the board shows of the turn under way. @returns {Pointers} */
function pointers() {
  const { meaning, cursor, hovered } = state;
  const next = offered(meaning);
  /** @type {Pointers} */
  const shown = { chosen: chosen(meaning), queued: queued(meaning), next, cursor, changes: [] };
  if (meaning.kind === "turn") {
    const parts = hovered !== null && next.includes(hovered) ? [...meaning.parts, hovered] : meaning.parts;
    shown.changes = certainChanges(meaning.turns, parts);
  } else if (meaning.kind === "opening") {
    const cells = hovered === null || meaning.cells.includes(hovered) ? meaning.cells : [...meaning.cells, hovered];
    // The stones of the record stand there until others are set.
    for (const [cell] of state.data.start.changes) shown.changes.push([cell, 0]);
    for (const [index, cell] of cells.entries()) shown.changes.push([cell, meaning.colors[index] === "white" ? -1 : 1]);
  }
  return shown;
}

/** @param {Step | undefined} next */
function captionText(next) {
  const last = state.ply && state.line[state.ply - 1];
  const when = last ? `After ply ${state.ply}, ${last.color} ${shownTurn(last.turn)}` : "Before the first turn";
  const { result } = state.document.record;
  const here = result && !state.path.length && state.ply === state.document.record.moves.length;
  const then = ended() ?? (here ? claimed(result) : `${toPlay()} to play`);
  if (state.meaning.kind === "opening") {
    const { colors, cells } = state.meaning;
    return `Opening: ${titled(colors[cells.length])}'s ${state.data.game.piece}`;
  }
  return next?.illegal ? `${when}; ${next.color} ${shownTurn(next.turn)} is illegal here` : `${when}; ${then}`;
}

/** @param {number[]} stones @param {Mark[]} marks */
function description(stones, marks) {
  /** @param {number} cell */
  const standing = (cell) => nameOf(cell) + (Math.abs(stones[cell]) > 1 ? ` (height ${Math.abs(stones[cell])})` : "");
  const cells = [...stones.keys()];
  const sides = Object.entries({ Black: 1, White: -1 }).map(([colour, sign]) => {
    const held = cells.filter((cell) => stones[cell] * sign > 0).map(standing);
    return `${colour}: ${held.join(", ") || "none"}.`;
  });
  return [...sides, ...marks.map((mark) => `${mark.name}: ${mark.cells.map(nameOf).join(", ")}.`)].join(" ");
}
