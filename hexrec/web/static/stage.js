// The board in view: playback, zoom and the position shown.

import { claimed, ended, goTo, nameOf, on, own, relook, shownTurn, state, step, system, toPlay } from "./app.js";
import { boardInWords, cellAt, sample, setInMotion } from "./board.js";
import { certainChanges, chosen, offered } from "./clicks.js";
import { playable, stonesAfter } from "./document.js";
import { commands } from "./editing.js";
import { $, enable, keep, kept, make, recall, say } from "./elements.js";
import { emptyOverlay, overlayMarks } from "./overlays.js";
import { titled } from "./words.js";

// Stepping through the game: the buttons and the slider, and playing by itself.

/** @type {number | undefined} */
let timer;

export function beginPlayback() {
  on("place", showControls);
  /** @type {[HTMLButtonElement, number][]} */
  const steppers = [
    [$("first"), -Infinity],
    [$("back"), -1],
    [$("forward"), 1],
    [$("last"), Infinity],
  ];
  for (const [button, by] of steppers) {
    button.addEventListener("click", () => {
      stop();
      step(by);
    });
  }
  $("play").addEventListener("click", play);
  recall("speed");
  $("speed").addEventListener("change", () => {
    if (timer) run();
  });
  $("slider").addEventListener("input", () => {
    stop();
    goTo(state.path, Number($("slider").value));
  });
}

function showControls() {
  const most = playable(state.line);
  $("slider").max = String(most);
  $("slider").value = String(state.ply);
  $("slider").setAttribute("aria-valuetext", state.ply ? `after ply ${state.ply}` : "before the first turn");
  for (const button of [$("first"), $("back")]) enable(button, state.ply > 0);
  for (const button of [$("forward"), $("last")]) enable(button, state.ply < most);
  enable($("play"), most > 0);
  if (state.ply === most) stop();
}

function play() {
  if (!playable(state.line)) return;
  if (timer) return stop();
  if (state.ply === playable(state.line)) goTo(state.path, 0);
  $("play").textContent = "Pause";
  run();
}

/** Steps on at the speed that is chosen. */
function run() {
  clearInterval(timer);
  timer = setInterval(() => step(1), 1000 / Number($("speed").value));
}

export function stop() {
  clearInterval(timer);
  timer = undefined;
  $("play").textContent = "Play";
}

// Which part of the board is seen, and how large: pinching, dragging and the wheel on it. The wheel and swipes step, too.

/** A cell is at least as large as this up to a size of the board, in pixels: as large as WCAG 2.5.8 asks of targets. */
const LEAST_CELL = 24;
const LARGEST_FITTED = 10;
/** How often a cell may be enlarged, and by how much one press of a button or one notch of the wheel does. */
const MOST_ENLARGED = 8;
const NOTCH = Math.SQRT2;
/** How far the wheel has to turn for a step, and after how many milliseconds it begins anew. */
const WHEEL_STEP = 60;
const WHEEL_REST = 250;
/** How far a finger has to move for a step, and any pointer to drag instead of pressing, in pixels. */
const SWIPE_STEP = 48;
const DRAG = 6;
/** How far from the middle of a cell its corners and the line around it reach, relative to its width. */
const WHOLE_CELL = 0.62;

const NARROW = matchMedia("(max-width: 59.99rem)");
/** What is shown: a scale of 1 shows the whole board; a point of the picture is in the middle. */
const lens = { scale: 1, x: 0, y: 0 };
/** The part of space that the picture takes, and what there is to show it in, in pixels. */
let plane = { left: 0, top: 0, width: 1, height: 1 };
let room = { width: 0, height: 0 };
/** The document and the drawing that the lens was last told of. */
/** @type {object | null} */
let shownBoard = null;
/** @type {object | null} */
let framed = null;

/** @type {Map<number, Point>} */
const fingers = new Map();
let dragged = false;
/** How far the one finger has come since the last step. */
let swiped = 0;
let wheeled = { turned: 0, time: 0 };

/** Keeps the lens on the board whatever is done to it. */
export function beginZoom() {
  const board = $("board");
  new ResizeObserver(([{ contentRect }]) => {
    room = { width: contentRect.width, height: contentRect.height };
    framed = null;
    if (!state.data?.board || !room.width) return;
    if ($("whole").hidden) lens.scale = 0;
    frame();
  }).observe(board);
  board.addEventListener("wheel", wheelTurned, { passive: false });
  board.addEventListener("pointerdown", fingerDown);
  board.addEventListener("pointermove", fingerMoved);
  for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) board.addEventListener(end, fingerUp);
  board.addEventListener("click", (event) => dragged && event.stopPropagation(), { capture: true });
  board.addEventListener("keydown", (event) => {
    const by = { "+": NOTCH, "=": NOTCH, "-": 1 / NOTCH }[event.key];
    if (by) enlarge(by);
    else if (event.key === "0") showWhole();
  });
  $("larger").addEventListener("click", () => enlarge(NOTCH));
  $("smaller").addEventListener("click", () => enlarge(1 / NOTCH));
  $("whole").addEventListener("click", showWhole);
  $("rotate").addEventListener("click", () => rotate(1));
  on("record", () => {
    const sixths = Number(kept("rotation")) || 0;
    // Only another board is drawn anew.
    if (state.data?.board && state.picture.angle !== sixths * 60) state.picture.rotate(sixths);
    if (state.document !== shownBoard) {
      lens.scale = 0;
      $("whole").hidden = true;
    }
    shownBoard = state.document;
  });
}

