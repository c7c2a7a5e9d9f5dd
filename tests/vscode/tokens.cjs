// Prints the tokens of files by a grammar: `node tokens.cjs GRAMMAR FILE…`, a line of JSON for each file.

const { readFileSync } = require("node:fs");
const oniguruma = require("vscode-oniguruma");
const { INITIAL, parseRawGrammar, Registry } = require("vscode-textmate");

async function main([grammarFile, ...files]) {
  await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  const raw = parseRawGrammar(readFileSync(grammarFile, "utf-8"), grammarFile);
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => raw,
  });
  const grammar = await registry.loadGrammar(raw.scopeName);
  for (const file of files) {
    let state = INITIAL;
    const text = readFileSync(file, "utf-8").replace(/^\ufeff/, ""); // as editors read files
    const found = text.split(/\r?\n/).flatMap((line) => {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      return tokens.map(({ startIndex, endIndex, scopes }) => [line.slice(startIndex, endIndex), scopes.slice(1)]);
    });
    console.log(JSON.stringify(found));
  }
}

main(process.argv.slice(2));
