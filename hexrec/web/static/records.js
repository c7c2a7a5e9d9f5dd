// The list of the records of the open files: which there are, which are shown, saving the files.

import { on } from "./app.js";
import { bodyOf, converted, listedOf, spliced } from "./archive.js";
import { ordered, repairAll, reportOf } from "./batch.js";
import { $, complain, EMBEDDED, handOut, make, say } from "./elements.js";
import { commands } from "./editing.js";
import { askText, isAwake } from "./service.js";
import { focusOpened } from "./source.js";
import { discardDraft, discardEdits, drafts, onArchive, openArchive, openRecord, savedFile, textsReplaced, workspace } from "./workspace.js";
import { messageOf, titled } from "./words.js";

/** The height of a row, in pixels, and how many rows there are above and below those that can be seen. */
const ROW = 72;
const SPARE = 4;
/** How long a row has to be seen before its board is asked for, in milliseconds, and how many boards are kept. */
const REST = 120;
const BOARDS = 500;

/** How often the list is drawn while more than a few records are read, in milliseconds. */
const READING = 250;
const FEW = 1000;

/** The records that the filters leave. @type {Entry[]} */
let filtered = [];
/** The one of these that the keys move from. */
let activeRow = 0;
/** The record whose row was scrolled to when it was opened. @type {Entry | null} */
let currentRow = null;
/** The rows that are on the page. @type {Map<Entry, {row: HTMLElement, told: Listed}>} */
const shownRows = new Map();
/** Pictures of final positions, as addresses. @type {Map<Listed, string>} */
const smallBoards = new Map();
/** @type {number | undefined} */
let restTimer;
let drawingBoards = new AbortController();
let redrawing = false;
/** The archive without which the drafts are shown. @type {string | undefined} */
let draftsFor;

export function beginRecords() {
  if (EMBEDDED) return;
  onArchive(() => {
    if (redrawing) return;
    redrawing = true;
    const draw = () => {
      redrawing = false;
      showRecords();
    };
    // While records are read, there is always more to show.
    if (workspace.archive?.complete === false && workspace.archive.entries.length > FEW) setTimeout(draw, READING);
    else requestAnimationFrame(draw);
  });
  onArchive(() => {
    if (workspace.archive?.id !== draftsFor) showDrafts();
  });
  showDrafts();
  on("look", () => {
    smallBoards.clear();
    shownRows.clear();
    $("records-rows").replaceChildren();
    showRows();
  });
  for (const id of /** @type {const} */ (["status-filter", "game-filter", "order"])) {
    $(id).addEventListener("change", () => {
      $("records-list").scrollTop = activeRow = 0;
      showRecords();
    });
  }
  $("search").addEventListener("input", () => {
    $("records-list").scrollTop = activeRow = 0;
    showRecords();
  });
  $("next-invalid").addEventListener("click", () => openInvalid(1));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "F8" || $("records").hidden || $("next-invalid").hidden) return;
    event.preventDefault();
    openInvalid(event.shiftKey ? -1 : 1);
  });
  $("records-list").addEventListener("scroll", showRows, { passive: true });
  // The list is lower above a board than without one.
  new ResizeObserver(() => goToRow(activeRow)).observe($("records-list"));
  $("records-list").addEventListener("keydown", moveActive);
  $("records-list").addEventListener("click", (event) => {
    const row = /** @type {Element} */ (event.target).closest("[role=option]");
    const entry = [...shownRows].find(([, each]) => each.row === row)?.[0];
    if (entry) openRecord(entry);
  });
  $("save-file").addEventListener("click", saveFiles);
  $("save-report").addEventListener("click", saveReport);
  $("repair-all").addEventListener("click", repairRecords);
  $("discard").addEventListener("click", discardEdits);
}

