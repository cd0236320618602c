"""What the pages point to is there, and the export they show is one that import takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from running_cli import Cli

ROOT = Path(__file__).parents[2]
TOP = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "AGENTS.md", "benchmarks/README.md")]
PAGES = [*TOP, *sorted((ROOT / "docs").rglob("*.md"))]
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)|^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)


def targets(page):
    found = [inline or below for inline, below in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8")))]
    return [target for target in found if not re.match(r"[a-z][a-z0-9+.-]*:", target)]


def anchors(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_leads_somewhere(page):
    for target in targets(page):
        name, _, anchor = target.partition("#")
        there = (page.parent / name).resolve() if name else page
        assert there.is_relative_to(ROOT), f"{target} is outside the repository"
        assert there.exists(), f"{target} is not there"
        if anchor and there.suffix == ".md":
            assert anchor in anchors(there), f"{target} names no heading"


def test_links_are_found_at_all():
    assert sum(len(targets(page)) for page in PAGES) > 3


def test_import_takes_the_export_that_the_page_shows(tmp_path, monkeypatch):
    page = (ROOT / "docs/reference/formats.md").read_text(encoding="utf-8")
    (example,) = re.findall(r'^```json\n(\{"muniment".*?)^```$', page, re.MULTILINE | re.DOTALL)
    cli = Cli(tmp_path, monkeypatch)
    done = cli.as_json("import", cli.file("pasted.jsonl", example))
    assert done["counts"]["stored"] == 2
    assert cli("export", "--all-scopes").out == example
