// Files of records, listed in parts and written again; the service is a function here.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Archive, editedText, fileOf, offsetOf, rebase, spliced } from "../../../hexrec/web/static/archive.js";

const encoder = new TextEncoder();
/** What the service would list of JSON Lines: each line that is not empty. */
function listing(text) {
  const records = [];
  let offset = 0;
  for (const [line, content] of text.split("\n").entries()) {
    const size = encoder.encode(content).length + 1;
    if (content.trim()) records.push({ extent: { offset, size, line, record: 0 }, valid: true, game: "sunspot" });
    offset += size;
  }
  return { notation: "jsonl", records };
}
let parts = [];
globalThis.fetch = async (address, { body }) => {
  const text = await new Response(body).text();
  parts.push(text);
  if (address.startsWith("v1/edit")) return new Response(`${JSON.stringify(JSON.parse(text).data)}\n`);
  return new Response(JSON.stringify(listing(text)));
};

async function opened(text, name = "games.jsonl") {
  parts = [];
  const archive = new Archive([fileOf(name, new Blob([text]))]);
  await archive.list(() => {}, new AbortController().signal);
  return archive;
}
const edited = (entry, record) => (entry.edit = { record, listed: entry.read });
const textOf = async (pieces) => new Blob(pieces.map(({ content }) => content)).text();

test("lines are sent in parts, and every record keeps its place in the file", async () => {
  const line = `{"comment": "${"é".repeat(40_000)}"}\n`;
  const archive = await opened(line.repeat(9));
  assert.ok(parts.length > 1);
  assert.equal(parts.join(""), line.repeat(9));
  const size = encoder.encode(line).length;
  assert.deepEqual(
    archive.entries.map(({ extent, read }) => [extent.offset, extent.line, read.index]),
    Array.from({ length: 9 }, (_, index) => [index * size, index, index]),
  );
});

test("a file is saved with the bytes of all records that were not edited", async () => {
  const text = '{"a": 1}\n\n{"b":  2}\n{"c":3}\n';
  const archive = await opened(text);
  edited(archive.entries[1], { b: "longer" });
  const pieces = await spliced(archive, archive.files[0]);
  assert.equal(await textOf(pieces), '{"a": 1}\n\n{"b":"longer"}\n{"c":3}\n');
  await rebase(archive, archive.files[0], pieces);
  edited(archive.entries[2], { c: 4 });
  assert.equal(await textOf(await spliced(archive, archive.files[0])), '{"a": 1}\n\n{"b":"longer"}\n{"c":4}\n');
});

test("what the service refuses is said with the record from which nothing is listed", async () => {
  const { fetch } = globalThis;
  let asked = 0;
  globalThis.fetch = async (...request) => {
    return asked++ ? fetch(...request) : new Response('{"detail": "too large"}', { status: 413 });
  };
  const archive = new Archive([fileOf("games.jsonl", new Blob(["{}\n{}\n"])), fileOf("more.jsonl", new Blob(["{}\n"]))]);
  await archive.list(() => {}, new AbortController().signal);
  globalThis.fetch = fetch;
  assert.match(archive.problems.join(), /^games\.jsonl is not listed from record 0 on: too large/);
  assert.deepEqual(archive.entries.map(({ file }) => file.name), ["more.jsonl"]);
});

test("a compressed file holds so many records and no more", async () => {
  const files = ["a.jsonl", "b.jsonl"].map((name) => ({ ...fileOf(name, new Blob(["{}\n{}\n"])), packed: { most: 3 } }));
  for (const [packed, problems] of [[files[0].packed, 1], [files[1].packed, 0]]) {
    const archive = new Archive([files[0], { ...files[1], packed }]);
    await archive.list(() => {}, new AbortController().signal);
    assert.equal(archive.problems.length, problems);
  }
});

test("edits are made at their places, counted in characters", () => {
  const text = 'a: "🏆x"\nb: y\n';
  assert.equal(text.slice(offsetOf(text, 1, 6)), 'x"\nb: y\n');
  assert.equal(offsetOf(text, 9, 9), text.length);
  const edits = [
    { line: 1, column: 6, end_line: 1, end_column: 7, text: "" },
    { line: 2, column: 4, end_line: 2, end_column: 5, text: "long" },
    { line: 2, column: 1, end_line: 2, end_column: 1, text: "c: z\n" },
  ];
  assert.equal(editedText(text, edits), 'a: "🏆"\nc: z\nb: long\n');
});

test("the name of a file tells the notation, or its content does", async () => {
  assert.equal(fileOf("a/b.SGF.gz", new Blob()).notation, "sgf");
  assert.equal(fileOf("a.json", new Blob()).notation, null);
  const archive = await opened('{"a": 1}\n{"b": 2}\n', "games.txt");
  assert.equal(archive.files[0].notation, "jsonl");
});
