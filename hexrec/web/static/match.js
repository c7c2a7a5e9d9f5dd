// The players, their clocks and the result above the board, and games that two play by sending each other the address:
// nothing else is stored anywhere.

import { claimed, ended, goTo, on, state, tell, toPlay } from "./app.js";
import { described, lineOf, playable } from "./document.js";
import { note } from "./editing.js";
import { $, EMBEDDED, make, say } from "./elements.js";
import { playAgain } from "./home.js";
import { copyAddress } from "./share.js";
import { workspace } from "./workspace.js";
import { titled } from "./words.js";

/** The length of a result that has no room between the players, in characters. */
const LONG_RESULT = 40;

/** Show the players above the board. */
export function beginSeats() {
  on("place", showSeats);
  $("again").addEventListener("click", playAgain);
}

function showSeats() {
  const { record } = state.document;
  const here = !state.path.length && state.ply === record.moves.length;
  const over = ended() ?? (here && record.result ? claimed(record.result) : "");
  const [headline, ...details] = over.split(/, | (?=\()/);
  $("outcome").hidden = !over;
  $("headline").textContent = headline;
  // Long scores are in the caption, and in the explanation.
  const shown = over.length < LONG_RESULT ? details : [];
  $("score").replaceChildren(...shown.flatMap((part, index) => [index ? ", " : "", make("span", { textContent: part })]));
  // Whoever looks through an archive does not want to play.
  $("again").hidden = Boolean(EMBEDDED) || workspace.archive?.entries.length !== 1;
  for (const color of /** @type {Colour[]} */ (["black", "white"])) {
    const moving = !over && toPlay() === color;
    const clock = clockOf(color);
    const seat = $(color);
    seat.classList.toggle("moving", moving);
    seat.classList.toggle("winner", headline.startsWith(titled(color)));
    const name = record.players?.[color]?.name;
    const said = name ? `, ${titled(color)}` : "";
    seat.replaceChildren(
      make("span", { className: "dot" }),
      make("span", { className: "name", textContent: name ?? titled(color) }),
      make("span", { className: "unseen", textContent: `${said}${moving ? ", to play" : ""}` }),
      ...(clock === undefined ? [] : [make("span", { className: "clock", title: "Time left", textContent: timeOf(clock) })]),
    );
  }
}

/**
 * The seconds that a player has left after the turns shown, if the record says so.
 * @param {Colour} color
 */
function clockOf(color) {
  const moves = lineOf(state.document.record.moves, state.path);
  const last = moves.findLast((move, index) => {
    return index < state.ply && typeof move === "object" && move.clock !== undefined && state.line[index]?.color === color;
  });
  return typeof last === "object" ? last.clock : undefined;
}

/** @param {number} seconds */
function timeOf(seconds) {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** The game and the number of its turns for which a draw is offered: the offer ends with the next turn. */
let offered = { game: /** @type {object | null} */ (null), plies: 0 };

export function beginMatch() {
  if (EMBEDDED) return;
  on("record", show);
  on("edit", show);
  on("facts", show);
  $("send").addEventListener("click", send);
  $("send-back").addEventListener("click", send);
  for (const id of /** @type {const} */ (["accept", "accept-draw"])) {
    $(id).addEventListener("click", () => end({ winner: "draw", termination: "agreement" }));
  }
  $("resign").addEventListener("click", () => {
    const [loser, winner] = [String(final().to_play), opponent()].map(titled);
    if (confirm(`Resign as ${loser}? ${winner} wins then.`)) end({ winner: opponent(), termination: "resignation" });
  });
}

/** The position after the last turn of the game. */
const final = () => state.data.moves.at(-1) ?? state.data.start;
/** @returns {Colour} */
const opponent = () => (final().to_play === "black" ? "white" : "black");

/** Whether the game goes on: nothing is illegal, and neither the rules nor the players have ended it. */
function goesOn() {
  const { data } = state;
  return Boolean(data?.board && data.record && !data.record.result && !final().over && playable(data.moves) === data.moves.length);
}

function show() {
  $("match").hidden = !goesOn();
  showByLink();
  if ($("match").hidden) return;
  const plies = state.data.moves.length;
  if (offered.game !== state.document || offered.plies !== plies) {
    if (offered.game === state.document) state.offer = null;
    offered = { game: state.document, plies };
    $("offer").checked = false;
  }
  const toMove = titled(String(final().to_play));
  $("match-note").textContent =
    offerInWords() ?? `${toMove} has the turn. After your own turn, send the address of this page to the other player.`;
  $("accept").hidden = !isOffered();
  $("offer-label").hidden = !plies;
  $("resign").textContent = `Resign as ${toMove}`;
}

/** Whether a draw is offered to the side to move. */
const isOffered = () => state.offer === opponent();
const offerInWords = () => (isOffered() ? `${titled(opponent())} offers a draw: accept it, or play a turn to decline.` : null);

/** Say at the board of a game that came by a link whose turn it is, and when to send it back. */
function showByLink() {
  const { match, data } = state;
  $("by-link").hidden = !goesOn() || match?.document !== state.document;
  if ($("by-link").hidden || !match) return;
  const isPlayed = data.moves.length > match.plies;
  const mover = titled(String(final().to_play));
  const yours = match.note || (offerInWords() ?? `Your turn, as ${mover}.`);
  const words = isPlayed ? `${titled(opponent())} has played: send the game back to ${mover}.` : yours;
  if ($("by-link-note").textContent !== words) $("by-link-note").textContent = words;
  $("send-back").hidden = !isPlayed;
  $("accept-draw").hidden = !isOffered() || isPlayed;
}

async function send() {
  state.offer = $("offer").checked ? opponent() : null;
  goTo([], state.data.moves.length, { quiet: true });
  const match = (state.match = { document: state.document, plies: state.data.moves.length, note: "" });
  match.note = `${await copyAddress()} Send it to ${titled(String(final().to_play))}.`;
  tell("facts");
  $("match-note").textContent = match.note;
  say(match.note);
}

/** @param {{ winner: string, termination: string }} result */
function end(result) {
  const { document: game, path, ply } = state;
  state.offer = null;
  return note({ document: game, path, ply }, (record, place) => described(record, place, { result }));
}
