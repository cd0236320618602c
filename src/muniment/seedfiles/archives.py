"""Zip and tar archives as trees, unfolded in memory and bounded before they are.

Rule of this file: one bad entry refuses the whole archive. The sizes an archive tells are added up before anything is
unfolded, and nothing is unfolded beyond them. Nothing is ever written.
"""

from __future__ import annotations

import re
import stat
import struct
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Final, NamedTuple

from muniment.errors import SeedError, shown
from muniment.seedfiles.trees import MOST_BYTES, MOST_FILES, in_order, is_hidden

MOST_RATIO: Final = 200
"""How many times its own size an archive may unfold to, once that is more than a mebibyte."""

_FREE_BYTES: Final = 1 << 20
_MOST_PATH: Final = 1024
_MOST_MEMBERS: Final = 64
_ZIP: Final = (".zip", ".skill")
_TAR: Final = (".tar", ".tar.gz", ".tgz")
_NESTED = re.compile(r"\.(?:zip|skill|jar|whl|tar|tgz|gz|bz2|xz|zst|7z|rar)$", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:")
_ENTRY_MARK: Final = b"PK\x01\x02"
_FILE_MARK: Final = b"PK\x03\x04"
_GZIP_MARK: Final = b"\x1f\x8b"
_LOCAL_HEADER: Final = struct.Struct("<26xHH")
_ENCRYPTED: Final = 1
_BROKEN: Final = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    struct.error,
    EOFError,
    ValueError,
    OverflowError,
    RecursionError,
    NotImplementedError,
)
"""What the standard readers raise for damaged bytes."""


class Entry(NamedTuple):
    """One file or folder an archive holds, and its bytes."""

    path: str
    is_folder: bool
    data: bytes


@dataclass(slots=True)
class Archive:
    """Files of an archive, in memory. Hidden ones are left out."""

    label: str
    files: Mapping[str, bytes]

    def sizes(self) -> Mapping[str, int]:
        """Bytes of every file, by path, in reading order."""
        return {path: len(data) for path, data in self.files.items()}

    def size(self, path: str) -> int | None:
        """Bytes of one file; None when there is no such file."""
        return len(self.files[path]) if path in self.files else None

    def read(self, path: str) -> bytes:
        """All bytes of one file."""
        return self.files[path]


def is_archive(name: str) -> bool:
    """Whether a file of this name is opened as an archive."""
    return name.lower().endswith((*_ZIP, *_TAR))


def open_archive(data: bytes, label: str) -> Archive:
    """The files of an archive. Raises SeedError: archive_path, archive_type, archive_ratio or archive_damaged."""
    try:
        entries = list(_zipped(data, label) if label.lower().endswith(_ZIP) else _tarred(data, label))
    except _BROKEN as error:
        raise _refused(label, "this archive is damaged", "archive_damaged", "Fetch or pack it again.") from error
    _check_apart(entries, label)
    files = {entry.path: entry.data for entry in entries if not entry.is_folder and not is_hidden(entry.path)}
    return Archive(label, {path: files[path] for path in sorted(files, key=in_order)})


def _zipped(data: bytes, label: str) -> Iterator[Entry]:
    infos = _zip_infos(data, label)
    told, marks = sum(info.file_size for info in infos), data.count(_ENTRY_MARK)
    _check_total(told, len(data), label)
    for info in infos:
        path = _checked_path(info.orig_filename, label)
        _check_kind(info, label)
        content = b"" if info.is_dir() else _unzipped(data, info, label)
        if content.startswith(_FILE_MARK):
            marks += content.count(_ENTRY_MARK)
            _check_count(marks, label)
            told += _told_inside(content, f"{label}/{path}")
            _check_total(told, len(data), label)
        yield Entry(path, info.is_dir(), content)


def _zip_infos(data: bytes, label: str) -> list[zipfile.ZipInfo]:
    _check_count(data.count(_ENTRY_MARK), label)
    with zipfile.ZipFile(BytesIO(data)) as archive:
        return archive.infolist()


def _check_kind(info: zipfile.ZipInfo, label: str) -> None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR} or (kind == stat.S_IFDIR) > info.is_dir():
        raise _refused(label, f"{shown(info.filename)} is a link or a device", "archive_type", _FILES_ONLY)
    if info.flag_bits & _ENCRYPTED:
        raise _refused(label, f"{shown(info.filename)} is encrypted", "archive_type", "Pack it without a password.")
    if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        hint = "Pack it with the usual method (deflate)."
        raise _refused(label, f"{shown(info.filename)} is packed by an unusual method", "archive_type", hint)


def _unzipped(data: bytes, info: zipfile.ZipInfo, label: str) -> bytes:
    """The bytes of one file, no more than it tells; read here, since a library would stop at that size without a word."""
    name_bytes, extra_bytes = _LOCAL_HEADER.unpack_from(data, info.header_offset)
    start = info.header_offset + _LOCAL_HEADER.size + name_bytes + extra_bytes
    packed = data[start : start + info.compress_size]
    content = packed
    if info.compress_type == zipfile.ZIP_DEFLATED:
        content = zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, info.file_size + 1)
    if len(content) > info.file_size:
        raise _refused(label, f"{shown(info.filename)} holds more than it tells", "archive_ratio", _TOO_MUCH)
    if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
        raise zipfile.BadZipFile(info.filename)
    return content


