"""Archives and compressed files that would take too much memory or time: refused at a limit, the rest is judged."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import struct
import tarfile
import zipfile
from hashlib import blake2b
from pathlib import Path
from zlib import crc32

import pytest

from hexrec.io.discovery import Discovery
from hexrec.util import limits
from hexrec.validation.sources import check_sources
from tests.formats.helpers import LINE
from tests.io.test_compression import PACK

GAME = LINE.encode() + b"\n"


def checked(path: Path, content: bytes) -> list[tuple[str, str | None]]:
    """Write an archive; return for each record the file's name within the archive, and why it cannot be read."""
    path.write_bytes(content)
    found = []
    for report in check_sources(Discovery([str(path)])):
        assert report.valid or report.unreadable
        reason = report.diagnostics[0].message.removeprefix("cannot be read: ") if report.diagnostics else None
        found.append(((report.file or "").removeprefix(str(path)), reason))
    return found


def header(name: str, size: int = 0, kind: bytes = tarfile.REGTYPE, pax: dict[str, str] | None = None) -> bytes:
    member = tarfile.TarInfo(name)
    member.size, member.type, member.pax_headers = size, kind, pax or {}
    return member.tobuf(tarfile.PAX_FORMAT if pax else tarfile.GNU_FORMAT)


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 512)


def extended(data: bytes, kind: bytes = tarfile.XHDTYPE) -> bytes:
    """Return a header whose data is about the next member, or about all that follow."""
    return header("p", len(data), kind) + padded(data)


def attribute(text: str, kind: bytes = tarfile.XHDTYPE) -> bytes:
    """Return a header with an attribute of 7 to 95 bytes."""
    return extended(b"%d %s\n" % (len(text) + 4, text.encode()), kind)


def with_checksum(raw: bytes | bytearray) -> bytes:
    """Return a header, and its data, with the checksum that belongs to it; other bytes as they are."""
    if raw[257:262] != b"ustar":
        return bytes(raw)
    blank = raw[:148] + b"        " + raw[156:512]
    return bytes(raw[:148] + b"%06o\0 " % sum(blank) + raw[156:])


def tar(*parts: bytes) -> bytes:
    return b"".join([*parts, bytes(1024)])


FIRST = header("a.json", len(GAME)) + padded(GAME)
LAST = header("z.json", len(GAME)) + padded(GAME)


def zipped(names: list[str], method: int = zipfile.ZIP_DEFLATED, content: bytes = GAME) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name in names:
            archive.writestr(name, content)
    return made.getvalue()


LARGE = "the headers of a member are larger than 1 MiB: unpack the archive and give the directory"


