"""The source map of the page's script, as Node reads it: every function is found in its module."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest

from hexrec.web.assembly import ASSETS
from hexrec.web.scripts import modules

#: Reads a source map, and prints the file and the line that it has for each line asked for.
READER = """
const { SourceMap } = require("node:module");
const { map, lines } = JSON.parse(require("node:fs").readFileSync(0, "utf-8"));
const read = new SourceMap(map);
console.log(JSON.stringify(lines.map((line) => {
  const entry = read.findEntry(line, 0);
  return [entry.originalSource, entry.originalLine];
})));
"""


def test_functions_are_found_in_their_modules() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    script = ASSETS["/page.js"].make().split("\n")
    assert script[-2] == "//# sourceMappingURL=page.js.map"
    functions = {number: line for number, line in enumerate(script) if re.match(r"(async )?function", line)}
    asked = json.dumps({"map": json.loads(ASSETS["/page.js.map"].make()), "lines": [*functions]})
    answer = subprocess.run([node, "-e", READER], input=asked, capture_output=True, text=True, check=True).stdout
    sources, found = modules("page"), set()
    for line, (module, number) in zip(functions.values(), json.loads(answer), strict=True):
        source = sources[module.removesuffix(".js")].split("\n")
        assert source[number].removeprefix("export ") == line, (module, number)
        found.add(module)
    assert len(functions) > 300
    assert {"page.js", "clicks.js", "document.js"} <= found
