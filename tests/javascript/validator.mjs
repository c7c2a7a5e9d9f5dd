// A second validator of records, from the specification: the rules of the npm package, Ajv on the JSON Schema, and the
// yaml package. It answers `hexrec conformance --documents`: `node validator.mjs PACKAGE NODE_MODULES SCHEMA`.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, modules, schema] = process.argv.slice(2).map((path) => resolve(path));
const require = createRequire(join(modules, "index.js"));
const Ajv = require("ajv/dist/2020.js");
const YAML = require("yaml");
const { gameHash, IllegalOpening, IllegalSetup, IllegalTurn, newGame } = await import(pathToFileURL(join(folder, "hexrec.js")));
const fits = new Ajv({ strict: false }).compile(JSON.parse(readFileSync(schema, "utf8")));

const DEEPEST = 100;
const OTHER = { black: "white", white: "black" };
const MOST_DIGITS = 4300;
const BYTE_ORDER_MARK = Buffer.from("\ufeff");
const EXPONENT = /^-?(?:0|[1-9][0-9]*)[eE][-+]?[0-9]+$/;
const NUMERIC = new Set(["size", "rating", "seconds", "clock", "increment", "delay", "per_turn", "periods", "turns", "value", "depth"]);
/** A record that breaks a clause of the specification. */
class Invalid extends Error {}

// Section 3: documents.

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+/gs;

/** Returns whether a number is in range. */
const inRange = (text) => (/[.eE]/.test(text) ? Number.isFinite(Number(text)) : text.length <= MOST_DIGITS);

/** Throws Invalid for keys that occur twice and numbers out of range, which JSON.parse allows. */
function checkTokens(text) {
  const open = [];
  let before = "";
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") open.push(token === "{" ? new Set() : null);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":" && before.startsWith('"')) {
      const [keys, key] = [open.at(-1), JSON.parse(before)];
      if (keys.has(key)) throw new Invalid("a key occurs twice");
      keys.add(key);
    }
    if (/^[-0-9]/.test(token) && !inRange(token)) throw new Invalid("a number out of range");
    before = token;
  }
}

/** Throws Invalid for lone surrogates and deep nesting. */
function checkValues(value, depth = 0) {
  if (typeof value === "string" && !value.isWellFormed()) throw new Invalid("a lone surrogate");
  if (value === null || typeof value !== "object") return;
  if (depth === DEEPEST) throw new Invalid("nested too deeply");
  for (const [key, part] of Object.entries(value)) {
    checkValues(key);
    checkValues(part, depth + 1);
  }
}

function parseJson(text) {
  try {
    JSON.parse(text);
  } catch {
    throw new Invalid("not JSON");
  }
  checkTokens(text);
  return JSON.parse(text);
}

/** Returns what throws Invalid. */
const failing = (message) => () => {
  throw new Invalid(message);
};

function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Invalid("not UTF-8");
  }
}

/** Returns the bytes cut at the matches of a pattern, which is for ASCII. */
const cut = (bytes, pattern) => bytes.toString("latin1").split(pattern).map((part) => Buffer.from(part, "latin1"));

/** Returns functions that return the data of each record of a document, or throw Invalid. */
function records(format, bytes) {
  if (bytes.subarray(0, 8192).includes(0)) return [failing("binary data")];
  const begins = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
  const found = { json: jsonRecords, jsonl: lineRecords, yaml: yamlRecords }[format](bytes.subarray(begins));
  return found.length ? found : [failing("no record")];
}

function lineRecords(bytes) {
  const lines = cut(bytes, "\n").filter((line) => /[^ \t\r]/.test(line.toString("latin1")));
  return lines.map((line) => () => parseJson(decode(line)));
}

function jsonRecords(bytes) {
  try {
    const text = decode(bytes);
    if (!text.trim()) return [];
    const value = parseJson(text);
    return Array.isArray(value) ? value.map((element) => () => element) : [() => value];
  } catch (error) {
    return [failing(error.message)];
  }
}

const tag = (name, test, read) => ({ tag: `tag:yaml.org,2002:${name}`, default: true, test, resolve: read });
const customTags = [
  tag("null", /^(?:null)?$/, () => null),
  tag("bool", /^(?:true|false)$/, (text) => text === "true"),
  tag("int", /^-?(?:0|[1-9][0-9]*)$/, numberIn),
  tag("float", /^-?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][-+]?[0-9]+)?$/, numberIn),
];

function numberIn(text, onError) {
  if (!inRange(text)) onError("a number out of range");
  return Number(text);
}

/** Characters that are not printable in YAML, or line breaks of old YAML. */
// eslint-disable-next-line no-control-regex
const REFUSED = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]/;
/** Byte-order marks before a line of dashes and at the end, which the yaml package keeps unless a line of dots precedes. */
const MARK = /(?<=\n)\ufeff(?=---\s|\s*$)/g;
const PAIR = /(?<!\\)((?:\\\\)*)\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/g;
const SURROGATE = /(?<!\\)(?:\\\\)*\\(?:u|U0000)[dD][89a-fA-F]/;

