// Entering turns: by pointing at their parts on the board, by name, from the list, or with the button that passes.

import { choose, current, ended, nameOf, on, own, shownTurn, state, system, toPlay } from "./app.js";
import { playTurn } from "./editing.js";
import { $, EMBEDDED, make, messageOf, redrawn, say } from "./elements.js";
import { beginning, here, legalNow, legalTurns, nextCells, spelled } from "./legal.js";
import { mark, marking } from "./notes.js";
import { openingPrompt, setStone, settingUp } from "./opening.js";
import { ask } from "./service.js";
import { follow } from "./tree.js";

/** How long a position is shown before the legal turns in it are asked for, in milliseconds. */
const PAUSE = 120;
/** @type {number | undefined} */
let arriving;
/** Whether the position whose turns are offered is still shown. */
let stillShown = () => false;
/** Whether the cells where a turn can be entered have their dots. */
let dotted = false;

export function beginEntry() {
  on("record", () => ($("legal").hidden = !state.data?.board));
  on("place", arrive);
  on("chosen", showTurnsLeft);
  on("look", () => {
    if (state.data?.board) choose(state.chosen, state.next);
  });
  $("board").addEventListener("pointerdown", (event) => {
    // The focus stays where it is; a field that is left for the board tells what was written in it first.
    event.preventDefault();
    if (document.activeElement?.matches("input, textarea")) /** @type {HTMLElement} */ (document.activeElement).blur();
  });
  $("board").addEventListener("click", (event) => {
    const hit = /** @type {SVGElement | null} */ (/** @type {Element} */ (event.target).closest("[data-cell]"));
    if (hit) press(Number(hit.dataset.cell));
  });
  $("cells").addEventListener("input", () => write($("cells").value));
  $("cells").addEventListener("keydown", (event) => {
    if (event.key === "Enter") playWritten();
  });
  $("clear").addEventListener("click", takeBack);
  $("pass").addEventListener("click", () => {
    const pass = legalNow()?.find((turn) => !turn.parts.length);
    if (pass) enter(pass.turn);
  });
}

/** A question whether the position that is shown now is shown then, even if the game has been judged anew. */
function moment() {
  const { document: game, path, ply } = state;
  const { position } = current();
  return () => state.document === game && state.path === path && state.ply === ply && current().position === position;
}

/** The legal turns of the position that is shown, with dots; null if another one is shown when they are there. */
async function legalHere() {
  clearTimeout(arriving);
  const stays = moment();
  try {
    const turns = await legalTurns();
    if (!stays()) return null;
    if (!dotted && !settingUp()) offer(state.chosen);
    dotted = true;
    return turns;
  } catch (error) {
    if (stays()) tellNote(messageOf(error));
    return null;
  }
}

/** A position is shown: another one, or the same after the game was judged anew. */
function arrive() {
  if (stillShown()) return;
  stillShown = moment();
  clearTimeout(arriving);
  const turns = ended() ? [] : legalNow();
  state.chosen = [];
  state.next = nextCells(turns ?? [], []);
  $("cells").value = "";
  showTurnsLeft();
  dotted = Boolean(turns);
  if (!turns) arriving = setTimeout(legalHere, PAUSE);
}

/**
 * Chooses parts of a turn, and shows what may come next.
 * @param {number[]} parts
 */
function offer(parts) {
  choose(parts, nextCells((!ended() && legalNow()) || [], parts));
}

/**
 * Points at a cell: it becomes the next part of the turn, and the turn is played when it can be no other. To point at the
 * last part again plays the turn that ends there, or takes the part back.
 * @param {number} cell
 */
export async function press(cell) {
  if (marking()) return mark(cell);
  if (settingUp()) return setStone(cell);
  if (ended()) return tellNote("The game is over.");
  const turns = await legalHere();
  if (!turns) return;
  const { chosen } = state;
  const at = chosen.indexOf(cell);
  const whole = beginning(turns, chosen).find((turn) => turn.parts.length === chosen.length);
  if (at >= 0 && at === chosen.length - 1 && whole) return enter(whole.turn);
  if (at >= 0) return offer(chosen.slice(0, at));
  const parts = [...chosen, cell];
  const found = beginning(turns, parts);
  if (found.length === 1) return enter(found[0].turn);
  if (found.length) {
    offer(parts);
    return say($("legal-note").textContent);
  }
  // What is no next part may be the first of another turn. That is not played at once: it may have been a slip.
  if (chosen.length && beginning(turns, [cell]).length) offer([cell]);
  await refuse(turns, parts);
}

