// The page: what is shown, and what people do with it.

import { BoardPicture, sample } from "./board.js";
import { packed, unpacked } from "./link.js";
import { Names } from "./names.js";
import { extended, follow, lineOf, playable, played, stonesAfter } from "./tree.js";

/**
 * @template {keyof PageElements} K
 * @param {K} id
 */
const $ = (id) => /** @type {PageElements[K]} */ (document.getElementById(id));
const EMBEDDED = $("replay");
const SECONDS = 1;
/** @type {("coordinates" | "labels" | "theme")[]} */
const CHOICES = ["coordinates", "labels", "theme"];

/** @type {State} */
const state = /** @type {any} */ ({
  data: null, // what the service, or this file, knows of the record
  text: "", // what was given
  path: [],
  ply: 0,
  line: [],
  chosen: [], // cells
  systemChosen: false, // whether somebody chose the coordinates; else they are those of the record
  legal: new Map(), // legal turns, by what was played before them
  timer: undefined,
  asked: 0, // how often the service was asked for a record: only the last answer counts
  names: null,
  picture: null,
});

// Small helpers.

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Partial<Omit<HTMLElementTagNameMap[K], "value">> & { value?: unknown }} properties
 * @param {...(Node | string)} children
 */
function make(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** @param {string | null} text */
function say(text) {
  $("live").textContent = text;
}

/** @param {string} text */
function complain(text) {
  $("problem").textContent = text;
  $("problem").hidden = !text;
}

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));
const system = () => /** @type {System} */ ($("coordinates").value);
const own = () => state.data.record.coordinates ?? "row";
/** @param {string} turn */
const shownTurn = (turn) => (state.names ? state.names.respell(turn, own(), system()) : turn);
const ended = () => current().over;
/** @returns {Start} */
const current = () => /** @type {Start} */ (state.ply ? state.line[state.ply - 1] : state.data.start);
/** @param {number} cell */
const nameOf = (cell) => state.names.single(cell, system());
const toPlay = () => current().to_play;

/** @param {string} address @param {string} body @param {string} type */
async function ask(address, body, type) {
  let answer;
  try {
    answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": type, Accept: "application/json" },
      body,
    });
  } catch {
    throw new Error("The server does not answer.");
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(data.detail ?? data.title ?? `The server answers with ${answer.status}.`);
  return data;
}

// Reading records.

/** @param {string} text @param {number | string} index */
async function check(text, index = 0) {
  stop();
  complain("");
  state.text = text;
  const asked = ++state.asked;
  if (!text.trim()) return complain("There is no record to check: paste one, or open a file.");
  try {
    const data = await ask(`v1/replay?record=${index}`, text, "text/plain; charset=utf-8");
    if (asked !== state.asked) return;
    show(data);
  } catch (error) {
    if (asked === state.asked) complain(messageOf(error));
    return;
  }
  $("verdict-title").focus({ preventScroll: true });
  say(`${$("verdict-title").textContent}. ${state.data.report.diagnostics.map((each) => each.message).join(" ")}`);
}

/**
 * Begins a game: from a position, if its text is given.
 * @param {GameRecord} record
 */
async function beginGame(record) {
  const position = $("position").value.trim();
  let begun = record;
  if (position) {
    complain("");
    try {
      const asked = JSON.stringify({ game: record.game, position });
      const { size, position: setup } = await ask("v1/positions?drawing=false", asked, "application/json");
      begun = { hexrec: record.hexrec, game: record.game, size, setup, moves: [] };
    } catch (error) {
      complain(messageOf(error));
      return;
    }
  }
  $("text").value = JSON.stringify(begun, null, 2);
  check($("text").value);
}

/** @param {File} file */
async function open(file) {
  try {
    const whole = file.name.endsWith(".gz") ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file;
    const text = await new Response(whole).text();
    $("text").value = text;
    await check(text);
  } catch (error) {
    complain(`${file.name} cannot be read: ${messageOf(error)}`);
  }
}

