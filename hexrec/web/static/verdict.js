// The verdict on the record, and what is said of the game.

import { goTo, on, state } from "./app.js";
import { $, make } from "./elements.js";

/** The game that is shown. @type {object | null} */
let shownGame = null;

export function beginVerdict() {
  on("record", () => {
    if (!state.data) return;
    showVerdict();
    if (state.document !== shownGame) $("panel").scrollTop = 0;
    shownGame = state.document;
  });
}

function showVerdict() {
  const { report, record, game } = state.data;
  $("verdict").classList.toggle("invalid", !report.valid);
  $("verdict-title").textContent = report.valid ? "Valid" : "Invalid";
  const parts = [];
  if (record) {
    const rules = [record.ruleset, record.variant].filter(Boolean).join(", ");
    parts.push(`${game.title} on size ${record.size}${rules && ` (${rules})`}`);
    const players = [record.players?.black?.name, record.players?.white?.name];
    if (players[0] || players[1]) parts.push(`${players[0] ?? "?"} (black) against ${players[1] ?? "?"} (white)`);
    for (const field of ["event", "round", "site", "date"]) if (record[field]) parts.push(record[field]);
    if (!report.result)
      parts.push(report.valid ? "unfinished" : `${report.plies} of ${record.moves.length} turns are legal`);
    else if (report.result.termination !== "rules") parts.push(claimed(report.result));
    if (record.comment) parts.push(record.comment);
  }
  $("about").textContent = parts.join(" · ");
  document.title = record ? `${game.title} – hexrec` : "hexrec";
  $("diagnostics").replaceChildren(...report.diagnostics.map(diagnostic));
}

/** @param {Result} result */
export function claimed({ winner, termination }) {
  const ending = winner === "draw" ? "a draw" : winner ? `${winner} wins` : "no winner named";
  return `${ending} (${termination})`;
}

/** @param {Diagnostic} each */
function diagnostic(each) {
  const place = [each.line && `line ${each.line}, column ${each.column}`, each.ply && `ply ${each.ply}`, each.turn];
  const item = make("li", { className: each.severity }, make("span", { className: "code", textContent: each.code }));
  if (each.severity !== "error") item.append(` (${each.severity})`);
  item.append(make("div", { textContent: each.message }));
  item.append(make("div", { className: "place", textContent: place.filter(Boolean).join(" · ") }));
  const about = state.data.codes?.[each.code];
  if (about) {
    const help = make("details", { className: "help" }, make("summary", { textContent: "The rule, and what to do" }));
    help.append(make("p", {}, ...withCode(about.rule)), make("p", {}, ...withCode(about.fix)));
    item.append(help);
  }
  const { ply } = each;
  if (ply && state.data.board) {
    const button = make("button", { type: "button", textContent: "Show the position" });
    button.addEventListener("click", () => {
      goTo([], ply - 1);
      $("stage").scrollIntoView({ block: "nearest" });
    });
    item.append(button);
  }
  return item;
}

/**
 * Text in which code stands between backticks.
 * @param {string} text
 */
function withCode(text) {
  return text.split("`").map((part, index) => (index % 2 ? make("code", { textContent: part }) : part));
}