/** Shows what is drawn now. The lens stays where it is, unless it is on the whole of a board that is drawn otherwise. */
function frame() {
  if (!room.width) {
    const { width, height } = $("board").getBoundingClientRect();
    room = { width, height };
  }
  const [left, top, width, height] = state.picture.box(state.picture.shown, room.width || undefined);
  const same = plane.left === left && plane.width === width && plane.height === height;
  if (same && lens.scale && framed === state.picture.drawn) return;
  framed = state.picture.drawn;
  plane = { left, top, width, height };
  // As high as the board is at the scale at which it is opened, where its width is that of a phone.
  const high = height * largeEnough(room.width / width);
  $("board").style.setProperty("--board-aspect", String(width / high));
  if (lens.scale && (same || !$("whole").hidden)) focusLens();
  else showWhole();
}

/**
 * Whether there is room for some names: on a narrow screen, cells have to be large enough to be pressed first.
 * @param {Pick<View, "labels" | "system">} names
 */
function fits(names) {
  if (!room.width || !NARROW.matches) return true;
  const [, , width, height] = state.picture.box(names, room.width);
  return pitch() * Math.min(room.width / width, room.height / height) >= LEAST_CELL;
}

/** From one cell of a row to the next, in the units of the picture. */
const pitch = () => Math.abs(state.data.board.places[1][0] - state.data.board.places[0][0]);
const fit = () => Math.min(room.width / plane.width, room.height / plane.height) || 1;

/** The scale at which a game is opened: cells are not too small to be pressed. */
const usual = () => (state.data?.board ? largeEnough(fit()) : 1);

const enlarged = () => lens.scale > usual() + 0.001;

/**
 * By how much cells have to be enlarged to be pressed, where a unit of the picture is so many pixels wide.
 * @param {number} unit
 */
function largeEnough(unit) {
  return unit && state.data.board.size <= LARGEST_FITTED ? Math.max(1, LEAST_CELL / (pitch() * unit)) : 1;
}

/**
 * Rotate the board clockwise, and others that are opened later in this browser.
 * @param {number} by in sixths of a full turn
 */
export function rotate(by) {
  const sixths = (state.picture.angle / 60 + by + 6) % 6;
  keep("rotation", String(sixths));
  state.picture.rotate(sixths);
  relook();
  say(sixths ? `The board is rotated by ${sixths * 60} degrees.` : "The board is not rotated.");
}

function showWhole() {
  lens.scale = usual();
  lens.x = plane.left + plane.width / 2;
  lens.y = plane.top + plane.height / 2;
  focusLens();
}

/**
 * Enlarges the board around a point of it that stays where it is; the middle, if none is named.
 * @param {number} by @param {Point} [from] in pixels from the corner of the board
 */
function enlarge(by, from = [room.width / 2, room.height / 2]) {
  const [x, y] = [from[0] - room.width / 2, from[1] - room.height / 2];
  const before = fit() * lens.scale;
  lens.scale = Math.min(MOST_ENLARGED, Math.max(1, lens.scale * by));
  const after = fit() * lens.scale;
  shift(x / before - x / after, y / before - y / after);
}

/**
 * Brings a cell into sight.
 * @param {Point} place
 */
export function reveal([x, y]) {
  const unit = fit() * lens.scale;
  const [acrossMost, downMost] = [room.width, room.height].map((side) => side / unit / 2 - pitch() * WHOLE_CELL);
  const [across, down] = [x - lens.x, y - lens.y];
  shift(across - clamped(across, acrossMost), down - clamped(down, downMost));
}

/** @param {number} value @param {number} most */
const clamped = (value, most) => Math.max(-most, Math.min(most, value));

/** @param {number} x @param {number} y in units of the picture */
function shift(x, y) {
  lens.x += x;
  lens.y += y;
  focusLens();
}

