// Position texts, such as `1w2/5/2b*2w2/7/6/5/4 b 0`, read and written. Columns count from 1.

import { IllegalSetup } from "./errors.js";

const LETTERS = "bw";
const TOKEN = /([1-9][0-9]{0,3})(?![0-9])|([bw])(?:\*([1-9][0-9]{0,4})(?![0-9]))?/y;

const malformed = (column) => new IllegalSetup("setup/malformed", column);

/** Returns the number of rows of a position text. */
export const countRows = (text) => text.split(" ")[0].split("/").length;

/** Reads a position text for a board. Throws IllegalSetup. */
export function readPosition(text, board, game) {
  const [rows, ...parts] = text.split(" ");
  const stacks = readRows(rows, board, game.hasStacks);
  const expected = [["b", "w"], game.hasPass ? ["0", "1"] : ["0"], ...game.positionFields];
  let column = rows.length + 1;
  for (let index = 0; index < Math.max(parts.length, expected.length); index++) {
    if (index >= parts.length) throw malformed(column);
    if (!expected[index]?.includes(parts[index])) throw malformed(column + 1);
    column += parts[index].length + 1;
  }
  return {
    stacks,
    side: LETTERS.indexOf(parts[0]),
    passes: Number(parts[1]),
    fields: parts.slice(2).map((part, index) => game.positionFields[index].indexOf(part)),
    sideColumn: rows.length + 2,
    passesColumn: rows.length + 4,
  };
}

/** Returns the color, height and column of the stacks, by cell. Throws IllegalSetup. */
function readRows(text, board, hasStacks) {
  const rows = text.split("/");
  if (rows.length !== board.rows.length) throw new IllegalSetup("setup/size", 1);
  const stacks = new Map();
  let column = 1;
  rows.forEach((row, number) => {
    const star = row.indexOf("*");
    if (!hasStacks && star >= 0) throw new IllegalSetup("setup/stack", column + [...row.slice(0, star)].length);
    const cells = board.rows[number];
    const contents = readRow(row, cells.length, column);
    if (!contents) throw new IllegalSetup("setup/size", column);
    contents.forEach((stack, index) => stack && stacks.set(cells[index], stack));
    column += row.length + 1;
  });
  return stacks;
}

/**
 * Returns the contents of a row of `length` cells, with null for empty ones; undefined if the number of cells differs.
 *
 * The digits after a `*` are a height and perhaps a number of empty cells. The length of the row determines the split.
 * If several splits fit, the heights on the left are the lower ones.
 */
function readRow(row, length, column) {
  let readings = new Map([[0, []]]);
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < row.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(row);
    if (!token) throw malformed(column + at);
    const choices = token[1] ? [[[], Number(token[1])]] : splits(LETTERS.indexOf(token[2]), token[3], column + at);
    if (!choices.length) throw malformed(column + at);
    const longer = new Map();
    for (const [count, reading] of readings) {
      for (const [stacks, empty] of choices) {
        const cells = count + stacks.length + empty;
        if (cells <= length && !longer.has(cells)) {
          longer.set(cells, [...reading, ...stacks, ...Array(empty).fill(null)]);
        }
      }
    }
    readings = longer;
  }
  return readings.get(length);
}

/** Returns each split of the digits after a `*` into a stack and a number of empty cells. */
function splits(color, digits, column) {
  if (digits === undefined) return [[[{ color, height: 1, column }], 0]];
  const found = [];
  for (let end = 1; end <= digits.length; end++) {
    const height = Number(digits.slice(0, end));
    if (height > 1 && digits[end] !== "0") found.push([[{ color, height, column }], Number(digits.slice(end))]);
  }
  return found;
}

/** Returns the text of a position; `contents` are as in `Grid.contents`, `fields` the values of the game's own fields. */
export function writePosition(board, contents, side, passes, fields) {
  const rows = board.rows.map((row) => row.map((cell) => stackText(contents[cell])).join(""));
  const text = rows.join("/").replace(/\.+/g, (empty) => String(empty.length));
  return [text, LETTERS[side], passes, ...fields].join(" ");
}

function stackText(content) {
  if (content === 0) return ".";
  const height = (content + 1) >> 1;
  return LETTERS[(content + 1) % 2] + (height > 1 ? `*${height}` : "");
}
