// The screen to begin from: the games, their rules in brief, a game of each and one that is broken.

import { on, state } from "./app.js";
import { $, make } from "./elements.js";
import { GAMES } from "./given.js";
import { check } from "./intake.js";

/** What the parts of the rules in brief are called. */
const PARTS = { goal: "Goal", turn: "A turn", end: "The end", credit: "Designed by" };

/** The game for which the screen was left. @type {object | null} */
let opened = null;

export function beginWelcome() {
  on("record", showBriefRules);
  const { textContent } = $("samples") ?? {};
  if (!textContent) return;
  on("record", showScreen);
  $("home").addEventListener("click", () => unfoldEntry(Boolean($("entry").hidden)));
  const cards = Object.entries(/** @type {Record<string, Sample>} */ (JSON.parse(textContent)));
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
function unfoldEntry(wanted) {
  // One takes the place of the other: what comes is seen from its beginning.
  if (wanted || !$("entry").hidden) scrollTo(0, 0);
  $("entry").hidden = !wanted;
  $("home").setAttribute("aria-expanded", String(wanted));
}

/** @param {string} name @param {Sample} sample */
function gameCard(name, { picture, game, broken }) {
  const { title } = GAMES[name];
  const begin = button("New game", title, () => {
    $("new-game").value = name;
    $("new-game").dispatchEvent(new Event("change"));
    $("beginnings").requestSubmit();
  });
  const row = make("div", { className: "row" }, begin);
  if (game) row.append(button("A game", title, () => check(game)));
  if (broken) row.append(button("A broken game", title, () => check(broken)));
  const { goal, ...rest } = GAMES[name].brief ?? {};
  const card = make("li", { className: "card game-card" });
  card.append(make("img", { src: picture, alt: "" }), make("h3", { textContent: title }));
  if (goal) {
    const more = make("summary", { textContent: "How it is played" });
    card.append(make("p", { textContent: goal }), row);
    card.append(make("details", {}, more, make("dl", { className: "brief" }, ...sayings(rest))));
  } else card.append(row);
  return card;
}

/** @param {string} label @param {string} title @param {() => void} action */
function button(label, title, action) {
  const made = make("button", { type: "button", textContent: label });
  made.append(make("span", { className: "unseen", textContent: ` of ${title}` }));
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
