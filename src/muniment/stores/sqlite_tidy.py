"""The last gate before the file: pages leave without what SQLite would leave lying between their cells.

`secure_delete` overwrites what is deleted, but when a page is split the cells that move to a neighbour stay behind as
stale bytes in the gap of the old page, out of reach of any later delete. Checkpoints run through this file system layer,
which blanks the gap of every page on its way into the main file. The gap is never read, so nothing changes but the bytes.
"""

from __future__ import annotations

from functools import cache

import apsw

_FILE_HEADER = 100
_TREE_PAGES = {2: 12, 5: 12, 10: 8, 13: 8}  # kind of page: bytes of its header
MOST_PAGES = 1 << 24  # of a file that is tidied; beyond twice this another kind of page could look like a tree page


def tidy_page(page: bytes, offset: int) -> bytes:
    """`page`, which belongs at `offset` of the file, with its unallocated gap blanked; any other kind of page as it is."""
    header = _FILE_HEADER if offset == 0 else 0
    size = _TREE_PAGES.get(page[header])
    if size is None:
        return page
    cells = int.from_bytes(page[header + 3 : header + 5], "big")
    content = int.from_bytes(page[header + 5 : header + 7], "big") or 65_536
    gap = header + size + 2 * cells
    if not gap < content <= len(page) or page.count(0, gap, content) == content - gap:
        return page
    return b"".join((page[:gap], bytes(content - gap), page[content:]))


@cache
def tidy_vfs(base: str | None) -> str:
    """Name of the file system layer that tidies what goes through it to `base` (None: the platform's own)."""
    name = f"muniment-tidy-{base or ''}"
    _LAYERS.append(_TidyLayer(name, base or ""))
    return name


class _TidyFile(apsw.VFSFile):
    def __init__(self, base: str, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__(base, name, flags)
        self._main = bool(flags[0] & apsw.SQLITE_OPEN_MAIN_DB)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802  # the driver's name
        if self._main and self.xFileSize() // len(data) <= MOST_PAGES:
            data = tidy_page(data, offset)
        super().xWrite(data, offset)


class _TidyLayer(apsw.VFS):
    def __init__(self, name: str, base: str) -> None:
        super().__init__(name, base)
        self._base = base

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802  # the driver's name
        return _TidyFile(self._base, name, flags)


_LAYERS: list[_TidyLayer] = []  # SQLite forgets a layer when its object goes
