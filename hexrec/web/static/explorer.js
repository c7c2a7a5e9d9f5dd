// The explorer: what was played in the position on the board, in the records that are open. The service names each
// position by a key that all its images have, and tells turns as they are in the image with that key.

import { on, own, shownTurn, state } from "./app.js";
import { groupBy, listedOf, positionsOf } from "./archive.js";
import { here, play } from "./editing.js";
import { $, EMBEDDED, make } from "./elements.js";
import { ask } from "./service.js";
import { onArchive, openRecord, workspace } from "./workspace.js";
import { messageOf, titled } from "./words.js";

/** How long a position is shown before it is looked up, in milliseconds. */
const PAUSE = 120;
/** How many games that reached the position are listed. */
const LISTED = 10;
/** A cell in row coordinates within a turn. */
const CELL = /[a-z]+\d+/g;

/** @typedef {{ entry: Entry, turn: string | null, winner: string | null }} Row */

/** The rows of each position, by its game and key. @type {Promise<Map<string, Row[]>>} */
let rows = Promise.resolve(new Map());
/** What `rows` is about: the archive, and what its records have become. */
let indexed = "";
/** The archive that is explored. @type {import("./archive.js").Archive | null} */
let explored = null;
let reading = new AbortController();
/** @type {number | undefined} */
let arriving;

export function beginExplorer() {
  if (EMBEDDED) return;
  $("explorer").addEventListener("toggle", showSoon);
  onArchive(showSoon);
  on("place", showSoon);
}

function showSoon() {
  $("explorer").hidden = (workspace.archive?.entries.length ?? 0) < 2 || !state.data?.board;
  if ($("explorer").hidden || !$("explorer").open) return;
  clearTimeout(arriving);
  arriving = setTimeout(() => explore().catch((error) => error.name === "AbortError" || note(messageOf(error))), PAUSE);
}

/** @param {string} text */
function note(text) {
  $("explorer-note").textContent = text;
}

/** A string that differs when other records are open, or when one was edited. */
function stateOf(/** @type {import("./archive.js").Archive} */ archive) {
  return JSON.stringify([archive.id, archive.entries.length, archive.edited.map((entry) => listedOf(entry))]);
}

async function explore() {
  const { archive } = workspace;
  if (!archive || !archive.complete) return;
  const found = stateOf(archive);
  if (indexed !== found) {
    indexed = found;
    // Rows of the same archive stay until others come: somebody may be pressing one of them.
    if (archive !== explored) {
      $("explorer-turns").replaceChildren();
      $("explorer-games").replaceChildren();
    }
    explored = archive;
    note("Reading the positions of all records …");
    reading.abort();
    reading = new AbortController();
    rows = positionsOf(archive, reading.signal).then(group);
    rows.catch(() => indexed === found && (indexed = ""));
  }
  const position = JSON.stringify(here());
  const all = await rows;
  // The answer comes when nothing is pressed.
  const answer = await ask("v1/positions?drawing=false&folded=true", position);
  if (indexed !== found || position !== JSON.stringify(here())) return;
  draw(all.get(nameOfPosition(answer, answer.folded.key)) ?? [], answer.folded.cells);
}

/** @param {{ game: string | null, ruleset: string, variant: string | null }} rules @param {string} key */
const nameOfPosition = ({ game, ruleset, variant }, key) => [game, ruleset, variant, key].join(" ");

/** @param {{ entry: Entry, listed: ListedPositions }[]} records */
function group(records) {
  const named = records.flatMap(({ entry, listed: { game, positions, result } }) => {
    if (!positions) return [];
    const { keys, turns, ruleset, variant } = positions;
    return keys.map((key, ply) => {
      const name = nameOfPosition({ game, ruleset, variant }, key);
      return { name, entry, turn: turns[ply], winner: result?.winner ?? null };
    });
  });
  return groupBy(named, ({ name }) => name);
}

/** @param {Row[]} reached @param {Record<string, string>} cells */
function draw(reached, cells) {
  const games = [...new Set(reached.map(({ entry }) => entry))];
  note(games.length === 1 ? "1 game has this position." : `${games.length} games have this position.`);
  const turns = groupBy(reached.filter(({ turn }) => turn !== null), ({ turn }) => String(turn));
  const most = [...turns].sort(([one, rowsOfOne], [other, rowsOfOther]) => rowsOfOther.length - rowsOfOne.length || (one < other ? -1 : 1));
  $("explorer-turns").hidden = !most.length;
  $("explorer-turns").replaceChildren(
    make("tr", {}, ...["Turn", "Games", "Black wins", "White wins", "Draws"].map((title) => make("th", { scope: "col", textContent: title }))),
    ...most.map(([turn, played]) => turnRow(turn.replace(CELL, (cell) => cells[cell] ?? cell), played)),
  );
  $("explorer-games").replaceChildren(...games.slice(0, LISTED).map((entry) => make("li", {}, gameButton(entry))));
}

/** @param {string} turn in row coordinates @param {Row[]} played */
function turnRow(turn, played) {
  const spelled = state.names.respell(turn, "row", own());
  const button = make("button", { type: "button", textContent: shownTurn(spelled) });
  button.addEventListener("click", () => play(spelled));
  const wins = ["black", "white", "draw"].map((winner) => played.filter((row) => row.winner === winner).length);
  return make("tr", {}, make("td", {}, button), ...[played.length, ...wins].map((count) => make("td", { textContent: String(count) })));
}

/** @param {Entry} entry */
function gameButton(entry) {
  const { players, event, date, index } = listedOf(entry);
  const names = ["black", "white"].map((color) => players[/** @type {Colour} */ (color)] ?? titled(color)).join(" – ");
  const button = make("button", { type: "button", textContent: [`${index}: ${names}`, event, date].filter(Boolean).join(", ") });
  button.addEventListener("click", () => openRecord(entry));
  return button;
}
