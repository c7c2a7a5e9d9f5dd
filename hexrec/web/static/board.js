// The drawing of the board as SVG, and the motion of stones between two positions. Every shape comes from Python, which draws
// the pictures of `hexrec show` with the same ones.

import { stonesAfter } from "./document.js";
import { SHAPES } from "./shapes.js";

/** @typedef {{areas: SVGElement[], paths: SVGElement[], marks: SVGElement[]}} Layers */

/** @type {Colour[]} */
const COLOURS = ["black", "white"];

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
function element(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, short(value));
  made.append(...children);
  return made;
}

/** @param {string | number} value */
function short(value) {
  return typeof value === "number" ? String(Math.round(value * 100) / 100) : value;
}

/**
 * A shape that is drawn around the origin, at a point.
 * @param {string} shape @param {Point} [point]
 */
function placed(shape, point) {
  let drawn = parsed.get(shape);
  if (!drawn) {
    drawn = element("g");
    drawn.innerHTML = shape;
    if (parsed.size < SHAPES_KEPT) parsed.set(shape, drawn);
  }
  const group = /** @type {SVGElement} */ (drawn.cloneNode(true));
  if (point) group.setAttribute("transform", `translate(${point.map(short).join(" ")})`);
  return group;
}

/** Shapes that are drawn again and again: to copy them is faster than to read their markup. @type {Map<string, SVGElement>} */
const parsed = new Map();
const SHAPES_KEPT = 200;

/** @param {string} kind @param {string} text @param {Point} point */
function words(kind, text, [x, y], anchor = "middle") {
  return element("text", { class: kind, x, y, dy: "0.36em", "text-anchor": anchor }, text);
}

/** The least height of letters, in pixels; how high names beside the board are else, in units of the picture. */
const READABLE = 11;
const NAMES = 12;

/** How many dots are drawn where the turn can begin or go on, on more than half of the empty cells. */
const MOST_DOTS = 12;

/** The parts of a picture that change from turn to turn, in the order in which they lie over each other. */
const LAYERS = /** @type {const} */ (["names", "areas", "paths", "stones", "leaving", "pointers", "marks"]);

export class BoardPicture {
  /** @param {Board} board @param {string} surface @param {import("./document.js").Names} names */
  constructor(board, surface, names) {
    this.board = board;
    this.surface = surface;
    this.names = names;
    this.angle = 0;
    this.rotate(0);
    /** @type {Pick<View, "theme" | "system" | "labels">} */
    this.shown = { theme: "", system: "row", labels: "" };
    /** @type {Map<number, { value: number, dead: boolean, node: SVGElement }>} */
    this.pieces = new Map();
    /** The stones of the last motion, when it began, and what moves still. */
    this.motion = { stood: /** @type {number[]} */ ([]), stepped: -Infinity, running: /** @type {Animation[]} */ ([]) };
    this.layers = /** @type {Record<typeof LAYERS[number], SVGElement>} */ ({});
  }

  /**
   * Turn the board clockwise from how it is drawn first; it is drawn anew then.
   * @param {number} sixths of a full turn
   */
  rotate(sixths) {
    this.angle = sixths * 60;
    const [cos, sin] = [Math.cos((sixths * Math.PI) / 3), Math.sin((sixths * Math.PI) / 3)];
    /** Where the cells are. @type {Point[]} */
    this.at = this.board.places.map(([x, y]) => [x * cos - y * sin, x * sin + y * cos]);
    /** The cells in rows, from the top, and from the left in each. @type {number[][]} */
    this.rows = [];
    for (const cell of [...this.at.keys()].sort((one, other) => this.compare(one, other))) {
      const row = this.rows.at(-1);
      if (row && this.near(this.at[row[0]][1], this.at[cell][1])) row.push(cell);
      else this.rows.push([cell]);
    }
    /** @type {SVGElement | null} */
    this.drawn = null;
  }

