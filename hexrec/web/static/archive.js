// Files of records: cut here, listed by the service part by part, edited record by record, written again. No DOM.
//
// What is known of a file is the file itself, as a Blob, and where each record stands in it. A record is opened by
// sending the service the bytes that hold it and nothing else. An edit is kept beside the file, which stays as it is
// until it is saved: then the bytes of records that were edited are replaced, and all others are those of the file.

import { GameDocument } from "./document.js";
import { knows, replayed } from "./replay.js";
import { remember, reported } from "./reports.js";
import { ask, askText } from "./service.js";
import { messageOf } from "./words.js";

/** How many bytes of JSON Lines are sent at a time: a few hundred records, which the service lists in a part of a second. */
const PART_SIZE = 1 << 18;
const LARGEST_PART = 1 << 19;
/** How many bytes of a file are looked at to see whether it is in JSON Lines. */
const HEAD_SIZE = 1 << 16;
const BYTES = "application/octet-stream";
const LINE_END = 10;
/** The endings of files that hold records, with the notation where the service need not look at the content. */
/** @type {Record<string, string>} */
const SUFFIXES = { json: "", jsonl: "jsonl", ndjson: "jsonl", yaml: "yaml", yml: "yaml", sgf: "sgf", hgn: "hgn" };
/** The names of tables and texts, which may have games as people write them, and of those that have no records. */
const TEXTS = /\.(txt|text|md|markdown|log|csv|tsv|tab|xlsx)$/i;
const TABLES = /\.(csv|tsv|tab|xlsx)$/i;
/** The fields at the beginnings of lines that only a record has. */
const FIELDS = /^["']?(hexrec|moves)["']?\s*:/m;
/** The beginning of a record in JSON, SGF or HGN. */
const RECORD = /^\s*[{[(]/;
/** The codes of files without games, whose diagnostics as records say more. */
const NO_GAMES = ["import/records", "syntax/binary"];
/** What stands between records, or between parts of a file, in the notations in which a whole file can be written. */
export const BETWEEN = { jsonl: "", yaml: "---\n", sgf: "", hgn: "\n" };

/** The suffix of a name, without that of compression. @param {string} name */
const suffixOf = (name) => name.replace(/\.(gz|zst|bz2|xz)$/i, "").split(".").slice(1).at(-1)?.toLowerCase() ?? "";

/**
 * Whether a file that somebody dropped with others is one of records, by its name.
 * @param {string} name
 */
export const holdsRecords = (name) => suffixOf(name) in SUFFIXES;

/**
 * Whether a file that somebody chose may have games as people write them, by its name.
 * @param {string} name
 */
export const holdsText = (name) => TEXTS.test(name);

/**
 * A file of records, as it is before anything is known of it.
 * @param {string} name @param {Blob} blob
 * @returns {ArchiveFile}
 */
export const fileOf = (name, blob) => ({ name, blob, notation: SUFFIXES[suffixOf(name)] || null });

export class Archive {
  /** @param {ArchiveFile[]} files */
  constructor(files) {
    this.id = `${Date.now()}-${Math.random()}`;
    /** Where it is opened again; empty for what is only open here. */
    this.address = "";
    /** Which state of the draft is this archive's; another tab may have made another. @type {string | null} */
    this.stamp = null;
    this.files = files;
    /** @type {Entry[]} */
    this.entries = [];
    /** The record that is shown, or null. @type {Entry | null} */
    this.current = null;
    /** The first record that was listed as invalid, or null. @type {Entry | null} */
    this.firstInvalid = null;
    /** How many bytes are listed. */
    this.done = 0;
    /** Whether all records are listed, of the files that can be read. */
    this.complete = false;
    /** Why files are not listed, or not to their ends. @type {string[]} */
    this.problems = [];
  }

  /** What people call it. */
  get name() {
    const [first] = this.files;
    return this.files.length > 1 ? `${this.files.length} files` : first.name;
  }

  /** How many bytes there are. */
  get size() {
    return this.files.reduce((sum, { blob }) => sum + blob.size, 0);
  }

  get edited() {
    return this.entries.filter((entry) => entry.edit);
  }

  /**
   * List the records of all files, as far as that is possible; call `told` after each part.
   * @param {() => void} told @param {AbortSignal} signal
   */
  async list(told, signal) {
    /** How many records have come from compressed files. @type {Map<object, number>} */
    const unpacked = new Map();
    for (const file of this.files) {
      try {
        await this.listFile(file, unpacked, told, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        this.problems.push(messageOf(error));
      }
    }
    this.complete = true;
  }

  /**
   * List the records of a file. Throws what the service says of a file that it refuses.
   * @param {ArchiveFile} file @param {Map<object, number>} unpacked @param {() => void} told @param {AbortSignal} signal
   */
  async listFile(file, unpacked, told, signal) {
    if (TABLES.test(file.name) && !file.notation) await this.importGames(file, signal);
    let index = 0;
    let line = 0;
    for await (const { offset, part, lines } of partsOf(file)) {
      const from = file.notation ? `?from=${file.notation}` : "";
      let answer;
      try {
        answer = await ask(`v1/list${from}`, part, BYTES, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        const advice = part === file.blob && part.size > PART_SIZE ? " A large file is read in parts if it is in JSON Lines." : "";
        throw new Error(`${file.name || "The text"} is not listed from record ${index} on: ${messageOf(error)}.${advice}`, { cause: error });
      }
      if (part === file.blob && (await isForeign(file, answer.records)) && (await this.importGames(file, signal))) {
        await this.listFile(file, unpacked, told, signal);
        return;
      }
      file.notation = answer.notation;
      for (const listed of answer.records) {
        const extent = { ...listed.extent, offset: listed.extent.offset + offset, line: listed.extent.line + line };
        /** @type {Entry} */
        const entry = { file, extent, read: { ...listed, index: index++ }, edit: null, base: null, document: null };
        this.entries.push(entry);
        if (!listed.valid) this.firstInvalid ??= entry;
      }
      this.done += part.size;
      if (file.packed) {
        const count = (unpacked.get(file.packed) ?? 0) + answer.records.length;
        unpacked.set(file.packed, count);
        if (count > file.packed.most) throw new Error(`${file.name} is not listed from record ${index} on: it has too many records for its compressed size.`);
      }
      line += lines;
      told();
    }
  }

  /**
   * Replace a text by the games that it has: records, and the best attempts at others; return whether it has any. Throws an
   * Error if none of them can be shown, or if the text is neither a post nor the beginning of a record.
   * @param {ArchiveFile} file @param {AbortSignal} signal
   */
  async importGames(file, signal) {
    /** @type {{ records: Schemas["ImportedGame"][] }} */
    const { records } = await ask("v1/import", file.blob, BYTES, signal);
    const games = records.map(({ record, attempt }) => record ?? attempt).filter(Boolean);
    const unshown = records.filter(({ record, attempt }) => !record && !attempt).flatMap(({ diagnostics }) => diagnostics);
    const isTable = TABLES.test(file.name);
    const codes = RECORD.test(await file.blob.slice(0, HEAD_SIZE).text()) ? [...NO_GAMES, "import/no-game"] : NO_GAMES;
    const problems = unshown
      .filter(({ code }) => isTable || !codes.includes(code))
      .map(({ line, message }) => {
        const where = [file.name, line && `line ${line}`].filter(Boolean).join(", ");
        return `${where}${where && ": "}${message.replace(/give --(\w+)/, "state the $1 in the text")}.`;
      });
    if (!games.length && problems.length) throw new Error(problems.join(" "));
    if (!games.length) return false;
    this.problems.push(...problems);
    file.blob = new Blob(games.map((game) => `${JSON.stringify(game)}\n`));
    file.notation = "jsonl";
    file.name = file.name.replace(/(\.[^./]*)?$/, (suffix) => (file.name ? ".jsonl" : suffix));
    return true;
  }
}

/**
 * Whether a text is no record of any format.
 * @param {ArchiveFile} file @param {Listed[]} records what the list says of it
 */
async function isForeign({ blob, notation }, records) {
  if (notation || records.some(({ game, plies }) => game || plies)) return false;
  return !FIELDS.test(await blob.slice(0, HEAD_SIZE).text());
}

/**
 * The positions of the valid records of an archive, those of edited ones as they are now. Throws an Error if the service
 * refuses a file.
 * @param {Archive} archive @param {AbortSignal} signal
 * @returns {Promise<{ entry: Entry, listed: ListedPositions }[]>}
 */
export async function positionsOf(archive, signal) {
  const found = [];
  for (const file of archive.files) {
    const entries = archive.entries.filter((entry) => entry.file === file);
    let index = 0;
    for await (const { part } of partsOf(file)) {
      const { records } = await ask(`v1/list?positions=true&from=${file.notation}`, part, BYTES, signal);
      for (const listed of records) {
        const entry = entries[index++];
        if (entry && !entry.edit) found.push({ entry, listed });
      }
    }
  }
  for (const entry of archive.edited) {
    const { body, from } = bodyOf(entry);
    const [notation, number] = from.split("&record=");
    const { records } = await ask(`v1/list?positions=true&${notation}`, body, BYTES, signal);
    if (records[Number(number)]) found.push({ entry, listed: records[Number(number)] });
  }
  return found;
}

/**
 * What the list says of a record: as it was read, or as it was edited.
 * @param {Entry} entry
 */
export const listedOf = (entry) => entry.edit?.listed ?? entry.read;

/**
 * The bytes that hold a record in its file, as they were read or as text that somebody put in their place.
 * @param {Entry} entry
 */
function sourceOf({ file, extent, edit }) {
  return edit?.text === undefined
    ? file.blob.slice(extent.offset, extent.offset + extent.size)
    : new Blob([edit.text]);
}

/**
 * The text that holds a record.
 * @param {Entry} entry
 */
export const textOf = (entry) => sourceOf(entry).text();

/**
 * The body and the parameters with which the service is asked about a record as it is.
 * @param {Entry} entry
 */
export function bodyOf(entry) {
  if (entry.edit?.record) return { body: new Blob([JSON.stringify(entry.edit.record)]), from: "from=json&record=0" };
  return { body: sourceOf(entry), from: `from=${entry.file.notation}&record=${entry.extent.record}` };
}

/**
 * What the page draws of a record, with the document in which it is edited.
 * @param {Entry} entry
 * @returns {Promise<Replay>}
 */
export async function replayOf(entry) {
  const { record } = entry.document ?? {};
  const known = record && reported(record);
  if (record && known && knows(record.game)) return /** @type {Replay} */ ({ ...known, record, ...replayed(record) });
  const { body, from } = bodyOf(entry);
  /** @type {Replay} */
  const data = await ask(`v1/replay?drawing=${!knows(listedOf(entry).game)}&${from}`, body, BYTES);
  const { report } = data;
  report.index = entry.read.index;
  if (entry.edit?.record) forgetPlaces(data);
  // The service saw a part of the file.
  if (!entry.edit) for (const each of report.diagnostics) if (each.line) each.line += entry.extent.line;
  if (!entry.document) {
    entry.document = new GameDocument(data.record);
    entry.base = entry.edit;
  }
  if (!data.record) return data;
  const { document: game } = entry;
  if (game.record === data.record || JSON.stringify(game.record) === JSON.stringify(data.record)) remember(game.record, data);
  if (!report.diagnostics.length) game.sound = game.record;
  return knows(data.record.game) ? { ...data, ...replayed(data.record) } : data;
}

/**
 * Return an archive with one record that the page has made itself, with the document in which it is edited.
 * @param {GameRecord} record
 */
export function archiveOf(record) {
  const text = jsonOf(record);
  const file = { ...fileOf("", new Blob([text])), notation: "json" };
  const archive = new Archive([file]);
  const extent = { offset: 0, size: file.blob.size, line: 0, record: 0 };
  const entry = { file, extent, read: listedAs(record, extent), edit: null, base: null, document: new GameDocument(record) };
  archive.entries = [/** @type {Entry} */ (entry)];
  archive.complete = true;
  return archive;
}

/** A record as the page writes it. @param {GameRecord} record */
export const jsonOf = (record) => `${JSON.stringify(record, null, 2)}\n`;

/**
 * Forget where diagnostics are in a text that was made for the service, and that nobody sees.
 * @param {Pick<Replay, "report">} data
 */
export function forgetPlaces({ report }) {
  for (const each of report.diagnostics) {
    delete each.line;
    delete each.column;
  }
}

/**
 * Keeps what a record has become on the board.
 * @param {Entry} entry @param {Pick<Replay, "record" | "report">} data
 */
export function keepRecord(entry, data) {
  const { record } = data;
  entry.edit = { ...entry.edit, record, listed: { ...entry.read, ...listedAs(record, entry.extent, data.report), index: entry.read.index } };
}

/**
 * What the list says of a record by its report; without one, as of a record in which nothing is wrong.
 * @param {GameRecord} record @param {Extent} extent @param {Pick<Replay["report"], "valid" | "plies" | "result" | "diagnostics">} [report]
 * @returns {Listed}
 */
function listedAs(record, extent, report = { valid: true, plies: record.moves.length, result: null, diagnostics: [] }) {
  const { game, size, event, date, players, id } = record;
  return {
    ...{ index: 0, extent, id: stringOf(id), game, size, event: stringOf(event), date: stringOf(date) },
    players: { black: players?.black?.name ?? null, white: players?.white?.name ?? null },
    ...{ valid: report.valid, plies: report.plies, result: report.result },
    diagnostic: report.diagnostics.find((each) => each.severity === "error") ?? report.diagnostics[0] ?? null,
  };
}

/** @param {unknown} value */
const stringOf = (value) => (typeof value === "string" ? value : null);

/**
 * Keeps a text in place of the one that held a record. Throws an Error if it is not one record in the file's notation.
 * @param {Archive} archive @param {Entry} entry @param {string} text
 */
export async function keepText(archive, entry, text) {
  const { file, extent } = entry;
  const { notation } = file;
  const sharing = archive.entries.filter((each) => each.file === file && each.extent.offset === extent.offset);
  const { records } = await ask(`v1/list?from=${notation}`, text, BYTES);
  if (sharing.length !== 1) throw new Error(`${sharing.length} records share this text: it cannot be replaced for one.`);
  if (records.length !== 1) throw new Error(`In the place of 1, this text holds ${records.length} records.`);
  if (notation === "jsonl" && text.trim().includes("\n")) {
    throw new Error("In JSON Lines, a record stands on one line.");
  }
  entry.document = null;
  entry.edit = { text: endedAs(text, await textOf({ ...entry, edit: null })), listed: records[0] };
}

/**
 * Return the offset of a place in a text. Lines and columns are counted from 1, columns in characters.
 * @param {string} text @param {number} line @param {number} column
 */
export function offsetOf(text, line, column) {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const within = [...(lines[line - 1] ?? "")].slice(0, column - 1).join("");
  return Math.min(before + within.length, text.length);
}

/**
 * Return a text with edits, whose places are those in the text before.
 * @param {string} text @param {Suggestion["edits"]} edits
 */
export function editedText(text, edits) {
  const found = edits.map(({ line = 1, column = 1, end_line = line, end_column = column, text: put }) => {
    return { start: offsetOf(text, line, column), end: offsetOf(text, end_line, end_column), put };
  });
  found.sort((one, other) => other.start - one.start);
  for (const { start, end, put } of found) text = text.slice(0, start) + put + text.slice(end);
  return text;
}

/**
 * A text with the blanks at its end that another one has.
 * @param {string} text @param {string} other
 */
const endedAs = (text, other) => text.trimEnd() + other.slice(other.trimEnd().length);

/**
 * The file in its own notation, in pieces: what was edited is replaced, all else is as it was. Throws an Error if a
 * record cannot be changed where it stands.
 * @param {Archive} archive @param {ArchiveFile} file
 * @returns {Promise<Piece[]>}
 */
export async function spliced(archive, file) {
  /** @type {Piece[]} */
  const pieces = [];
  let at = 0;
  const edited = archive.edited.filter((entry) => entry.file === file);
  for (const [offset, entries] of groupBy(edited, ({ extent }) => extent.offset)) {
    const [first] = entries;
    let text = await textOf(first);
    for (const entry of entries.filter(({ edit }) => edit?.record)) {
      const asked = { text, notation: file.notation, record: entry.extent.record, data: entry.edit?.record };
      try {
        text = await askText("v1/edit", JSON.stringify(asked), "application/json", "text/plain");
      } catch (error) {
        throw new Error(`Record ${entry.read.index} cannot be changed where it stands: ${messageOf(error)}. Save another format.`, { cause: error });
      }
    }
    pieces.push({ content: file.blob.slice(at, offset), replaces: null }, { content: new Blob([text]), replaces: first });
    at = offset + first.extent.size;
  }
  return [...pieces, { content: file.blob.slice(at), replaces: null }];
}

/**
 * The file in another notation, with what was edited, and how many records it does not hold because they cannot be read.
 * @param {Archive} archive @param {ArchiveFile} file @param {keyof typeof BETWEEN} to
 */
export async function converted(archive, file, to) {
  const edits = new Map(archive.edited.filter((entry) => entry.file === file).map((entry) => [entry.read.index, entry]));
  /** @type {string[]} */
  const texts = [];
  let lost = 0;
  let index = 0;
  for await (const { part } of partsOf(file)) {
    const asked = `v1/convert?from=${file.notation}&to=jsonl&report=true&invalid=true`;
    const { records } = await ask(asked, part, BYTES);
    let lines = "";
    for (const { text } of records) {
      const entry = edits.get(index++);
      const line = entry ? await lineOfEdited(entry) : text;
      lines += line ?? "";
      if (line === null) lost++;
    }
    if (!lines) continue;
    const address = `v1/convert?from=jsonl&to=${to}&invalid=true`;
    texts.push(to === "jsonl" ? lines : await askText(address, lines, BYTES, "*/*"));
  }
  return { blob: new Blob([texts.join(BETWEEN[to])]), lost };
}

/**
 * An edited record as a line of JSON, or null if it cannot be read.
 * @param {Entry} entry @returns {Promise<string | null>}
 */
async function lineOfEdited(entry) {
  const { body, from } = bodyOf(entry);
  const [notation, number] = from.split("&record=");
  const { records } = await ask(`v1/convert?${notation}&to=jsonl&report=true&invalid=true`, body, BYTES);
  return records[Number(number)]?.text ?? null;
}

/**
 * Takes the pieces of a file that was saved for what is edited from then on: its records are where they stand now.
 * @param {Archive} archive @param {ArchiveFile} file @param {Piece[]} pieces
 */
export async function rebase(archive, file, pieces) {
  /** By how much what is behind an offset is moved, in bytes and lines. */
  const moves = [];
  for (const { content, replaces } of pieces) {
    if (!replaces) continue;
    const old = sourceOf({ ...replaces, edit: null });
    const [before, after] = [await linesWithin(old), await linesWithin(content)];
    moves.push({ offset: replaces.extent.offset, size: content.size, more: content.size - old.size, lines: after - before });
  }
  let [more, lines, next] = [0, 0, 0];
  for (const entry of archive.entries.filter((each) => each.file === file)) {
    const { extent } = entry;
    for (; next < moves.length && moves[next].offset < extent.offset; next++) {
      more += moves[next].more;
      lines += moves[next].lines;
    }
    const size = moves[next]?.offset === extent.offset ? moves[next].size : extent.size;
    entry.read = { ...listedOf(entry), index: entry.read.index };
    entry.extent = { ...extent, offset: extent.offset + more, line: extent.line + lines, size };
    entry.document?.saved();
    entry.edit = entry.base = null;
  }
  file.blob = new Blob(pieces.map(({ content }) => content));
}

/**
 * Return items by a key of theirs, in their order.
 * @template K, T
 * @param {T[]} items @param {(item: T) => K} keyOf
 */
export function groupBy(items, keyOf) {
  /** @type {Map<K, T[]>} */
  const groups = new Map();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** @param {Blob} blob */
const linesWithin = async (blob) => countLines(new Uint8Array(await blob.arrayBuffer()));

/**
 * The parts in which a file is sent: whole lines of JSON Lines, or all of it.
 * @param {ArchiveFile} file
 */
async function* partsOf(file) {
  const { blob } = file;
  if (!(await isLines(file))) {
    yield { offset: 0, part: blob, lines: 0 };
    return;
  }
  file.notation = "jsonl";
  let offset = 0;
  let size = PART_SIZE;
  while (offset < blob.size) {
    const bytes = new Uint8Array(await blob.slice(offset, offset + size).arrayBuffer());
    const ends = offset + bytes.length === blob.size;
    const taken = ends ? bytes.length : bytes.lastIndexOf(LINE_END) + 1;
    if (!taken) {
      size *= 2;
      continue;
    }
    const whole = bytes.subarray(0, taken);
    const isBlank = whole.every((byte) => byte <= 32);
    // Blank lines hold nothing, unless there is nothing else in the file: then a record is missing.
    if (isBlank && !ends) {
      size *= 2;
      continue;
    }
    if (isBlank && offset) return;
    yield { offset, part: blob.slice(offset, offset + taken), lines: countLines(whole) };
    offset += taken;
    size = Math.min(2 * size, LARGEST_PART);
  }
}

/** @param {Uint8Array} bytes */
function countLines(bytes) {
  let count = 0;
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) count++;
  return count;
}

/**
 * Whether a file is in JSON Lines: by its name, or because its first line is an object and another begins after it.
 * @param {ArchiveFile} file
 */
async function isLines({ blob, notation }) {
  if (notation) return notation === "jsonl";
  const head = (await blob.slice(0, HEAD_SIZE).text()).trimStart();
  const [first, ...rest] = head.split("\n");
  if (!first.startsWith("{") || !rest.join("").trimStart().startsWith("{")) return false;
  try {
    return Boolean(JSON.parse(first));
  } catch {
    return false;
  }
}
