// What is done with all records of the open files at once: their order, repairs, the report as a file. No DOM.

import { editedText, keepText, listedOf, textOf } from "./archive.js";
import { ask } from "./service.js";

/** How many records are repaired at a time. */
const AT_ONCE = 8;

/** By the name of an order, what records are ordered by: numbers, or strings. @type {Record<string, (listed: Listed) => number | string>} */
const KEYS = {
  black: ({ players }) => players.black ?? "",
  white: ({ players }) => players.white ?? "",
  event: ({ event }) => event ?? "",
  date: ({ date }) => date ?? "",
  game: ({ game, size }) => `${game ?? ""} ${String(size ?? 0).padStart(2, "0")}`,
  turns: ({ plies }) => plies,
  result: ({ result }) => (result ? (result.winner ?? "none") : ""),
  diagnostic: ({ diagnostic }) => diagnostic?.code ?? "",
};

/**
 * Return records in an order; those that have no value come last, equal ones stay as they were.
 * @param {Entry[]} entries @param {string} order a name of `KEYS`, after a minus sign in descending order; else as they are
 */
export function ordered(entries, order) {
  const key = KEYS[order.replace("-", "")];
  if (!key) return entries;
  const way = order.startsWith("-") ? -1 : 1;
  const { compare } = new Intl.Collator("en", { sensitivity: "base", numeric: true });
  const keyed = entries.map((entry) => ({ entry, value: key(listedOf(entry)) }));
  keyed.sort(({ value: one }, { value: other }) => {
    if (one === "" || other === "") return Number(one === "") - Number(other === "");
    return way * (typeof one === "number" ? one - Number(other) : compare(one, String(other)));
  });
  return keyed.map(({ entry }) => entry);
}

/**
 * Replace the text of every invalid record for which there is only one suggestion under which it is valid.
 * @param {import("./archive.js").Archive} archive @param {(done: number, all: number) => void} told @param {AbortSignal} signal
 * @returns {Promise<{ repaired: number, left: number }>}
 */
export async function repairAll(archive, told, signal) {
  const waiting = archive.entries.filter((entry) => !listedOf(entry).valid && !entry.edit?.record);
  const all = waiting.length;
  let repaired = 0;
  let done = 0;
  const next = async () => {
    for (let entry = waiting.shift(); entry && !signal.aborted; entry = waiting.shift()) {
      const text = await onlyRepair(entry, signal).catch(() => null);
      if (text !== null && !signal.aborted && (await keepText(archive, entry, text).then(() => true, () => false))) repaired++;
      told(++done, all);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return { repaired, left: all - repaired };
}

/**
 * Return the text of a record with its only complete suggestion; null if there is none, or a choice.
 * @param {Entry} entry @param {AbortSignal} signal
 */
async function onlyRepair(entry, signal) {
  const text = await textOf(entry);
  /** @type {Reports} */
  const { records } = await ask(`v1/validate?from=${entry.file.notation}`, text, "application/octet-stream", signal);
  const report = records[entry.edit ? 0 : entry.extent.record];
  const found = (report?.diagnostics ?? []).flatMap((each) => each.suggestions ?? []).filter(({ complete }) => complete);
  if (found.length !== 1 || found[0].edits.some(({ line }) => !line)) return null;
  return editedText(text, found[0].edits);
}

/** The columns of the report. @type {[name: string, value: (listed: Listed, entry: Entry) => unknown][]} */
const COLUMNS = [
  ["file", (_, { file }) => file.name],
  ["index", (_, { read }) => read.index],
  // The service counts the lines of the part of the file that it saw.
  ["line", ({ diagnostic }, { extent, read, edit }) => (!edit && diagnostic?.line ? diagnostic.line + extent.line - read.extent.line : "")],
  ["id", ({ id }) => id],
  ["game", ({ game }) => game],
  ["size", ({ size }) => size],
  ["black", ({ players }) => players.black],
  ["white", ({ players }) => players.white],
  ["event", ({ event }) => event],
  ["date", ({ date }) => date],
  ["plies", ({ plies }) => plies],
  ["winner", ({ result }) => result?.winner],
  ["valid", ({ valid }) => valid],
  ["code", ({ diagnostic }) => diagnostic?.code],
  ["ply", ({ diagnostic }) => diagnostic?.ply],
  ["message", ({ diagnostic }) => diagnostic?.message],
];

/**
 * Return the report on some records as CSV, a row for each.
 * @param {Entry[]} entries
 */
export function reportOf(entries) {
  const rows = entries.map((entry) => COLUMNS.map(([, value]) => value(listedOf(entry), entry)));
  return [COLUMNS.map(([name]) => name), ...rows].map((row) => `${row.map(field).join(",")}\r\n`).join("");
}

/** Return a field of CSV. Spreadsheets take what begins with one of these signs for a formula. @param {unknown} value */
function field(value) {
  const text = String(value ?? "").replace(/^[=+\-@\t\r]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