/**
 * Shows a record, at a place in it or where it is most of interest: its illegal turn, or its end.
 * @param {Replay} data @param {{path: Path, ply: number} | null} place
 */
function show(data, place = null) {
  state.data = data;
  if (data.record && !state.systemChosen) $("coordinates").value = own();
  state.legal.clear();
  state.chosen = [];
  if (data.board) {
    state.names = new Names(data.board);
    state.picture = new BoardPicture(data.board, data.game.surface, state.names);
  }
  $("shown").hidden = false;
  for (const part of [$("stage"), $("list"), $("legal")]) part.hidden = !data.board;
  $("save").hidden = !data.record;
  $("save-note").textContent = "";
  showVerdict();
  showRecords();
  showFormats();
  if (!data.board) return;
  $("entry").open = false;
  goTo(place?.path ?? [], place?.ply ?? playable(data.moves), true);
}

function showVerdict() {
  const { report, record, game } = state.data;
  $("verdict").classList.toggle("invalid", !report.valid);
  $("verdict-title").textContent = report.valid ? "Valid" : "Invalid";
  const parts = [];
  if (record) {
    const rules = [record.ruleset, record.variant].filter(Boolean).join(", ");
    parts.push(`${game.title} on size ${record.size}${rules && ` (${rules})`}`);
    const players = [record.players?.black?.name, record.players?.white?.name];
    if (players[0] || players[1]) parts.push(`${players[0] ?? "?"} (black) against ${players[1] ?? "?"} (white)`);
    for (const field of ["event", "round", "site", "date"]) if (record[field]) parts.push(record[field]);
    if (!report.result)
      parts.push(report.valid ? "unfinished" : `${report.plies} of ${record.moves.length} turns are legal`);
    else if (report.result.termination !== "rules") parts.push(claimed(report.result));
    if (record.comment) parts.push(record.comment);
  }
  $("about").textContent = parts.join(" · ");
  document.title = record ? `${game.title} – hexrec` : "hexrec";
  $("diagnostics").replaceChildren(...report.diagnostics.map(diagnostic));
}

/** @param {Result} result */
function claimed({ winner, termination }) {
  const ending = winner === "draw" ? "a draw" : winner ? `${winner} wins` : "no winner named";
  return `${ending} (${termination})`;
}

/** @param {Diagnostic} each */
function diagnostic(each) {
  const place = [each.line && `line ${each.line}, column ${each.column}`, each.ply && `ply ${each.ply}`, each.turn];
  const item = make("li", { className: each.severity }, make("span", { className: "code", textContent: each.code }));
  if (each.severity !== "error") item.append(` (${each.severity})`);
  item.append(make("div", { textContent: each.message }));
  item.append(make("div", { className: "place", textContent: place.filter(Boolean).join(" · ") }));
  const { ply } = each;
  if (ply && state.data.board) {
    const button = make("button", { type: "button", textContent: "Show the position" });
    button.addEventListener("click", () => {
      goTo([], ply - 1);
      $("stage").scrollIntoView({ block: "nearest" });
    });
    item.append(button);
  }
  return item;
}

function showRecords() {
  const { records = 1, report } = state.data;
  $("which").hidden = records < 2;
  $("index").replaceChildren(
    ...Array.from({ length: records }, (_, index) => make("option", { value: index, textContent: String(index) })),
  );
  $("index").value = String(report.index ?? 0);
}

function showFormats() {
  const names = Object.keys(state.data.texts ?? {});
  const kept = $("format").value;
  if (state.data.board) names.push("svg");
  $("format").replaceChildren(...names.map((name) => make("option", { value: name, textContent: name })));
  if (names.includes(kept)) $("format").value = kept;
}

// Stepping.