class TestHeaders:
    @pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, b"g", b"X"])
    @pytest.mark.parametrize("size", [limits.MAX_HEADER_BYTES, 1 << 33])
    def test_a_header_that_says_that_it_is_large_is_not_read(self, tmp_path: Path, kind: bytes, size: int) -> None:
        found = checked(tmp_path / "a.tar", tar(FIRST, header("long", size, kind)))
        assert found == [("/a.json", None), ("", LARGE)]

    def test_many_headers_of_one_member_count_together(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "MAX_HEADER_BYTES", 10 * 512)
        empty = header("x", 0, tarfile.XHDTYPE)
        assert checked(tmp_path / "a.tar", tar(8 * empty, FIRST, 8 * empty, LAST)) == [
            ("/a.json", None),
            ("/z.json", None),
        ]
        found = checked(tmp_path / "a.tar", tar(8 * empty, FIRST, 10 * empty, LAST))
        assert [name for name, _ in found] == ["/a.json", ""]

    def test_a_chain_of_headers_is_refused(self, tmp_path: Path) -> None:
        found = checked(tmp_path / "a.tar", tar(FIRST, 2_000 * header("x", 0, tarfile.XHDTYPE), LAST))
        assert found == [("/a.json", None), ("", LARGE)]

    def test_a_list_of_holes_counts_too(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "MAX_HEADER_BYTES", 10 * 512)
        sparse = bytearray(header("s.json", 0, tarfile.GNUTYPE_SPARSE))
        sparse[482] = 1
        more = bytes(504) + b"\1" + bytes(7)
        (name, reason), *rest = checked(tmp_path / "a.tar", tar(with_checksum(sparse), 3 * more, bytes(512), LAST))
        assert (name, "sparse" in str(reason), rest) == ("/s.json", True, [("/z.json", None)])
        ((name, reason),) = checked(tmp_path / "a.tar", tar(with_checksum(sparse), 20 * more, bytes(512), LAST))
        assert (name, "headers" in str(reason)) == ("", True)

    @pytest.mark.parametrize("format", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT])
    def test_long_names_are_read(self, tmp_path: Path, format: int) -> None:
        names = ["folder/" * 12 + f"{n}\u00e9.json" for n in range(3)]
        if format != tarfile.USTAR_FORMAT:
            names.append("folder/" * 500 + "x.json")
        made = io.BytesIO()
        with tarfile.open(fileobj=made, mode="w", format=format, pax_headers={"comment": "games"}) as archive:
            for name in names:
                member = tarfile.TarInfo(name)
                member.size = len(GAME)
                archive.addfile(member, io.BytesIO(GAME))
        assert checked(tmp_path / "a.tar", made.getvalue()) == [(f"/{name}", None) for name in names]

    @pytest.mark.parametrize(
        "damaged",
        [
            *(extended(body) for body in (b"0 path=a\n", b"13 size=-1000\n", b"1" * 1_000_000)),
            header("b.json").replace(b"0" * 11 + b"\0", b"\xff" * 12, 1),
            b"X" * 512,
        ],
        ids=["length", "size", "digits", "negative size", "no header"],
    )
    def test_damaged_headers(self, tmp_path: Path, damaged: bytes) -> None:
        first, (name, reason) = checked(tmp_path / "a.tar", tar(FIRST, with_checksum(damaged), LAST))
        assert (first, name) == (("/a.json", None), "")
        assert str(reason).startswith("damaged or encrypted: ")

    @pytest.mark.parametrize("kept", [len(FIRST) + 100, len(FIRST) + 600, len(FIRST) + 512, len(FIRST)])
    def test_what_is_cut_off(self, tmp_path: Path, kept: int) -> None:
        found = checked(tmp_path / "a.tar", tar(FIRST, LAST)[:kept])
        assert found[0] == ("/a.json", None)
        assert found[-1] == ("", "the archive is truncated")

    def test_attributes_of_all_members_and_of_one(self, tmp_path: Path) -> None:
        common, own = attribute("path=common.json", b"g"), attribute("path=own.json")
        found = checked(tmp_path / "a.tar", tar(common, FIRST, own, FIRST, FIRST, own, common, FIRST))
        assert [name for name, _ in found] == ["/common.json", "/own.json", "/common.json", "/own.json"]


class TestSparse:
    def test_members_with_holes_are_refused_and_the_rest_is_read(self, tmp_path: Path) -> None:
        old = header("old.json", 0, tarfile.GNUTYPE_SPARSE)
        sparse = {"major": "1", "minor": "0", "realsize": str(1 << 40), "name": "new.json"}
        new = header("GNUSparseFile.0/x", 512, pax={f"GNU.sparse.{name}": value for name, value in sparse.items()})
        found = checked(tmp_path / "a.tar", tar(old, new, padded(b"1\n0\n0\n"), LAST))
        reason = "it is stored as a sparse file: unpack the archive and give the directory"
        assert found == [("/old.json", reason), ("/new.json", reason), ("/z.json", None)]


