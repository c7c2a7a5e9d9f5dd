// The extension: a client of `hexrec lsp`, and a board that follows the cursor.

import { commands, Uri, ViewColumn, window, workspace } from "vscode";
import { LanguageClient, State } from "vscode-languageclient/node";

const LANGUAGES = ["hgn", "sgf", "json", "jsonl", "yaml"];
/** How long the cursor rests before the board follows it, in milliseconds. */
const PAUSE = 50;

class Client extends LanguageClient {
  /** Leave a failure to start to `start`, which names a remedy. @type {LanguageClient["error"]} */
  error(message, data, showNotification) {
    super.error(message, data, this.state === State.Running && showNotification);
  }
}

/** @type {Client | undefined} */
let client;

/** @param {import("vscode").ExtensionContext} context */
export async function activate(context) {
  context.subscriptions.push(
    commands.registerCommand("hexrec.restart", restart),
    commands.registerCommand("hexrec.showBoard", () => showBoard(context)),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("hexrec.command")) restart();
    }),
  );
  await start();
}

/** End the server, which is killed if it takes too long. */
export async function deactivate() {
  await client?.stop().catch(() => {});
}

async function restart() {
  await deactivate();
  await start();
}

async function start() {
  const [command, ...args] = workspace.getConfiguration("hexrec").get("command", ["hexrec"]);
  const documentSelector = LANGUAGES.flatMap((language) => ["file", "untitled"].map((scheme) => ({ language, scheme })));
  client = new Client("hexrec", "hexrec", { command, args: [...args, "lsp"] }, { documentSelector });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const reason = error instanceof Error ? error.message : String(error);
    const fix = "install it by pip install 'hexrec-games[lsp]', or set hexrec.command";
    const chosen = await window.showErrorMessage(`hexrec could not be started (${command}: ${reason}): ${fix}`, "Open Settings");
    if (chosen) await commands.executeCommand("workbench.action.openSettings", "hexrec.command");
  }
}

/** @type {import("vscode").WebviewPanel | undefined} */
let panel;

/** Open a board beside the file, or bring it to the front. @param {import("vscode").ExtensionContext} context */
function showBoard(context) {
  if (panel) return panel.reveal(undefined, true);
  const dist = Uri.joinPath(context.extensionUri, "dist");
  const place = { viewColumn: ViewColumn.Beside, preserveFocus: true };
  const board = window.createWebviewPanel("hexrec.board", "Board", place, {
    enableScripts: true,
    localResourceRoots: [dist],
    retainContextWhenHidden: true,
  });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const follow = () => {
    clearTimeout(timer);
    timer = setTimeout(() => draw(board), PAUSE);
  };
  const followed = [
    window.onDidChangeTextEditorSelection(follow),
    window.onDidChangeActiveTextEditor(follow),
    workspace.onDidChangeTextDocument(follow),
    // The page of the board asks once it is loaded.
    board.webview.onDidReceiveMessage(follow),
  ];
  board.onDidDispose(() => {
    panel = undefined;
    clearTimeout(timer);
    for (const each of followed) each.dispose();
  });
  board.webview.html = page(board.webview, Uri.joinPath(dist, "board.js"));
  panel = board;
}

/** Send the record at the cursor to the board. @param {import("vscode").WebviewPanel} board */
async function draw(board) {
  const editor = window.activeTextEditor;
  if (!editor || !client?.isRunning() || !LANGUAGES.includes(editor.document.languageId)) return;
  const asked = { textDocument: { uri: editor.document.uri.toString() }, position: editor.selection.active };
  const found = await client.sendRequest("hexrec/record", asked).catch(() => null);
  if (found && board === panel) board.webview.postMessage(found);
}

/** @param {import("vscode").Webview} webview @param {import("vscode").Uri} script */
function page(webview, script) {
  const source = webview.cspSource;
  return `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${source}; style-src ${source} 'unsafe-inline'">
<title>Board</title>
<p id="hint">Put the cursor on a turn of a record.</p>
<script type="module" src="${webview.asWebviewUri(script)}"></script>
`;
}
