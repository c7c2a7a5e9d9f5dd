// Where records come from: a text, a file, a new game or a sample.

import { on, state } from "./app.js";
import { fileOf } from "./archive.js";
import { $, complain, EMBEDDED, GAMES, LIMITS, make, SAMPLES } from "./elements.js";
import { setUp } from "./entry.js";
import { chosenFiles, droppedFiles, readFiles } from "./files.js";
import { isRecord } from "./replay.js";
import { ask, asking } from "./service.js";
import { focusOpened } from "./source.js";
import { fail, onArchive, openArchive, openGame, workspace } from "./workspace.js";
import { messageOf } from "./words.js";

export function beginIntake() {
  $("entry").hidden = Boolean(EMBEDDED);
  if (EMBEDDED) return;
  $("form").addEventListener("submit", (event) => {
    event.preventDefault();
    check($("text").value);
  });
  for (const [button, field] of /** @type {const} */ ([
    [$("pick"), $("file")],
    [$("pick-folder"), $("folder")],
  ])) {
    button.addEventListener("click", () => field.click());
    field.addEventListener("change", () => {
      openFiles(chosenFiles([...(field.files ?? [])]));
      field.value = "";
    });
  }
  /** @type {("dragenter" | "dragover" | "dragleave" | "drop")[]} */
  const drags = ["dragenter", "dragover", "dragleave", "drop"];
  for (const name of drags) {
    document.addEventListener(name, (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      document.documentElement.classList.toggle("dropping", name === "dragover" || name === "dragenter");
      if (name === "drop") openFiles(droppedFiles(event.dataTransfer));
    });
  }
}

/**
 * Open a text; return whether it is open then.
 * @param {string} text @param {string} [address] where the same text is opened again
 */
export async function check(text, address) {
  if (/^https?:\/\/\S+$/.test(text.trim())) return openAddress(text.trim());
  if (!text.trim()) {
    fail("There is no record to check: paste one, or open a file.");
    return false;
  }
  if (!(await openArchive([fileOf("", new Blob([text]))], { address }))) return false;
  focusOpened();
  return true;
}

/**
 * Open a file of another site, if that allows it; return whether it is open.
 * @param {string} address
 */
async function openAddress(address) {
  const { host, pathname } = new URL(address);
  const latest = asking();
  let blob;
  try {
    const answer = await fetch(address, { referrerPolicy: "no-referrer" });
    if (!answer.ok) throw new Error(`${answer.status}`);
    blob = await answer.blob();
  } catch (error) {
    if (latest()) fail(`${host} does not let this page read the file (${messageOf(error)}): download it, then open or paste it.`);
    return false;
  }
  return latest() && openFiles([{ path: pathname.split("/").at(-1) || host, blob }]);
}

/**
 * Open files; return whether they are open.
 * @param {GivenFile[] | Promise<GivenFile[]>} given
 */
async function openFiles(given) {
  try {
    const { files, skipped, problems } = await readFiles(await given, LIMITS);
    const names = skipped.length > 3 ? `${skipped.length} files` : skipped.join(", ");
    if (skipped.length) problems.push(`Skipped, as their names have no suffix of a record format: ${names}.`);
    if (!files.length) throw new Error(problems.join(" ") || "There is no file of records here.");
    // Somebody may be at work on its first invalid record already.
    if ((await openArchive(files, { problems })) && !$("shown").contains(document.activeElement)) focusOpened();
    return true;
  } catch (error) {
    fail(messageOf(error));
    return false;
  }
}

// New games: which, by which rules, of which size, from the opening or from a position.

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
    await beginWith(begun, usually ? `#/${usual.game}/new` : "");
  } catch (error) {
    complain(messageOf(error));
  }
}

/**
 * Open a record without turns, and let its opening be set.
 * @param {GameRecord} record @param {string} address where the same is opened again
 */
async function beginWith(record, address) {
  if (await openHere(record, address, true)) setUp(true);
}

/**
 * Open a record: by the rules of the page, or of the service for other games; return whether it is open.
 * @param {GameRecord} record @param {string} address where the same is opened again @param {boolean} isSound
 */
export async function openHere(record, address, isSound) {
  if (!isRecord(record)) return check(JSON.stringify(record, null, 2), address);
  if (!(await openGame(record, { address, isSound }))) return false;
  focusOpened();
  return true;
}

/** Begin a game like the one that is shown, in which the players have exchanged colors. */
export function playAgain() {
  const { game, ruleset, readings, variant, size, players } = state.document.record;
  const swapped = players && { black: players.white, white: players.black };
  return beginWith({ ...GAMES[game].beginning, ruleset, readings, variant, size, ...(players && { players: swapped }) }, "");
}

// The screen to begin from: the games, their rules in brief, a game of each and one that is broken.

/** What the parts of the rules in brief are called. */
const PARTS = { goal: "Goal", turn: "A turn", end: "The end", credit: "Designed by" };