  /** @param {number} one @param {number} other */
  compare(one, other) {
    const [[x, y], [otherX, otherY]] = [this.at[one], this.at[other]];
    return this.near(y, otherY) ? x - otherX : y - otherY;
  }

  /** @param {number} y @param {number} other */
  near(y, other) {
    return Math.abs(y - other) < 1;
  }

  /**
   * A shape of the whole board, which is drawn as the board is at first. Words in it stay upright.
   * @param {string} shape
   */
  rotated(shape) {
    const group = placed(shape);
    if (!this.angle) return group;
    group.setAttribute("transform", `rotate(${this.angle})`);
    for (const text of group.querySelectorAll("text")) {
      text.setAttribute("transform", `rotate(${-this.angle} ${text.getAttribute("x")} ${text.getAttribute("y")})`);
    }
    return group;
  }

  /**
   * The picture of a view: another one, or where board and names are the same the one that was drawn last, changed.
   * @param {View} view
   */
  draw(view) {
    const { theme, system, labels } = this.shown;
    const same = theme === view.theme && system === view.system && labels === view.labels;
    const drawn = same && this.drawn ? this.drawn : (this.drawn = this.begun(view));
    this.shown = view;
    drawn.setAttribute("aria-label", `${view.title}. ${view.description}`);
    for (const hit of drawn.querySelectorAll(".pointed, .through")) hit.classList.remove("pointed", "through");
    const { marks, ...below } = this.marked(view);
    this.layers.names.replaceChildren(...(view.labels === "all" ? this.namesOfCells(view) : []));
    for (const layer of /** @type {const} */ (["areas", "paths"])) this.layers[layer].replaceChildren(...below[layer]);
    this.stand(view);
    this.layers.marks.replaceChildren(...marks);
    this.point(view);
    return drawn;
  }

