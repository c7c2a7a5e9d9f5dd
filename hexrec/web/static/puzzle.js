// Puzzles: positions in which one turn wins, of the page or of an open file. The computer replies to the other turns.

import { ended, on, shownTurn, state } from "./app.js";
import { replayOf } from "./archive.js";
import { inWords, reply } from "./computer.js";
import { $, EMBEDDED } from "./elements.js";
import { note, openStep, showBoard } from "./lesson.js";
import { isRecord } from "./replay.js";
import { asking } from "./service.js";
import { messageOf, titled } from "./words.js";
import { fail, workspace } from "./workspace.js";

export function beginPuzzles() {
  on("record", () => {
    $("solve").hidden = Boolean(EMBEDDED) || !isPuzzle(state.document?.record);
  });
  $("solve").addEventListener("click", () => {
    const { archive } = workspace;
    if (archive?.current) location.hash = `#/solve/${archive.entries.indexOf(archive.current) + 1}`;
  });
}

/** Whether a record is a puzzle as `hexrec puzzles` writes it. @param {GameRecord | null | undefined} record */
function isPuzzle(record) {
  if (!record || !Array.isArray(record.tags) || !record.tags.includes("puzzle")) return false;
  return Boolean(record.setup) && record.moves.length > 0 && isRecord(record);
}

/** Show a puzzle of the page; a number beyond the last one leads to the first. @param {string} game @param {number} number */
export async function openPuzzle(game, number) {
  const latest = asking();
  const answer = await fetch("puzzles.jsonl").catch(() => null);
  const text = answer?.ok ? await answer.text() : "";
  if (!latest()) return;
  if (!text) return fail("The puzzles cannot be loaded: try again when you are online.");
  /** @type {GameRecord[]} */
  const records = text.trim().split("\n").map((line) => JSON.parse(line));
  const puzzles = records.filter((record) => record.game === game);
  if (!puzzles.length) return fail("There is nothing at this address.");
  const at = puzzles[number - 1] ? number : 1;
  show(puzzles[at - 1], `#/${game}/puzzle/`, at, puzzles.length);
}

/** Show a puzzle of the open files; return the entry of any other record. @param {number} number */
export async function solve(number) {
  const { archive } = workspace;
  const entry = archive?.entries[number - 1];
  if (!archive || !entry) return fail("These files are not open any more: open them again.");
  const latest = asking();
  try {
    const { record } = await replayOf(entry);
    if (!latest()) return;
    if (!isPuzzle(record)) return entry;
    archive.current = entry;
    show(record, "#/solve/", number, archive.entries.length);
  } catch (error) {
    if (latest()) fail(messageOf(error));
  }
}

/** @param {GameRecord} record @param {string} address @param {number} number @param {number} count */
function show(record, address, number, count) {
  const { game, comment, moves } = record;
  /** @type {{ turn: string, eval?: { line?: string[] } }[]} */
  const [solution] = moves.map((move) => (typeof move === "string" ? { turn: move } : move));
  const line = solution.eval?.line ?? [];
  openStep({ game, kind: "Puzzle", address, count, end: "" }, number, {
    record: { ...record, moves: [], result: undefined },
    prompt: String(comment ?? "One turn wins: find it."),
    turns: [solution.turn],
    hint: "",
    success: `${solution.turn} wins${line.length > 1 ? `, for example with ${line.join(", ")}` : ""}.`,
    refute,
  });
}

/** Play a turn that is not the solution, and the best reply. @param {LessonStep} step @param {string} turn */
async function refute(step, turn) {
  const player = state.data.start.to_play;
  showBoard(step, [turn]);
  $("lesson-show").focus({ preventScroll: true });
  const tried = shownTurn(turn);
  const end = ended();
  if (end) return note(`${tried} does not win: ${end}.`, "hint");
  note(`Looking for the reply to ${tried} …`, "hint");
  try {
    const choice = await reply([turn]);
    showBoard(step, [turn, choice.turn]);
    const isWon = !choice.playouts && choice.value === (player === "black" ? 1 : -1);
    const opponent = titled(player === "black" ? "white" : "black");
    note(`${tried} ${isWon ? "wins, too" : "does not win"}: ${opponent} plays ${shownTurn(choice.turn)}. ${inWords(choice)}.`, "hint");
  } catch (error) {
    if (messageOf(error) !== "stopped") note(messageOf(error), "hint");
  }
}
