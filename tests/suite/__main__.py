"""Write the manifest of the suite."""

import json

from tests.fixtures import MANIFEST
from tests.suite import cases


def write_manifest() -> None:
    """Write the cases of all files, with the clauses that the manifest has."""
    lines = [json.dumps(case) + "\n" for case in cases()]
    MANIFEST.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    write_manifest()
