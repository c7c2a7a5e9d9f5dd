// A position as SVG. The measures and the classes are those of the pictures that `hexrec show` makes.

const { pitch: PITCH, stone: STONE, rim: RIM, padding: PADDING, character: CHARACTER } = MEASURES;
/** @typedef {{areas: SVGElement[], paths: SVGElement[], stones: SVGElement[], marks: SVGElement[]}} Layers */

// Each disc of a stack lies this much above the next; no more discs than this are drawn.
const [DISC, DISCS] = [2.6, 4];
const REACH = PITCH / Math.sqrt(3);
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

/** @param {string} kind @param {Point} point @param {number} r */
function circle(kind, [x, y], r) {
  return element("circle", { class: kind, cx: x, cy: y, r });
}

/** @param {string} kind @param {string} text @param {Point} point */
function words(kind, text, [x, y], anchor = "middle") {
  return element("text", { class: kind, x, y, dy: "0.36em", "text-anchor": anchor }, text);
}

/** @param {string} kind @param {Point[]} points */
function polygon(kind, points) {
  return element("polygon", { class: kind, points: points.map((point) => point.map(short).join(",")).join(" ") });
}

/** @param {string} kind @param {Point[][]} lines */
function strokes(kind, lines) {
  const d = lines.map((line) => `M${line.map((point) => point.map(short).join(",")).join("L")}`).join("");
  return element("path", { class: kind, d });
}

/**
 * @param {Point} point
 * @returns {Point[]}
 */
function hexagon([x, y], reach = REACH) {
  const [half, side] = [(reach * Math.sqrt(3)) / 2, reach / 2];
  return [
    [x, y - reach],
    [x + half, y - side],
    [x + half, y + side],
    [x, y + reach],
    [x - half, y + side],
    [x - half, y - side],
  ];
}

/** @param {string} kind @param {Point} point @param {number} arm */
function cross(kind, [x, y], arm) {
  return strokes(kind, [
    [
      [x - arm, y - arm],
      [x + arm, y + arm],
    ],
    [
      [x - arm, y + arm],
      [x + arm, y - arm],
    ],
  ]);
}

const STEPS = [
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [0, -1],
  [1, -1],
];

export class BoardPicture {
  /** @param {Board} board @param {string} surface @param {import("./names.js").Names} names */
  constructor(board, surface, names) {
    this.board = board;
    this.surface = surface;
    this.names = names;
    /** @type {Point[]} */
    this.at = board.places;
    this.near = board.cells.map(([q, r]) => STEPS.map(([dq, dr]) => names.places.get(`${q + dq},${r + dr}`)));
  }

