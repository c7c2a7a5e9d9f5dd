// The open record and its file: drafts, opening and saving.

import { close, on, positionText, show, state, system } from "./app.js";
import { Archive, archiveOf, jsonOf, keepRecord, keepText, listedOf, rebase, replayOf, textOf } from "./archive.js";
import { commands, onValidated, validate } from "./editing.js";
import { $, complain, EMBEDDED, FORMATS, handOut, make, say } from "./elements.js";
import { replayed } from "./replay.js";
import { reportOn, soundReport } from "./reports.js";
import { ask, askFile, asking, hasService, onAway } from "./service.js";
import { stop } from "./stage.js";
import { messageOf } from "./words.js";

// Drafts: files with edits that are not saved, kept in the browser's storage (IndexedDB) until they are.

const DATABASE = "hexrec";
const STORE = "drafts";

/** @returns {Promise<IDBDatabase>} */
function database() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 1);
    asked.onupgradeneeded = () => void asked.result.createObjectStore(STORE, { keyPath: "id" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

/**
 * Does something with the stored drafts; throws if the browser does not let the page store anything.
 * @template T
 * @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} action
 * @returns {Promise<T>}
 */
async function withStore(mode, action) {
  const opened = await database();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = opened.transaction(STORE, mode);
      const asked = action(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    opened.close();
  }
}

/** Return a text that no other state of a draft has. `crypto.randomUUID` is not there on pages without TLS. */
const stampOfNow = () => `${Date.now()}-${Math.random()}`;

/** All drafts, the latest first. @returns {Promise<Draft[]>} */
export async function drafts() {
  /** @type {Draft[]} */
  const found = await withStore("readonly", (store) => store.getAll());
  const sound = found.filter(({ files, edits }) => Array.isArray(files) && files.length && Array.isArray(edits) && edits.length);
  const opened = sound.map((draft) => ({ ...draft, files: draft.files.map((file) => ({ ...file, blob: new Blob([file.blob]) })) }));
  return opened.sort((one, other) => other.time - one.time);
}

/** @param {string} id */
export const discardDraft = (id) => withStore("readwrite", (store) => store.delete(id));

/**
 * Keep the edits of an archive as its draft; discard that if there are none. If another tab has changed the draft since,
 * the edits are kept as a draft of their own: return whether that was so.
 * @param {import("./archive.js").Archive} archive
 */
async function keepDraft(archive) {
  const { name, files, edited } = archive;
  if (!edited.length && !archive.stamp) return false;
  const edits = edited.map(({ file, read, edit }) => {
    return { file: files.indexOf(file), index: read.index, record: edit?.record, text: edit?.text, listed: edit?.listed };
  });
  const stamp = stampOfNow();
  // WebKit stores no Blobs in a private window.
  const stored = await Promise.all(files.map(async (file) => ({ ...file, blob: await file.blob.arrayBuffer() })));
  let parted = false;
  await withStore("readwrite", (store) => {
    const asked = store.get(archive.id);
    asked.onsuccess = () => {
      parted = (asked.result?.stamp ?? null) !== archive.stamp;
      if (parted) archive.id = stampOfNow();
      if (!edited.length) return void (parted || store.delete(archive.id));
      store.put({ id: archive.id, stamp, name, time: Date.now(), files: stored, edits });
    };
    return asked;
  });
  archive.stamp = edited.length ? stamp : null;
  return parted;
}

/**
 * Puts the edits of a draft into its archive, whose records are listed.
 * @param {import("./archive.js").Archive} archive @param {Draft} draft
 */
function restoreEdits(archive, { edits }) {
  const places = new Map(archive.entries.map((entry) => [`${archive.files.indexOf(entry.file)}.${entry.read.index}`, entry]));
  for (const { file, index, record, text, listed } of edits) {
    const entry = places.get(`${file}.${index}`);
    if (entry && listed) entry.edit = { listed, ...(record && { record }), ...(text !== undefined && { text }) };
  }
}

// What is open: the files, the record of them that is shown, edits that are not saved, drafts.

/** What is open, and the text that holds the record shown, as it was read or put in its place. */
/** @type {{ archive: Archive | null, unsaved: boolean, text: string }} */
export const workspace = { archive: null, unsaved: false, text: "" };
/** @type {(() => void)[]} */
const archiveViews = [];
/** @type {(() => void)[]} */
const openedViews = [];
let listing = new AbortController();
/** Ends when all that was edited so far is stored. */
let storing = Promise.resolve();
/** Whether what was edited last could be stored. */
let stored = true;
/** The draft of what was open before, by its id. @type {string | null} */
let keptDraft = null;

/**
 * Has something done whenever another archive is open, more of it is known, or something in it has changed.
 * @param {() => void} view
 */
export function onArchive(view) {
  archiveViews.push(view);
}

/**
 * Have something done whenever a record has been opened.
 * @param {() => void} view
 */
export function onOpened(view) {
  openedViews.push(view);
}

function tellArchive() {
  for (const view of archiveViews) view();
}

export function beginWorkspace() {
  if (EMBEDDED) return;
  onAway((giveUp) => {
    $("away").hidden = !giveUp;
    $("give-up").onclick = giveUp;
  });
  on("record", noteEdit);
  onValidated(noteReport);
  on("edit", () => {
    workspace.unsaved = true;
    $("kept").hidden = true; // somebody who goes on does not go back
  });
  $("go-back").addEventListener("click", goBack);
  window.addEventListener("beforeunload", (event) => {
    if (workspace.unsaved) event.preventDefault();
  });
}

/**
 * Tells why what was asked for is not shown; what was shown before would look like it.
 * @param {string} problem
 */
export function fail(problem) {
  close();
  complain(problem);
}

/**
 * Opens files: lists their records, and shows the first that is invalid, or else the first. Tells whether they are open:
 * edits that would be lost may be in the way.
 * @param {ArchiveFile[]} files @param {{ draft?: Draft, address?: string, problems?: string[] }} more a draft whose edits are
 *   put into them, the address where the same is opened again, and what could not be opened with them
 */
export async function openArchive(files, { draft, address = "", problems = [] } = {}) {
  const archive = new Archive(files);
  if (draft) Object.assign(archive, { id: draft.id, stamp: draft.stamp });
  if (!(await beginWith(archive, address))) return false;
  workspace.unsaved = Boolean(draft);
  const { signal } = listing;
  /** @type {Promise<void> | null} */
  let opening = null;
  try {
    await archive.list(() => {
      tellArchive();
      // The first invalid record is shown while the others are read.
      const { firstInvalid, entries } = archive;
      if (!draft && !archive.current && firstInvalid && entries.length > 1) opening ??= openRecord(firstInvalid);
    }, signal);
  } catch {
    return false; // something else is opened by now
  }
  const refused = [...problems, ...archive.problems].join(" ");
  if (draft) restoreEdits(archive, draft);
  tellArchive();
  await opening;
  const { entries } = archive;
  const first = archive.edited[0] ?? entries.find((entry) => !listedOf(entry).valid) ?? entries[0];
  if (first && !archive.current) await openRecord(first);
  if (refused && first) complain(refused);
  else if (refused) fail(refused);
  return true;
}

/**
 * Take an archive in place of the one that is open; return whether that may be left.
 * @param {Archive} archive @param {string} address where the same is opened again
 */
async function beginWith(archive, address) {
  await commands.settled();
  await storing;
  if (!mayLeave()) return false;
  listing.abort();
  listing = new AbortController();
  complain("");
  asking();
  tellKept();
  archive.address = address;
  workspace.archive = archive;
  workspace.unsaved = false;
  return true;
}

/**
 * Open a game by the rules that the page has. A record that somebody else has made is validated behind.
 * @param {GameRecord} record @param {{ address?: string, isSound?: boolean }} more `isSound`: nothing is wrong with it
 */
export async function openGame(record, { address = "", isSound = false } = {}) {
  const archive = archiveOf(record);
  if (!(await beginWith(archive, address))) return false;
  stop();
  const [entry] = archive.entries;
  const { document: game } = entry;
  if (!game) return false;
  archive.current = entry;
  workspace.text = jsonOf(record);
  game.sound = isSound ? record : null;
  const drawn = replayed(record);
  const { isSure, ...told } = reportOn(record, drawn, { report: soundReport(record), codes: {} }, game.sound);
  tellArchive();
  show(/** @type {Replay} */ ({ ...drawn, record, ...told }), null, game);
  for (const view of openedViews) view();
  if (!isSound) validate(game);
  return true;
}

/**
 * Keep what a service says of a record in the list; what it cannot read as a record is opened as text.
 * @param {import("./document.js").GameDocument} game @param {Answer} answer
 */
function noteReport(game, answer) {
  const { archive } = workspace;
  const entry = archive?.entries.find((each) => each.document === game);
  if (!archive || !entry) return;
  if (game.changed) keepRecord(entry, { record: game.record, report: answer.report });
  else if (!answer.record) openArchive(archive.files, { address: archive.address });
}

/** Whether what is open may be left: its edits are saved, or kept as a draft, or nobody wants them. */
function mayLeave() {
  const { archive, unsaved } = workspace;
  if (!archive || !unsaved || stored) return true;
  return confirm(`This browser keeps no drafts: the changes of ${titleOf(archive)} would be lost. Open something else?`);
}

/** @param {Archive} archive */
const titleOf = (archive) => archive.name || "the game";

/** Tells that what was edited in the files that are left is kept. */
function tellKept() {
  const { archive, unsaved } = workspace;
  keptDraft = archive && unsaved && stored ? archive.id : null;
  $("kept").hidden = !keptDraft;
  if (archive && keptDraft) $("kept-note").textContent = `What you changed in ${titleOf(archive)} is kept as a draft.`;
}

/** Opens the draft of what was open before. */
async function goBack() {
  const draft = (await drafts()).find(({ id }) => id === keptDraft);
  if (draft) await openArchive(draft.files, { draft });
  else $("kept").hidden = true;
}

/**
 * Shows a record of the open files.
 * @param {Entry} entry
 */
export async function openRecord(entry) {
  const { archive } = workspace;
  if (!archive) return;
  stop();
  complain("");
  await commands.settled();
  const latest = asking();
  archive.current = entry;
  tellArchive();
  try {
    const [data, text] = await Promise.all([replayOf(entry), textOf(entry)]);
    if (!latest()) return;
    workspace.text = text;
    show(data, null, entry.document);
  } catch (error) {
    if (latest()) fail(messageOf(error));
    return;
  }
  for (const view of openedViews) view();
  const told = state.data.report.diagnostics.map((each) => each.message).join(" ");
  say(`${$("report-title").textContent}. ${told}`);
}

/** Keeps what was done to the record that is shown, and stores it. */
function noteEdit() {
  const { archive } = workspace;
  const entry = archive?.current;
  if (!archive || !entry || !state.data) return;
  if (archive.entries.length > 1) {
    const where = archive.files.length > 1 ? ` of ${entry.file.name}` : "";
    $("report-title").textContent = `Record ${entry.read.index}${where}: ${$("report-title").textContent}`;
  }
  if (!entry.document || state.document !== entry.document) return;
  const { edit } = entry;
  if (entry.document.changed) keepRecord(entry, state.data);
  else entry.edit = entry.base ?? null;
  if (edit === entry.edit) return;
  editsChanged();
}

/**
 * Put a text in the place of the record that is shown; return whether it is there.
 * @param {string} text
 */
export async function replaceText(text) {
  const { archive } = workspace;
  const entry = archive?.current;
  if (!archive || !entry) return false;
  complain("");
  await commands.settled();
  try {
    await putText(archive, entry, text);
  } catch (error) {
    complain(messageOf(error));
    return false;
  }
  editsChanged(archive);
  if (workspace.archive?.current === entry) await openRecord(entry); // else something else was opened meanwhile
  return true;
}

/** Tell of texts that were put in the place of records, and show again the one that is open. */
export async function textsReplaced() {
  editsChanged();
  const entry = workspace.archive?.current;
  if (entry) await openRecord(entry);
}

/** Take back all edits of the record that is shown. */
export async function restoreFile() {
  const entry = workspace.archive?.current;
  if (!entry) return;
  await commands.settled();
  entry.edit = entry.document = entry.base = null;
  editsChanged();
  await openRecord(entry);
}

/**
 * @param {Archive} archive @param {Entry} entry @param {string} text
 */
async function putText(archive, entry, text) {
  // JSON may stand for a record of any notation, as it does after an edit on the board.
  if (text.trimStart().startsWith("{") && text.trim().includes("\n") && entry.file.notation !== "json") {
    const data = await ask("v1/replay?from=json", text);
    if (data.record) {
      keepRecord(entry, data);
      entry.document = null;
      return;
    }
  }
  await keepText(archive, entry, text);
}

/** Stores what was edited in an archive, one change after the other, and tells of it. */
function editsChanged(archive = workspace.archive) {
  if (!archive) return;
  if (archive === workspace.archive) workspace.unsaved = archive.edited.length > 0;
  storing = storing
    .then(() => keepDraft(archive))
    .then((parted) => {
      stored = true;
      if (parted) complain("Another tab has changed this draft. What you change here is kept as a draft of its own.");
      tellArchive();
    })
    .catch(() => {
      // Some browsers let a page store nothing in a private window: the edits are in the page all the same.
      stored = false;
    });
  tellArchive();
}

/** Takes back all edits of the open files, if that is meant. */
export async function discardEdits() {
  const { archive } = workspace;
  if (!archive || !confirm("Take back all changes of these records? This cannot be undone.")) return;
  await commands.settled();
  for (const entry of archive.edited) entry.edit = entry.document = entry.base = null;
  editsChanged();
  if (archive.current) await openRecord(archive.current);
}

/** Notes that nothing is left to be saved. */
function allSaved() {
  const { archive } = workspace;
  if (!archive) return;
  archive.current?.document?.saved();
  for (const entry of archive.edited) entry.base = entry.edit;
  workspace.unsaved = false;
  storing = storing.then(() => discardDraft(archive.id)).then(() => void (archive.stamp = null)).catch(() => {});
}

/**
 * Notes that a file was saved as it is.
 * @param {ArchiveFile} file @param {Piece[]} pieces
 */
export async function savedFile(file, pieces) {
  const { archive } = workspace;
  if (!archive) return;
  await rebase(archive, file, pieces);
  editsChanged(archive);
  await storing;
}

// Saving: the record in a notation, or the board as a picture.

/** Whether somebody chose the format; else it is that of the file. */
let formatChosen = false;

export function beginSave() {
  on("record", () => {
    $("save").hidden = !state.data?.record;
    $("save-note").textContent = "";
    if (state.data) showFormats();
  });
  $("download").addEventListener("click", download);
  $("format").addEventListener("change", () => (formatChosen = true));
  $("copy-picture").addEventListener("click", () =>
    copy("The picture", "image/png", rasterized),
  );
  $("copy-position").addEventListener("click", () =>
    copy("The position", "text/plain", () => new Blob([positionText() ?? ""], { type: "text/plain" })),
  );
}

/** @param {string} thing @param {string} type @param {() => Blob | Promise<Blob>} take */
async function copy(thing, type, take) {
  let note = `${thing} is copied.`;
  try {
    // The browser lets the page copy because of the press: it must not wait before it asks.
    await navigator.clipboard.write([new ClipboardItem({ [type]: commands.settled().then(take) })]);
  } catch {
    note = "This browser does not let the page copy.";
  }
  $("save-note").textContent = note;
  say(note);
}

/** What formats are called that are not called by their names in capitals. @type {Record<string, string>} */
const TITLES = { abstractplay: "Abstract Play", jsonl: "JSON Lines", gif: "GIF, the whole game" };

function showFormats() {
  const { data } = state;
  const isWritten = (/** @type {string} */ name) => name === "json" || (EMBEDDED ? data.texts?.[name] : hasService());
  const names = data.record ? Object.keys(FORMATS).filter(isWritten) : [];
  const wanted = formatChosen ? $("format").value : ownFormat();
  if (data.board) names.push("svg", "png");
  // The engines in the browser have no library for animations.
  if (data.board && !EMBEDDED && !document.documentElement.dataset.engine) names.push("gif");
  for (const id of /** @type {const} */ (["copy-picture", "copy-position"])) $(id).hidden = !data.board;
  $("format").replaceChildren(...names.map((name) => make("option", { value: name, textContent: TITLES[name] ?? name.toUpperCase() })));
  $("format").value = names.includes(wanted) ? wanted : "json";
}

/** The format of the file. A game in JSON that was pasted or begun is on one line, which makes it no file of lines. */
function ownFormat() {
  const { name, notation } = workspace.archive?.current?.file ?? {};
  return notation && (name || notation !== "jsonl") ? notation : "json";
}

async function download() {
  const name = $("format").value;
  await commands.settled();
  if (!state.data) return;
  const { document: game, ply } = state;
  const { record } = game;
  const isPicture = PICTURES.includes(name);
  const file = isPicture ? `game.${name}` : FORMATS[name];
  try {
    const { content, lost } = isPicture ? { content: await pictureAs(name), lost: [] } : await writtenAs(name, record);
    handOut(content, file);
    const board = ply ? `the board after ply ${ply}` : "the board before the first turn";
    const turns = record.moves.length === 1 ? "1 turn" : `${record.moves.length} turns`;
    // Pictures, and formats that have no place for a part of the record, do not save it.
    const isWhole = !isPicture && lost.every(({ code }) => code === MARKED.code);
    if (isWhole && game.record === record && workspace.archive?.entries.length === 1) allSaved();
    $("save-note").textContent = [`Saved as ${file}: ${STILLS.includes(name) ? board : turns}.`, ...lost.map(({ message }) => message)].join(" ");
    say($("save-note").textContent);
  } catch (error) {
    complain(messageOf(error));
  }
}

/** What is said of an invalid record that is saved. */
const MARKED = { code: "convert/invalid", message: "converted although it is invalid, and marked with x-invalid" };

/**
 * Return a record in a format, and what it has no place for: JSON by the page itself. Throws an Error if it cannot be
 * written in the format.
 * @param {string} name @param {GameRecord} record
 * @returns {Promise<{ content: Blob, lost: { code: string, message: string }[] }>}
 */
async function writtenAs(name, record) {
  const text = EMBEDDED && !state.document.changed ? state.data.texts?.[name] : undefined;
  if (text) return { content: textOfFile(text.text), lost: text.lost.map((message) => ({ code: "", message })) };
  const { diagnostics } = state.data.report;
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (name === "json") {
    const { code, ply, message } = error ?? {};
    const content = error ? { ...record, "x-invalid": { code, ...(ply && { ply }), message } } : record;
    return { content: textOfFile(jsonOf(content)), lost: error ? [MARKED] : [] };
  }
  const { records } = await ask(`v1/convert?from=json&to=${name}&report=true&invalid=true`, JSON.stringify(record));
  /** @type {{ text: string | null, diagnostics: { code: string, message: string }[] }} */
  const { text: written, diagnostics: found } = records[0];
  const lost = found.filter(({ code }) => code.startsWith("convert/"));
  if (written === null) throw new Error(`The record cannot be written as ${name}: ${found.at(-1)?.message ?? "choose another format"}.`);
  return { content: textOfFile(written), lost };
}

/** @param {string} text */
const textOfFile = (text) => new Blob([text], { type: "text/plain" });

/** The formats of pictures. */
const PICTURES = ["svg", "png", "gif"];
/** The formats of the board as it is shown. */
const STILLS = ["svg", "png"];

/**
 * Return the board as a picture, or the game as an animation. Throws an Error if the service cannot make one.
 * @param {string} format
 */
async function pictureAs(format) {
  if (format === "png") return rasterized();
  if (format === "svg") return new Blob([picture()], { type: "image/svg+xml" });
  const look = { coordinates: system(), theme: $("theme").value, labels: $("labels").value, width: ANIMATION_WIDTH };
  const options = new URLSearchParams(look);
  return askFile(`v1/render?${options}`, JSON.stringify(state.document.record), "application/json", "image/gif");
}

/** The width of an animation in pixels: the service bounds the work on one. */
const ANIMATION_WIDTH = "480";
/** The longer side of a picture in pixels. */
const PICTURE_SIZE = 1200;

/** The board as it is shown, as PNG. */
async function rasterized() {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(picture())}`;
  await image.decode();
  const scale = PICTURE_SIZE / Math.max(image.width, image.height);
  const canvas = make("canvas", { width: Math.round(image.width * scale), height: Math.round(image.height * scale) });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return /** @type {Promise<Blob>} */ (
    new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("This browser cannot make the picture."))));
    })
  );
}

// The board as it is shown, with the rules that it needs.
function picture() {
  const drawn = /** @type {SVGElement} */ ($("board").querySelector("svg")?.cloneNode(true));
  for (const unseen of drawn.querySelectorAll("[data-cell], .pointers, .leaving")) unseen.remove();
  const box = state.picture.box(state.picture.shown);
  drawn.setAttribute("viewBox", box.join(" "));
  drawn.setAttribute("width", String(box[2]));
  drawn.setAttribute("height", String(box[3]));
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText);
  const wanted = rules.filter(
    (rule) => rule.includes(`.hexrec-${$("theme").value} `) || rule.startsWith(".hexrec-board"),
  );
  return new XMLSerializer()
    .serializeToString(drawn)
    .replace(">", `><style><![CDATA[\n${wanted.join("\n")}\n]]></style>`);
}
