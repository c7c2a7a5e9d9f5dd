// Where records come from: a text, a file, a game that begins.

import { on, state } from "./app.js";
import { fileOf } from "./archive.js";
import { $, EMBEDDED, complain, messageOf } from "./elements.js";
import { droppedFiles, recordFiles } from "./files.js";
import { fail, openArchive } from "./workspace.js";

export function beginIntake() {
  $("entry").hidden = Boolean(EMBEDDED);
  if (EMBEDDED) return;
  on("record", () => {
    if (!state.data) return;
    if (state.document.changed && state.data.record) state.text = $("text").value = state.data.texts.json.text;
  });
  $("form").addEventListener("submit", (event) => {
    event.preventDefault();
    check($("text").value);
  });
  for (const [button, field] of /** @type {const} */ ([
    [$("pick"), $("file")],
    [$("pick-folder"), $("folder")],
  ])) {
    button.addEventListener("click", () => field.click());
    field.addEventListener("change", () => {
      const given = [...(field.files ?? [])];
      // The files of a folder come in any order.
      given.sort((one, other) => one.webkitRelativePath.localeCompare(other.webkitRelativePath));
      openFiles(recordFiles(given));
      field.value = "";
    });
  }
  /** @type {("dragenter" | "dragover" | "dragleave" | "drop")[]} */
  const drags = ["dragenter", "dragover", "dragleave", "drop"];
  for (const name of drags) {
    document.addEventListener(name, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      document.documentElement.classList.toggle("dropping", name === "dragover" || name === "dragenter");
      if (name === "drop") openFiles(droppedFiles(event.dataTransfer).then(recordFiles));
    });
  }
}

/**
 * Open a text; return whether it is open then.
 * @param {string} text @param {string} [address] where the same text is opened again
 */
export async function check(text, address) {
  if (!text.trim()) {
    fail("There is no record to check: paste one, or open a file.");
    return false;
  }
  if (!(await openArchive([fileOf("", new Blob([text]))], { address }))) return false;
  state.text = text;
  if (!$("shown").hidden) $("verdict-title").focus({ preventScroll: true });
  return true;
}

/** @param {ReturnType<typeof recordFiles>} reading */
async function openFiles(reading) {
  try {
    const { files, passed } = await reading;
    if (!files.length) throw new Error("There is no file of records here.");
    if (!(await openArchive(files))) return;
    const names = passed.length > 3 ? `${passed.length} files` : passed.join(", ");
    if (passed.length) complain(`Passed over, as their names are not those of files of records: ${names}.`);
    if (!$("shown").hidden) $("verdict-title").focus({ preventScroll: true });
  } catch (error) {
    fail(messageOf(error));
  }
}
