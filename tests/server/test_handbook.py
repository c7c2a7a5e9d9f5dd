"""The page of an OpenAPI document that has what hexrec's own one lacks."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from hexrec.server.handbook import page

DOCUMENT: dict[str, Any] = {
    "info": {"title": "a<b", "version": "1&2", "description": "One `x<y` two."},
    "tags": [{"name": "odd", "description": "Said."}],
    "paths": {
        "/a": {
            "get": {
                "operationId": "ask",
                "description": "What.",
                "tags": ["odd"],
                "parameters": [{"name": "p<q", "schema": {"type": ["string", "null"]}}],
                "responses": {
                    "200": {
                        "description": "Good.",
                        "content": {"text/x": {"schema": True, "examples": {"e": {"value": {"\u00e9": "<"}}}}},
                    }
                },
            }
        }
    },
    "components": {"schemas": {}},
}


def shown(schema: Any, name: str = "Odd") -> str:
    """Return what the page says of a type."""
    document = deepcopy(DOCUMENT)
    document["components"]["schemas"][name] = schema
    return page(document).partition("<h2>Types</h2>")[2].partition("</main>")[0].strip()


def section(inner: str) -> str:
    return f'<section id="type-Odd">\n<h3>Odd</h3>\n{inner}\n</section>'


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({}, "anything"),
        ({"type": ["string", "null"]}, "string or null"),
        (
            {"oneOf": [{"type": "string"}, {"$ref": "#/components/schemas/Odd"}]},
            'string or <a href="#type-Odd">Odd</a>',
        ),
        ({"anyOf": [{"type": "string"}, {"type": "string"}]}, "string"),
        ({"const": "<"}, "<code>&quot;&lt;&quot;</code>"),
        ({"enum": [1, None]}, "<code>1</code>, <code>null</code>"),
        ({"type": "array", "items": {"type": "a<b"}}, "array of a&lt;b"),
        ({"type": "array", "items": False}, "array"),
        ({"type": "array", "items": True}, "array"),
    ],
)
def test_types(schema: Any, said: str) -> None:
    assert shown(schema) == section(f"<p>{said}</p>")


def test_fields() -> None:
    schema = {"properties": {"a": True, "b": False, "c": {"type": "string", "description": "`c<d`"}}, "required": ["c"]}
    assert shown(schema) == section(
        '<div class="wide" tabindex="0"><table>\n<tr><th scope="col">field</th><th scope="col">type</th>'
        '<th scope="col">what it says</th></tr>\n'
        "<tr><td><code>a</code> (optional)</td><td>anything</td><td></td></tr>\n"
        "<tr><td><code>b</code> (optional)</td><td>nothing</td><td></td></tr>\n"
        "<tr><td><code>c</code></td><td>string</td><td><code>c&lt;d</code></td></tr>\n</table></div>"
    )
    del schema["required"]
    assert shown(schema).count("(optional)") == 3


def test_operations() -> None:
    found = page(DOCUMENT)
    assert "<h1>a&lt;b 1&amp;2</h1>\n<p>One <code>x&lt;y</code> two.</p>\n" in found
    assert "<tr><td><code>p&lt;q</code></td><td>string or null</td><td></td></tr>" in found
    assert (
        '<p><code>text/x</code>: anything</p>\n<pre tabindex="0">{\n  &quot;\u00e9&quot;: &quot;&lt;&quot;\n}</pre>'
        in found
    )