/** @param {Path} path @param {number} ply @param {boolean} quiet */
function goTo(path, ply, quiet = false) {
  state.path = path;
  state.line = lineOf(state.data.moves, path);
  const most = playable(state.line);
  state.ply = Math.min(Math.max(ply, 0), most);
  $("slider").max = String(most);
  $("slider").value = String(state.ply);
  $("slider").setAttribute("aria-valuetext", state.ply ? `after ply ${state.ply}` : "before the first turn");
  for (const button of [$("first"), $("back")]) button.disabled = state.ply === 0;
  for (const button of [$("forward"), $("last")]) button.disabled = state.ply === most;
  $("play").disabled = most === 0;
  if (state.ply === most) stop();
  showBoard();
  showTurns();
  showLegal();
  if (!quiet) say($("caption").textContent);
}

/** @param {number} by */
const step = (by) => goTo(state.path, state.ply + by);

function play() {
  if (state.timer) return stop();
  if (state.ply === playable(state.line)) goTo(state.path, 0);
  $("play").textContent = "Pause";
  state.timer = setInterval(() => step(1), SECONDS * 1000);
}

function stop() {
  clearInterval(state.timer);
  state.timer = undefined;
  $("play").textContent = "Play";
}

function showBoard() {
  const { board, start } = state.data;
  const stones = stonesAfter(start, state.line, state.ply, board.cells.length);
  const marks = [...(current().marks ?? []), ...(current().parts ?? [])];
  const next = state.line[state.ply];
  const illegal = next?.illegal ? state.names.through(next.turn.toLowerCase(), own()) : [];
  const caption = captionText(next);
  $("caption").textContent = caption;
  const theme = $("theme").value;
  const { markup } = current();
  const said = (markup?.words ?? []).map(({ name, cells, joiner }) => `${name}: ${cells.map(nameOf).join(joiner)}`);
  const words = [description(stones, marks), ...said.map((line) => `${line}.`)].join(" ");
  const names = { system: system(), labels: $("labels").value };
  const view = { stones, marks, markup, illegal, chosen: state.chosen, ...names, theme };
  $("board").replaceChildren(state.picture.draw({ ...view, title: caption, description: words }));
  const kinds = new Map(marks.map((mark) => [mark.name, mark]));
  $("legend").replaceChildren(
    ...[...kinds.values()].map((mark) => make("li", {}, sample(mark, theme), mark.name)),
    ...said.map((line) => make("li", {}, line)),
  );
}

/** @param {Step | undefined} next */
function captionText(next) {
  const last = state.ply && state.line[state.ply - 1];
  const when = last ? `After ply ${state.ply}, ${last.colour} ${shownTurn(last.turn)}` : "Before the first turn";
  const then = ended() ? ended() : `${toPlay()} to play`;
  return next?.illegal ? `${when}; ${next.colour} ${shownTurn(next.turn)} is illegal here` : `${when}; ${then}`;
}

/** @param {number[]} stones @param {Mark[]} marks */
function description(stones, marks) {
  /** @param {number} cell */
  const standing = (cell) => nameOf(cell) + (Math.abs(stones[cell]) > 1 ? ` (height ${Math.abs(stones[cell])})` : "");
  const cells = [...stones.keys()];
  const sides = Object.entries({ Black: 1, White: -1 }).map(([colour, sign]) => {
    const held = cells.filter((cell) => stones[cell] * sign > 0).map(standing);
    return `${colour}: ${held.join(", ") || "none"}.`;
  });
  return [...sides, ...marks.map((mark) => `${mark.name}: ${mark.cells.map(nameOf).join(", ")}.`)].join(" ");
}

// The list of turns.

