// A record by the rules in JavaScript: its positions, what its turns do, and the turns that are legal. No DOM, no service.
//
// The data are those of /v1/replay, so whoever draws them need not know where they come from. What depends on a position alone
// (marks, legal turns, its text) is made when that position is shown.

import { full } from "./document.js";
import { drawnBoard } from "./geometry.js";
import { effectsOf, highlightsOf, partsEntered } from "./marks.js";
import { boardOf, games, IllegalTurn } from "./rules.js";
import { startOf } from "./start.js";
import { titled } from "./words.js";

/** @typedef {import("./rules.js").Position} Position */

/** @type {Colour[]} */
const COLORS = ["black", "white"];

/** Whether the rules of a game are here. @param {unknown} game */
export const knows = (game) => typeof game === "string" && Object.hasOwn(games, game);

/**
 * Return whether a value that somebody sent can be replayed as a record.
 * @param {any} value @returns {value is GameRecord}
 */
export function isRecord(value) {
  try {
    return knows(value.game) && Number.isInteger(value.size) && isLine(value.moves) && Boolean(startOf(value));
  } catch {
    return false;
  }
}

/** @param {unknown} moves @returns {boolean} */
function isLine(moves) {
  return (
    Array.isArray(moves) &&
    moves.every((move) => typeof move === "string" || (typeof move?.turn === "string" && (move.variations ?? []).every(isLine)))
  );
}

/**
 * Return what is drawn of a record: the board, and its lines with what each turn changes. There is no board where the game
 * cannot begin, or its rules are not here.
 * @param {GameRecord} record
 */
export function replayed(record) {
  const { surface, title, piece } = games[/** @type {import("./rules.js").GameName} */ (record.game)];
  const game = { surface, title, piece };
  let position;
  try {
    position = startOf(record);
  } catch {
    return { game };
  }
  const before = position.grid.cells.map(() => 0);
  /** @type {Start} */
  const start = /** @type {any} */ ({ changes: changesOf(position, before), ...state(position) });
  const board = boardFor(record.size, surface, record.coordinates ?? "row");
  const moves = lineFrom(position, record.moves);
  return { game, board, start, moves, result: moves.length === position.plies ? position.result() : null };
}

/** The board that was drawn last: it stays the same while a game is edited. @type {{ key: string, board: Board } | null} */
let drawn = null;

/** @param {number} size @param {string} surface @param {System} system */
function boardFor(size, surface, system) {
  const key = `${size} ${surface} ${system}`;
  if (drawn?.key !== key) drawn = { key, board: drawnBoard(size, surface, system) };
  return drawn.board;
}

/** What there is on each cell: a height, negative for White, or 0. @param {Position} position @returns {number[]} */
function contentsOf({ grid }) {
  const contents = grid.contents();
  return grid.cells.map((/** @type {number} */ cell) => ((contents[cell] + 1) >> 1) * (contents[cell] % 2 ? 1 : -1) || 0);
}

/** @param {Position} position @param {number[]} before @returns {Change[]} */
function changesOf(position, before) {
  return contentsOf(position).flatMap((value, cell) => (value === before[cell] ? [] : [/** @type {Change} */ ([cell, value])]));
}

/** @param {Position} position */
function state(position) {
  const result = position.result();
  return { to_play: position.turn, ...(result && { over: inWords(result) }) };
}

/** Return a result as a sentence: `Black wins, Black 4.5, White 3`. @param {import("./rules.js").Result} result */
export function inWords({ winner, score }) {
  const ending = winner === "draw" ? "a draw" : `${titled(winner)} wins`;
  const words = (/** @type {number | number[]} */ value) => (Array.isArray(value) ? numbersInWords(value) : String(value));
  return [ending, ...COLORS.flatMap((color) => (score ? [`${titled(color)} ${words(score[color])}`] : []))].join(", ");
}

/** More than three equal numbers are written as one: `5 3 1×7`. @param {number[]} numbers */
function numbersInWords(numbers) {
  const runs = numbers.join(" ").replace(/\b(\d+)(?: \1\b){3,}/g, (run, number) => `${number}×${run.split(" ").length}`);
  return runs || "nothing";
}

