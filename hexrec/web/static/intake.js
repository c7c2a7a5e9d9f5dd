// Where records come from: a text, a file, a game that begins.

import { close, on, show, state } from "./app.js";
import { settled } from "./editing.js";
import { $, EMBEDDED, complain, make, messageOf, say } from "./elements.js";
import { stop } from "./playback.js";
import { ask, asking } from "./service.js";

export function beginIntake() {
  $("entry").hidden = Boolean(EMBEDDED);
  if (EMBEDDED) return;
  on("record", () => {
    if (!state.data) return;
    showRecords();
    if (state.data.board) $("entry").open = false;
    if (state.document.changed && state.data.record) state.text = $("text").value = state.data.texts.json.text;
  });
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
  /** @type {("dragenter" | "dragover" | "dragleave" | "drop")[]} */
  const drags = ["dragenter", "dragover", "dragleave", "drop"];
  for (const name of drags) {
    document.addEventListener(name, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      document.documentElement.classList.toggle("dropping", name === "dragover" || name === "dragenter");
      if (name === "drop") open(event.dataTransfer.files[0]);
    });
  }
}

/** @param {string} text @param {number | string} index */
export async function check(text, index = 0) {
  stop();
  complain("");
  await settled();
  state.text = text;
  const latest = asking();
  if (!text.trim()) return fail("There is no record to check: paste one, or open a file.");
  try {
    const data = await ask(`v1/replay?record=${index}`, text, "text/plain; charset=utf-8");
    if (!latest()) return;
    show(data);
  } catch (error) {
    if (latest()) fail(messageOf(error));
    return;
  }
  $("verdict-title").focus({ preventScroll: true });
  say(`${$("verdict-title").textContent}. ${state.data.report.diagnostics.map((each) => each.message).join(" ")}`);
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
      const { size, position: setup } = await ask("v1/positions?drawing=false", asked);
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
    fail(`${file.name} cannot be read: ${messageOf(error)}`);
  }
}

function showRecords() {
  const { records = 1, report } = state.data;
  $("which").hidden = records < 2;
  $("index").replaceChildren(
    ...Array.from({ length: records }, (_, index) => make("option", { value: index, textContent: String(index) })),
  );
  $("index").value = String(report.index ?? 0);
}