function showRecords() {
  const { archive } = workspace;
  const several = archive !== null && (archive.entries.length > 1 || archive.files.length > 1);
  $("records").hidden = !several;
  if (!archive || !several) return;
  const all = archive.entries;
  const invalid = all.filter((entry) => !listedOf(entry).valid).length;
  const { length: changed } = archive.edited;
  const counts = [`${countOf(all.length)}, ${invalid || "none"} invalid`];
  if (archive.files.length > 1) counts.unshift(`${archive.files.length} files`);
  if (changed) counts.push(`${changed} changed`);
  if (!archive.complete) counts.push("reading on …");
  $("records-title").textContent = counts.join(", ");
  showGames(all);
  const [status, game] = [$("status-filter").value, $("game-filter").value];
  const wanted = $("search").value.toLowerCase().split(" ").filter(Boolean);
  const found = all.filter((entry) => {
    const { valid, game: own } = listedOf(entry);
    const fits = status === "changed" ? entry.edit : status ? valid === (status === "valid") : true;
    return fits && (!game || own === game) && holdsWords(entry, wanted);
  });
  filtered = ordered(found, $("order").value);
  activeRow = Math.max(0, Math.min(activeRow, filtered.length - 1));
  $("records-none").hidden = filtered.length > 0;
  $("records-list").hidden = !filtered.length;
  $("records-rows").style.height = `${filtered.length * ROW}px`;
  $("discard").hidden = !changed;
  $("next-invalid").hidden = !invalid;
  for (const id of /** @type {const} */ (["save-file", "save-report", "repair-all"])) $(id).disabled = !archive.complete;
  $("repair-all").hidden = invalid < 2;
  $("records-progress").hidden = archive.complete;
  $("records-progress").value = archive.done / archive.size;
  if (archive.current !== currentRow) {
    currentRow = archive.current;
    const row = currentRow ? filtered.indexOf(currentRow) : -1;
    if (row >= 0) goToRow(row);
  }
  showRows();
}

/**
 * Return whether each of some words is in the players, the event, the date, the file or the diagnostic of a record.
 * @param {Entry} entry @param {string[]} words
 */
