// The page: its parts begin here, in the order in which they are told of changes.

import { on, relook, show, state, voice } from "./app.js";
import { BoardPicture } from "./board.js";
import { beginComputer } from "./computer.js";
import { beginEditing } from "./editing.js";
import { $, complain, EMBEDDED, recall, say } from "./elements.js";
import { beginEntry, beginOpening } from "./entry.js";
import { beginExplorer } from "./explorer.js";
import { beginBeginnings, beginIntake, beginWelcome } from "./home.js";
import { beginCursor, beginKeyboard } from "./input.js";
import { beginMatch, beginSeats } from "./match.js";
import { beginLessons } from "./lesson.js";
import { beginDetails, beginLines, beginNotes } from "./notes.js";
import { beginOverlays } from "./overlays.js";
import { beginRecords } from "./records.js";
import { knows, replayed } from "./replay.js";
import { beginPuzzles } from "./puzzle.js";
import { beginPress } from "./service.js";
import { beginShare } from "./share.js";
import { beginSource } from "./source.js";
import { beginPlayback, beginStage, beginZoom } from "./stage.js";
import { beginExplanation, beginTurns, beginReport } from "./turns.js";
import { beginSave, beginWorkspace } from "./workspace.js";

/** @type {("coordinates" | "labels" | "theme")[]} */
const CHOICES = ["coordinates", "labels", "theme"];

function begin() {
  Object.assign(voice, { complain, say, did: sayDone, report: sayReport });
  on("record", () => {
    const { data, names } = state;
    $("shown").hidden = !data;
    $("coordinates").value = state.system;
    if (data?.board && state.picture?.board !== data.board) state.picture = new BoardPicture(data.board, data.game.surface, names);
  });
  beginPress();
  beginLessons();
  beginPuzzles();
  beginEditing();
  beginReport();
  beginWorkspace();
  beginSource();
  beginRecords();
  beginIntake();
  beginWelcome();
  beginBeginnings();
  beginOpening();
  beginSave();
  beginPlayback();
  beginOverlays();
  beginEntry();
  beginZoom();
  beginSeats();
  beginStage();
  beginComputer();
  beginExplanation();
  beginTurns();
  beginLines();
  beginNotes();
  beginDetails();
  beginCursor();
  beginKeyboard();
  $("coordinates").addEventListener("change", () => {
    state.system = /** @type {System} */ ($("coordinates").value);
    state.systemChosen = true;
  });
  for (const id of CHOICES) {
    $(id).addEventListener("change", () => {
      document.documentElement.dataset.theme = $("theme").value;
      relook();
    });
  }
  unfoldChoices();
  if (EMBEDDED) showEmbedded(EMBEDDED);
  else for (const id of /** @type {const} */ (["theme", "dots"])) recall(id);
  document.documentElement.dataset.theme = $("theme").value;
  $("dots").addEventListener("change", showDots);
  showDots();
  beginExplorer();
  beginMatch();
  beginShare();
}

/** @param {string} text */
function sayDone(text) {
  say(`${text} ${$("caption").textContent}`);
}

/** Say whether the record is valid after an edit. */
function sayReport() {
  const told = state.data.report.diagnostics.map((each) => each.message).join(" ");
  say(`${$("caption").textContent}. ${$("report-title").textContent}. ${told}`);
}

function showDots() {
  $("board").classList.toggle("undotted", $("dots").value === "hidden");
}

/** Shows the choices of the header in a row where there is room, else when they are asked for. */
function unfoldChoices() {
  const wide = matchMedia("(min-width: 76rem)");
  const unfold = () => ($("view").open = wide.matches);
  wide.addEventListener("change", unfold);
  unfold();
}

/** @param {HTMLElement} embedded */
function showEmbedded(embedded) {
  document.documentElement.dataset.engine = "none";
  const { view, ...data } = JSON.parse(embedded.textContent ?? "");
  for (const id of CHOICES.filter((each) => view[each])) $(id).value = view[id];
  state.systemChosen = Boolean(view.coordinates);
  if (view.coordinates) state.system = view.coordinates;
  const drawn = data.record && knows(data.record.game) ? replayed(data.record) : {};
  show({ ...data, ...drawn }, view.ply === undefined ? null : { path: [], ply: view.ply });
}

begin();