function showTurns() {
  const { moves, report } = state.data;
  const box = $("turns");
  const scrolled = box.scrollTop;
  box.replaceChildren(make("div", { className: "line" }, startButton(), ...lineItems(moves, [], 0)));
  if (report.result && !report.result.termination.startsWith("rules")) {
    box.append(make("div", { className: "remark", textContent: claimed(report.result) }));
  }
  box.scrollTop = scrolled;
  const at = /** @type {HTMLElement | null} */ (box.querySelector("[aria-current]"));
  if (at) {
    const [top, bottom] = [at.offsetTop - box.offsetTop, at.offsetTop - box.offsetTop + at.offsetHeight];
    if (top < box.scrollTop || bottom > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
  }
}

function startButton() {
  const button = make("button", { type: "button", className: "turn wide", textContent: "Before the first turn" });
  if (state.ply === 0) button.setAttribute("aria-current", "true");
  button.addEventListener("click", () => goTo([], 0));
  return button;
}

/**
 * @param {Step[]} steps @param {Path} path @param {number} base
 * @returns {Generator<HTMLElement>}
 */
function* lineItems(steps, path, base) {
  for (const [index, each] of steps.entries()) {
    const ply = base + index;
    yield turnItem(each, path, ply);
    if (each.comment) yield make("div", { className: "remark wide", textContent: each.comment });
    for (const [number, line] of (each.variations ?? []).entries()) {
      const items = lineItems(line, [...path, [ply, number]], ply);
      const box = make("div", { className: "line variation wide" }, ...items);
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", `Variation at ply ${ply + 1}`);
      yield box;
    }
  }
}

/** @param {Step} each @param {Path} path @param {number} ply */
function turnItem(each, path, ply) {
  const live = each.changes || each.illegal;
  const item = live ? make("button", { type: "button" }) : make("span");
  item.className = `turn ${each.colour}`;
  item.append(make("span", { className: "ply", textContent: String(ply + 1) }), make("span", { className: "dot" }));
  item.append(make("span", { className: "unseen", textContent: `${each.colour} ` }));
  item.append((each.illegal ? "✗ " : "") + shownTurn(each.turn) + (each.nag ?? []).map(glyph).join(""));
  if (!live) {
    item.append(make("span", { className: "unseen", textContent: " (not played)" }));
    return item;
  }
  const after = each.changes ? ply + 1 : ply;
  if (each.illegal) {
    item.classList.add("illegal");
    item.title = each.illegal;
    item.append(make("span", { className: "unseen", textContent: ` (illegal: ${each.illegal})` }));
  } else if (after === state.ply && state.line[ply] === each) item.setAttribute("aria-current", "true");
  item.addEventListener("click", () => goTo(path, after));
  return item;
}

const GLYPHS = ["", "!", "?", "!!", "??", "!?", "?!"];
/** @param {number} nag */
const glyph = (nag) => (GLYPHS[nag] ? ` ${GLYPHS[nag]}` : ` $${nag}`);

// Legal turns and variations.

async function legalTurns() {
  const { legal } = current();
  if (legal) return legal;
  if (EMBEDDED) throw new Error("This file does not list the legal turns of such a long game: `hexrec legal` does.");
  const game = played(state.data.record, state.line, state.ply);
  const key = JSON.stringify(game.moves);
  if (!state.legal.has(key)) {
    state.legal.set(
      key,
      ask("v1/legal", JSON.stringify(game), "application/json").then((answer) => answer.legal),
    );
    state.legal.get(key)?.catch(() => state.legal.delete(key));
  }
  return state.legal.get(key) ?? [];
}

async function showLegal() {
  const place = [state.data, state.path, state.ply, state.chosen];
  const stale = () => [state.data, state.path, state.ply, state.chosen].some((now, index) => now !== place[index]);
  $("legal-turns").replaceChildren();
  if (ended()) {
    $("legal-note").textContent = "The game is over.";
    return;
  }
  if (!state.chosen.length) {
    $("legal-note").textContent = EMBEDDED
      ? ""
      : "A turn chosen here is played, as a variation where the game continues differently.";
    return;
  }
  /** @type {string[]} */
  let turns;
  try {
    turns = await legalTurns();
  } catch (error) {
    if (!stale()) $("legal-note").textContent = messageOf(error);
    return;
  }
  if (stale()) return;
  const found = turns.filter((turn) => {
    const cells = state.names.through(turn, own());
    return state.chosen.every((cell) => cells.includes(cell));
  });
  const names = state.chosen.map((cell) => state.names.single(cell, system())).join(" and ");
  const many = found.length === 1 ? "1 legal turn" : `${found.length || "No"} legal turns`;
  const served = EMBEDDED ? " Playing on takes a server: hexrec serve." : "";
  $("legal-note").textContent = `${many} for ${toPlay()} through ${names}.${served}`;
  $("legal-turns").replaceChildren(...found.map(legalButton));
  say($("legal-note").textContent);
}

/** @param {string} turn */
function legalButton(turn) {
  const button = make("button", { type: "button", textContent: shownTurn(turn) });
  button.disabled = Boolean(EMBEDDED) && !follow(state.data.moves, state.path, state.ply, turn);
  button.addEventListener("click", () => playTurn(turn));
  return button;
}

/** @param {string} turn */
async function playTurn(turn) {
  const known = follow(state.data.moves, state.path, state.ply, turn);
  choose([]);
  if (known) return goTo(known.path, known.ply);
  const { record } = state.data;
  if (record.result && state.ply === record.moves.length && !state.path.length) {
    $("legal-note").textContent = "The record says that the game ended here: go back to play another turn.";
    return;
  }
  const grown = extended(record, state.path, state.ply, turn);
  const asked = ++state.asked;
  try {
    const text = JSON.stringify(grown.record);
    const data = await ask("v1/replay", text, "application/json");
    if (asked !== state.asked) return;
    state.text = text;
    show(data, grown);
    say($("caption").textContent);
    $("board").focus({ preventScroll: true });
  } catch (error) {
    complain(messageOf(error));
  }
}

/** @param {number[]} cells */
function choose(cells) {
  state.chosen = cells;
  $("cells").value = cells.map((cell) => state.names.single(cell, system())).join(" ");
  showBoard();
  showLegal();
}

// Saving.

function download() {
  const name = $("format").value;
  const { text, file, lost } =
    name === "svg" ? { text: picture(), file: "game.svg", lost: [] } : state.data.texts[name];
  const type = name === "svg" ? "image/svg+xml" : "text/plain";
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: file });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  $("save-note").textContent = [`Saved as ${file}.`, ...lost].join(" ");
  say($("save-note").textContent);
}

