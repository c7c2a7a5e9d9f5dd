// The list of turns, with variations and comments.

import { goTo, on, shownTurn, state } from "./app.js";
import { $, make, redrawn } from "./elements.js";
import { GLYPHS } from "./notes.js";
import { claimed } from "./verdict.js";

/** Whether the list is another one than that which is drawn. */
let turnsChanged = true;
/**
 * What stands for the turns that were played.
 * @type {Map<Step | null, HTMLElement>}
 */
const turnItems = new Map();

/** The frame in which the list is scrolled. */
let scrolling = 0;

export function beginTurns() {
  on("record", () => ($("list").hidden = !state.data?.board));
  for (const event of /** @type {const} */ (["record", "edit", "look"])) on(event, () => (turnsChanged = true));
  on("place", showTurns);
  $("turns").addEventListener("keydown", keysInList);
  on("look", () => {
    if (state.data?.board) showTurns();
  });
}

const shownItem = () => turnItems.get(state.ply ? state.line[state.ply - 1] : null) ?? null;

/** Shows which turn was the last one. A long list is drawn anew only if it has changed. */
function showTurns() {
  const box = $("turns");
  const draw = () => {
    if (turnsChanged) drawTurns();
    const before = box.querySelector("[aria-current]");
    before?.removeAttribute("aria-current");
    before?.setAttribute("tabindex", "-1");
    shownItem()?.setAttribute("aria-current", "true");
    shownItem()?.setAttribute("tabindex", "0");
  };
  redrawn(box, draw, shownItem);
  if (box.contains(document.activeElement)) shownItem()?.focus({ preventScroll: true });
  // To ask where things are makes the browser lay them out: once for a frame is enough.
  cancelAnimationFrame(scrolling);
  scrolling = requestAnimationFrame(scrollToShown);
}

function scrollToShown() {
  const box = $("turns");
  const at = shownItem();
  if (!at) return;
  const { offsetTop, offsetHeight } = at;
  const { scrollTop, clientHeight } = box;
  if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) {
    box.scrollTop = offsetTop - clientHeight / 2;
  }
}

function drawTurns() {
  const { moves, report } = state.data;
  const { scrollTop } = $("turns");
  turnsChanged = false;
  turnItems.clear();
  $("turns").replaceChildren(make("div", { className: "line" }, startButton(), ...lineItems(moves, [], 0)));
  if (report.result && !report.result.termination.startsWith("rules")) {
    $("turns").append(make("div", { className: "remark", textContent: claimed(report.result) }));
  }
  $("turns").scrollTop = scrollTop;
}

/**
 * Goes from turn to turn in the order in which they are listed, variations too: one of them is a tab stop.
 * @param {KeyboardEvent} event
 */
function keysInList(event) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  const items = /** @type {HTMLElement[]} */ ([...$("turns").querySelectorAll("button")]);
  items[items.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + by]?.click();
}

function startButton() {
  const button = make("button", { type: "button", className: "turn wide", tabIndex: -1, textContent: "Before the first turn" });
  button.addEventListener("click", () => goTo([], 0));
  turnItems.set(null, button);
  return button;
}

/**
 * @param {Step[]} steps @param {Path} path @param {number} base
 * @returns {Generator<HTMLElement>}
 */
function* lineItems(steps, path, base) {
  for (const [index, each] of steps.entries()) {
    const ply = base + index;
    yield turnItem(each, path, ply);
    if (each.comment) yield make("div", { className: "remark wide", textContent: each.comment });
    for (const [number, line] of (each.variations ?? []).entries()) {
      const items = lineItems(line, [...path, [ply, number]], ply);
      const box = make("div", { className: "line variation wide" }, ...items);
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", `Variation at ply ${ply + 1}`);
      yield box;
    }
  }
}

/** @param {Step} each @param {Path} path @param {number} ply */
function turnItem(each, path, ply) {
  const live = each.changes || each.illegal;
  const item = live ? make("button", { type: "button", tabIndex: -1 }) : make("span");
  item.className = `turn ${each.color}`;
  item.append(make("span", { className: "ply", textContent: String(ply + 1) }), make("span", { className: "dot" }));
  item.append(make("span", { className: "unseen", textContent: `${each.color} ` }));
  item.append((each.illegal ? "✗ " : "") + shownTurn(each.turn) + (each.nag ?? []).map(glyph).join(""));
  if (!live) {
    item.append(make("span", { className: "unseen", textContent: " (not played)" }));
    return item;
  }
  const after = each.changes ? ply + 1 : ply;
  if (each.illegal) {
    item.classList.add("illegal");
    item.title = each.illegal;
    item.append(make("span", { className: "unseen", textContent: ` (illegal: ${each.illegal})` }));
  } else turnItems.set(each, item);
  item.addEventListener("click", () => goTo(path, after));
  return item;
}

/** @param {number} nag */
const glyph = (nag) => (GLYPHS[nag] ? ` ${GLYPHS[nag][0]}` : ` $${nag}`);