/** Takes the last part of a turn back. */
export function takeBack() {
  offer(state.chosen.slice(0, -1));
  say($("legal-note").textContent);
}

/** @param {string} turn */
function enter(turn) {
  if (!EMBEDDED || follow(state.data.moves, state.path, state.ply, turn)) return playTurn(turn);
  tellNote(`${shownTurn(turn)} is legal. This file shows what was recorded: to play on, open the record with hexrec serve.`);
}

/**
 * Says why no legal turn begins with some parts.
 * @param {Choice[]} turns @param {number[]} parts
 */
async function refuse(turns, parts) {
  const text = spelled(turns, parts);
  if (EMBEDDED) return tellNote(`No legal turn begins with ${shownTurn(text)}.`);
  const stays = moment();
  const { position, ...rules } = here();
  const asked = { hexrec: "1", ...rules, setup: position, moves: [text] };
  const reason = await ask("v1/replay", JSON.stringify(asked))
    .then((answer) => answer.moves?.[0].illegal)
    .catch(messageOf);
  if (reason && stays()) tellNote(`${shownTurn(text)} is not legal: ${reason}.`);
}

/** @param {string} text */
function write(text) {
  state.chosen = state.names.read(text, system());
  const turns = (!ended() && legalNow()) || [];
  choose(state.chosen, nextCells(turns, state.chosen));
}

/** Plays the turn that is written, or the only one that what is written can be. */
async function playWritten() {
  const turns = await legalHere();
  const written = $("cells").value.trim().toLowerCase();
  if (!turns || !written) return;
  const { chosen } = state;
  const found = candidates(turns, chosen);
  const only = chosen.length && found.length === 1 ? found[0] : undefined;
  const turn = turns.find((each) => shownTurn(each.turn) === written) ?? only;
  if (turn) return enter(turn.turn);
  if (found.length && chosen.length) return tellNote(`${found.length} turns go through these cells: write the rest too.`);
  if (chosen.length) return refuse(turns, chosen);
  tellNote(`There is no turn ${written} here.`);
}

/**
 * The turns that begin with some parts; where there are none, those that go through all of these cells.
 * @param {Choice[]} turns @param {number[]} chosen
 */
function candidates(turns, chosen) {
  const found = beginning(turns, chosen);
  if (found.length) return found;
  return turns.filter(({ turn }) => {
    const cells = state.names.through(turn, own());
    return chosen.every((cell) => cells.includes(cell));
  });
}

/** @param {string} text */
function tellNote(text) {
  $("legal-note").textContent = text;
  say(text);
}

/** Shows the turns that what is chosen can become. */
function showTurnsLeft() {
  const written = state.names.read($("cells").value, system());
  if (String(written) !== String(state.chosen)) $("cells").value = state.chosen.map(nameOf).join(" ");
  const turns = ended() ? [] : legalNow();
  const found = turns && state.chosen.length ? candidates(turns, state.chosen) : [];
  redrawn(
    $("legal"),
    () => {
      $("pass").hidden = !turns?.some((turn) => !turn.parts.length);
      $("legal-note").textContent = noteOf(turns, found);
      $("legal-turns").replaceChildren(...found.map(({ turn }) => turnButton(turn)));
    },
    () => $("board"),
  );
}

/** @param {Choice[] | undefined} turns @param {Choice[]} found */
function noteOf(turns, found) {
  if (settingUp()) return openingPrompt();
  if (ended()) return "The game is over.";
  if (!turns) return "";
  const cells = state.chosen.map(nameOf);
  if (!cells.length) {
    if (turns.every((turn) => !turn.parts.length)) return `There is nothing for ${toPlay()} but to pass.`;
    return `${counted(turns.length)} for ${toPlay()}.`;
  }
  const whole = found.find((turn) => turn.parts.length === cells.length);
  const again = whole && found.length > 1 ? ` ${cells.at(-1)} again plays ${shownTurn(whole.turn)}.` : "";
  return `${counted(found.length)} for ${toPlay()} with ${cells.join(" and ")}.${again}`;
}

/** @param {number} turns */
const counted = (turns) => (turns === 1 ? "1 legal turn" : `${turns || "No"} legal turns`);

/** @param {string} turn */
function turnButton(turn) {
  const button = make("button", { type: "button", textContent: shownTurn(turn) });
  button.disabled = Boolean(EMBEDDED) && !follow(state.data.moves, state.path, state.ply, turn);
  button.addEventListener("click", () => playTurn(turn));
  return button;
}
