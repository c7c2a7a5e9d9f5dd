// New games: which, by which rules, of which size, from the opening or from a position.

import { $, EMBEDDED, complain, make, messageOf } from "./elements.js";
import { GAMES } from "./given.js";
import { check } from "./intake.js";
import { setUp } from "./opening.js";
import { ask } from "./service.js";

export function beginBeginnings() {
  if (EMBEDDED) return;
  fill($("new-game"), Object.entries(GAMES).map(([name, { title }]) => [name, title]));
  $("new-game").addEventListener("change", showRules);
  $("new-rules").addEventListener("change", showSizes);
  $("beginnings").addEventListener("submit", (event) => {
    event.preventDefault();
    beginGame();
  });
  showRules();
}

/** @param {HTMLSelectElement} select @param {[value: string, text: string][]} options */
function fill(select, options) {
  select.replaceChildren(...options.map(([value, textContent]) => make("option", { value, textContent })));
}

const chosenGame = () => GAMES[$("new-game").value];
const chosenRules = () => chosenGame().rules[Number($("new-rules").value)];

function showRules() {
  fill(
    $("new-rules"),
    chosenGame().rules.map(({ fields }, index) => [String(index), Object.values(fields).join(", ")]),
  );
  showSizes();
}

function showSizes() {
  const { sizes } = chosenRules();
  fill($("new-size"), sizes.map((size) => [String(size), String(size)]));
  const usual = String(chosenGame().beginning.size);
  if (sizes.map(String).includes(usual)) $("new-size").value = usual;
}

/**
 * Begin a game by its usual rules on a board of the usual size.
 * @param {string} name
 */
export async function playGame(name) {
  $("new-game").value = name;
  $("position").value = "";
  showRules();
  await beginGame();
}

async function beginGame() {
  const { beginning: usual } = chosenGame();
  const { fields } = chosenRules();
  const position = $("position").value.trim();
  complain("");
  try {
    /** @type {GameRecord} */
    let begun = { ...usual, ...fields, size: Number($("new-size").value) };
    if (position) {
      const asked = { game: usual.game, ...fields, position };
      const { size } = await ask("v1/positions?drawing=false", JSON.stringify(asked));
      begun = { hexrec: usual.hexrec, game: usual.game, ...fields, size, setup: position, moves: [] };
    }
    const usually = !position && JSON.stringify(begun) === JSON.stringify({ ...usual, ...chosenGame().rules[0].fields });
    if (await check(JSON.stringify(begun, null, 2), usually ? `#/${usual.game}/new` : "")) setUp(true);
  } catch (error) {
    complain(messageOf(error));
  }
}
