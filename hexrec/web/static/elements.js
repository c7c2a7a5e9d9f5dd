// Elements of the page, what is said to people there, and the data that came with it as JSON.

/** @type {Given} */
const given = JSON.parse(document.getElementById("given")?.textContent ?? "{}");

export const GAMES = given.games;
/** The names of files in each format. */
export const FORMATS = given.formats;
/** The limits on compressed files and archives. */
export const LIMITS = given.limits;
/** Samples and lessons by game; null in a file that works by itself. @type {Record<string, Sample> | null} */
export const SAMPLES = JSON.parse(document.getElementById("samples")?.textContent ?? "null");

/**
 * @template {keyof PageElements} K
 * @param {K} id
 */
export const $ = (id) => /** @type {PageElements[K]} */ (document.getElementById(id));

/** What a file that works by itself holds of its record; null on the page of the service. */
export const EMBEDDED = $("replay");

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Partial<Omit<HTMLElementTagNameMap[K], "value">> & { value?: unknown }} properties
 * @param {...(Node | string)} children
 */
export function make(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/**
 * Tells those who do not see the page.
 * @param {string | null} text
 */
export function say(text) {
  $("live").textContent = text;
}

/**
 * Shows a problem; an empty text takes it away.
 * @param {string} text
 */
export function complain(text) {
  $("problem").textContent = text;
  $("problem").hidden = !text;
  if (text) $("problem").scrollIntoView({ block: "nearest" });
}

/**
 * Whether a button does anything. One that does not keeps the focus that it may have.
 * @param {HTMLElement} button @param {boolean} able
 */
export function enable(button, able) {
  button.setAttribute("aria-disabled", String(!able));
}

/**
 * Return what this browser keeps under a name; an empty text if it keeps nothing, or lets the page store nothing.
 * @param {string} name
 */
export function kept(name) {
  try {
    return localStorage.getItem(`hexrec.${name}`) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} name @param {string} value */
export function keep(name, value) {
  try {
    localStorage.setItem(`hexrec.${name}`, value);
  } catch {
    // The choice holds until the page is left.
  }
}

/**
 * Chooses what was chosen before in this browser, and keeps what will be.
 * @param {ChoiceId} id
 */
export function recall(id) {
  const choice = $(id);
  if ([...choice.options].some((option) => option.value === kept(id))) choice.value = kept(id);
  choice.addEventListener("change", () => keep(id, choice.value));
}

/** The addresses of web pages in a text, without the punctuation after them. */
const ADDRESS = /\b(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]'])/;

/**
 * Return a text with links on the addresses in it.
 * @param {string} text
 */
export function linked(text) {
  return text.split(ADDRESS).map((part, index) => {
    return index % 2 ? make("a", { href: part, target: "_blank", rel: "noopener noreferrer", textContent: part }) : part;
  });
}

/**
 * Draw a part of the page anew. The focus that somebody at the keyboard had within goes to what stands for it then.
 * @param {HTMLElement} box @param {() => void} draw @param {() => HTMLElement | null} heir
 */
export function redrawn(box, draw, heir) {
  const held = box.contains(document.activeElement) && document.activeElement?.matches(":focus-visible");
  draw();
  if (held && !box.contains(document.activeElement)) heir()?.focus({ preventScroll: true });
}

/**
 * Hands a file to the person at the browser.
 * @param {Blob} blob @param {string} name
 */
export function handOut(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
