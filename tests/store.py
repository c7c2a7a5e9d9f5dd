"""An object store for tests: a server of moto in this process, with the protocol of S3."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

import fsspec
import pytest

_NUMBERS = count()


class Store(NamedTuple):
    """A bucket.

    Attributes:
        url: the URL of the bucket.
        environment: what programs need to find it.
    """

    url: str
    environment: dict[str, str]

    def read(self, name: str) -> bytes:
        with fsspec.open(f"{self.url}/{name}", "rb") as stream:
            return bytes(stream.read())

    def download(self, name: str, target: Path) -> None:
        """Copy a file, or a directory with all its files."""
        fsspec.filesystem("s3").get(f"{self.url}/{name}", str(target), recursive=True)

    def write(self, name: str, data: bytes) -> None:
        with fsspec.open(f"{self.url}/{name}", "wb") as stream:
            stream.write(data)

    def names(self) -> list[str]:
        system = fsspec.filesystem("s3")
        system.invalidate_cache()
        bucket = self.url.removeprefix("s3://")
        return sorted(path.removeprefix(f"{bucket}/") for path in system.find(bucket))


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """An empty bucket. Programs find it by the environment, and so does this process."""
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    environment = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    try:
        import s3fs

        s3fs.S3FileSystem.clear_instance_cache()
        bucket = f"games-{next(_NUMBERS)}"  # what is stored outlives the server
        s3fs.S3FileSystem().mkdir(bucket)
        yield Store(f"s3://{bucket}", environment)
    finally:
        server.stop()
        s3fs.S3FileSystem.clear_instance_cache()