/** Throws Invalid for syntax of YAML that records do not have. */
function checkNodes(document, text) {
  YAML.visit(document, {
    Alias: failing("an alias"),
    Node(_, node) {
      if (![undefined, "tag:yaml.org,2002:str"].includes(node.tag)) throw new Invalid("a tag");
      const source = node.type === "QUOTE_DOUBLE" ? text.slice(...node.range).replace(PAIR, "$1 ") : "";
      if (SURROGATE.test(source)) throw new Invalid("a lone surrogate");
    },
    Pair(_, { key }) {
      if (!YAML.isScalar(key)) throw new Invalid("a key that is no string");
    },
  });
}

function yamlRecords(bytes) {
  try {
    decode(bytes);
  } catch {
    const parts = cut(bytes, /^(?=---\s)/m);
    return parts.length > 1 ? parts.flatMap(yamlRecords) : [failing("not UTF-8")];
  }
  const text = decode(bytes).replace(/\r\n?/g, "\n").replace(MARK, "");
  const documents = YAML.parseAllDocuments(text, { schema: "failsafe", customTags, version: "1.2", logLevel: "silent" });
  if (REFUSED.test(text)) return documents.map(() => failing("a character that is refused"));
  return [...documents].map((document) => () => {
    if (document.errors.length || document.contents === null) throw new Invalid("not YAML, or no record");
    checkNodes(document, text);
    return withExponents(document.toJS());
  });
}

/** Texts such as 1e5 are numbers in fields that take numbers. */
function withExponents(value, name) {
  const isNumber = typeof value === "string" && NUMERIC.has(name) && EXPONENT.test(value);
  if (isNumber) return numberIn(value, failing("a number out of range"));
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((part) => withExponents(part, name));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withExponents(part, key)]));
}

// Sections 8 to 11: replay and result.

const textOf = (move) => (typeof move === "string" ? move : move.turn);

/** Throws Invalid or IllegalTurn for an illegal turn beside a turn. */
function checkLines(position, move) {
  if (typeof move === "string") return;
  const lines = [move.eval?.line ?? [], ...(move.taken_back ?? []).map((turn) => [turn]), ...(move.variations ?? [])];
  for (const line of lines) play(position.copy(), line);
}

function play(position, moves) {
  for (const move of moves) {
    checkLines(position, move);
    position.play(textOf(move));
  }
  return position;
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Returns the computed result of a record. */
function resultOf({ result }, position) {
  const computed = position.result();
  const termination = result?.termination ?? "rules";
  if (!result) return computed;
  if (termination === "rules") {
    if (!computed) throw new Invalid("the game is not over");
    if (result.winner && result.winner !== computed.winner) throw new Invalid("another winner");
    for (const color of ["black", "white"]) {
      if (result.score && !same(result.score[color], computed.score[color])) throw new Invalid("another score");
    }
    return computed;
  }
  if (computed) throw new Invalid("the game is over");
  const loses = ["resignation", "time", "forfeit", "illegal"].includes(termination);
  if (loses && result.winner === "draw") throw new Invalid("there is a loser");
  if (termination !== "illegal") return { winner: result.winner ?? null, termination };
  const { by, turn } = result.illegal;
  if (by !== position.turn || result.winner === by) throw new Invalid("another player");
  if (turn !== undefined && ["move/malformed", null].includes(position.refusal(turn))) throw new Invalid("a legal turn");
  return { winner: OTHER[by], termination };
}

function verdict(read) {
  try {
    const data = read();
    checkValues(data);
    if (!fits(data)) return { valid: false };
    const stones = data.opening && Object.entries(data.opening).filter(([name]) => !name.startsWith("x-"));
    const record = { ...data, opening: stones && Object.fromEntries(stones) };
    const { game, size, opening, variant, ruleset, readings, coordinates, setup } = record;
    const options = { size, opening, variant, ruleset, readings, coordinates, position: setup };
    const position = play(newGame(game, options), record.moves);
    const answer = { valid: true, result: resultOf(record, position), game_hash: gameHash(record) };
    return { ...answer, symmetric_hash: gameHash(record, { symmetric: true }) };
  } catch (error) {
    for (const kind of [Invalid, IllegalTurn, IllegalOpening, IllegalSetup]) {
      if (error instanceof kind) return { valid: false };
    }
    throw error;
  }
}

const commands = {
  hello: () => ({ protocol: 1, name: "a validator in JavaScript", classes: ["validator"], formats: ["json", "jsonl", "yaml"] }),
  document: ({ format, data }) => ({ records: records(format, Buffer.from(data, "base64")).map(verdict) }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(commands[request.command](request))}\n`);
});
