// What is open: the files, the record of them that is shown, edits that are not saved, drafts.

import { close, on, show, state } from "./app.js";
import { Archive, keepRecord, keepText, listedOf, rebase, replayOf, textOf } from "./archive.js";
import { discardDraft, drafts, keepDraft, restoreEdits } from "./drafts.js";
import { settled } from "./editing.js";
import { $, EMBEDDED, complain, messageOf, say } from "./elements.js";
import { stop } from "./playback.js";
import { ask, asking } from "./service.js";

/** @type {{archive: Archive | null, unsaved: boolean}} */
export const workspace = { archive: null, unsaved: false };
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
  on("record", noteEdit);
  on("edit", () => {
    workspace.unsaved = true;
    $("kept").hidden = true; // somebody who goes on does not go back
  });
  $("replace").addEventListener("click", () => replaceText($("text").value));
  $("go-back").addEventListener("click", goBack);
  $("download").addEventListener("click", () => {
    if ($("format").value !== "svg" && workspace.archive?.entries.length === 1) allSaved();
  });
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
 * @param {ArchiveFile[]} files @param {{ draft?: Draft, address?: string }} more a draft whose edits are put into them, and
 *   the address where the same is opened again
 */
export async function openArchive(files, { draft, address = "" } = {}) {
  await settled();
  await storing;
  if (!mayLeave()) return false;
  listing.abort();
  listing = new AbortController();
  const { signal } = listing;
  complain("");
  asking();
  tellKept();
  const archive = new Archive(files);
  archive.address = address;
  if (draft) Object.assign(archive, { id: draft.id, stamp: draft.stamp });
  workspace.archive = archive;
  workspace.unsaved = Boolean(draft);
  let refused = "";
  try {
    await archive.list(tellArchive, signal);
  } catch (error) {
    if (signal.aborted) return false;
    refused = messageOf(error);
  }
  if (draft) restoreEdits(archive, draft);
  tellArchive();
  const { entries } = archive;
  const first = archive.edited[0] ?? entries.find((entry) => !listedOf(entry).valid) ?? entries[0];
  if (first && !archive.current) await openRecord(first);
  if (refused && first) complain(refused);
  else if (refused) fail(refused);
  return true;
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
  await settled();
  const latest = asking();
  archive.current = entry;
  tellArchive();
  try {
    const [data, text] = await Promise.all([replayOf(entry), textOf(entry)]);
    if (!latest()) return;
    if ($("text").value !== text) $("text").value = text;
    show(data, null, entry.document);
  } catch (error) {
    if (latest()) fail(messageOf(error));
    return;
  }
  for (const view of openedViews) view();
  const told = state.data.report.diagnostics.map((each) => each.message).join(" ");
  say(`${$("verdict-title").textContent}. ${told}`);
}

/** Keeps what was done to the record that is shown, and stores it. */
function noteEdit() {
  const { archive } = workspace;
  const entry = archive?.current;
  if (!archive || !entry || !state.data) return;
  $("replace").hidden = archive.entries.length < 2;
  if (archive.entries.length > 1) {
    const where = archive.files.length > 1 ? ` of ${entry.file.name}` : "";
    $("verdict-title").textContent = `Record ${entry.read.index}${where}: ${$("verdict-title").textContent}`;
  }
  if (!entry.document || state.document !== entry.document) return;
  const { edit } = entry;
  if (entry.document.changed) keepRecord(entry, state.data);
  else entry.edit = entry.base ?? null;
  if (edit === entry.edit) return;
  editsChanged();
}

/**
 * Puts a text in the place of the record that is shown.
 * @param {string} text
 */
async function replaceText(text) {
  const { archive } = workspace;
  const entry = archive?.current;
  if (!archive || !entry) return;
  complain("");
  await settled();
  try {
    await putText(archive, entry, text);
  } catch (error) {
    complain(messageOf(error));
    return;
  }
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

/** Stores what was edited, one change after the other, and tells of it. */
function editsChanged() {
  const { archive } = workspace;
  if (!archive) return;
  workspace.unsaved = archive.edited.length > 0;
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
  await settled();
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
  editsChanged();
  await storing;
}
