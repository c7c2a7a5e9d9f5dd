// The opponent in a worker: it is asked for a turn, or for the values of all positions of a line, the last first.

import { chooseTurn, evaluateLine } from "./opponent.js";
import { startOf } from "./start.js";

/** @param {MessageEvent<Question>} event */
globalThis.onmessage = ({ data: { number, record, turns, level } }) => {
  try {
    const position = startOf(record);
    if (level !== null) {
      for (const turn of turns) position.play(turn);
      postMessage({ number, answer: chooseTurn(position, level) });
      return;
    }
    for (const value of evaluateLine(position, turns)) postMessage({ number, value });
    postMessage({ number, answer: null });
  } catch (error) {
    postMessage({ number, error: String(error) });
  }
};
