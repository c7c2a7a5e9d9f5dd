// Saving: the record in a notation, or the board as a picture.

import { on, state } from "./app.js";
import { settled } from "./editing.js";
import { $, handOut, make, say } from "./elements.js";

export function beginSave() {
  on("record", () => {
    $("save").hidden = !state.data?.record;
    $("save-note").textContent = "";
    if (state.data) showFormats();
  });
  $("download").addEventListener("click", download);
}

function showFormats() {
  const names = Object.keys(state.data.texts ?? {});
  const kept = $("format").value;
  if (state.data.board) names.push("svg");
  $("format").replaceChildren(...names.map((name) => make("option", { value: name, textContent: name })));
  if (names.includes(kept)) $("format").value = kept;
}

async function download() {
  await settled();
  const name = $("format").value;
  const { text, file, lost } =
    name === "svg" ? { text: picture(), file: "game.svg", lost: [] } : state.data.texts[name];
  const type = name === "svg" ? "image/svg+xml" : "text/plain";
  handOut(new Blob([text], { type }), file);
  $("save-note").textContent = [`Saved as ${file}.`, ...lost].join(" ");
  say($("save-note").textContent);
}

// The board as it is shown, with the rules that it needs.
function picture() {
  const drawn = /** @type {SVGElement} */ ($("board").querySelector("svg")?.cloneNode(true));
  for (const unseen of drawn.querySelectorAll("[data-cell], .pointers, .leaving")) unseen.remove();
  const box = state.picture.box(state.picture.shown);
  drawn.setAttribute("viewBox", box.join(" "));
  drawn.setAttribute("width", String(box[2]));
  drawn.setAttribute("height", String(box[3]));
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText);
  const wanted = rules.filter(
    (rule) => rule.includes(`.hexrec-${$("theme").value} `) || rule.startsWith(".hexrec-board"),
  );
  return new XMLSerializer()
    .serializeToString(drawn)
    .replace(">", `><style><![CDATA[\n${wanted.join("\n")}\n]]></style>`);
}
