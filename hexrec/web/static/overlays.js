// Overlays: features of a position that players switch on, such as closed cells. The engine says where they are.

import { ended, isLocal, on, positionText, relook, state, turnsPlayed } from "./app.js";
import { here } from "./editing.js";
import { $, EMBEDDED, GAMES, keep, kept, make, say } from "./elements.js";
import { positionAfter } from "./replay.js";
import { games } from "./rules.js";
import { ask } from "./service.js";
import { titled } from "./words.js";

/** How many positions are remembered. */
const REMEMBERED = 200;
/** The overlays of positions, by the request for them. @type {Map<string, Record<string, Mark[]>>} */
const known = new Map();
/** The request that waits for its answer. @type {string | null} */
let asked = null;

export function beginOverlays() {
  if (EMBEDDED) return; // such a file has no engine to ask
  on("record", fillMenu);
  on("place", learnOverlays);
  on("place", learnMarks);
  $("overlay").addEventListener("change", () => {
    if (!state.lesson) keep(key(), $("overlay").value);
    changed();
  });
}

const overlaysOf = () => GAMES[state.data?.record?.game ?? ""]?.overlays ?? [];
const key = () => `overlay.${state.data.record.game}`;

function fillMenu() {
  const names = overlaysOf();
  $("overlay-label").hidden = !names.length;
  if (!names.length) return;
  const options = names.map((value) => make("option", { value, textContent: titled(value) }));
  $("overlay").replaceChildren(make("option", { value: "", textContent: "none" }), ...options);
  const wanted = state.lesson ? state.lesson.overlay : kept(key());
  $("overlay").value = names.find((name) => name === wanted) ?? "";
}

/** Switch to the next overlay of the game; after the last one, to none. */
export function nextOverlay() {
  const names = ["", ...overlaysOf()];
  if (EMBEDDED || names.length < 2) return;
  $("overlay").value = names[(names.indexOf($("overlay").value) + 1) % names.length];
  $("overlay").dispatchEvent(new Event("change"));
}

function changed() {
  const { value } = $("overlay");
  say(value ? `Overlay: ${value}.` : "No overlay.");
  learnOverlays();
  relook();
}

/** Return the request for the overlays of the position that is shown; null if there are none to ask for. */
function request() {
  if (EMBEDDED || !state.data?.board || !$("overlay").value || ended() || !positionText()) return null;
  return JSON.stringify(here());
}

/** Return the marks of the overlay that is switched on; none before the engine has answered. */
export function overlayMarks() {
  const position = request();
  return (position && known.get(position)?.[$("overlay").value]) || [];
}

/** Return the words for an overlay without marks in this position; null if it has some, or none are known. */
export function emptyOverlay() {
  const position = state.lesson ? null : request();
  const marks = position && known.get(position)?.[$("overlay").value];
  return marks && !marks.length ? `${titled($("overlay").value)}: none` : null;
}

/** The marks of positions of games that have marks of their own, by the request for them. @type {Map<string, State["marked"]>} */
const marks = new Map();

/** Ask for the marks of a game of a plug-in: the page has its rules, and not its words. */
async function learnMarks() {
  if (!state.data?.board || !isLocal() || !games[/** @type {keyof typeof games} */ (state.data.record.game)].hasMarks) return;
  const { position, ...rules } = here();
  const turns = turnsPlayed();
  const setup = turns.length ? positionAfter(state.document.record, turns.slice(0, -1)).text() : position;
  const question = JSON.stringify({ hexrec: "1", ...rules, setup, moves: turns.slice(-1) });
  try {
    /** @type {Replay} */
    const { start, moves } = marks.has(question) ? {} : await ask("v1/replay", question);
    if (!marks.has(question)) marks.set(question, /** @type {any} */ ({ parts: [], ...(moves.at(-1) ?? start) }));
  } catch {
    return; // the board is shown with the marks that all games have
  }
  if (positionText() !== position) return;
  const { marks: highlights, parts } = /** @type {State["marked"]} */ (marks.get(question));
  state.marked = { ...state.marked, marks: highlights, parts };
  relook();
}

/** Ask for the overlays of the position that is shown. */
async function learnOverlays() {
  const position = request();
  if (!position || known.has(position) || position === asked) return;
  asked = position;
  try {
    const { overlays } = await ask("v1/positions?drawing=false&overlays=true", position);
    if (known.size >= REMEMBERED) known.clear();
    known.set(position, overlays);
  } catch {
    return; // the board is shown without them
  } finally {
    if (asked === position) asked = null;
  }
  if (request() === position) relook();
}
