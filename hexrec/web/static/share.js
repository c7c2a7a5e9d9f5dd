// Addresses that hold a game, and what Back and reload restore.

import { goTo, on, state, tell } from "./app.js";
import { $, EMBEDDED, GAMES, say } from "./elements.js";
import { commands } from "./editing.js";
import { check, openHere, openSample, playGame, unfoldEntry } from "./home.js";
import { hasLesson, lessonHere, openLesson } from "./lesson.js";
import { openPuzzle, solve } from "./puzzle.js";
import { asking } from "./service.js";
import { drafts, fail, onArchive, onOpened, openArchive, openRecord, workspace } from "./workspace.js";

// A game in the part of the address after #, which browsers send to no server.

const MOST = 4_000_000;

/** @param {string} text */
async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Throws for what is not packed text, and for more text than a link is made for.
 * @param {string} code
 */
async function unpacked(code) {
  const binary = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > MOST) throw new Error("the game in the link is too long");
  }
}

// Addresses: each thing that is opened has one, so that back, forward and reload lead to where somebody was.
//
//   #/                  the screen to begin from
//   #/sunspot/new       a new game by the usual rules; #/sunspot/sample and #/sunspot/broken a game to look at
//   #/sunspot/lesson/3  a step of the lesson; #/sunspot/puzzle/3 a puzzle of the page
//   #/solve/3           a puzzle of the files that are open
//   #/draft/…           a draft of this browser
//   #/archive/7         a record of the files that are open: a browser keeps no files for a later visit
//   #game=…&ply=…       a game, and a place in it, in the address itself
//
// The state of an address in the history says which record was shown, and the place in it.

/** The address of open files, or of the first part of it. */
const ARCHIVE = "#/archive";
/** How long after a step the address is brought up to date, in milliseconds: browsers limit how often that may be. */
const REST = 300;
/** @type {number | undefined} */
let resting;
/** The address that is being opened; something else may be opened meanwhile. @type {string | null} */
let following = null;

export function beginShare() {
  $("link").hidden = Boolean(EMBEDDED);
  $("link").addEventListener("click", shareLink);
  if (EMBEDDED) return;
  window.addEventListener("popstate", follow);
  onOpened(noteOpened);
  onArchive(noteEdits);
  on("place", () => {
    clearTimeout(resting);
    resting = setTimeout(() => (location.hash.startsWith("#game=") ? holdGame() : notePlace()), REST);
  });
  // Whoever leaves sooner comes back to the place, too. What is noted at `pagehide` is lost in a reload.
  window.addEventListener("beforeunload", notePlace);
  $("home").addEventListener("click", () => {
    const lesson = lessonHere();
    if ($("entry").hidden && lesson) history.pushState(null, "", lesson);
    else if ($("entry").hidden) noteOpened();
    else history.pushState(null, "", "#/");
  });
  if (location.hash) follow();
}

/** The number of the record that is shown, or of another one, among those of several; null for the only one. */
function recordShown(entry = workspace.archive?.current) {
  const { archive } = workspace;
  return archive && entry && archive.entries.length > 1 ? archive.entries.indexOf(entry) : null;
}

/** Give what has been opened an address, and a step of its own in the history unless the address led to it. */
function noteOpened() {
  const { archive } = workspace;
  if (!archive) return;
  const shown = { id: archive.id, record: recordShown() };
  const { id, record } = history.state ?? {};
  const address = addressOf(shown.record);
  const isHere = following === location.hash && (following === address || following === archive.address);
  if (isHere || (id === shown.id && record === shown.record)) history.replaceState(shown, "", address);
  else history.pushState(shown, "", address);
  if (!isHere && (address === ARCHIVE || address.startsWith("#game="))) holdGame();
}

/** @param {number | null} record */
function addressOf(record) {
  const { archive } = workspace;
  if (!archive) return "#/";
  if (archive.stamp) return `#/draft/${archive.id}`;
  if (record !== null) return `${ARCHIVE}/${record}`;
  return archive.address || ARCHIVE;
}

/** Note the place that is shown, to lead back to it. */
function notePlace() {
  const { archive } = workspace;
  const { id, record } = history.state ?? {};
  if (!archive || id !== archive.id || record !== recordShown()) return;
  history.replaceState({ ...history.state, path: state.path, ply: state.ply }, "");
}

/** Edits are kept as a draft, which is what the page opens when it is loaded again; a game in the address is there. */
function noteEdits() {
  const { archive } = workspace;
  if (!archive || history.state?.id === undefined || location.hash.startsWith("#game=")) return;
  const address = addressOf(history.state.record);
  if (address !== location.hash) history.replaceState({ ...history.state, id: archive.id }, "", address);
}

