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

/** Ends when nothing is pressed: what is moved or drawn anew during a press does not hear the click. */
export async function released() {
  if (!down.size) return;
  await new Promise((go) => {
    listening.push(() => go(undefined));
    setTimeout(go, LONGEST);
  });
}
