// Asks Ajv, in strict mode, and the JSON service of Visual Studio Code what they make of the schemas.
//
// Standard input has, as JSON: `schemas`, each by its name; `texts`, by the name of the schema that they are checked
// with; `cursors`, texts with a § for the cursor. Standard output has, in the same order: `ajv` and `service`, whether
// each text is accepted; `hovers` and `proposals`, what the service shows at each cursor, all with the schema `record`.

"use strict";

const { readFileSync } = require("node:fs");
const Ajv = require("ajv/dist/2020");
const { getLanguageService, TextDocument } = require("vscode-json-languageservice");

const { schemas, texts, cursors } = JSON.parse(readFileSync(0, "utf8"));

function serviceFor(schema) {
  const service = getLanguageService({});
  service.configure({ validate: true, schemas: [{ uri: "file:///schema.json", fileMatch: ["*.json"], schema }] });
  return service;
}

function opened(service, text) {
  const document = TextDocument.create("file:///record.json", "json", 1, text);
  return [document, service.parseJSONDocument(document)];
}

async function main() {
  const answer = { ajv: {}, service: {}, hovers: [], proposals: [] };
  for (const [name, schema] of Object.entries(schemas)) {
    const validate = new Ajv({ strict: true }).compile(schema);
    const service = serviceFor(schema);
    answer.ajv[name] = (texts[name] || []).map((text) => validate(JSON.parse(text)));
    answer.service[name] = [];
    for (const text of texts[name] || []) {
      answer.service[name].push((await service.doValidation(...opened(service, text))).length === 0);
    }
  }
  const service = serviceFor(schemas.record);
  for (const marked of cursors) {
    const [document, parsed] = opened(service, marked.replace("§", ""));
    const position = document.positionAt(marked.indexOf("§"));
    const hover = await service.doHover(document, position, parsed);
    answer.hovers.push(hover ? hover.contents.join("\n") : "");
    const proposals = await service.doComplete(document, position, parsed);
    answer.proposals.push(proposals ? proposals.items.map((item) => item.label) : []);
  }
  process.stdout.write(JSON.stringify(answer));
}

main();
