// The marks of a record on a position, as SVG and in words: circles, labels, arrows, areas. No DOM, no service.

import { LEADING } from "./document.js";
import { SHAPES } from "./shapes.js";

const { stone: STONE, reach: REACH, pitch: PITCH } = SHAPES.layout;
const HEX = /^#(?:[0-9a-f]{3}){1,2}$/i;
/** The most characters of a label on a cell. */
const LABEL = 3;
/** Length of the sides of an arrowhead, and their angle to the shaft. */
const [HEAD, SPREAD] = [10, Math.PI / 6];
/** The directions of the corners of a shape, in eighths of a full turn. */
const CORNERS = { square: [1, 3, 5, 7], triangle: [2, 14 / 3, 22 / 3] };

/**
 * Return the marks of a record as SVG below and above the stones, and as words; undefined if there are none. The shapes are
 * those of the pictures of `hexrec show`.
 * @param {RecordMark[] | undefined} marks @param {Board} board @param {number[]} stones @param {System} system that of the record
 * @returns {Markup | undefined}
 */
export function markupOf(marks, board, stones, system) {
  const numbers = new Map(board.names[system].map((name, cell) => [bare(name), cell]));
  const known = (marks ?? []).map((mark) => {
    const cells = (mark.cells ?? []).map((name) => numbers.get(bare(String(name)))).filter((cell) => cell !== undefined);
    return { ...mark, cells };
  });
  const drawn = known.filter(({ kind, cells }) => cells.length > (LEADING.includes(kind) ? 1 : 0));
  if (!drawn.length) return undefined;
  const top = (/** @type {number} */ cell) => {
    const [x, y] = board.places[cell];
    const height = Math.min(Math.abs(stones[cell]), SHAPES.lifts.length);
    return /** @type {Point} */ ([x, height ? y - SHAPES.lifts[height - 1] : y]);
  };
  const under = drawn.map((mark) => (mark.kind === "area" ? areaOf(mark, mark.cells.map((cell) => board.places[cell])) : ""));
  const over = drawn.map((mark) => (mark.kind === "area" ? "" : shapesOf(mark, mark.cells.map(top))));
  const words = drawn.map((mark) => ({ name: nameOf(mark), cells: mark.cells, joiner: LEADING.includes(mark.kind) ? " to " : ", " }));
  return { under: under.join(""), over: over.join(""), words };
}

/** @typedef {Omit<RecordMark, "cells">} Drawn */

/** @param {string} name */
const bare = (name) => name.trim().toLowerCase().replace(/[()]/g, "");

/** @param {Drawn} mark */
function nameOf({ kind, text, color }) {
  const name = `${color ?? ""} ${kind}`.trimStart();
  if (!text) return name;
  return kind === "label" ? `${name} ${text}` : `${name} (${text})`;
}

/** @param {string} text */
const escaped = (text) => text.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** @param {number} value */
const short = (value) => String(Math.round(value * 100) / 100 || 0);

/**
 * The class and the color of a mark: that of the theme, if it has none that is known.
 * @param {string} name @param {Drawn} mark @param {string} property
 */
function look(name, { color = "" }, property) {
  const wanted = color.trim().toLowerCase();
  const tone = HEX.test(wanted) ? wanted : Object.hasOwn(SHAPES.tones, wanted) && SHAPES.tones[wanted];
  return tone ? `class="${name}" ${property}="${tone}"` : `class="${name} plain"`;
}

/** @param {Drawn} mark @param {Point[]} points */
function areaOf(mark, points) {
  const half = PITCH / 2;
  const corners = [[0, -REACH], [half, -REACH / 2], [half, REACH / 2], [0, REACH], [-half, REACH / 2], [-half, -REACH / 2]];
  return points.map(([x, y]) => {
    const hexagon = corners.map(([right, down]) => `${short(x + right)},${short(y + down)}`).join(" ");
    return `<polygon points="${hexagon}" ${look("mark-area", mark, "fill")}/>`;
  }).join("");
}

/** @param {Drawn} mark @param {Point[]} points */
function shapesOf(mark, points) {
  if (mark.kind === "line") return linesOf([points], mark);
  if (mark.kind === "arrow") return linesOf([points, headOf(points)], mark);
  return points.map((point) => shapeOf(mark, point)).join("");
}

/** @param {Drawn} mark @param {Point} point */
function shapeOf(mark, [x, y]) {
  const radius = STONE * 0.6;
  const at = `x="${short(x)}" y="${short(y)}"`;
  if (mark.kind === "label") {
    const label = [...(mark.text ?? "")];
    const text = label.length > LABEL ? `${label.slice(0, LABEL - 1).join("")}…` : label.join("");
    return `<text ${look("mark-text", mark, "fill")} ${at} dy="0.36em" text-anchor="middle">${escaped(text)}</text>`;
  }
  if (mark.kind === "circle") {
    const circle = `cx="${short(x)}" cy="${short(y)}" r="${short(radius)}"/>`;
    return `<circle class="mark-halo" ${circle}<circle ${look("mark", mark, "stroke")} ${circle}`;
  }
  if (mark.kind === "cross") {
    const arm = radius * 0.8;
    return linesOf([[[x - arm, y - arm], [x + arm, y + arm]], [[x - arm, y + arm], [x + arm, y - arm]]], mark);
  }
  const corners = (mark.kind === "square" ? CORNERS.square : CORNERS.triangle).map((turn) => {
    const angle = (turn * Math.PI) / 4;
    return /** @type {Point} */ ([x + radius * 1.2 * Math.cos(angle), y - radius * 1.2 * Math.sin(angle)]);
  });
  return linesOf([[...corners, ...corners.slice(0, 2)]], mark);
}

/** @param {Point[]} points @returns {Point[]} */
function headOf(points) {
  const [[x, y], end] = points.slice(-2);
  const back = Math.atan2(y - end[1], x - end[0]);
  const [one, other] = [back + SPREAD, back - SPREAD].map((angle) => {
    return /** @type {Point} */ ([end[0] + HEAD * Math.cos(angle), end[1] + HEAD * Math.sin(angle)]);
  });
  return [one, end, other];
}

/** @param {Point[][]} lines @param {Drawn} mark */
function linesOf(lines, mark) {
  const path = `d="${lines.map((line) => `M${line.map(([x, y]) => `${short(x)},${short(y)}`).join("L")}`).join("")}"/>`;
  return `<path class="mark-halo" ${path}<path ${look("mark", mark, "stroke")} ${path}`;
}
