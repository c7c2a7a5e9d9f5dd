// Runs the extension with a stand-in for VS Code: `node session.cjs EXTENSION FILE COMMAND` prints what a person gets.

const { readFileSync } = require("node:fs");
const Module = require("node:module");
const { basename, extname, join } = require("node:path");
const { setTimeout } = require("node:timers/promises");
const { pathToFileURL } = require("node:url");

const [folder, path, command] = process.argv.slice(2);
const said = [];
const listeners = {};
const registered = {};
const nothing = { dispose() {} };

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}
class Range {
  constructor(line, character, endLine, endCharacter) {
    Object.assign(this, { start: new Position(line, character), end: new Position(endLine, endCharacter) });
  }
}
class Diagnostic {
  constructor(range, message) {
    Object.assign(this, { range, message });
  }
}
class EventEmitter {
  #listeners = new Set();
  event = (listener) => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  fire(event) {
    for (const listener of this.#listeners) listener(event);
  }
  dispose() {}
}
class Uri {
  constructor(text) {
    Object.assign(this, { scheme: "file", path: text, fsPath: text });
  }
  toString() {
    return pathToFileURL(this.path).href;
  }
  static parse = (text) => new Uri(new URL(text).pathname);
  static file = (text) => new Uri(text);
  static joinPath = (base, ...parts) => new Uri(join(base.path, ...parts));
}

const text = readFileSync(path, "utf-8");
const document = {
  uri: Uri.file(path),
  fileName: path,
  languageId: extname(path).slice(1),
  version: 1,
  isClosed: false,
  getText: () => text,
};
const settings = { "hexrec.command": JSON.parse(command) };
const editor = { document, selection: { active: new Position(0, 0) } };
const published = [];
const posted = [];
const watched = [];
const webview = {
  cspSource: "http://board.test",
  asWebviewUri: (uri) => `http://board.test/${basename(uri.path)}`,
  onDidReceiveMessage: listen("message"),
  postMessage: (message) => posted.push(message),
};

function listen(name) {
  return (listener) => {
    (listeners[name] ??= new Set()).add(listener);
    return { dispose: () => listeners[name].delete(listener) };
  };
}

const fire = (name, event) => [...(listeners[name] ?? [])].forEach((listener) => listener(event));

/** An object in which all that is not given is an event, a function that does nothing, or a class. */
const standIn = (given, missing) => new Proxy(given, { get: (target, name) => (name in target ? target[name] : (target[name] = missing(name))) });
const namespace = (given) => standIn(given, (name) => (String(name).startsWith("on") ? listen(name) : () => nothing));

const kind = (value) => ({ value, append: (more) => kind(`${value}.${more}`) });
const vscode = standIn(
  {
    version: "1.91.0",
    Diagnostic,
    EventEmitter,
    Position,
    Range,
    Uri,
    ViewColumn: { Beside: -2 },
    CancellationTokenSource: class {
      token = { isCancellationRequested: false, onCancellationRequested: () => nothing };
      cancel() {}
      dispose() {}
    },
    CodeActionKind: standIn({}, kind),
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
    env: { appName: "stand-in", language: "en" },
    workspace: namespace({
      textDocuments: [document],
      createFileSystemWatcher: (pattern) => watched.push(pattern) && namespace({}),
      workspaceFolders: undefined,
      notebookDocuments: [],
      getConfiguration: (section) => ({ get: (name, fallback) => settings[`${section}.${name}`] ?? fallback }),
    }),
    window: namespace({
      activeTextEditor: editor,
      visibleTextEditors: [editor],
      tabGroups: namespace({ all: [] }),
      createOutputChannel: () => standIn({ name: "hexrec" }, () => () => nothing),
      showErrorMessage: async (message) => void said.push(message),
      createWebviewPanel: () => ({ webview, reveal() {}, onDidDispose: listen("dispose") }),
    }),
    languages: namespace({
      match: (selector) => Number(selector.some?.(({ language }) => language === document.languageId) ?? 0),
      createDiagnosticCollection: () => standIn({ set: (_, found) => published.push(found) }, () => () => {}),
    }),
    commands: namespace({ registerCommand: (name, run) => ((registered[name] = run), nothing) }),
  },
  () => class {},
);
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

async function until(done) {
  while (!done()) await setTimeout(20);
}

async function main() {
  const { activate, deactivate } = require(join(folder, "dist/extension.js"));
  await activate({ subscriptions: [], extensionUri: Uri.file(folder) });
  const answer = { said, commands: Object.keys(registered) };
  if (!said.length) {
    await until(() => published.length);
    answer.diagnostics = published[0].map(({ message, range }) => [range.start.line, range.start.character, message]);
    registered["hexrec.showBoard"]();
    answer.html = webview.html;
    for (const [name, position] of [["message", null], ["onDidChangeTextEditorSelection", [0, text.indexOf("d4") + 1]]]) {
      if (position) editor.selection.active = new Position(...position);
      const count = posted.length;
      fire(name, {});
      await until(() => posted.length > count);
    }
    answer.watched = watched;
    fire("dispose");
    answer.posted = posted;
    answer.following = Object.values(listeners.onDidChangeTextEditorSelection ?? []).length;
    await registered["hexrec.restart"]();
  }
  await deactivate();
  console.log(JSON.stringify(answer));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
