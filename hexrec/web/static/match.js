// A game that two players play by sending each other its address: nothing else is stored anywhere.

import { goTo, on, state, tell } from "./app.js";
import { described, playable } from "./document.js";
import { note } from "./editing.js";
import { $, EMBEDDED, say, titled } from "./elements.js";
import { copyAddress } from "./share.js";

/** The game and the number of its turns for which a draw is offered: the offer ends with the next turn. */
let offered = { game: /** @type {object | null} */ (null), plies: 0 };

export function beginMatch() {
  if (EMBEDDED) return;
  on("record", show);
  on("edit", show);
  on("facts", show);
  $("send").addEventListener("click", send);
  $("accept").addEventListener("click", () => end({ winner: "draw", termination: "agreement" }));
  $("resign").addEventListener("click", () => end({ winner: opponent(), termination: "resignation" }));
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
  if ($("match").hidden) return;
  const plies = state.data.moves.length;
  if (offered.game !== state.document || offered.plies !== plies) {
    if (offered.game === state.document) state.offer = null;
    offered = { game: state.document, plies };
    $("offer").checked = false;
  }
  const mover = titled(String(final().to_play));
  const theirs = state.offer === opponent();
  $("match-note").textContent = theirs
    ? `${titled(opponent())} offers a draw: accept it, or play a turn to decline.`
    : `${mover} has the turn. After your own turn, send the address of this page to the other player.`;
  $("accept").hidden = !theirs;
  $("offer-label").hidden = !plies;
  $("resign").textContent = `Resign as ${mover}`;
}

async function send() {
  state.offer = $("offer").checked ? opponent() : null;
  goTo([], state.data.moves.length, { quiet: true });
  const said = await copyAddress();
  tell("facts");
  $("match-note").textContent = `${said} Send it to ${titled(String(final().to_play))}.`;
  say($("match-note").textContent);
}

/** @param {{ winner: string, termination: string }} result */
function end(result) {
  const { document: game, path, ply } = state;
  state.offer = null;
  return note({ document: game, path, ply }, (record, place) => described(record, place, { result }));
}
