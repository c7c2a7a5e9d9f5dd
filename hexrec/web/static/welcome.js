// The screen to begin from: the games, their rules in brief, a game of each and one that is broken.

import { on, state } from "./app.js";
import { $, make } from "./elements.js";
import { GAMES } from "./given.js";
import { playGame } from "./beginnings.js";
import { check } from "./intake.js";

/** What the parts of the rules in brief are called. */
const PARTS = { goal: "Goal", turn: "A turn", end: "The end", credit: "Designed by" };

/** The game for which the screen was left. @type {object | null} */
let opened = null;

/** @type {Record<string, Sample>} */
let samples = {};

/**
 * Open a game to look at, whole or with an illegal turn in it; return whether there is one.
 * @param {string} name @param {"sample" | "broken"} kind
 */
export async function openSample(name, kind) {
  const text = samples[name]?.[kind === "sample" ? "game" : "broken"];
  if (text) await check(text, `#/${name}/${kind}`);
  return Boolean(text);
}

export function beginWelcome() {
  on("record", showBriefRules);
  const { textContent } = $("samples") ?? {};
  if (!textContent) return;
  on("record", showScreen);
  $("home").addEventListener("click", () => unfoldEntry(Boolean($("entry").hidden)));
  samples = JSON.parse(textContent);
  const cards = Object.entries(samples);
  $("games-list").replaceChildren(...cards.map(([name, sample]) => gameCard(name, sample)));
}

/**
 * What is opened takes the place of the screen; a text that is no game stays, to be mended. A game that is judged anew is
 * open already: somebody may have come here since to look for another.
 */
function showScreen() {
  $("home").hidden = !state.data;
  if (state.document && state.document === opened) return;
  opened = state.document;
  unfoldEntry(!state.data || (!state.data.board && $("records").hidden));
}

/** @param {boolean} wanted */
export function unfoldEntry(wanted) {
  // One takes the place of the other: what comes is seen from its beginning.
  if (wanted || !$("entry").hidden) scrollTo(0, 0);
  $("entry").hidden = !wanted;
  $("home").setAttribute("aria-expanded", String(wanted));
}

/** @param {string} name @param {Sample} sample */
function gameCard(name, { picture, game, broken }) {
  const { title, about, brief } = GAMES[name];
  const play = button("Play", title, () => playGame(name));
  play.className = "main";
  const row = make("div", { className: "row" }, play);
  if (game) row.append(button("Sample game", `of ${title}`, () => openSample(name, "sample")));
  const { goal, ...rest } = brief ?? {};
  const rules = make("details", {}, make("summary", { textContent: "Rules" }));
  if (goal) rules.append(make("dl", { className: "brief" }, ...sayings(rest)));
  if (broken) rules.append(button("Game with an illegal turn", `of ${title}`, () => openSample(name, "broken")));
  const head = make("div", {}, make("h3", { textContent: title }), make("p", { className: "hint", textContent: about }));
  const card = make("li", { className: "card game-card" }, make("img", { src: picture, alt: "" }), head);
  card.append(make("p", { textContent: goal ?? "" }), row, rules);
  return card;
}

/** @param {string} label @param {string} title @param {() => void} action */
function button(label, title, action) {
  const made = make("button", { type: "button", textContent: label });
  made.append(make("span", { className: "unseen", textContent: ` ${title}` }));
  made.addEventListener("click", action);
  return made;
}

function showBriefRules() {
  const { title, brief } = GAMES[state.data?.record?.game ?? ""] ?? {};
  $("rules").hidden = !brief;
  if (!brief) return;
  $("rules-title").textContent = `Rules of ${title}`;
  $("rules-brief").replaceChildren(...sayings(brief));
}

/** @param {Partial<Brief>} brief */
function sayings(brief) {
  return Object.entries(brief).flatMap(([part, textContent]) => [
    make("dt", { textContent: PARTS[/** @type {keyof Brief} */ (part)] }),
    make("dd", { textContent }),
  ]);
}