// The board as it is shown, with the rules that it needs.
function picture() {
  const drawn = /** @type {SVGElement} */ ($("board").querySelector("svg")?.cloneNode(true));
  for (const hit of drawn.querySelectorAll("[data-cell]")) hit.remove();
  const [, , width, height] = (drawn.getAttribute("viewBox") ?? "").split(" ");
  drawn.setAttribute("width", width);
  drawn.setAttribute("height", height);
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText);
  const wanted = rules.filter(
    (rule) => rule.includes(`.hexrec-${$("theme").value} `) || rule.startsWith(".hexrec-board"),
  );
  return new XMLSerializer()
    .serializeToString(drawn)
    .replace(">", `><style><![CDATA[\n${wanted.join("\n")}\n]]></style>`);
}

async function shareLink() {
  const text = state.data.record ? JSON.stringify(state.data.record) : state.text;
  const place = state.data.board ? `&ply=${state.ply}` : "";
  const branches = state.path.length ? `&line=${state.path.map((branch) => branch.join(".")).join("-")}` : "";
  history.replaceState(null, "", `#game=${await packed(text)}${place}${branches}`);
  let note = "The address of this page now holds the game";
  try {
    await navigator.clipboard.writeText(location.href);
    note += ", and is copied";
  } catch {
    // Not every page may use the clipboard; the address is there to be copied by hand.
  }
  $("save-note").textContent = `${note}.`;
  say($("save-note").textContent);
}