  /**
   * The board without anything on it.
   * @param {View} view
   */
  begun(view) {
    const box = this.box(view);
    this.pieces.clear();
    for (const layer of LAYERS) this.layers[layer] = element("g", { class: layer });
    return element(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg",
        class: `hexrec-board hexrec-${view.theme}`,
        role: "img",
        viewBox: box.map(short).join(" "),
      },
      placed(SHAPES.defs[view.theme]),
      element("rect", { class: "page", x: box[0], y: box[1], width: box[2], height: box[3], rx: 8 }),
      ...this.ground(view),
      ...LAYERS.map((layer) => this.layers[layer]),
      ...this.at.map((point, cell) => this.hit(point, cell)),
    );
  }

  /**
   * Show what turns are entered with: what the turn under way does, the cells chosen, those that wait, those that may be
   * next, and the cell that the keyboard is on. Labels and crosses lie over it.
   * @param {Pointers & Pick<View, "stones">} view
   */
  point({ chosen, queued, next, cursor, changes, stones }) {
    const after = [...stones];
    for (const [cell, value] of changes) after[cell] = value;
    for (const [cell, { node }] of this.pieces) node.classList.toggle("changing", after[cell] !== stones[cell]);
    const drawn = changes.filter(([, value]) => value).map(([cell]) => this.piece(cell, after, false));
    for (const ghost of drawn) ghost.classList.add("ghost");
    for (const cell of next) drawn.push(placed(SHAPES.next[stones[cell] ? 1 : 0], this.top(cell, stones)));
    // Dots on nearly all cells would hide the grid and tell nothing.
    this.layers.pointers.classList.toggle("named", this.shown.labels === "all");
    const empty = stones.filter((value) => !value).length;
    this.layers.pointers.classList.toggle("everywhere", next.length * 2 > empty && next.length > MOST_DOTS);
    for (const cell of [...chosen, ...queued]) drawn.push(placed(SHAPES.chosen, this.at[cell]));
    if (cursor !== null) drawn.push(placed(SHAPES.cursor, this.at[cursor]));
    this.layers.pointers.replaceChildren(...drawn);
  }

  /**
   * The part of the plane that a picture takes. Names that have to be written larger to be read in so many pixels need
   * more of it.
   * @param {Pick<View, "labels" | "system">} view @returns {[left: number, top: number, width: number, height: number]}
   */
  box({ labels, system }, pixels = Infinity) {
    const { none, [system]: named } = this.board.boxes;
    if (labels !== "ends") return none;
    if ((pixels / named[2]) * NAMES >= READABLE) return named;
    const letters = this.lengthOfNames(system) * 2;
    // No room for anything but names: the board has no size yet.
    if (pixels <= letters * READABLE) return named;
    const unit = (pixels - letters * READABLE) / (named[2] - letters * NAMES);
    return [-pixels / unit / 2, named[1], pixels / unit, named[3]];
  }

  /**
   * How long the longest names are at most likely to be, relative to the height of their letters.
   * @param {System} system
   */
  lengthOfNames(system) {
    return (this.board.boxes[system][2] - this.board.boxes.none[2]) / 2 / NAMES;
  }

  /**
   * Keeps names and numbers large enough to be read where a unit of the picture is so many pixels wide. Names that are
   * too long for cells then are left out.
   * @param {number} unit
   */
  letter(unit) {
    if (!this.drawn || !unit) return;
    const { system } = this.shown;
    const pitch = Math.abs(this.board.places[1][0] - this.board.places[0][0]) * unit;
    this.drawn.style.setProperty("--unit", unit.toFixed(3));
    this.drawn.classList.toggle("crowded", this.lengthOfNames(system) * READABLE > pitch);
  }

  /** @param {Point} point @param {number} cell */
  hit(point, cell) {
    const drawn = placed(SHAPES.hit, point);
    drawn.dataset.cell = String(cell);
    return drawn;
  }

  /** @param {View} view @returns {Generator<SVGElement>} */
  *ground(view) {
    const points = this.surface === "points";
    yield placed(this.board.ground);
    for (const [cell, point] of points ? [] : this.at.entries()) {
      yield placed(this.surface === "edged cells" && this.board.edge[cell] ? SHAPES.edge : SHAPES.cell, point);
    }
    if (view.labels !== "ends") return;
    /** @param {number} cell */
    const name = (cell) => this.names.single(cell, view.system);
    for (const row of this.rows) {
      const [first, last] = [row[0], row[row.length - 1]];
      yield words("label", name(first), [this.at[first][0] - SHAPES.layout.label, this.at[first][1]], "end");
      yield words("label", name(last), [this.at[last][0] + SHAPES.layout.label, this.at[last][1]], "start");
    }
  }

  /** @param {View} view */
  namesOfCells({ stones, system }) {
    const look = this.surface === "points" ? "name over-grid" : "name";
    const empty = [...this.at.keys()].filter((cell) => !stones[cell]);
    return empty.map((cell) => words(look, this.names.single(cell, system), this.at[cell]));
  }

  /** @param {View} view */
  marked(view) {
    /** @type {Layers} */
    const layers = { areas: [], paths: [], marks: [] };
    for (const mark of view.marks) this.mark(mark, view.stones, layers);
    if (view.markup) {
      layers.areas.push(this.rotated(view.markup.under));
      layers.marks.push(this.rotated(view.markup.over));
    }
    for (const cell of view.illegal) {
      const top = this.top(cell, view.stones);
      layers.marks.push(placed(SHAPES.illegal, top));
      const [value, height] = [view.stones[cell], Math.abs(view.stones[cell])];
      // The cross would hide the height.
      if (height > 1) layers.marks.push(words(`on-${COLOURS[value < 0 ? 1 : 0]}`, String(height), top));
    }
    return layers;
  }

  /**
   * Puts the stones of a view on the board. Those that stand there already stay as they are.
   * @param {View} view
   */
  stand({ stones, marks }) {
    const dead = new Set(marks.filter((mark) => mark.role === "dead").flatMap((mark) => mark.cells));
    let at = this.layers.stones.firstChild;
    // What is lower on the picture lies over what is higher.
    for (const cell of this.rows.flat()) {
      const [value, known] = [stones[cell], this.pieces.get(cell)];
      if (known && known.value === value && known.dead === dead.has(cell)) {
        at = known.node.nextSibling;
        continue;
      }
      if (known) {
        at = known.node.nextSibling;
        known.node.remove();
        this.pieces.delete(cell);
      }
      if (!value) continue;
      const node = this.piece(cell, stones, dead.has(cell));
      this.layers.stones.insertBefore(node, at);
      this.pieces.set(cell, { value, dead: dead.has(cell), node });
    }
  }

  /** @param {number} cell @param {number[]} stones @param {boolean} dead */
  piece(cell, stones, dead) {
    const [colour, height] = [stones[cell] < 0 ? 1 : 0, Math.abs(stones[cell])];
    const drawn = element("g", { class: dead ? "piece dead" : "piece" });
    drawn.append(placed(SHAPES.stacks[colour][discsOf(height) - 1], this.at[cell]));
    if (height > 1) drawn.append(words(`on-${COLOURS[colour]}`, String(height), this.top(cell, stones)));
    return drawn;
  }

  /**
   * The middle of what is uppermost on a cell.
   * @param {number} cell @param {number[]} stones @returns {Point}
   */
  top(cell, stones) {
    const [x, y] = this.at[cell];
    return [x, y - (stones[cell] ? SHAPES.lifts[discsOf(stones[cell]) - 1] : 0)];
  }

  /**
   * A mark that is drawn as one shape; null for one with a shape on each cell.
   * @param {Mark} mark
   */
  lines({ role, cells, shade }) {
    const along = (/** @type {number[][]} */ lines, /** @type {string} */ name = role) => {
      const drawn = lines.map((line) => `M${line.map((cell) => this.at[cell].map(short).join(",")).join("L")}`);
      return element("path", { class: name, d: drawn.join("") });
    };
    switch (role) {
      case "path":
        return along([cells]);
      case "ray": {
        const [x, y] = this.at[cells[0]];
        return element("g", {}, along([cells]), element("circle", { class: role, cx: x, cy: y, r: SHAPES.layout.stone * 0.6 }));
      }
      case "group":
        return along(this.joined(cells));
      case "chain":
        return element("g", {}, along(this.joined(cells), "halo"), along(this.joined(cells)));
      case "body": {
        const body = cells.map((cell) => placed(SHAPES.body, this.at[cell]));
        for (const { firstElementChild: shape } of body) shape?.classList.add(`shade-${shade % SHAPES.shades}`);
        return element("g", {}, ...body);
      }
      default:
        return null;
    }
  }

  /**
   * The pairs of neighbors among some cells.
   * @param {number[]} cells
   */
  joined(cells) {
    const { cells: axial } = this.board;
    const distance = (/** @type {number} */ one, /** @type {number} */ other) => {
      const [q, r] = [axial[one][0] - axial[other][0], axial[one][1] - axial[other][1]];
      return Math.max(Math.abs(q), Math.abs(r), Math.abs(q + r));
    };
    return cells.flatMap((one) => cells.filter((other) => other > one && distance(one, other) === 1).map((other) => [one, other]));
  }

  /** @param {Mark} mark @param {number[]} stones @param {Layers} layers */
  mark(mark, stones, layers) {
    const lines = mark.lines ? this.rotated(mark.lines) : this.lines(mark);
    if (lines) {
      const layer = mark.role === "body" ? layers.areas : ["path", "group", "ray"].includes(mark.role) ? layers.paths : layers.marks;
      layer.push(lines);
      return;
    }
    for (const [index, cell] of mark.cells.entries()) {
      const value = stones[cell];
      if (mark.role === "removed" && value) continue;
      const colour = value ? (value < 0 ? 1 : 0) : (mark.color ?? 0);
      if (mark.role === "area") {
        layers.areas.push(placed(SHAPES.areas[mark.color ?? 0], this.at[cell]));
        if (value) continue;
      }
      const point = this.top(cell, stones);
      if (mark.label && index === 0) layers.marks.push(words(`on-${COLOURS[colour]}`, mark.label, point));
      else layers.marks.push(placed(SHAPES.marks[mark.role][colour], point));
    }
  }
}