/** Shows what the lens is on, and no more beyond the picture than there has to be. */
function focusLens() {
  const drawn = $("board").querySelector("svg");
  if (!drawn || !room.width || !room.height) return;
  const [width, height] = [room.width, room.height].map((side) => side / (fit() * lens.scale));
  lens.x = within(lens.x, plane.left, plane.width, width);
  lens.y = within(lens.y, plane.top, plane.height, height);
  const box = [lens.x - width / 2, lens.y - height / 2, width, height];
  drawn.setAttribute("viewBox", box.map((value) => value.toFixed(2)).join(" "));
  state.picture.letter(fit() * lens.scale);
  $("board").classList.toggle("zoomed", enlarged() || height < plane.height - 1);
  $("whole").hidden = Math.abs(lens.scale - usual()) < 0.001;
}

/** @param {number} middle @param {number} start @param {number} size @param {number} seen */
function within(middle, start, size, seen) {
  if (seen >= size) return start + size / 2;
  return Math.min(Math.max(middle, start + seen / 2), start + size - seen / 2);
}

/** @param {WheelEvent} event */
function wheelTurned(event) {
  if (!state.data?.board) return;
  const by = event.deltaY * [1, 16, room.height][event.deltaMode];
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    const { left, top } = $("board").getBoundingClientRect();
    return enlarge(NOTCH ** (-Math.max(-1, Math.min(1, by / WHEEL_STEP))), [event.clientX - left, event.clientY - top]);
  }
  // The page scrolls where it is higher than the window, and where there is nothing to step to.
  const left = by > 0 ? playable(state.line) - state.ply : state.ply;
  if (NARROW.matches || !left) return;
  event.preventDefault();
  const anew = event.timeStamp - wheeled.time > WHEEL_REST || Math.sign(by) !== Math.sign(wheeled.turned);
  wheeled = { turned: (anew ? 0 : wheeled.turned) + by, time: event.timeStamp };
  if (Math.abs(wheeled.turned) < WHEEL_STEP) return;
  const way = Math.sign(wheeled.turned);
  wheeled.turned = 0;
  stop();
  step(way);
}

/** @param {PointerEvent} event */
function fingerDown(event) {
  if (!fingers.size) dragged = false;
  swiped = 0;
  fingers.set(event.pointerId, [event.clientX, event.clientY]);
}

/** @param {PointerEvent} event */
function fingerMoved(event) {
  const before = fingers.get(event.pointerId);
  if (!before || !state.data?.board) return;
  /** @type {Point} */
  const now = [event.clientX, event.clientY];
  const [x, y] = [now[0] - before[0], now[1] - before[1]];
  if (!dragged && fingers.size === 1 && Math.hypot(x, y) < DRAG) return;
  dragged = true;
  const other = [...fingers].find(([finger]) => finger !== event.pointerId)?.[1];
  fingers.set(event.pointerId, now);
  const unit = fit() * lens.scale;
  if (other) {
    const { left, top } = $("board").getBoundingClientRect();
    const by = distance(now, other) / (distance(before, other) || 1);
    enlarge(by, [(now[0] + other[0]) / 2 - left, (now[1] + other[1]) / 2 - top]);
    shift(-x / 2 / unit, -y / 2 / unit);
    return;
  }
  const from = lens.x;
  shift(-x / unit, -y / unit);
  // A board that is as large as it was opened may still be wider than the window: what is out of sight comes first.
  if (!enlarged() && event.pointerType !== "mouse") swipe(x - (from - lens.x) * unit);
}

/** @param {number} x */
function swipe(x) {
  swiped += x;
  const steps = Math.trunc(swiped / SWIPE_STEP);
  if (!steps) return;
  swiped -= steps * SWIPE_STEP;
  stop();
  step(-steps);
}

/** @param {PointerEvent} event */
function fingerUp(event) {
  fingers.delete(event.pointerId);
}

/** @param {Point} one @param {Point} other */
const distance = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]);

// The sound of a stone that is put down, for those who want it.

/** How long it lasts, and how fast it dies away, in seconds. */
const LASTING = 0.06;
const DECAY = 0.008;

/** @type {AudioContext | null} */
let audio = null;
let plyBefore = 0;

function beginSound() {
  recall("sound");
  $("sound").addEventListener("change", knock);
  on("place", (quiet) => {
    if (!quiet && state.ply === plyBefore + 1) knock();
    plyBefore = state.ply;
  });
}