class TestNumbersAndNames:
    @pytest.mark.parametrize("suffix", [".tar", ".tar.gz", ".zip"])
    def test_more_members_than_allowed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
        monkeypatch.setattr(limits, "MAX_MEMBERS", 3)
        for count in (3, 4):
            names = [f"{n}.json" for n in range(count)]
            raw = tar(*(header(name, len(GAME)) + padded(GAME) for name in names))
            content = zipped(names) if suffix == ".zip" else gzip.compress(raw) if suffix == ".tar.gz" else raw
            found = checked(tmp_path / f"a{suffix}", content)
            if count == 3:
                assert found == [(f"/{name}", None) for name in names]
            else:
                # A zip archive says at once how many there are.
                assert found[:-1] == ([] if suffix == ".zip" else [(f"/{name}", None) for name in names[:3]])
                assert found[-1] == ("", "it has more than 3 members: unpack the archive and give the directory")

    def test_how_large_the_list_of_a_zip_archive_may_be(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """For each member it has 46 bytes and its name."""
        content = zipped([f"{n:050}.json" for n in range(100)])
        monkeypatch.setattr(limits, "MAX_DIRECTORY_BYTES", 100 * (46 + 55))
        assert len(checked(tmp_path / "a.zip", content)) == 100
        monkeypatch.setattr(limits, "MAX_DIRECTORY_BYTES", 100 * (46 + 55) - 1)
        reason = "the list of its members has more than 10,099 bytes: unpack the archive and give the directory"
        assert checked(tmp_path / "a.zip", content) == [("", reason)]

    @pytest.mark.parametrize("suffix", [".tar", ".zip"])
    @pytest.mark.parametrize("longer", [0, 1])
    def test_how_long_a_name_may_be(self, tmp_path: Path, suffix: str, longer: int) -> None:
        name = "x" * (limits.MAX_NAME - 5 + longer) + ".json"
        long = extended(name.encode() + b"\0", tarfile.GNUTYPE_LONGNAME)
        content = zipped(["a.json", name]) if suffix == ".zip" else tar(FIRST, long, LAST)
        reason = "the name of a member has more than 4,096 characters: unpack the archive and give the directory"
        found = checked(tmp_path / f"a{suffix}", content)
        assert found == [("/a.json", None), ("", reason) if longer else (f"/{name}", None)]

    def test_thousands_of_members(self, tmp_path: Path) -> None:
        count = 4_000
        raw = tar(FIRST, *(header(f"games/{n}.txt") for n in range(count)), LAST)
        path = tmp_path / "a.tar.gz"
        path.write_bytes(gzip.compress(raw, 1))
        discovery = Discovery([str(path)])
        assert [report.valid for report in check_sources(discovery)] == [True, True]
        assert discovery.skipped.total == count
        assert len(discovery.skipped.kept) < 1_000

    def test_a_member_without_a_name_is_passed_over(self, tmp_path: Path) -> None:
        path = tmp_path / "a.zip"
        # A name ends at a zero byte.
        path.write_bytes(zipped(["QQQ", "a.json"]).replace(b"QQQ", b"\0QQ"))
        discovery = Discovery([str(path)])
        assert [report.valid for report in check_sources(discovery)] == [True]
        assert discovery.skipped.kept == [f"{path}/"]
        (tmp_path / "a.tar").write_bytes(tar(header("", len(GAME)) + padded(GAME), LAST))
        assert [report.valid for report in check_sources(Discovery([str(tmp_path / "a.tar")]))] == [True]

    @pytest.mark.parametrize("name", ["../../up.json", "/etc/up.json", "a/../up.json"])
    def test_a_name_that_leads_elsewhere_is_only_shown(self, tmp_path: Path, name: str) -> None:
        (tmp_path / "sub").mkdir()
        found = checked(tmp_path / "sub" / "a.tar", tar(header(name, len(GAME)) + padded(GAME)))
        assert found == [(f"/{name}", None)]
        assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.tar", "sub"]


class TestUnpacked:
    """What a file unpacks to is bounded by its own size, however it is packed."""

    @pytest.fixture(autouse=True)
    def small(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "MAX_DECOMPRESSED_BYTES", 200_000)
        monkeypatch.setattr(limits, "MAX_COMPRESSION_RATIO", 20)

    @pytest.mark.parametrize("suffix", PACK)
    def test_a_compressed_file(self, tmp_path: Path, suffix: str) -> None:
        count = 6_000
        found = checked(tmp_path / f"a.jsonl{suffix}", PACK[suffix](count * GAME))
        assert 150_000 <= sum(reason is None for _, reason in found) * len(GAME) <= 800_000
        assert found[-1] == (
            "",
            "it unpacks to over 200,000 bytes more than 20 times its size: "
            "if that is intended, unpack it and give its contents",
        )
        # What compresses as games do may be as large as it is.
        count = 1_500
        lines = [json.dumps({**json.loads(LINE), "x-n": blake2b(b"%d" % n).hexdigest()}) for n in range(count)]
        assert sum(map(len, lines)) > limits.MAX_DECOMPRESSED_BYTES
        found = checked(tmp_path / f"a.jsonl{suffix}", PACK[suffix]("\n".join(lines).encode()))
        assert found == count * [("", None)]

    @pytest.mark.parametrize("suffix", PACK)
    def test_a_tar_archive(self, tmp_path: Path, suffix: str) -> None:
        raw = tar(FIRST, header("b.jsonl", 10_000 * len(GAME)) + padded(10_000 * GAME), LAST)
        if suffix == ".zst":
            raw = tar(FIRST, header("b.jsonl", 40_000 * len(GAME)) + padded(40_000 * GAME), LAST)
        found = checked(tmp_path / f"a.tar{suffix}", PACK[suffix](raw))
        assert found[0] == ("/a.json", None)
        assert "unpacks to" in str(found[-1][1])

    def test_the_members_of_an_archive_count_together(self, tmp_path: Path) -> None:
        names = [f"{n}.jsonl" for n in range(40)]
        content = 500 * GAME
        assert len(content) < limits.MAX_DECOMPRESSED_BYTES / 2
        found = checked(tmp_path / "a.zip", zipped(names, content=content))
        refused = [name for name, reason in found if reason is not None]
        assert refused
        assert "/0.jsonl" not in refused

    def test_the_sizes_of_all_members_count(self, tmp_path: Path) -> None:
        """What compresses as games do may be as large as it is."""
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(20):
                own = [{**json.loads(LINE), "x-n": blake2b(b"%d %d" % (number, n)).hexdigest() * 2} for n in range(100)]
                archive.writestr(f"{number}.jsonl", "\n".join(map(json.dumps, own)))
        found = checked(tmp_path / "a.zip", made.getvalue())
        assert (len(found), {reason for _, reason in found}) == (2_000, {None})

    @pytest.mark.parametrize("outer", ["tar", "tar.gz", "zip"])
    def test_compressed_members_count_towards_the_archive(self, tmp_path: Path, outer: str) -> None:
        names = [f"{n}.jsonl.gz" for n in range(40)]
        packed = gzip.compress(1_000 * GAME)
        raw = tar(*(header(name, len(packed)) + padded(packed) for name in names))
        content = {"tar": raw, "tar.gz": gzip.compress(raw), "zip": zipped(names, content=packed)}[outer]
        found = checked(tmp_path / f"a.{outer}", content)
        assert "unpacks to" in str(found[-1][1])
        assert sum(reason is None for _, reason in found) * len(GAME) < 2_000_000

    def test_what_both_layers_give_counts(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Neither the archive nor its member is too large; both together are."""
        monkeypatch.setattr(limits, "MAX_COMPRESSION_RATIO", 0)
        packed = gzip.compress(1_500 * GAME)
        for size, refused in ((90_000, False), (150_000, True)):
            other = header("a.txt", size) + padded(bytes(size))
            raw = tar(other, header("b.jsonl.gz", len(packed)) + padded(packed))
            found = checked(tmp_path / "a.tar.gz", gzip.compress(raw))
            assert ("unpacks to" in str(found[-1][1])) is refused

    @pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    def test_a_member_is_what_its_archive_says(self, tmp_path: Path, method: int) -> None:
        crc = crc32(GAME).to_bytes(4, "little")
        raw = zipped(["a.json"], method)
        assert (checked(tmp_path / "a.zip", raw), raw.count(crc)) == ([("/a.json", None)], 2)
        ((name, reason),) = checked(tmp_path / "a.zip", raw.replace(crc, b"none"))
        assert (name, reason) == ("/a.json", "damaged or encrypted: its checksum is wrong")

    @pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    def test_other_ways_to_compress_in_a_zip_archive_are_refused(self, tmp_path: Path, method: int) -> None:
        ((name, reason),) = checked(tmp_path / "a.zip", zipped(["a.json"], method))
        assert (name, "is not supported in zip archives, only deflate is" in str(reason)) == ("/a.json", True)


class TestOverlap:
    @pytest.mark.parametrize("place", [0, 20, 30 + len(GAME) - 1])
    def test_members_that_share_bytes_are_refused(self, tmp_path: Path, place: int) -> None:
        raw = bytearray(zipped(["a.json", "b.json"], zipfile.ZIP_STORED))
        entry = raw.rfind(b"PK\1\2")
        # The second entry leads into the first member.
        raw[entry + 42 : entry + 46] = struct.pack("<L", place)
        assert checked(tmp_path / "a.zip", bytes(raw)) == [
            ("", "its members overlap: unpack the archive and give the directory")
        ]


class TestMemory:
    def test_an_xz_file_may_not_ask_for_much(self, tmp_path: Path) -> None:
        filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": limits.MAX_XZ_MEMORY}]
        ((_, reason),) = checked(tmp_path / "a.jsonl.xz", lzma.compress(GAME, filters=filters))
        assert "emory" in str(reason)
        filters[0]["dict_size"] = 1 << 26
        assert checked(tmp_path / "a.jsonl.xz", lzma.compress(GAME, filters=filters)) == [("", None)]

    def test_a_zstd_file_may_not_ask_for_much(self, tmp_path: Path) -> None:
        # A frame that says nothing but how large its window is, with one block of one byte.
        for log, readable in ((27, True), (28, False)):
            frame = struct.pack("<LBB", 0xFD2FB528, 0, (log - 10) << 3) + (len(GAME) << 3 | 1).to_bytes(3, "little")
            found = checked(tmp_path / "a.jsonl.zst", frame + GAME)
            assert [reason is None for _, reason in found] == [readable]

    @pytest.mark.parametrize("suffix", PACK)
    def test_files_may_be_compressed_in_pieces(self, tmp_path: Path, suffix: str) -> None:
        pieces = [PACK[suffix](part) for part in (b"", GAME, b"", 2 * GAME, b"")]
        assert checked(tmp_path / f"a.jsonl{suffix}", b"".join(pieces)) == 3 * [("", None)]
