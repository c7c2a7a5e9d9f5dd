// The text of the record that is shown, to be edited at its error, and the suggestions of the service.

import { on, state, voice } from "./app.js";
import { editedText, jsonOf, offsetOf } from "./archive.js";
import { edit } from "./editing.js";
import { $, complain, EMBEDDED, make } from "./elements.js";
import { ask } from "./service.js";
import { replaceText, restoreFile, workspace } from "./workspace.js";
import { messageOf, titled } from "./words.js";

/** The longest text that is edited here, in characters: fields for longer ones are slow. */
const LONGEST = 1 << 20;
/** The number of characters around an error that are shown with it. */
const AROUND = 30;
/** How long a record is shown before suggestions are asked for, in milliseconds. */
const PAUSE = 200;

/** Texts that are not applied yet, by their records. @type {WeakMap<Entry, string>} */
const typed = new WeakMap();
/** The entry whose text is in the field. @type {Entry | null} */
let shown = null;
/** @type {number | undefined} */
let waiting;
let asked = new AbortController();

export function beginSource() {
  if (EMBEDDED) return;
  on("record", () => {
    showSource();
    suggestSoon();
  });
  $("source").addEventListener("toggle", () => {
    if ($("source").open) selectError();
  });
  $("source-text").addEventListener("input", () => {
    if (shown) typed.set(shown, $("source-text").value);
    workspace.unsaved = true;
  });
  $("source-text").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) apply();
  });
  window.addEventListener("beforeunload", (event) => {
    // A file that is saved, and the draft, are without a text that is not applied.
    if (shown && typed.has(shown)) event.preventDefault();
  });
  $("apply").addEventListener("click", apply);
  $("restore").addEventListener("click", restore);
}

/** The entry that is shown; null for a lesson. */
function entryShown() {
  const entry = workspace.archive?.current;
  return entry && state.data && entry.document === state.document ? entry : null;
}

/** Whether the record cannot be shown in any other way than as text. */
const isUnread = () => Boolean(state.data && !state.data.record);

function showSource() {
  const entry = entryShown();
  const text = entry ? textShown(entry) : "";
  const editable = text.length <= LONGEST && !text.includes("\0");
  $("source").hidden = !entry || !editable;
  if (!entry || !editable) return;
  const again = shown === entry;
  shown = entry;
  $("restore").hidden = !entry.edit;
  const value = typed.get(entry) ?? text;
  if ($("source-text").value !== value) $("source-text").value = value;
  if (isUnread()) $("source").open = true;
  else if (!again) $("source").open = false;
  for (const [index, each] of state.data.report.diagnostics.entries()) {
    if (each.line) $("diagnostics").children[index]?.append(textButton(index));
  }
  selectError();
}

/** The text that holds the record; after an edit on the board, its JSON. @param {Entry} entry */
function textShown(entry) {
  const edited = state.data.record && (state.document.changed || entry.edit?.record);
  return edited ? jsonOf(state.document.record) : workspace.text;
}

/** @param {number} index */
function textButton(index) {
  const button = make("button", { type: "button", textContent: "Show in the text" });
  button.addEventListener("click", () => {
    $("source").open = true;
    selectError(index);
    $("source-text").focus();
  });
  return button;
}

/** Select what a diagnostic is about, by default the first with a place, and scroll to it. */
function selectError(index = state.data?.report.diagnostics.findIndex((each) => each.line) ?? -1) {
  const each = state.data?.report.diagnostics[index];
  const field = $("source-text");
  $("source-note").replaceChildren();
  if (!each?.line || !shown || typed.has(shown) || !$("source").open) return;
  const before = shown.edit ? 0 : shown.extent.line;
  const text = field.value;
  const start = offsetOf(text, each.line - before, each.column ?? 1);
  const end = each.end_line ? offsetOf(text, each.end_line - before, each.end_column ?? 1) : start;
  // How high the text before the error is says how far to scroll; lines that are too long are wrapped.
  field.value = text.slice(0, start);
  const height = field.scrollHeight;
  field.value = text;
  field.setSelectionRange(start, Math.max(end, start + 1));
  field.scrollTop = height > field.clientHeight ? height - field.clientHeight / 2 : 0;
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start).slice(-AROUND);
  const rest = text.slice(start, Math.max(end, start + 1));
  const after = text.slice(start + rest.length).split("\n", 1)[0].slice(0, AROUND);
  $("source-note").append(make("code", {}, line, make("mark", { textContent: rest.trimEnd() || "␣" }), after));
}

/** Put the focus on what has been opened: its report, or the text of a record that has to be fixed there. */
export function focusOpened() {
  if ($("shown").hidden) return;
  if (isUnread() && !$("source").hidden) $("source-text").focus();
  else $("report-title").focus({ preventScroll: true });
}

async function apply() {
  if (!shown) return;
  const entry = shown;
  const before = typed.get(entry);
  typed.delete(entry);
  if (await replaceText($("source-text").value)) return focusOpened();
  if (before !== undefined) typed.set(entry, before);
}

function restore() {
  if (shown) typed.delete(shown);
  restoreFile();
}

// Suggestions: edits of the text of the record under which it is valid, or more of its turns are legal.

function suggestSoon() {
  clearTimeout(waiting);
  asked.abort();
  asked = new AbortController();
  const { signal } = asked;
  const entry = entryShown();
  if (entry && !state.data.report.valid) waiting = setTimeout(() => suggest(entry, signal), PAUSE);
}

/** @param {Entry} entry @param {AbortSignal} signal */
async function suggest(entry, signal) {
  const { data, document: game } = state;
  // On the board, what is edited is the record; where there is none, its text.
  const { record } = game;
  const text = record ? JSON.stringify(record) : workspace.text;
  const from = record ? "json" : entry.file.notation;
  /** @type {Reports} */
  let answer;
  try {
    answer = await ask(`v1/validate?from=${from}`, text, "application/octet-stream", signal);
  } catch {
    return; // The record is shown without them.
  }
  if (signal.aborted || state.data !== data) return;
  const report = answer.records[record ? 0 : entry.extent.record];
  for (const each of report?.diagnostics ?? []) {
    const at = data.report.diagnostics.findIndex(({ code, ply, message }) => {
      return code === each.code && ply === each.ply && (record || message === each.message);
    });
    const useful = (each.suggestions ?? []).filter(({ edits }) => edits.every(({ line }) => line));
    if (at < 0 || !useful.length) continue;
    const items = useful.map((suggestion) => {
      const [change, effect] = halves(suggestion.message);
      const button = make("button", { type: "button", textContent: titled(change) });
      button.addEventListener("click", () => take(text, suggestion, each.ply));
      return make("li", {}, button, ` ${titled(effect)}.`);
    });
    const list = make("ul", { className: "suggestions" }, ...items);
    list.setAttribute("aria-label", "Suggestions");
    $("diagnostics").children[at]?.append(list);
  }
}

/**
 * A suggestion in two: the change, and how far the record is valid after it.
 * @param {string} message
 */
function halves(message) {
  const at = message.lastIndexOf(": ");
  return [message.slice(0, at), message.slice(at + 2)];
}

/**
 * Make the edits of a suggestion.
 * @param {string} text @param {Suggestion} suggestion @param {number | undefined} ply
 */
async function take(text, { edits }, ply) {
  const made = editedText(text, edits);
  if (!state.document.record) {
    $("source-text").value = made;
    await apply();
    return;
  }
  try {
    const record = JSON.parse(made);
    await edit((_, place) => ({ record, path: [], ply: ply ?? place.ply }));
    voice.report();
  } catch (error) {
    complain(messageOf(error));
  }
}
