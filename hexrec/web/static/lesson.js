// Lessons: positions in which the reader is asked for a turn. The engine decides what is legal, the step which of the legal
// turns are meant; refusals are explained in the words of the rules. Puzzles are lessons, too.

import { on, show, state } from "./app.js";
import { GameDocument } from "./document.js";
import { legalNow } from "./editing.js";
import { $, complain, GAMES, SAMPLES, say } from "./elements.js";
import { setReferee } from "./play.js";
import { replayed } from "./replay.js";
import { soundReport } from "./reports.js";
import { asking } from "./service.js";
import { stop } from "./stage.js";

/** @type {Record<string, Lesson>} */
const lessons = {};
for (const [name, { lesson }] of Object.entries(SAMPLES ?? {})) if (lesson) lessons[name] = lesson;
/** What is shown, and the number of its step. @type {Course & { number: number }} */
let shown = { game: "", kind: "Lesson", address: "", count: 0, end: "", number: 0 };
/** The document of the step. @type {GameDocument | null} */
let board = null;

export function beginLessons() {
  if (!SAMPLES) return;
  on("record", () => {
    if (state.lesson && state.document !== board) leave();
  });
  $("lesson-back").addEventListener("click", () => turnPage(-1));
  $("lesson-next").addEventListener("click", () => turnPage(1));
  $("lesson-show").addEventListener("click", showTurn);
  $("lesson-play").addEventListener("click", () => (location.hash = `#/${shown.game}/new`));
}

/** @param {string} game */
export const hasLesson = (game) => game in lessons;

/** The address of the step that is shown; null outside of lessons. */
export const lessonHere = () => (state.lesson ? `${shown.address}${shown.number}` : null);

/** Go to another step, which the address names. @param {number} by */
export function turnPage(by) {
  const number = shown.number + by;
  if (number >= 1 && number <= shown.count) location.hash = `${shown.address}${number}`;
}

/**
 * Show a step of a lesson; a number beyond the last step leads to the first.
 * @param {string} game @param {number} number
 */
export function openLesson(game, number) {
  const { steps, end } = lessons[game];
  const at = steps[number - 1] ? number : 1;
  openStep({ game, kind: "Lesson", address: `#/${game}/lesson/`, count: steps.length, end }, at, steps[at - 1]);
}

/** Ask for the turn of a step. @param {Course} course @param {number} number @param {LessonStep} step */
export function openStep(course, number, step) {
  stop();
  complain("");
  asking();
  shown = { ...course, number };
  showBoard(step, []);
  showTask(step);
  $("lesson-title").focus({ preventScroll: true });
  scrollTo(0, 0);
  say(`${$("lesson-step").textContent}. ${step.prompt}`);
}

/** @param {LessonStep} step @param {string[]} moves those played in its position */
export function showBoard(step, moves) {
  state.lesson = step;
  setReferee({ judge, meant, note });
  const cells = moves.length ? [] : [...new Set(step.prompt.match(/\b[a-z]\d+\b/g))];
  // The cells that the task names are easy to find.
  const marks = cells.length ? { marks: [{ kind: "circle", cells }] } : {};
  const record = /** @type {GameRecord} */ ({ ...step.record, ...marks, moves });
  board = new GameDocument(record);
  $("shown").classList.add("lesson");
  const data = { ...replayed(record), record, report: soundReport(record), codes: {} };
  show(/** @type {Replay} */ (data), { path: [], ply: moves.length }, board);
  document.title = `${title()} – hexrec`;
  $("lesson-show").textContent = moves.length ? "Try again" : "Show me";
}

const title = () => `${shown.kind}: ${GAMES[shown.game].title}`;

/** @param {LessonStep} step */
function showTask(step) {
  const { game, kind, number, count } = shown;
  $("lesson-title").textContent = title();
  $("lesson-step").textContent = `${kind === "Lesson" ? "Step" : kind} ${number} of ${count}`;
  $("lesson-progress").max = count;
  $("lesson-progress").value = number;
  $("lesson-prompt").textContent = step.prompt;
  $("lesson-back").disabled = number === 1;
  $("lesson-next").hidden = number === count;
  for (const id of /** @type {const} */ (["lesson-next", "lesson-play"])) $(id).classList.remove("main");
  $("lesson-play").hidden = number < count;
  $("lesson-play").textContent = `Play ${GAMES[game].title}`;
  $("lesson-show").hidden = false;
  note("", "");
}

function leave() {
  state.lesson = board = null;
  setReferee(null);
  $("shown").classList.remove("lesson");
}

/**
 * Take a legal turn: play it if it is one of those that the step asks for; return whether it is.
 * @param {string} turn
 */
function judge(turn) {
  const step = state.lesson;
  if (!step) return false;
  if (!step.turns.some((pattern) => fits(turn, pattern))) {
    if (step.refute) step.refute(step, turn);
    else note(step.hint, "hint");
    return Boolean(step.refute);
  }
  showBoard(step, [turn]);
  const last = shown.number === shown.count;
  note(last ? `${step.success} ${shown.end}` : step.success, "success");
  $("lesson-show").hidden = true;
  const onward = $(last ? "lesson-play" : "lesson-next");
  onward.classList.add("main");
  onward.focus({ preventScroll: true });
  return true;
}

/**
 * Return the illegal turn that the step explains and that begins with a text: no legal turn begins there, so its other
 * cells cannot be clicked.
 * @param {string} text
 */
function meant(text) {
  const turns = Object.keys(state.lesson?.refusals ?? {});
  return turns.includes(text) ? text : turns.find((turn) => turn.startsWith(`${text}-`));
}

/** Return whether a turn is of a pattern, in which * stands for any text and ? for a character. @param {string} turn @param {string} pattern */
function fits(turn, pattern) {
  return new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`).test(turn);
}

/** Play a turn that the step asks for; after a wrong one in a puzzle, go back to its position. */
function showTurn() {
  const { lesson: step } = state;
  if (step && state.ply) {
    showBoard(step, []);
    return note("", "");
  }
  const turn = legalNow()?.find((each) => state.lesson?.turns.some((pattern) => fits(each.turn, pattern)));
  if (turn) judge(turn.turn);
}

/**
 * Say what has become of a click; a refusal with the rule that it broke.
 * @param {string} text @param {"success" | "hint" | "refusal" | ""} kind @param {string} [rule]
 */
export function note(text, kind, rule = "") {
  $("lesson-answer").dataset.kind = kind;
  $("lesson-note").textContent = text;
  $("lesson-rule").textContent = rule && `The rule: ${rule.replaceAll("`", "").replace(/ \(ruling [^)]*\)/g, "")}`;
  if (!text) return;
  say([text, $("lesson-rule").textContent].join(" "));
  // On a small screen, it is below the board.
  $("lesson-answer").scrollIntoView({ block: "nearest" });
}
