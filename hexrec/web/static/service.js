// Asking the service.

/**
 * The answer to a request, from JSON. Throws an Error with words for people if there is none.
 * @param {string} address @param {string} body @param {string} type
 */
export async function ask(address, body, type = "application/json") {
  let answer;
  try {
    answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": type, Accept: "application/json" },
      body,
    });
  } catch {
    throw new Error("The server does not answer.");
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(data.detail ?? data.title ?? `The server answers with ${answer.status}.`);
  return data;
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
