// What is said of the game as a whole: players, event, date, the pie rule, the result.

import { on, state } from "./app.js";
import { described } from "./document.js";
import { note } from "./editing.js";
import { $, EMBEDDED } from "./elements.js";

/** The fields of the form; each names its field of the record, with those that it is in before it. */
const inputs = () =>
  /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ ([...$("details").querySelectorAll("[data-field]")]);

export function beginDetails() {
  on("record", () => {
    $("details").hidden = Boolean(EMBEDDED) || !state.data?.board;
    if (state.data?.board) showDetails();
  });
  for (const input of inputs()) {
    input.addEventListener("change", () => {
      const { document: game, path, ply } = state;
      note({ document: game, path, ply }, (record, place) => described(record, place, changed(record, input)));
    });
  }
}

/** @param {HTMLElement} input */
const fieldOf = (input) => /** @type {string} */ (input.dataset.field).split(".");

function showDetails() {
  for (const input of inputs()) {
    if (input === document.activeElement && input.matches("input")) continue;
    const fields = /** @type {any} */ (state.document.record);
    if (input.dataset.field === "result.winner") input.disabled = !fields.result;
    const value = fieldOf(input).reduce((part, name) => part?.[name], fields);
    // A result that does not say what ended the game means the rules.
    const rules = input.dataset.field === "result.termination" && fields.result;
    input.value = value ?? (rules ? "rules" : "");
  }
}

/**
 * The field of the record that an input changes, whole.
 * @param {GameRecord} record @param {HTMLInputElement | HTMLSelectElement} input
 */
function changed(record, input) {
  const [top, ...rest] = fieldOf(input);
  const text = input.value.trim();
  const value = input.type === "number" && text ? Number(text) : text || undefined;
  if (top === "result") return { result: changedResult(record.result, rest[0], text) };
  return { [top]: withValue(record[top], rest, value) };
}

/**
 * A result with another ending or winner. The score is of the rules alone; who resigns or has no time left is by default
 * the one who has the turn, and an agreement is a draw.
 * @param {Result | undefined} result @param {string} name @param {string} value
 * @returns {Result | undefined}
 */
function changedResult(result, name, value) {
  if (name === "winner") return { termination: "rules", ...result, winner: value || undefined };
  if (!value) return undefined;
  const kept = /** @type {Partial<Result> & { score?: unknown }} */ ({ ...result });
  delete kept.score;
  if (kept.winner === "draw" && ["resignation", "time", "forfeit"].includes(value)) delete kept.winner;
  const mover = (state.data.moves.at(-1) ?? state.data.start).to_play;
  const usual = { resignation: other(mover), time: other(mover), agreement: "draw" }[value];
  return { winner: usual, ...kept, termination: value };
}

/** @param {Colour | undefined} colour */
const other = (colour) => (colour === "black" ? "white" : "black");

/**
 * A value with another one somewhere in it; undefined where nothing is left.
 * @param {any} part @param {string[]} names @param {unknown} value
 * @returns {any}
 */
function withValue(part, names, value) {
  if (!names.length) return value;
  const [name, ...rest] = names;
  const made = { ...part, [name]: withValue(part?.[name], rest, value) };
  if (made[name] === undefined) delete made[name];
  return Object.keys(made).length ? made : undefined;
}
