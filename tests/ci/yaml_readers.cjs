// Reads YAML with the two readers that programs in JavaScript use, and says where one reads other data than was written.
//
// Standard input is JSON: pairs of a text in YAML and what it should hold, as JSON. Standard output is JSON: for each
// difference the reader's name, the number of the pair and what was read.

"use strict";

const { isDeepStrictEqual } = require("node:util");
const { readFileSync } = require("node:fs");
const jsYaml = require("js-yaml");
const yaml = require("yaml");

const readers = { "js-yaml": (text) => jsYaml.load(text), yaml: (text) => yaml.parse(text) };

const differences = [];
JSON.parse(readFileSync(0, "utf8")).forEach(([text, data], number) => {
  const wanted = JSON.parse(data);
  for (const [name, read] of Object.entries(readers)) {
    let found;
    try {
      found = read(text);
    } catch (error) {
      found = String(error);
    }
    if (!isDeepStrictEqual(found, wanted)) differences.push([name, number, JSON.stringify(found)]);
  }
});
process.stdout.write(JSON.stringify(differences));