async function readLink() {
  const given = new URLSearchParams(location.hash.slice(1));
  const game = given.get("game");
  if (EMBEDDED || !game) return;
  try {
    const text = await unpacked(game);
    $("text").value = text;
    await check(text);
  } catch {
    complain("The link is damaged: it holds no game.");
    return;
  }
  if (!state.data?.board || !given.has("ply")) return;
  const path = /** @type {Path} */ (
    (given.get("line") ?? "")
      .split("-")
      .filter(Boolean)
      .map((branch) => branch.split(".").map(Number))
  );
  try {
    goTo(path, Number(given.get("ply")) || 0, true);
  } catch {
    goTo([], 0, true); // the line is not in the game
  }
}

// What people do.

function redraw() {
  document.documentElement.dataset.theme = $("theme").value;
  if (state.data?.board) {
    choose(state.chosen);
    showTurns();
  }
}

/** @param {KeyboardEvent} event */
function keys(event) {
  if (!state.data?.board || event.ctrlKey || event.altKey || event.metaKey) return;
  const target = /** @type {Element} */ (event.target);
  if (target.closest("input, textarea, select")) return;
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  const onStage = target.closest("#stage");
  if (onStage) Object.assign(steps, { Home: -Infinity, End: Infinity });
  if (event.key in steps) {
    event.preventDefault();
    stop();
    step(steps[event.key]);
  } else if (event.key === " " && target === $("board")) {
    event.preventDefault();
    if (!$("play").disabled) play();
  }
}

function begin() {
  $("form").addEventListener("submit", (event) => {
    event.preventDefault();
    check($("text").value);
  });
  for (const [title, record] of Object.entries(BEGINNINGS)) {
    const button = make("button", { type: "button", textContent: title });
    button.addEventListener("click", () => beginGame(record));
    $("beginnings").append(button);
  }
  $("pick").addEventListener("click", () => $("file").click());
  $("file").addEventListener("change", () => {
    const picked = $("file").files?.[0];
    if (picked) open(picked);
    $("file").value = "";
  });
  $("index").addEventListener("change", () => check(state.text, $("index").value));
  $("coordinates").addEventListener("change", () => (state.systemChosen = true));
  for (const id of CHOICES) $(id).addEventListener("change", redraw);
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
  $("slider").addEventListener("input", () => {
    stop();
    goTo(state.path, Number($("slider").value));
  });
  document.addEventListener("keydown", keys);
  $("board").addEventListener("click", (event) => {
    const hit = /** @type {SVGElement} */ (event.target).closest("[data-cell]");
    const { cell } = /** @type {SVGElement | null} */ (hit)?.dataset ?? {};
    if (cell === undefined) return;
    const number = Number(cell);
    choose(state.chosen.includes(number) ? state.chosen.filter((each) => each !== number) : [...state.chosen, number]);
  });
  $("cells").addEventListener("input", () => {
    state.chosen = state.names.read($("cells").value, system());
    showBoard();
    showLegal();
  });
  $("clear").addEventListener("click", () => choose([]));
  $("download").addEventListener("click", download);
  $("link").addEventListener("click", shareLink);
  if (EMBEDDED) {
    $("entry").hidden = $("link").hidden = true;
    const { view, ...data } = JSON.parse(EMBEDDED.textContent ?? "");
    for (const id of CHOICES.filter((each) => view[each])) $(id).value = view[id];
    state.systemChosen = Boolean(view.coordinates);
    document.documentElement.dataset.theme = $("theme").value;
    show(data, view.ply === undefined ? null : { path: [], ply: view.ply });
    return;
  }
  /** @type {("dragenter" | "dragover" | "dragleave" | "drop")[]} */
  const drags = ["dragenter", "dragover", "dragleave", "drop"];
  for (const name of drags) {
    document.addEventListener(name, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      document.documentElement.classList.toggle("dropping", name === "dragover" || name === "dragenter");
      if (name !== "drop") return;
      open(event.dataTransfer.files[0]);
    });
  }
  window.addEventListener("hashchange", readLink);
  readLink();
}

begin();