/**
 * Return the stones and the marks on a board in words, for those who do not see it.
 * @param {number[]} stones @param {Mark[]} marks @param {(cell: number) => string} nameOf
 */
export function boardInWords(stones, marks, nameOf) {
  const standing = (/** @type {number} */ cell) => nameOf(cell) + (Math.abs(stones[cell]) > 1 ? ` (height ${Math.abs(stones[cell])})` : "");
  const cells = [...stones.keys()];
  const sides = Object.entries({ Black: 1, White: -1 }).map(([color, sign]) => {
    const held = cells.filter((cell) => stones[cell] * sign > 0).map(standing);
    return `${color}: ${held.join(", ") || "none"}.`;
  });
  return [...sides, ...marks.map((mark) => `${mark.name}: ${mark.cells.map(nameOf).join(", ")}.`)].join(" ");
}

/**
 * Return a cell in words: its name, what stands on it, and its marks.
 * @param {number} cell @param {number[]} stones @param {Mark[]} marks @param {(cell: number) => string} nameOf
 */
export function cellInWords(cell, stones, marks, nameOf) {
  const value = stones[cell];
  const height = Math.abs(value) > 1 ? `, height ${Math.abs(value)}` : "";
  const names = marks.filter((mark) => mark.cells.includes(cell)).map((mark) => mark.name);
  return [nameOf(cell), value ? (value > 0 ? "black" : "white") + height : "empty", ...new Set(names)].join(", ");
}