  /** @param {View} view */
  draw(view) {
    const ends = view.labels === "ends";
    const longest = ends ? Math.max(...this.at.map((_, cell) => this.names.single(cell, view.system).length)) : 0;
    // The origin is in the middle of the board.
    const half = Math.max(...this.at.map(([x]) => x)) + RIM + PADDING + (longest ? 8 + longest * 12 * CHARACTER : 0);
    const top = Math.max(...this.at.map(([, y]) => y)) + REACH + PADDING;
    const box = [-half, -top, 2 * half, 2 * top];
    return element(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg",
        class: `hexrec-board hexrec-${view.theme}`,
        role: "img",
        "aria-label": `${view.title}. ${view.description}`,
        viewBox: box.map(short).join(" "),
      },
      element("rect", { class: "page", x: box[0], y: box[1], width: box[2], height: box[3], rx: 8 }),
      ...this.ground(view),
      ...this.contents(view),
      ...this.at.map((point, cell) => this.hit(point, cell)),
    );
  }

  /** @param {Point} point @param {number} cell */
  hit(point, cell) {
    const drawn = polygon("hit", hexagon(point));
    drawn.dataset.cell = String(cell);
    return drawn;
  }

  /** @param {View} view @returns {Generator<SVGElement>} */
  *ground(view) {
    if (this.surface === "points") {
      yield polygon("plate", this.board.plate);
      yield strokes("grid", [...this.grid()]);
    } else {
      for (const [cell, point] of this.at.entries()) {
        yield polygon(this.surface === "rimmed cells" && this.board.rim[cell] ? "cell rim" : "cell", hexagon(point));
      }
    }
    if (view.labels === "none") return;
    for (const [cell, point] of this.at.entries()) {
      const name = this.names.single(cell, view.system);
      if (view.labels === "all") {
        if (!view.stones[cell]) yield words(this.surface === "points" ? "name over-grid" : "name", name, point);
        continue;
      }
      const [x, y] = point;
      if (this.near[cell][3] === undefined) yield words("label", name, [x - RIM - 4, y], "end");
      if (this.near[cell][0] === undefined) yield words("label", name, [x + RIM + 4, y], "start");
    }
  }

  /**
   * Every line of the grid once, from rim to rim.
   * @returns {Generator<Point[]>}
   */
  *grid() {
    for (const cell of this.at.keys()) {
      for (let way = 0; way < 3; way++) {
        if (this.near[cell][way + 3] !== undefined || this.near[cell][way] === undefined) continue;
        let end = cell;
        for (let next = this.near[cell][way]; next !== undefined; next = this.near[end][way]) end = next;
        yield [this.at[cell], this.at[end]];
      }
    }
  }

  /** @param {View} view */
  contents(view) {
    /** @type {Layers} */
    const layers = { areas: [], paths: [], stones: [], marks: [] };
    const dead = new Set(view.marks.filter((mark) => mark.role === "dead").flatMap((mark) => mark.cells));
    // What is lower on the picture lies over what is higher.
    const order = [...this.at.keys()].sort((one, other) => this.at[one][1] - this.at[other][1]);
    for (const mark of view.marks) this.mark(mark, view.stones, layers);
    for (const cell of order) {
      if (view.stones[cell]) layers.stones.push(this.piece(view.stones[cell], this.at[cell], dead.has(cell)));
    }
    for (const cell of view.illegal) layers.marks.push(cross("illegal", this.top(cell, view.stones), STONE * 0.7));
    for (const cell of view.chosen) layers.marks.push(polygon("chosen", hexagon(this.at[cell], REACH - 2)));
    return Object.values(layers).flat();
  }

  /** @param {number} value @param {Point} point @param {boolean} dead */
  piece(value, point, dead) {
    const [colour, height] = [COLOURS[value < 0 ? 1 : 0], Math.abs(value)];
    const lift = liftOf(value);
    const [x, y] = point;
    const drawn = element("g", dead ? { class: "dead" } : {});
    for (let disc = 0; disc < Math.min(height, DISCS); disc++)
      drawn.append(circle(colour, [x, y + lift - DISC * disc], STONE));
    if (height > 1) drawn.append(words(`on-${colour}`, String(height), [x, y - lift]));
    return drawn;
  }

  /**
   * The middle of what is uppermost on a cell.
   * @param {number} cell @param {number[]} stones @returns {Point}
   */
  top(cell, stones) {
    const [x, y] = this.at[cell];
    return [x, y - liftOf(stones[cell])];
  }

  /** @param {Mark} mark @param {number[]} stones @param {Layers} layers */
  mark(mark, stones, layers) {
    if (mark.role === "path") {
      layers.paths.push(strokes("path", [mark.cells.map((cell) => this.at[cell])]));
      return;
    }
    if (mark.role === "chain") {
      const chosen = new Set(mark.cells);
      const joined = mark.cells.flatMap((cell) =>
        this.near[cell]
          .filter((other) => other !== undefined && other > cell && chosen.has(other))
          .map((other) => [this.at[cell], this.at[/** @type {number} */ (other)]]),
      );
      layers.marks.push(strokes("halo", joined), strokes("chain", joined));
      return;
    }
    for (const [index, cell] of mark.cells.entries()) {
      const value = stones[cell];
      if (mark.role === "removed" && value) continue;
      const colour = value ? (value < 0 ? 1 : 0) : (mark.colour ?? 0);
      if (mark.role === "area") {
        layers.areas.push(polygon(`area-${COLOURS[mark.colour ?? 0]}`, hexagon(this.at[cell])));
        if (value) continue;
      }
      const point = this.top(cell, stones);
      if (mark.label && index === 0) layers.marks.push(words(`on-${COLOURS[colour]}`, mark.label, point));
      else layers.marks.push(shape(mark.role, colour, point, STONE));
    }
  }
}

/**
 * A small picture of a mark, for the legend.
 * @param {Mark} mark @param {string} theme
 */
export function sample(mark, theme) {
  const colour = mark.colour ?? 0;
  const drawn = element("svg", { class: `hexrec-${theme}`, viewBox: "-10 -10 20 20", "aria-hidden": "true" });
  const under = ["dead", "end", "secure"].includes(mark.role);
  if (under)
    drawn.append(element("g", mark.role === "dead" ? { class: "dead" } : {}, circle(COLOURS[colour], [0, 0], 8)));
  drawn.append(shape(mark.role, colour, [0, 0], under || mark.role === "area" ? 8 : 6));
  return drawn;
}

/** @param {string} role @param {number} colour @param {Point} point @param {number} radius */
function shape(role, colour, [x, y], radius) {
  if (role === "placed" || role === "changed") return circle(role, [x, y], radius + 2);
  if (role === "cut") return polygon("cut", hexagon([x, y], radius * 1.38));
  if (role === "removed") return circle("removed", [x, y], radius * 0.8);
  if (role === "area") {
    const side = radius * 0.6;
    return element("rect", { class: COLOURS[colour], x: x - side / 2, y: y - side / 2, width: side, height: side });
  }
  if (role === "dead") return cross("cross", [x, y], radius * 0.55);
  if (role === "forbidden") return cross("forbidden", [x, y], radius * 0.36);
  if (role === "end") return circle(COLOURS[1 - colour], [x, y], radius * 0.32);
  if (role === "secure") return polygon(`secure-${COLOURS[colour]}`, hexagon([x, y], radius * 0.84));
  return strokes(role, [
    [
      [x - radius, y],
      [x + radius, y],
    ],
  ]);
}

/**
 * How far the top of a stack is above the middle of its cell, and its foot below.
 * @param {number} value
 */
function liftOf(value) {
  return value ? ((Math.min(Math.abs(value), DISCS) - 1) * DISC) / 2 : 0;
}
