// Requests to the service or to the engines in the browser, and presses that delay their answers.

// Presses: the main button of the mouse, a pen or a finger that is down on the page.

/** How long the end of a press is waited for, in milliseconds: somebody may be dragging the board. */
const LONGEST = 2_000;

/** @type {Set<number>} */
const down = new Set();
/** @type {(() => void)[]} */
let listening = [];

export function beginPress() {
  window.addEventListener("pointerdown", ({ button, pointerId }) => button === 0 && down.add(pointerId), { capture: true });
  for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) window.addEventListener(end, lifted, { capture: true });
}

/** @param {PointerEvent} event */
function lifted({ pointerId }) {
  down.delete(pointerId);
  if (down.size) return;
  const free = listening;
  listening = [];
  // The click comes first.
  setTimeout(() => free.forEach((go) => go()));
}

/**
 * Return a promise that ends when nothing is pressed any more; null if nothing is. What is moved or drawn anew during a press
 * does not hear the click.
 */
export function released() {
  if (!down.size) return null;
  return new Promise((go) => {
    listening.push(() => go(undefined));
    setTimeout(go, LONGEST);
  });
}

// Asking the service. An answer comes when nothing is pressed: what is drawn from it would take a click away.

/** How often a request is sent again to a service that is busy, and how many seconds later if it does not say. */
const TRIES = 5;
const BUSY_SECONDS = 2;

/**
 * The answer to a request, from JSON. Throws an Error with words for people if there is none.
 * @param {string} address @param {BodyInit} body @param {string} type @param {AbortSignal} [signal]
 */
export async function ask(address, body, type = "application/json", signal) {
  const answer = await (await post(address, body, type, "application/json", signal)).json();
  await released();
  return answer;
}

/**
 * The answer to a request, as text. Throws as `ask` does.
 * @param {string} address @param {BodyInit} body @param {string} type @param {string} accept @param {AbortSignal} [signal]
 */
export async function askText(address, body, type, accept, signal) {
  const answer = await (await post(address, body, type, accept, signal)).text();
  await released();
  return answer;
}

/**
 * The answer to a request, as a file. Throws as `ask` does.
 * @param {string} address @param {BodyInit} body @param {string} type @param {string} accept
 */
export async function askFile(address, body, type, accept) {
  return (await post(address, body, type, accept)).blob();
}

/** Whether there is a service, or engines in the browser: a file that works by itself has none. */
export const hasService = () => globalThis.document?.documentElement.dataset.engine !== "none";

/** Whether a question is answered soon: engines in the browser take some seconds to start, and may not start at all. */
export const isAwake = () => ["", "starting", "ready"].includes(globalThis.document?.documentElement.dataset.engine ?? "");

/** Aborted when somebody gives up: what was asked before is not asked again, even if it is under way just then. */
let patience = new AbortController();

/** @param {string} address @param {BodyInit} body @param {string} type @param {string} accept @param {AbortSignal} [signal] */
async function post(address, body, type, accept, signal) {
  const { signal: givenUp } = patience;
  if (!hasService()) throw new Error("This file works by itself: open the record with `hexrec serve` for that.");
  for (let tries = 1; ; tries++) {
    let answer;
    try {
      answer = await fetch(address, { method: "POST", headers: { "Content-Type": type, Accept: accept }, body, signal });
    } catch (error) {
      if (signal?.aborted) throw error;
      await untilRetry(error, givenUp);
      continue;
    }
    showAway(null);
    if (answer.ok) return answer;
    if (answer.status === 503 && tries < TRIES) {
      const seconds = Number(answer.headers.get("Retry-After")) || BUSY_SECONDS;
      await new Promise((resolve) => {
        setTimeout(resolve, seconds * 1000);
      });
      continue;
    }
    const data = await answer.json().catch(() => ({}));
    throw new Error(data.detail ?? data.title ?? `The server answers with ${answer.status}.`);
  }
}

/**
 * Shows that the server does not answer, and how to stop asking it; null: that it answers.
 * @type {(giveUp: (() => void) | null) => void}
 */
let showAway = () => {};

/** @param {typeof showAway} view */
export function onAway(view) {
  showAway = view;
}

/** Ends when the requests without an answer are sent again. @type {Promise<void> | null} */
let retrying = null;

/**
 * Wait until a server that does not answer is asked again. Throws an Error if somebody gives up, and where the engines run
 * in the browser: they do not come back.
 * @param {unknown} cause @param {AbortSignal} givenUp
 */
async function untilRetry(cause, givenUp) {
  const failed = () => new Error("The server does not answer.", { cause });
  if (document.documentElement.dataset.engine || givenUp.aborted) throw failed();
  retrying ??= new Promise((/** @type {(value: void) => void} */ again, fail) => {
    setTimeout(again, BUSY_SECONDS * 1000);
    addEventListener("online", () => again(), { signal: AbortSignal.timeout(BUSY_SECONDS * 1000) });
    showAway(() => {
      showAway(null);
      patience.abort();
      patience = new AbortController();
      fail(failed());
    });
  }).finally(() => (retrying = null));
  return retrying;
}

let questions = 0;

/**
 * Begins a question to which only the answer to the last one counts; what it returns tells whether this is it.
 * @returns {() => boolean}
 */
export function asking() {
  const number = ++questions;
  return () => number === questions;
}