/**
 * The cell of the keyboard: the arrow keys go from cell to cell on the picture, as it is rotated.
 */
export class Cursor {
  /** Where it goes up and down from: it keeps to its column as well as the rows let it. */
  column = 0;

  /**
   * Return the cell to which a key leads; the same one at the edge of the board, undefined for another key.
   * @param {BoardPicture} picture @param {number} cell @param {string} key
   */
  next(picture, cell, key) {
    const across = { ArrowUp: -1, ArrowDown: 1 }[key];
    const along = { ArrowLeft: -1, ArrowRight: 1 }[key];
    const { at, rows } = picture;
    const row = /** @type {number[]} */ (rows.find((each) => each.includes(cell)));
    if (along) {
      const next = row[row.indexOf(cell) + along] ?? cell;
      [this.column] = at[next];
      return next;
    }
    if (!across) return undefined;
    const far = (/** @type {number} */ other) => Math.abs(at[other][0] - this.column);
    const other = rows[rows.indexOf(row) + across];
    return other?.reduce((best, each) => (far(each) < far(best) - 0.01 ? each : best)) ?? cell;
  }

  /**
   * Return the cell to begin with, nearest to the middle.
   * @param {BoardPicture} picture
   */
  first(picture) {
    this.column = 0;
    return picture.board.cells.findIndex(([q, r]) => !q && !r);
  }
}

/**
 * Return the cell of the board that an event is about, or null.
 * @param {Event} event
 */
export function cellAt(event) {
  const hit = /** @type {SVGElement | null} */ (/** @type {Element} */ (event.target).closest("[data-cell]"));
  return hit ? Number(hit.dataset.cell) : null;
}

/**
 * A small picture of a mark, for the legend.
 * @param {Mark} mark @param {string} theme
 */
export function sample(mark, theme) {
  const drawn = element("svg", { class: `hexrec-${theme}`, viewBox: "-10 -10 20 20", "aria-hidden": "true" });
  drawn.append(placed(SHAPES.samples[mark.role][mark.color ?? 0]));
  return drawn;
}