/** The game for which the screen was left. @type {object | null} */
let opened = null;

/**
 * Open a game to look at, whole or with an illegal turn in it; return whether there is one.
 * @param {string} name @param {"sample" | "broken"} kind
 */
export async function openSample(name, kind) {
  const text = SAMPLES?.[name]?.[kind === "sample" ? "game" : "broken"];
  if (text) await openHere(JSON.parse(text), `#/${name}/${kind}`, kind === "sample");
  return Boolean(text);
}

export function beginWelcome() {
  on("record", showBriefRules);
  if (!SAMPLES) return;
  on("record", showScreen);
  // A file of many records is seen as soon as the first of them are read.
  onArchive(() => {
    const { archive } = workspace;
    if (!archive || archive.complete || archive.entries.length < 2 || $("entry").hidden) return;
    if (archive.current) return;
    $("home").hidden = false;
    unfoldEntry(false);
  });
  $("home").addEventListener("click", () => unfoldEntry(Boolean($("entry").hidden)));
  $("games-list").replaceChildren(...Object.entries(SAMPLES).map(([name, sample]) => gameCard(name, sample)));
}

/**
 * What is opened takes the place of the screen. A game that is validated again is open already: somebody may have come here
 * since to look for another.
 */
function showScreen() {
  $("home").hidden = !state.data;
  if (state.document && state.document === opened) return;
  opened = state.document;
  unfoldEntry(!state.data);
}

/** @param {boolean} wanted */
export function unfoldEntry(wanted) {
  // One takes the place of the other: what comes is seen from its beginning.
  if (wanted || !$("entry").hidden) scrollTo(0, 0);
  $("entry").hidden = !wanted;
  $("home").setAttribute("aria-expanded", String(wanted));
}

/** @param {string} name @param {Sample} sample */
function gameCard(name, { picture, game, broken, lesson, puzzles }) {
  const { title, about, brief, page } = GAMES[name];
  const play = actionButton("Play", title, () => playGame(name));
  play.className = "main";
  const row = make("div", { className: "row" }, play);
  if (lesson) row.append(actionButton("Lesson", `on ${title}`, () => (location.hash = `#/${name}/lesson/1`)));
  if (puzzles) row.append(actionButton("Puzzles", `of ${title}`, () => (location.hash = `#/${name}/puzzle/1`)));
  if (game) row.append(actionButton("Sample", `game of ${title}`, () => openSample(name, "sample")));
  const { goal, ...rest } = brief ?? {};
  const rules = make("details", {}, make("summary", { textContent: "Rules" }));
  if (goal) rules.append(make("dl", { className: "brief" }, ...sayings(rest)));
  if (page) rules.append(make("p", {}, make("a", { href: page, textContent: `All rules of ${title}` })));
  if (broken) rules.append(actionButton("Game with an illegal turn", `of ${title}`, () => openSample(name, "broken")));
  const head = make("div", {}, make("h3", { textContent: title }), make("p", { className: "hint", textContent: about }));
  const image = make("img", { alt: "" });
  const draw = () => (image.src = `data:image/svg+xml,${encodeURIComponent(themed(picture))}`);
  on("look", draw);
  // Once the theme is that of the last visit.
  queueMicrotask(draw);
  const card = make("li", { className: "card game-card" }, image, head);
  card.append(make("p", { textContent: goal ?? "" }), row, rules);
  return card;
}

/**
 * A picture that follows the theme of the page in place of that of the system.
 * @param {string} picture
 */
function themed(picture) {
  const media = { light: "@media not all", dark: "@media all" }[$("theme").value];
  return media ? picture.replaceAll("@media (prefers-color-scheme: dark)", media) : picture;
}

/** @param {string} label @param {string} title @param {() => void} action */
function actionButton(label, title, action) {
  const made = make("button", { type: "button", textContent: label });
  made.append(make("span", { className: "unseen", textContent: ` ${title}` }));
  made.addEventListener("click", action);
  return made;
}

function showBriefRules() {
  const game = state.data?.record?.game ?? "";
  const { title, brief } = GAMES[game] ?? {};
  $("rules").hidden = !brief;
  if (!brief) return;
  $("rules-title").textContent = `Rules of ${title}`;
  $("rules-brief").replaceChildren(...sayings(brief));
  const lesson = make("a", { href: `#/${game}/lesson/1`, textContent: `Lesson on ${title}` });
  $("rules-lesson").replaceChildren(...(SAMPLES?.[game]?.lesson ? [lesson] : []));
}

/** @param {Partial<Brief>} brief */
function sayings(brief) {
  return Object.entries(brief).flatMap(([part, textContent]) => [
    make("dt", { textContent: PARTS[/** @type {keyof Brief} */ (part)] }),
    make("dd", { textContent }),
  ]);
}