/** Show what the address names. */
async function follow() {
  const { archive } = workspace;
  const shown = history.state;
  if (archive && shown && shown.id === archive.id) {
    const entry = shown.record === null ? archive.current : archive.entries[shown.record];
    unfoldEntry(false);
    if (!entry || (entry === archive.current && !state.lesson)) return;
    await openRecord(entry);
    if (archive.current === entry) goBackTo(shown);
    return;
  }
  const { hash } = location;
  following = hash;
  try {
    await open(hash);
    if (!shown || hash !== location.hash || hash.startsWith("#game=") || !workspace.archive) return;
    const entry = workspace.archive.entries[shown.record];
    if (entry && entry !== workspace.archive.current) await openRecord(entry);
    if (hash === location.hash) goBackTo(shown);
  } finally {
    if (following === hash) following = null;
  }
}

/**
 * Show a place of the record that is open, if it is there.
 * @param {{ path?: Path, ply?: number }} place
 */
function goBackTo({ path = [], ply }) {
  if (!state.data?.board || ply === undefined) return;
  try {
    goTo(path, ply, { quiet: true });
  } catch {
    goTo([], 0, { quiet: true }); // the line is not in the game
  }
}

/** @param {string} hash */
async function open(hash) {
  if (hash.startsWith("#game=")) return readLink(hash);
  const [name, what, step] = hash.replace(/^#[/]?/, "").split("/");
  if (!name) return unfoldEntry(true);
  if (name in GAMES && what === "new") return playGame(name);
  if (name in GAMES && (what === "sample" || what === "broken") && (await openSample(name, what))) return;
  if (what === "lesson" && hasLesson(name)) return openLesson(name, Number(step));
  if (what === "puzzle" && name in GAMES) return openPuzzle(name, Number(step));
  if (name === "solve") {
    const other = await solve(Number(what));
    if (!other || !workspace.archive) return;
    // The address becomes that of the record.
    history.replaceState({ id: workspace.archive.id, record: recordShown(other) }, "");
    return openRecord(other);
  }
  if (name === "draft") {
    const latest = asking();
    const draft = (await drafts().catch(() => [])).find(({ id }) => id === what);
    if (!latest()) return;
    if (draft) return openArchive(draft.files, { draft });
    return fail("This browser has no such draft: it was saved or discarded, or is in another browser.");
  }
  if (name === "archive") return fail("These files are not open any more: open them again.");
  fail("There is nothing at this address.");
}

/** Put the game as it is, and the place in it, into the address. @returns {Promise<void>} */
async function holdGame() {
  const { document: game } = state;
  if (!game) return;
  const { record } = game;
  const text = record ? JSON.stringify(record) : workspace.text;
  const place = state.data.board ? `&ply=${state.ply}` : "";
  const offer = state.offer ? `&offer=${state.offer}` : "";
  const branches = state.path.length ? `&line=${state.path.map((branch) => branch.join(".")).join("-")}` : "";
  const match = state.match?.document === state.document ? `&match=${state.match.plies}` : "";
  const { archive } = workspace;
  const packedGame = await packed(text);
  if (workspace.archive !== archive || state.document !== game || !$("entry").hidden) return;
  if (game.record !== record) return holdGame(); // it was edited meanwhile
  history.replaceState(history.state, "", `#game=${packedGame}${place}${branches}${offer}${match}`);
}

async function shareLink() {
  $("save-note").textContent = await copyAddress();
  say($("save-note").textContent);
}

/** Copy the address with the game as it is; return a note about it. */
export async function copyAddress() {
  const note = "The address of this page now holds the game";
  try {
    // WebKit lets the page copy because of the press: it must not wait before it asks.
    const address = commands.settled().then(holdGame).then(() => new Blob([location.href], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": address })]);
    return `${note}, and is copied.`;
  } catch {
    await commands.settled();
    await holdGame();
    // Not every page may use the clipboard; the address is there to be copied by hand.
    return `${note}.`;
  }
}

/**
 * Open the record in a link: a record of this page, or a text that could not be read.
 * @param {string} text @param {string} hash the address with it
 */
function openText(text, hash) {
  try {
    return openHere(JSON.parse(text), hash, false);
  } catch {
    return check(text, hash);
  }
}

/** Open the game that an address holds. @param {string} hash */
async function readLink(hash) {
  const given = new URLSearchParams(hash.slice(1));
  const latest = asking();
  try {
    const text = await unpacked(given.get("game") ?? "");
    if (!latest() || !(await openText(text, hash)) || hash !== location.hash) return;
  } catch {
    if (latest()) fail("The link is damaged: it holds no game.");
    return;
  }
  const offer = given.get("offer");
  state.offer = offer === "black" || offer === "white" ? offer : null;
  const plies = Number(given.get("match") ?? NaN);
  state.match = Number.isNaN(plies) ? null : { document: state.document, plies, note: "" };
  tell("facts");
  $("match").open = state.match !== null;
  if (!given.has("ply")) return;
  const path = /** @type {Path} */ (
    (given.get("line") ?? "")
      .split("-")
      .filter(Boolean)
      .map((branch) => branch.split(".").map(Number))
  );
  goBackTo({ path, ply: Number(given.get("ply")) || 0 });
}