/**
 * How many discs of a stack are drawn.
 * @param {number} value
 */
function discsOf(value) {
  return Math.min(Math.abs(value), SHAPES.lifts.length);
}

// Stones that move: what one turn does, or takes back, is seen in a moment. Whoever steps on sooner sees no motion, and
// neither do readers who ask their system for less of it.

/** How long a motion takes, and how long after one step another shows motion again, in milliseconds. */
const MOMENT = 160;
const LEISURE = 200;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Moves the stones of a picture from where they stood in the one before it, if it is a turn away.
 * @param {import("./board.js").BoardPicture} picture @param {number[]} stones
 * @param {Start} start @param {Step[]} line @param {number} ply
 */
export function setInMotion(picture, stones, start, line, ply) {
  const { motion } = picture;
  const before = motion.stood;
  const soon = performance.now() - motion.stepped < LEISURE;
  motion.stood = stones;
  if (same(before, stones)) return;
  motion.stepped = performance.now();
  for (const each of motion.running) each.cancel();
  motion.running = [];
  picture.layers.leaving.replaceChildren();
  if (soon || calm.matches || before.length !== stones.length) return;
  const near = (/** @type {number} */ other) => same(before, stonesAfter(start, line, other, stones.length));
  if (ply > 0 && near(ply - 1)) turn(picture, before, stones, line[ply - 1], false);
  else if (line[ply]?.changes && near(ply + 1)) turn(picture, before, stones, line[ply], true);
}

/**
 * @param {import("./board.js").BoardPicture} picture @param {number[]} before @param {number[]} after
 * @param {Step} step @param {boolean} back
 */
function turn(picture, before, after, step, back) {
  const path = step.parts?.find((part) => part.role === "path")?.cells ?? [];
  const [from, to] = back ? [path.at(-1), path[0]] : [path[0], path.at(-1)];
  for (const cell of after.keys()) {
    const node = picture.pieces.get(cell)?.node;
    if (from !== undefined && to !== undefined && cell === to && node) {
      const [[x, y], [startX, startY]] = [picture.at[to], picture.at[from]];
      move(picture, node, [{ transform: `translate(${startX - x}px, ${startY - y}px)` }, { transform: "none" }]);
    } else if (before[cell] === after[cell] || (cell === from && to !== undefined)) continue;
    else if (!node) leave(picture, before, cell, [{}, { opacity: 0, transform: "scale(0.7)" }]);
    else if (!before[cell]) move(picture, node, [{ opacity: 0, transform: "scale(0.5)" }, {}]);
    else if (before[cell] * after[cell] > 0) move(picture, node, [{ transform: "translateY(-6px)" }, {}]);
    else {
      leave(picture, before, cell, [{}, { transform: "scaleX(0)", offset: 0.5 }, { transform: "scaleX(0)" }]);
      move(picture, node, [{ transform: "scaleX(0)" }, { transform: "scaleX(0)", offset: 0.5 }, {}]);
    }
  }
}

/**
 * Shows what stood on a cell until it has gone.
 * @param {import("./board.js").BoardPicture} picture @param {number[]} before @param {number} cell
 * @param {Keyframe[]} frames
 */
function leave(picture, before, cell, frames) {
  const node = picture.piece(cell, before, false);
  picture.layers.leaving.append(node);
  move(picture, node, frames).addEventListener("finish", () => node.remove());
}

/** @param {BoardPicture} picture @param {SVGElement} node @param {Keyframe[]} frames */
function move(picture, node, frames) {
  const motion = node.animate(frames, { duration: MOMENT, easing: "ease-out" });
  picture.motion.running.push(motion);
  return motion;
}

/** @param {number[]} one @param {number[]} other */
const same = (one, other) => one.length === other.length && one.every((value, cell) => value === other[cell]);