def _told_inside(data: bytes, label: str) -> int:
    """Bytes that an archive inside an archive tells to hold; it is not opened. One that holds archives in turn is refused."""
    try:
        infos = _zip_infos(data, label)
    except _BROKEN:
        return 0  # it only begins like an archive, and is a file like any other
    if any(_NESTED.search(info.filename) for info in infos):
        raise _refused(label, "this is an archive in an archive that holds archives", "archive_ratio", _TOO_MUCH)
    return sum(info.file_size for info in infos)


def _tarred(data: bytes, label: str) -> Iterator[Entry]:
    content = _inflated(data, label) if data.startswith(_GZIP_MARK) else data
    with tarfile.open(fileobj=BytesIO(content), mode="r:") as archive:
        for count, member in enumerate(archive, 1):
            _check_count(count, label)
            path = _checked_path(member.name, label, is_root_allowed=member.isdir())
            if member.type not in {tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.DIRTYPE} or member.issparse():
                raise _refused(label, f"{shown(member.name)} is a link or a device", "archive_type", _FILES_ONLY)
            if not 0 <= member.size <= len(content) - member.offset_data:
                raise tarfile.ReadError(member.name)
            yield Entry(path, member.isdir(), content[member.offset_data : member.offset_data + member.size])


def _inflated(data: bytes, label: str) -> bytes:
    """What a gzip file unfolds to, within the bounds."""
    most = min(MOST_BYTES, max(_FREE_BYTES, MOST_RATIO * len(data)))
    out = bytearray()
    for _ in range(_MOST_MEMBERS):
        unfolding = zlib.decompressobj(16 + zlib.MAX_WBITS)
        out += unfolding.decompress(data, most + 1 - len(out))
        if len(out) > most:
            raise _refused(label, f"this archive unfolds to more than {most:,} bytes", "archive_ratio", _TOO_MUCH)
        if not unfolding.eof:
            raise EOFError
        data = unfolding.unused_data.lstrip(b"\0")
        if not data:
            return bytes(out)
    raise EOFError


def _check_count(entries: int, label: str) -> None:
    if entries > MOST_FILES:
        raise _refused(label, f"this archive has more than {MOST_FILES:,} entries", "archive_ratio", _TOO_MUCH)


def _check_total(total: int, packed: int, label: str) -> None:
    if total > MOST_BYTES or total > max(_FREE_BYTES, MOST_RATIO * packed):
        limit = f"{MOST_BYTES:,} bytes" if total > MOST_BYTES else f"{MOST_RATIO} times its size"
        what = f"this archive of {packed:,} bytes unfolds to {total:,}, more than {limit}"
        raise _refused(label, what, "archive_ratio", _TOO_MUCH)


def _checked_path(name: str, label: str, *, is_root_allowed: bool = False) -> str:
    """The path of an entry without empty parts; whatever could lead anywhere else is refused."""
    parts = [part for part in name.split("/") if part not in {"", "."}]
    bad = (
        len(name) > _MOST_PATH
        or name.startswith("/")
        or "\\" in name
        or _DRIVE.match(name)
        or ".." in parts
        or any(unicodedata.category(sign) in {"Cc", "Cs", "Zl", "Zp"} for sign in name)
    )
    if bad or not (parts or is_root_allowed):
        hint = "Do not unpack it: names like this are made to write outside the folder."
        raise _refused(label, f"the name {shown(name)} does not stay inside this archive", "archive_path", hint)
    return "/".join(parts)


def _check_apart(entries: list[Entry], label: str) -> None:
    """Refuse two files of one name, in any case and form, a file named like a folder, and folders that differ by case only."""
    spelled: dict[str, str] = {}
    for entry in entries:
        parts = entry.path.split("/")
        folders = len(parts) if entry.is_folder else len(parts) - 1
        clash = False
        for n in range(1, folders + 1):
            folder = "/".join(parts[:n])
            clash = clash or spelled.setdefault(_folded(folder), f"{folder}/") != f"{folder}/"
        if not entry.is_folder:
            clash = clash or _folded(entry.path) in spelled
            spelled[_folded(entry.path)] = entry.path
        if clash:
            what = f"two entries are named {shown(entry.path)}, case aside"
            raise _refused(label, what, "archive_path", "Pack it again with one file for each name.")


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


_TOO_MUCH: Final = (
    f"Archives hold at most {MOST_FILES:,} files and {MOST_BYTES:,} bytes, and beyond {_FREE_BYTES:,} bytes at most {MOST_RATIO} "
    "times their own size. Unpack it by hand if you trust it."
)
_FILES_ONLY: Final = "Archives may hold files and folders only."


def _refused(label: str, what: str, code: str, hint: str) -> SeedError:
    return SeedError(f"{what}.", place=label, code=code, hint=hint)