/**
 * @param {Position} position it is left after the last legal turn @param {Move[]} moves
 * @returns {Step[]}
 */
function lineFrom(position, moves) {
  let isPlaying = true;
  let color = position.turn;
  return moves.map((move) => {
    const { turn, comment, nag, variations } = full(move);
    color = isPlaying ? position.turn : COLORS[1 - COLORS.indexOf(color)];
    /** @type {Step} */
    const step = { turn, color, ...(comment !== undefined && { comment }), ...(nag && { nag }) };
    if (variations && isPlaying) step.variations = variations.map((line) => lineFrom(position.copy(), line));
    if (!isPlaying) return step;
    const before = contentsOf(position);
    try {
      position.play(turn);
    } catch (error) {
      if (!(error instanceof IllegalTurn)) throw error;
      isPlaying = false;
      return { ...step, illegal: error.code };
    }
    return { ...step, changes: changesOf(position, before), ...state(position) };
  });
}

/** The position that was asked for last: the next one is mostly a turn away. @type {{ start: string, position: Position } | null} */
let latest = null;

/**
 * Return the position after some legal turns of a record. It is moved when another is asked for.
 * @param {GameRecord} record @param {string[]} turns @returns {Position}
 */
export function positionAfter(record, turns) {
  const { game, size, opening, variant, ruleset, readings, coordinates, setup } = record;
  const start = JSON.stringify([game, size, opening, variant, ruleset, readings, coordinates, setup]);
  if (latest?.start !== start) latest = { start, position: startOf(record) };
  const { position } = latest;
  const played = position.turns;
  const parting = turns.findIndex((turn, index) => played[index] !== turn);
  const same = parting < 0 ? turns.length : parting;
  for (let count = played.length; count > same; count--) position.undo();
  for (const turn of turns.slice(same)) position.play(turn);
  return position;
}

/**
 * Return the legal turns of a position, with the parts by which they are entered. Their changes are found when they are
 * asked for.
 * @param {Position} position @returns {Choice[]}
 */
export function choicesIn(position) {
  if (position.isOver) return [];
  // The position that is given is moved when another is asked for.
  const copy = position.copy();
  const { game, grid } = copy;
  const numbers = numbersOf(position);
  const before = contentsOf(position);
  return grid.moves().map((/** @type {number} */ move) => {
    /** @type {Change[] | undefined} */
    let changes;
    return {
      turn: grid.write(move),
      parts: partsEntered(game, grid, move).map((cells) => cells.map((cell) => Number(numbers.get(cell)))),
      get changes() {
        if (!changes) {
          const saved = grid.save();
          grid.play(move);
          changes = changesOf(copy, before);
          grid.restore(saved);
        }
        return changes;
      },
    };
  });
}

/** The numbers of cells on the page by those of the rules. @param {Position} position @returns {Map<number, number>} */
const numbersOf = ({ size }) => new Map(boardOf(size).cells.map((/** @type {number} */ cell, /** @type {number} */ index) => [cell, index]));

/**
 * Return what is marked on a position: the effects of the turn that led to it, and features of the position.
 * @param {GameRecord} record @param {string[]} turns the legal turns up to it
 * @returns {{ marks: Mark[], parts: Mark[] }}
 */
export function marksAfter(record, turns) {
  const position = positionAfter(record, turns);
  const numbers = numbersOf(position);
  /** @param {import("./marks.js").Marked} mark @returns {Mark} */
  const asMark = ({ cells, color = null, label = "", shade = 0, ...mark }) => {
    return /** @type {any} */ ({ ...mark, cells: cells.map((cell) => Number(numbers.get(cell))), color, label, shade, lines: null });
  };
  const marks = highlightsOf(position).map(asMark);
  if (!turns.length) return { marks, parts: [] };
  const before = position.copy();
  const turn = String(before.undo());
  return { marks, parts: effectsOf(before.game, before.grid, before.grid.read(turn)).map(asMark) };
}
