// Reports on records: those of a service, and those that follow from the rules alone. No DOM, no service.

import { turnOf } from "./document.js";
import { MEANINGS } from "./meanings.js";

/** @typedef {{ report: Replay["report"], codes: Replay["codes"] }} Told */

/** The reports that a service has made, by record. @type {WeakMap<GameRecord, Told>} */
const told = new WeakMap();

/** What a code means, in a sentence without a full stop: said until a service says it of the turn. @param {string} code */
export const meaningOfCode = (code) => (MEANINGS[code] ?? code).replace(/\.$/, "");

/** @param {GameRecord} record */
export const reported = (record) => told.get(record);

/** @param {GameRecord} record @param {Told} answer */
export const remember = (record, { report, codes }) => void told.set(record, { report, codes });

/**
 * Return the report on a record that was edited, and whether a service would say the same. If the record was in order
 * before, and turns, comments and marks alone have changed since, it is in order while its turns are legal.
 * @param {GameRecord} record
 * @param {{ moves?: Step[], result?: Result | null }} drawn what the rules say of it
 * @param {Told} before the report on the record as it was
 * @param {GameRecord | null} sound the record as it was when nothing was wrong with it
 * @returns {Told & { isSure: boolean }}
 */
export function reportOn(record, { moves = [], result = null }, before, sound) {
  const known = told.get(record);
  if (known) return { ...known, isSure: true };
  const ply = moves.findIndex((step) => step.illegal) + 1;
  const plies = ply ? ply - 1 : moves.length;
  const ending = result ?? (record.result && !ply ? record.result : null);
  // Where they are in a text is no longer so.
  const others = before.report.diagnostics.filter(({ code }) => !code.startsWith("move/"));
  /** @type {any[]} */
  let diagnostics = others.map(({ line, column, end_line, end_column, ...each }) => each);
  if (ply) {
    const { turn, illegal: code = "" } = moves[ply - 1];
    const message = `ply ${ply}: ${turn} is illegal. ${meaningOfCode(code)}`;
    diagnostics = [{ code, severity: "error", message, ply, turn }, ...diagnostics];
  }
  const isSure = Boolean(sound) && !isBroken(moves) && sameBesidesTurns(record, /** @type {GameRecord} */ (sound), result);
  if (isSure) diagnostics = [];
  const valid = !diagnostics.some(({ severity }) => severity === "error");
  const report = { ...before.report, valid, accepted: valid, plies, result: /** @type {any} */ (ending), diagnostics };
  return { report, codes: before.codes, isSure };
}

/**
 * Return a result as records have it: that of the rules is the usual one.
 * @param {Result} result @returns {any}
 */
export function asRecorded(result) {
  const { termination, ...rest } = result;
  return termination === "rules" ? rest : result;
}

/** Whether a turn of a tree is illegal. @param {Step[]} line @returns {boolean} */
const isBroken = (line) => line.some((step) => step.illegal || step.variations?.some(isBroken));

/** What notes, turns and the opening change, which cannot make a record invalid unless one of them is illegal. */
const FREE = ["comment", "marks", "moves", "opening", "pie", "result"];

/**
 * @param {GameRecord} record @param {GameRecord} sound
 * @param {Result | null} result that of the rules
 */
function sameBesidesTurns(record, sound, result) {
  const names = new Set([...Object.keys(record), ...Object.keys(sound)].filter((name) => !FREE.includes(name)));
  if ([...names].some((name) => JSON.stringify(record[name]) !== JSON.stringify(sound[name]))) return false;
  if (!record.result) return true;
  if (result && JSON.stringify(record.result) === JSON.stringify(asRecorded(result))) return true;
  return JSON.stringify(record.result) === JSON.stringify(sound.result) && turnsOf(record) === turnsOf(sound);
}

/** @param {GameRecord} record */
const turnsOf = ({ moves }) => moves.map(turnOf).join(" ");

/**
 * Return the report on a record in which nothing is wrong.
 * @param {GameRecord} record @returns {Replay["report"]}
 */
export function soundReport({ game, id, moves }) {
  const about = { file: "-", index: 0, id: typeof id === "string" ? id : null, game };
  return /** @type {any} */ ({ ...about, valid: true, accepted: true, plies: moves.length, result: null, diagnostics: [] });
}
