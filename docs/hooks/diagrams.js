// Below each diagram of the rules, a button puts a board in its place, on which the position can be played on. Boards
// follow the color scheme of the site.

const component = new URL("hexrec-board.js", import.meta.url);

/** Give all boards of the page the color scheme that is chosen. */
function follow() {
  const isDark = document.body.dataset.mdColorScheme === "slate";
  for (const board of document.querySelectorAll("hexrec-board")) board.setAttribute("theme", isDark ? "dark" : "light");
}

for (const figure of document.querySelectorAll("figure.diagram")) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Play this position" });
  button.className = "md-button";
  button.addEventListener("click", async () => {
    await import(component);
    const board = document.createElement("hexrec-board");
    const { record, ply, labels } = figure.dataset;
    const attributes = { src: new URL(record, location.href), ply, labels, playable: "", controls: "" };
    for (const [name, value] of Object.entries(attributes)) board.setAttribute(name, value);
    board.addEventListener("load", () => board.shadowRoot.querySelector("[part=board]").focus(), { once: true });
    figure.replaceChildren(board);
    follow();
  });
  figure.append(button);
}

if (document.querySelector("hexrec-board")) await import(component);
new MutationObserver(follow).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
follow();

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  .diagrams { display: flex; flex-wrap: wrap; gap: 1rem; align-items: start; }
  .diagrams figure { margin: 0; width: auto; max-width: 100%; text-align: left; }
  .diagrams hexrec-board { width: 28rem; max-width: 100%; }
  .diagrams .md-button { display: block; font-size: 0.7rem; padding: 0.25em 1em; }
`);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