function holdsWords(entry, words) {
  if (!words.length) return true;
  const { players, event, date, id, diagnostic } = listedOf(entry);
  const said = [players.black, players.white, event, date, id, entry.file.name, diagnostic?.code, diagnostic?.message];
  const text = said.join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

/**
 * Open the invalid record after the one that is shown, or before it; after the last of them, the first.
 * @param {1 | -1} way
 */
async function openInvalid(way) {
  const { archive } = workspace;
  if (!archive) return;
  const { entries, current } = archive;
  const at = current ? entries.indexOf(current) : way - 1;
  for (let step = 1; step <= entries.length; step++) {
    const entry = entries[(at + way * step + entries.length * 2) % entries.length];
    if (listedOf(entry).valid) continue;
    await openRecord(entry);
    return focusOpened();
  }
}

/** @param {number} count */
const countOf = (count) => `${count.toLocaleString("en")} ${count === 1 ? "record" : "records"}`;

/** @param {Entry[]} all */
function showGames(all) {
  const games = [...new Set(all.map((entry) => listedOf(entry).game))].filter((game) => game !== null).sort();
  const known = [...$("game-filter").options].slice(1).map((option) => option.value);
  if (games.join() === known.join()) return;
  const chosen = $("game-filter").value;
  const options = games.map((game) => make("option", { value: game, textContent: titled(game) }));
  $("game-filter").replaceChildren(make("option", { value: "", textContent: "All games" }), ...options);
  if (games.includes(chosen)) $("game-filter").value = chosen;
}

// The rows that can be seen.

function showRows() {
  const box = $("records-list");
  const first = Math.max(0, Math.floor(box.scrollTop / ROW) - SPARE);
  const last = Math.min(filtered.length, Math.ceil((box.scrollTop + box.clientHeight) / ROW) + SPARE);
  const wanted = new Map(filtered.slice(first, last).map((entry, number) => [entry, first + number]));
  for (const [entry, { row, told }] of shownRows) {
    if (wanted.has(entry) && told === listedOf(entry)) continue;
    row.remove();
    shownRows.delete(entry);
  }
  for (const [entry, number] of wanted) {
    const told = listedOf(entry);
    const row = shownRows.get(entry)?.row ?? rowOf(entry, told);
    if (!shownRows.has(entry)) $("records-rows").append(row);
    shownRows.set(entry, { row, told });
    row.style.top = `${number * ROW}px`;
    row.id = `record-${number}`;
    row.classList.toggle("active", number === activeRow);
    row.setAttribute("aria-posinset", String(number + 1));
    row.setAttribute("aria-setsize", String(filtered.length));
    row.setAttribute("aria-selected", String(entry === workspace.archive?.current));
  }
  if (wanted.has(filtered[activeRow])) box.setAttribute("aria-activedescendant", `record-${activeRow}`);
  else box.removeAttribute("aria-activedescendant");
  clearTimeout(restTimer);
  drawingBoards.abort();
  drawingBoards = new AbortController();
  const { signal } = drawingBoards;
  restTimer = setTimeout(() => drawBoards(signal), REST);
}

/** @param {Entry} entry @param {Listed} told */
function rowOf(entry, told) {
  const names = ["black", "white"].map((colour) => {
    const name = told.players[/** @type {Colour} */ (colour)];
    const dot = make("span", { className: `dot ${colour}` });
    return make("span", { className: "player" }, dot, make("span", { className: "unseen", textContent: `${titled(colour)} ` }), name ?? "–");
  });
  const game = [told.game && titled(told.game), told.size && `size ${told.size}`].filter(Boolean).join(" · ");
  const when = [told.event, told.date].filter(Boolean).join(" · ");
  const status = make("span", { className: told.valid ? "status valid" : "status invalid" });
  status.title = whyOf(told);
  status.append(told.valid ? "✓ Valid" : "✗ Invalid", " ", make("span", { className: "why", textContent: whyOf(told) }));
  const number = make("span", { className: "number", textContent: String(entry.read.index) });
  if (entry.edit) number.append(make("span", { className: "changed", textContent: "changed" }));
  const file = (workspace.archive?.files.length ?? 0) > 1 ? [make("span", { textContent: entry.file.name })] : [];
  const about = make("span", { className: "game" }, ...[game, when].map((text) => make("span", { textContent: text })), ...file);
  const row = make("div", { className: "record" });
  row.setAttribute("role", "option");
  row.append(make("span", { className: "small-board" }), number, make("span", { className: "players" }, ...names));
  row.append(about, make("span", { className: "outcome", textContent: outcomeOf(told) }), status);
  return row;
}

/** @param {Listed} told */
function whyOf({ diagnostic }) {
  if (!diagnostic) return "";
  return diagnostic.ply ? `ply ${diagnostic.ply}: ${diagnostic.message}` : diagnostic.message;
}

/** @param {Listed} told */
function outcomeOf({ result, plies }) {
  const turns = `${plies} ${plies === 1 ? "turn" : "turns"}`;
  if (!result) return turns;
  const ending = result.winner === "draw" ? "Draw" : result.winner ? `${titled(result.winner)} won` : "No winner";
  return `${ending}, ${turns}`;
}

/** @param {AbortSignal} signal */
async function drawBoards(signal) {
  for (const [entry, { row, told }] of [...shownRows]) {
    const place = row.querySelector(".small-board");
    if (signal.aborted || !place || place.firstChild) continue;
    const address = smallBoards.get(told) ?? (await boardOf(entry, told, signal).catch(() => null));
    if (signal.aborted || !address) continue;
    smallBoards.set(told, address);
    if (smallBoards.size > BOARDS) smallBoards.delete(/** @type {Listed} */ (smallBoards.keys().next().value));
    place.replaceChildren(make("img", { src: address, alt: "", width: 64, height: 64 }));
  }
}

/**
 * The final position of a record, or the one before its illegal turn, as a picture; null if it has none.
 * @param {Entry} entry @param {Listed} told @param {AbortSignal} signal
 */
async function boardOf(entry, told, signal) {
  if (!told.valid && !told.plies && !told.diagnostic?.ply) return null;
  const { body, from } = bodyOf(entry);
  const look = `theme=${$("theme").value}&labels=none&marks=false&caption=false&width=64`;
  const drawn = await askText(`v1/render?${from}&${look}`, body, "application/octet-stream", "image/svg+xml", signal);
  return `data:image/svg+xml,${encodeURIComponent(drawn)}`;
}

/** @param {KeyboardEvent} event */
function moveActive(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const page = Math.max(1, Math.floor($("records-list").clientHeight / ROW) - 1);
  /** @type {Record<string, number>} */
  const moves = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity };
  if (event.key in moves) {
    event.preventDefault();
    goToRow(Math.max(0, Math.min(activeRow + moves[event.key], filtered.length - 1)));
    showRows();
  } else if ((event.key === "Enter" || event.key === " ") && filtered[activeRow]) {
    event.preventDefault();
    openRecord(filtered[activeRow]);
  }
}

/** @param {number} row */
function goToRow(row) {
  activeRow = row;
  const box = $("records-list");
  const [top, whole] = [box.scrollTop, Math.max(1, Math.floor(box.clientHeight / ROW))];
  if (row * ROW >= top && (row + 1) * ROW <= top + box.clientHeight) return;
  // The list begins with a whole row.
  box.scrollTop = (row * ROW < top ? row : row + 1 - whole) * ROW;
}

// Saving the files.

