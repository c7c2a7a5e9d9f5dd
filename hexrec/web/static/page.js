// The page: its parts begin here, in the order in which they are told of changes.

import { on, relook, show, state } from "./app.js";
import { $, EMBEDDED } from "./elements.js";
import { beginBeginnings } from "./beginnings.js";
import { beginCursor } from "./cursor.js";
import { beginDetails } from "./details.js";
import { beginEditing } from "./editing.js";
import { beginEntry } from "./entry.js";
import { beginExplanation } from "./explanation.js";
import { beginIntake } from "./intake.js";
import { beginKeyboard } from "./keyboard.js";
import { beginLines } from "./lines.js";
import { beginNotes } from "./notes.js";
import { beginOpening } from "./opening.js";
import { beginPlayback } from "./playback.js";
import { beginRecords } from "./records.js";
import { beginSave } from "./save.js";
import { beginShare } from "./share.js";
import { beginStage } from "./stage.js";
import { beginTurns } from "./turns.js";
import { beginVerdict } from "./verdict.js";
import { beginWorkspace } from "./workspace.js";

/** @type {("coordinates" | "labels" | "theme")[]} */
const CHOICES = ["coordinates", "labels", "theme"];

function begin() {
  on("record", () => ($("shown").hidden = !state.data));
  beginEditing();
  beginVerdict();
  beginWorkspace();
  beginRecords();
  beginIntake();
  beginBeginnings();
  beginOpening();
  beginSave();
  beginPlayback();
  beginEntry();
  beginStage();
  beginExplanation();
  beginTurns();
  beginLines();
  beginNotes();
  beginDetails();
  beginCursor();
  beginKeyboard();
  $("coordinates").addEventListener("change", () => (state.systemChosen = true));
  for (const id of CHOICES) {
    $(id).addEventListener("change", () => {
      document.documentElement.dataset.theme = $("theme").value;
      relook();
    });
  }
  if (EMBEDDED) showEmbedded(EMBEDDED);
  beginShare();
}

/** @param {HTMLElement} embedded */
function showEmbedded(embedded) {
  const { view, ...data } = JSON.parse(embedded.textContent ?? "");
  for (const id of CHOICES.filter((each) => view[each])) $(id).value = view[id];
  state.systemChosen = Boolean(view.coordinates);
  document.documentElement.dataset.theme = $("theme").value;
  show(data, view.ply === undefined ? null : { path: [], ply: view.ply });
}

begin();