function knock() {
  if ($("sound").value !== "on") return;
  audio ??= new AudioContext();
  const noise = audio.createBuffer(1, audio.sampleRate * LASTING, audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (const at of samples.keys()) samples[at] = (Math.random() - 0.5) * Math.exp(-at / audio.sampleRate / DECAY);
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  source.connect(audio.destination);
  source.start();
}

// The board, its caption and the legend.

export function beginStage() {
  beginSound();
  on("record", () => ($("stage").hidden = !state.data?.board));
  on("place", (quiet) => {
    showBoard();
    if (!quiet) say($("caption").textContent);
  });
  for (const event of /** @type {const} */ (["meaning", "queue"])) {
    on(event, () => {
      // On another position, they are drawn with it.
      if (state.data?.board && state.picture.drawn && drawnLine === state.line && drawnPly === state.ply) showPointers();
    });
  }
  $("board").addEventListener("pointerover", (event) => hover(event.pointerType === "mouse" ? cellAt(event) : null));
  $("board").addEventListener("pointerleave", () => hover(null));
  new ResizeObserver(() => {
    if (state.data?.board && state.picture.shown.labels !== labelsHere()) showBoard();
  }).observe($("board"));
  on("look", () => {
    if (state.data?.board) showBoard();
  });
}

/** The position that is drawn. @type {Step[] | null} */
let drawnLine = null;
let drawnPly = 0;

function showBoard() {
  [drawnLine, drawnPly] = [state.line, state.ply];
  const { board, start } = state.data;
  const stones = stonesAfter(start, state.line, state.ply, board.cells.length);
  const marks = [...overlayMarks(), ...state.marked.marks, ...state.marked.parts];
  const next = state.line[state.ply];
  const illegal = next?.illegal ? state.names.through(next.turn.toLowerCase(), own()) : [];
  const caption = captionText(next);
  $("caption").textContent = caption;
  const theme = $("theme").value;
  const { markup } = state.marked;
  const said = (markup?.words ?? []).map(({ name, cells, joiner }) => `${name}: ${cells.map(nameOf).join(joiner)}`);
  const words = [boardInWords(stones, marks, nameOf), ...said.map((line) => `${line}.`)].join(" ");
  const names = { system: system(), labels: labelsHere() };
  const view = { stones, marks, markup, illegal, ...pointers(), ...names, theme };
  const drawn = state.picture.draw({ ...view, title: caption, description: words });
  if (drawn.parentNode !== $("board")) $("board").replaceChildren(drawn);
  frame();
  setInMotion(state.picture, stones, start, state.line, state.ply);
  const kinds = new Map(marks.map((mark) => [mark.name, mark]));
  $("legend").replaceChildren(
    ...[...kinds.values()].map((mark) => make("li", {}, sample(mark, theme), mark.name)),
    ...[...said, emptyOverlay()].filter((line) => line !== null).map((line) => make("li", {}, line)),
  );
}

/** Which cells have their names written: names at the edge are left out where the cells need their room. */
function labelsHere() {
  const { value } = $("labels");
  return value === "ends" && !fits({ labels: value, system: system() }) ? "none" : value;
}

/** Shows other parts of a turn, or the keyboard's cell, on the same position. */
export function showPointers() {
  const stones = stonesAfter(state.data.start, state.line, state.ply, state.data.board.cells.length);
  state.picture.point({ ...pointers(), stones });
  $("caption").textContent = captionText(state.line[state.ply]);
}

/** @param {number | null} cell */
function hover(cell) {
  if (cell === state.hovered) return;
  state.hovered = cell;
  if (state.data?.board) showPointers();
}

/** What the board shows of the turn under way. @returns {Pointers} */
function pointers() {
  const { meaning, cursor, hovered } = state;
  const next = offered(meaning);
  /** @type {Pointers} */
  const shown = { chosen: chosen(meaning), queued: commands.cells, next, cursor, changes: [] };
  // The dots would tell where a turn can begin, which is for the reader of a lesson to find.
  if (state.lesson && !shown.chosen.length) shown.next = [];
  if (meaning.kind === "turn") {
    const parts = hovered !== null && next.includes(hovered) ? [...meaning.parts, hovered] : meaning.parts;
    shown.changes = certainChanges(meaning.turns, parts);
  } else if (meaning.kind === "opening") {
    const cells = hovered === null || meaning.cells.includes(hovered) ? meaning.cells : [...meaning.cells, hovered];
    // The stones of the record stand there until others are set.
    for (const [cell] of state.data.start.changes) shown.changes.push([cell, 0]);
    for (const [index, cell] of cells.entries()) shown.changes.push([cell, meaning.colors[index] === "white" ? -1 : 1]);
  }
  return shown;
}

/** @param {Step | undefined} next */
function captionText(next) {
  const last = state.ply && state.line[state.ply - 1];
  const when = last ? `After ply ${state.ply}, ${titled(last.color)} ${shownTurn(last.turn)}` : "Before the first turn";
  const { result } = state.document.record;
  const here = result && !state.path.length && state.ply === state.document.record.moves.length;
  const then = ended() ?? (here ? claimed(result) : `${titled(toPlay())} to play`);
  if (state.meaning.kind === "opening") {
    const { colors, cells } = state.meaning;
    return `Opening: ${titled(colors[cells.length])}'s ${state.data.game.piece}`;
  }
  return next?.illegal ? `${when}; ${titled(next.color)} ${shownTurn(next.turn)} is illegal here` : `${when}; ${then}`;
}