async function saveFiles() {
  const { archive } = workspace;
  if (!archive) return;
  const to = $("file-format").value;
  complain("");
  await commands.settled();
  if (workspace.archive !== archive) return;
  const files = archive.files.filter((file) => to || archive.edited.some((entry) => entry.file === file));
  const notes = [];
  try {
    for (const file of files.length ? files : archive.files) {
      const name = file.name.split("/").at(-1) || `games.${file.notation}`;
      if (to) {
        const other = `${name.replace(/\.[^.]*$/, "")}.${to}`;
        const { blob, lost } = await converted(archive, file, /** @type {keyof typeof import("./archive.js").BETWEEN} */ (to));
        handOut(blob, other);
        notes.push(`Saved as ${other}${lost ? `, without ${countOf(lost)} that cannot be read` : ""}.`);
      } else {
        const { length } = archive.edited.filter((entry) => entry.file === file);
        const pieces = await spliced(archive, file);
        handOut(new Blob(pieces.map(({ content }) => content)), name);
        await savedFile(file, pieces);
        notes.push(`Saved as ${name}: ${countOf(length)} changed, all else as it was.`);
      }
    }
  } catch (error) {
    complain(messageOf(error));
  }
  tellFiles(notes.join(" "));
}

/** Hand out the report on the records of the list. */
function saveReport() {
  handOut(new Blob([reportOf(filtered)], { type: "text/csv" }), "report.csv");
  tellFiles(`Saved as report.csv: ${countOf(filtered.length)}.`);
}

/** Repair each invalid record for which there is only one suggestion. */
async function repairRecords() {
  const { archive } = workspace;
  if (!archive) return;
  await commands.settled();
  const gone = new AbortController();
  const told = (/** @type {number} */ done, /** @type {number} */ all) => {
    if (workspace.archive !== archive) gone.abort();
    $("file-note").textContent = `${done} of ${all} invalid records tried …`;
  };
  $("repair-all").disabled = true;
  const { repaired, left } = await repairAll(archive, told, gone.signal);
  if (gone.signal.aborted) return;
  if (repaired) await textsReplaced();
  else showRecords();
  const others = left ? ` ${countOf(left)}: no suggestion, or several.` : "";
  tellFiles(`${repaired ? `${countOf(repaired)} repaired. Save the file, or discard the changes.` : "Nothing is repaired."}${others}`);
}

/** @param {string} text */
function tellFiles(text) {
  $("file-note").textContent = text;
  say(text);
}

// Drafts.

async function showDrafts() {
  draftsFor = workspace.archive?.id;
  /** @type {Draft[]} */
  let found = [];
  try {
    found = await drafts();
  } catch {
    // Some browsers let a page store nothing in a private window.
  }
  const others = found.filter((draft) => draft.id !== workspace.archive?.id);
  $("drafts").hidden = !others.length;
  $("drafts-list").replaceChildren(...others.map(draftItem));
}

/** @param {Draft} draft */
function draftItem(draft) {
  const when = new Date(draft.time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const [first] = draft.edits;
  const { listed } = first;
  const [black, white] = [listed?.players.black, listed?.players.white];
  const game = listed?.game ? titled(listed.game) : "A game";
  const title = black || white ? `${black ?? "?"} – ${white ?? "?"}` : draft.name || game;
  const about = [title === game ? "" : game, listed?.size && `size ${listed.size}`, listed && outcomeOf(listed)];
  const count = draft.edits.length > 1 || draft.name ? `${countOf(draft.edits.length)} changed` : "";
  const lines = [about, [title === draft.name ? "" : draft.name, count, when]].map((line) => line.filter(Boolean).join(" · "));
  const label = `${title}, ${lines.join(", ")}`;
  const open = make("button", { type: "button", textContent: "Open" });
  open.setAttribute("aria-label", `Open the draft ${label}`);
  open.addEventListener("click", () => openArchive(draft.files, { draft }));
  const discard = make("button", { type: "button", textContent: "Discard" });
  discard.setAttribute("aria-label", `Discard the draft ${label}`);
  discard.addEventListener("click", () => {
    if (confirm(`Discard the draft ${label}? This cannot be undone.`)) discardDraft(draft.id).then(showDrafts);
  });
  const small = make("span", { className: "small-board" });
  if (listed && isAwake()) drawDraft(small, draft.files[first.file], { ...first, listed });
  const words = make("div", {}, make("strong", { textContent: title }), ...lines.map((textContent) => make("span", { textContent })));
  return make("li", {}, small, words, make("div", { className: "row" }, open, discard));
}

/** @param {HTMLElement} place @param {ArchiveFile} file @param {RecordEdit} edit */
async function drawDraft(place, file, edit) {
  const extent = { offset: 0, size: 0, line: 0, record: 0 };
  const entry = { file, extent, read: edit.listed, edit, base: null, document: null };
  const src = await boardOf(entry, edit.listed, new AbortController().signal).catch(() => null);
  if (src) place.append(make("img", { src, alt: "", width: 64, height: 64 }));
}
