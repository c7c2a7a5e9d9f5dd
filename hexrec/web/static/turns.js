// The list of turns, with variations and comments.

import { goTo, on, shownTurn, state } from "./app.js";
import { $, make, redrawn } from "./elements.js";
import { GLYPHS } from "./notes.js";
import { claimed } from "./verdict.js";

export function beginTurns() {
  on("record", () => ($("list").hidden = !state.data?.board));
  on("place", showTurns);
  $("turns").addEventListener("keydown", keysInList);
  on("look", () => {
    if (state.data?.board) showTurns();
  });
}

function showTurns() {
  const { moves, report } = state.data;
  const box = $("turns");
  const scrolled = box.scrollTop;
  const shown = () => /** @type {HTMLElement | null} */ (box.querySelector("[aria-current]"));
  const draw = () => {
    box.replaceChildren(make("div", { className: "line" }, startButton(), ...lineItems(moves, [], 0)));
    if (report.result && !report.result.termination.startsWith("rules")) {
      box.append(make("div", { className: "remark", textContent: claimed(report.result) }));
    }
    shown()?.setAttribute("tabindex", "0");
  };
  redrawn(box, draw, shown);
  box.scrollTop = scrolled;
  const at = shown();
  if (at && (at.offsetTop < scrolled || at.offsetTop + at.offsetHeight > scrolled + box.clientHeight)) {
    box.scrollTop = at.offsetTop - box.clientHeight / 2;
  }
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
  if (state.ply === 0) button.setAttribute("aria-current", "true");
  button.addEventListener("click", () => goTo([], 0));
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
  item.className = `turn ${each.colour}`;
  item.append(make("span", { className: "ply", textContent: String(ply + 1) }), make("span", { className: "dot" }));
  item.append(make("span", { className: "unseen", textContent: `${each.colour} ` }));
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
  } else if (after === state.ply && state.line[ply] === each) item.setAttribute("aria-current", "true");
  item.addEventListener("click", () => goTo(path, after));
  return item;
}

/** @param {number} nag */
const glyph = (nag) => (GLYPHS[nag] ? ` ${GLYPHS[nag][0]}` : ` $${nag}`);
