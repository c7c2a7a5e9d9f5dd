"""The OpenAPI document as a page for people: one HTML file without scripts that loads nothing."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from html import escape
from typing import Any

_SHEET = """
:root { color-scheme: light dark; --line: #8886; --soft: #8882; --accent: light-dark(#0a5e8a, #6cc0f2); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1rem; }
a { color: var(--accent); }
code, pre { font: 14px/1.4 ui-monospace, monospace; }
pre { background: var(--soft); padding: 0.6rem; overflow: auto; max-height: 22rem; border-radius: 4px; }
section { border-top: 1px solid var(--line); padding-top: 0.5rem; }
h3 { margin-bottom: 0.2rem; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 0.5rem 0; }
th, td { border: 1px solid var(--line); padding: 0.2rem 0.5rem; text-align: left; vertical-align: top; }
"""
_HASH = b64encode(sha256(_SHEET.encode()).digest()).decode()
CONTENT_SECURITY_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def page(document: Mapping[str, Any]) -> str:
    """Return the page of an OpenAPI document."""
    about = document["info"]
    operations = [
        (method, path, operation) for path, found in document["paths"].items() for method, operation in found.items()
    ]
    schemas = document["components"]["schemas"]
    body = [
        f"<h1>{escape(about['title'])} {escape(about['version'])}</h1>",
        *(f"<p>{_words(part)}</p>" for part in about["description"].split("\n\n")),
        '<p>This page shows <a href="openapi.json">the OpenAPI document</a>, from which programs generate clients.</p>',
    ]
    for tag in document["tags"]:
        body.append(f"<h2>{escape(tag['name'].capitalize())}</h2><p>{_words(tag['description'])}</p>")
        body += (_operation(*each) for each in operations if tag["name"] in each[2]["tags"])
    body.append("<h2>Types</h2>")
    body += (_schema(name, schemas[name]) for name in sorted(schemas))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(about['title'])}: the service</title>\n<style>{_SHEET}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(body)
        + "\n</main>\n</body>\n</html>\n"
    )


def _operation(method: str, path: str, operation: Mapping[str, Any]) -> str:
    name = operation["operationId"]
    parts = [
        f'<section id="{escape(name)}">',
        f"<h3><code>{method.upper()} {escape(path)}</code></h3>",
        *(f"<p>{_words(part)}</p>" for part in operation["description"].split("\n\n")),
    ]
    parameters = [
        (f"<code>{escape(each['name'])}</code>", _type(each["schema"]), _words(each.get("description", "")))
        for each in operation.get("parameters", ())
    ]
    if parameters:
        parts.append(_table(("parameter", "type", "what it says"), parameters))
    if "requestBody" in operation:
        parts.append(f"<h4>Body</h4><p>{_words(operation['requestBody']['description'])}</p>")
        parts += _contents(operation["requestBody"]["content"])
    parts.append("<h4>Answer</h4>")
    parts += _contents(operation["responses"]["200"]["content"])
    answers = [(status, _words(each["description"])) for status, each in operation["responses"].items()]
    parts.append(_table(("status", "when"), answers))
    return "\n".join([*parts, "</section>"])


def _contents(content: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is said of each media type, with its first example."""
    for kind, about in content.items():
        yield f"<p><code>{escape(kind)}</code>: {_type(about['schema'])}</p>"
        values = [each["value"] for each in about.get("examples", {}).values()]
        for value in [about["example"]] if "example" in about else values[:1]:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
            yield f'<pre tabindex="0">{escape(text)}</pre>'


def _schema(name: str, schema: Mapping[str, Any]) -> str:
    parts = [f'<section id="type-{escape(name)}">', f"<h3>{escape(name)}</h3>"]
    if "description" in schema:
        parts.append(f"<p>{_words(schema['description'])}</p>")
    required = schema.get("required", ())
    fields = [
        (f"<code>{escape(field)}</code>" + ("" if field in required else " (optional)"), _type(each), _said(each))
        for field, each in schema.get("properties", {}).items()
    ]
    parts.append(_table(("field", "type", "what it says"), fields) if fields else f"<p>{_type(schema)}</p>")
    return "\n".join([*parts, "</section>"])


def _said(schema: Any) -> str:
    return _words(schema.get("description", "")) if isinstance(schema, dict) else ""


def _type(schema: Any) -> str:
    """Say what values a schema allows, with links to the types that have names."""
    if not isinstance(schema, dict):
        return "anything" if schema else "nothing"
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#type-{name}">{name}</a>'
    if "const" in schema or "enum" in schema:
        values = schema["enum"] if "enum" in schema else [schema["const"]]
        return ", ".join(f"<code>{escape(json.dumps(value))}</code>" for value in values)
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(map(_type, schema[several])))
    kind = schema.get("type", "anything")
    kinds = kind if isinstance(kind, list) else [kind]
    found = " or ".join(escape(each) for each in kinds)
    return f"{found} of {_type(schema['items'])}" if isinstance(schema.get("items"), dict) else found


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
    titles = "".join(f'<th scope="col">{title}</th>' for title in head)
    found = "\n".join(f"<tr>{line}</tr>" for line in [titles, *lines])
    return f'<div class="wide" tabindex="0"><table>\n{found}\n</table></div>'


def _words(text: str) -> str:
    """Return a text with what is between backquotes as code."""
    parts = text.split("`")
    return "".join(f"<code>{escape(part)}</code>" if number % 2 else escape(part) for number, part in enumerate(parts))
