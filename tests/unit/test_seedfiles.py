"""Seed files from folders and archives: what is read, in which order, with what it brings along, and what is refused."""

from __future__ import annotations

import gzip
import io
import os
import random
import tarfile
import zipfile

import pytest

from muniment.errors import SeedError
from muniment.registry.seeds import Library, parse
from muniment.seedfiles import read_chain, read_seed_files
from muniment.types import Trust

SKILL = "---\nname: pdf\ndescription: d\n---\nbody\n"
TOOLS = '{"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}'


def laid(root, files):
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def paths(found, root):
    return [os.path.relpath(file.path, root).replace(os.sep, "/") for file in found]


def refusal(*given, **how):
    with pytest.raises(SeedError) as caught:
        read_seed_files(given, **how)
    assert caught.value.hint
    return caught.value


def codes(file):
    return [notice.code for notice in file.notices]


def zipped(files, path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def tarred(files, path):
    with tarfile.open(path, "w:gz" if path.name.endswith("gz") else "w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content.encode())
            archive.addfile(member, io.BytesIO(content.encode()))
    return path


TREE = {
    "z.md": "z",
    "a.md": "a",
    "b/inner.markdown": "b",
    "b.md": "b",
    "package.json": '{"name": "x"}',
    "tools.json": TOOLS,
    "compose.yaml": "services: {}\n",
    "utf16.json": "{}".encode("utf-16"),
    "api.yml": "openapi: 3.0.0\npaths: {}\n",
    "image.png": b"\x89PNG\0",
    "notes.txt": "not a seed",
    ".git/c.md": "hidden",
    ".hidden.md": "hidden",
    "node_modules/d.md": "installed",
    ".claude/rules.md": "r",
    "skills/pdf/SKILL.md": SKILL,
    "skills/pdf/references/more.md": "\ufeffmore",
    "skills/pdf/logo.png": b"\x89PNG\0",
    "skills/pdf/sub/SKILL.md": SKILL.replace("pdf", "sub"),
    "skills/pdf/sub/own.txt": "own",
}


def test_a_folder_is_read_in_one_order_files_before_folders(tmp_path):
    found = read_seed_files([laid(tmp_path, TREE)])
    assert paths(found, tmp_path) == [
        "a.md",
        "api.yml",
        "b.md",
        "tools.json",
        "z.md",
        ".claude/rules.md",
        "b/inner.markdown",
        "skills/pdf/SKILL.md",
        "skills/pdf/sub/SKILL.md",
    ]
    assert {file.trust for file in found} == {Trust.TRUSTED}


def test_files_beside_a_skill_are_its_resources(tmp_path):
    outer, inner = read_seed_files([laid(tmp_path, TREE) / "skills"])
    assert [(one.path, one.size, one.text) for one in outer.resources] == [
        ("logo.png", 5, None),
        ("references/more.md", 7, "more"),
    ]
    assert [one.path for one in inner.resources] == ["own.txt"]
    assert [seed.resources for seed in parse(outer)] == [outer.resources]


def test_a_resource_longer_than_a_block_has_no_text(tmp_path):
    laid(tmp_path, {"pdf/SKILL.md": SKILL, "pdf/long.txt": "x" * ((1 << 20) + 1)})
    assert [(one.size, one.text) for one in read_seed_files([tmp_path])[0].resources] == [((1 << 20) + 1, None)]


def test_keys_follow_from_the_folder_that_was_named(tmp_path):
    laid(tmp_path, TREE)
    library = Library.read(read_seed_files([tmp_path]))
    assert {"skills.pdf.pdf", "skills.pdf.sub.sub", "claude.rules.rules", "b.inner.inner", "tools.a"} <= set(library.names())
    assert Library.read(read_seed_files([tmp_path / "skills"])).names() == ("pdf.pdf", "pdf.sub.sub")
    assert Library.read(read_seed_files([tmp_path / "skills" / "pdf" / "sub"])).names() == ("sub.sub",)


def test_named_files_are_read_whatever_they_hold_and_each_once(tmp_path, monkeypatch):
    monkeypatch.chdir(laid(tmp_path, TREE))
    found = read_seed_files(["z.md", "package.json", "./z.md", "notes.txt", tmp_path / "z.md", "skills/pdf/SKILL.md"])
    assert [file.path for file in found[:3]] == ["z.md", "package.json", "notes.txt"]
    assert [len(file.resources) for file in found if file.is_skill] == [2]
    assert next(file.path for file in read_seed_files(["."])) == "./a.md"


def test_trust_is_the_loaders_to_say(tmp_path):
    laid(tmp_path, TREE)
    assert {file.trust for file in read_seed_files([tmp_path], trust=Trust.UNTRUSTED)} == {Trust.UNTRUSTED}
    archive = zipped({"a.md": "a"}, tmp_path / "a.zip")
    assert read_seed_files([archive])[0].trust is Trust.UNTRUSTED
    assert read_seed_files([archive], trust=Trust.TRUSTED)[0].trust is Trust.TRUSTED


CLAUDE = """# Project
See @docs/a.md, @./docs/missing.txt and (@README.md). Mail ana@example.org; `@docs/code.md` is code, @types/node a package.
```
@docs/code.md
```
Not here: @~/private.md @../../outside.md @/etc/hosts
"""


def test_imports_are_followed_inside_the_root_and_told(tmp_path):
    laid(
        tmp_path / "in",
        {
            "CLAUDE.md": CLAUDE,
            "README.md": "readme",
            "docs/a.md": "a, then @b.txt and @../CLAUDE.md",
            "docs/b.txt": "b, then @a.md",
            "docs/code.md": "plain",
        },
    )
    laid(tmp_path, {"outside.md": "no"})
    found = read_seed_files([tmp_path / "in"])
    assert paths(found, tmp_path / "in") == ["CLAUDE.md", "docs/a.md", "docs/b.txt", "README.md", "docs/code.md"]
    assert [len(file.chain) for file in found] == [0, 1, 2, 1, 0]
    assert found[2].chain == (found[0].path, found[1].path)
    assert [(notice.code, notice.line) for notice in found[0].notices] == [
        ("import_missing", 2),
        ("import_outside", 6),
        ("import_outside", 6),
        ("import_outside", 6),
    ]
    assert parse(found[2])[0].text == "b, then @a.md"
    assert parse(found[0])[0].warnings == found[0].notices
    assert paths(read_seed_files([tmp_path / "in" / "CLAUDE.md"]), tmp_path / "in") == [
        "CLAUDE.md",
        "docs/a.md",
        "docs/b.txt",
        "README.md",
    ]


def test_imports_end_after_four_hops(tmp_path):
    laid(tmp_path, {"CLAUDE.md": "@n1.txt", **{f"n{n}.txt": f"@n{n + 1}.txt" for n in range(1, 8)}})
    found = read_seed_files([tmp_path])
    assert paths(found, tmp_path) == ["CLAUDE.md", "n1.txt", "n2.txt", "n3.txt", "n4.txt"]
    assert [codes(file) for file in found] == [[], [], [], [], ["import_depth"]]


AGENTS = {
    "AGENTS.md": "top",
    "sub/AGENTS.md": "hidden",
    "sub/AGENTS.override.md": "sub",
    "sub/deep/er/AGENTS.md": "deep",
    "other/AGENTS.md": "other",
}


def test_the_chain_of_agents_files_is_shown(tmp_path):
    found = read_seed_files([laid(tmp_path, AGENTS)])
    assert paths(found, tmp_path) == ["AGENTS.md", "other/AGENTS.md", "sub/AGENTS.override.md", "sub/deep/er/AGENTS.md"]
    assert [paths_of(file.chain, tmp_path) for file in found] == [
        [],
        ["AGENTS.md"],
        ["AGENTS.md"],
        ["AGENTS.md", "sub/AGENTS.override.md"],
    ]
    assert codes(found[2]) == ["overridden"]
    assert parse(found[3])[0].chain == found[3].chain


def paths_of(chain, root):
    return [os.path.relpath(path, root).replace(os.sep, "/") for path in chain]


def test_a_chain_is_read_from_its_root_to_a_folder(tmp_path):
    laid(tmp_path, {**AGENTS, "CLAUDE.md": "c", "sub/CLAUDE.md": "@deep/x.md", "sub/deep/x.md": "x"})
    found = read_chain(tmp_path / "sub" / "deep", root=tmp_path)
    assert [file.text for file in found] == ["top", "sub"]
    assert [file.text for file in read_chain(tmp_path / "sub" / "deep" / "er", root=tmp_path)] == ["top", "sub", "deep"]
    assert [file.text for file in read_chain(tmp_path / "sub", root=tmp_path, name="CLAUDE.md")] == ["c", "@deep/x.md", "x"]
    assert [file.text for file in read_chain(tmp_path, root=tmp_path)] == ["top"]
    assert read_chain(tmp_path / "sub", root=tmp_path, name="NONE.md") == []
    with pytest.raises(SeedError, match="below the root"):
        read_chain(tmp_path, root=tmp_path / "sub")


def test_a_chain_longer_than_some_tools_read_is_told(tmp_path):
    laid(tmp_path, {"AGENTS.md": "x" * 20_000, "sub/AGENTS.md": "y" * 20_000})
    assert [codes(file) for file in read_chain(tmp_path / "sub", root=tmp_path)] == [[], ["chain_length"]]


def test_what_cannot_be_read_is_refused_by_name(tmp_path):
    laid(tmp_path, {"a.md": b"one\ntwo \xff", "utf16.md": "x".encode("utf-16"), "big.md": "x" * ((1 << 20) + 1), "secret.md": ""})
    os.mkfifo(tmp_path / "pipe.md")
    for name, code, line in (
        ("a.md", "not_utf8", ":2"),
        ("utf16.md", "not_utf8", ":1"),
        ("big.md", "too_large", ""),
        ("none.md", "unreadable", ""),
        ("pipe.md", "not_a_file", ""),
        ("nul\0.md", "unreadable", ""),
    ):
        error = refusal(tmp_path / name)
        assert (error.reason, error.place) == (code, f"{(tmp_path / name).as_posix()}{line}")


def test_one_unreadable_file_of_a_folder_refuses_the_call(tmp_path):
    laid(tmp_path, {"a.md": "fine", "b.md": b"\xff"})
    assert refusal(tmp_path).reason == "not_utf8"


@pytest.mark.slow
def test_more_than_a_hundred_mebibytes_are_not_read_in_one_call(tmp_path):
    for n in range(101):
        with (tmp_path / f"{n}.md").open("wb") as file:
            file.truncate(1 << 20)
    with (tmp_path / "large.zip").open("wb") as file:
        file.truncate((100 << 20) + 1)
    assert refusal(tmp_path).reason == "too_large"
    assert refusal(tmp_path / "large.zip").reason == "too_large"


@pytest.mark.slow
def test_too_many_files_are_refused(tmp_path):
    for n in range(10_001):
        (tmp_path / f"{n}.x").touch()
    assert refusal(tmp_path).reason == "too_many_files"


def test_links_that_lead_out_are_refused_and_others_are_read_in_their_place(tmp_path):
    laid(tmp_path, {"in/AGENTS.md": "a", "in/docs/b.md": "b", "out/secret.md": "s"})
    (tmp_path / "in" / "CLAUDE.md").symlink_to("AGENTS.md")
    (tmp_path / "in" / "again").symlink_to("docs")
    (tmp_path / "in" / "docs" / "loop").symlink_to("..")
    assert paths(read_seed_files([tmp_path / "in"]), tmp_path / "in") == ["AGENTS.md", "docs/b.md"]
    for target in ("../out/secret.md", "../out", "/etc/passwd", "../missing"):
        link = tmp_path / "in" / "x.md"
        link.symlink_to(target)
        error = refusal(tmp_path / "in")
        assert (error.reason, error.place) == ("link_outside", link.as_posix())
        link.unlink()


def test_an_import_through_a_link_that_leads_out_is_refused(tmp_path):
    laid(tmp_path, {"in/CLAUDE.md": "@way/secret.md", "out/secret.md": "s"})
    (tmp_path / "in" / "way").symlink_to("../out")
    assert refusal(tmp_path / "in" / "CLAUDE.md").reason == "link_outside"


def test_a_named_link_is_followed(tmp_path):
    laid(tmp_path, {"in/x.md": "x", "out/y.md": "y"})
    (tmp_path / "in" / "link.md").symlink_to("../out/y.md")
    assert [file.text for file in read_seed_files([tmp_path / "in" / "link.md"])] == ["y"]


PACK = {"./pdf/SKILL.md": SKILL, "pdf/references/x.md": "x", "AGENTS.md": "a", "__MACOSX/pdf/SKILL.md": "\0", ".DS_Store": "\0"}


@pytest.mark.parametrize("name", ["pack.zip", "pack.skill", "pack.tar", "pack.tar.gz", "pack.TGZ"])
def test_an_archive_is_read_like_the_folder_it_holds(tmp_path, name):
    archive = (zipped if name.endswith(("zip", "skill")) else tarred)(PACK, tmp_path / name)
    found = read_seed_files([archive])
    assert paths(found, archive) == ["AGENTS.md", "pdf/SKILL.md"]
    assert [(one.path, one.text) for one in found[1].resources] == [("references/x.md", "x")]
    assert Library.read(found).names() == ("AGENTS.AGENTS", "pdf.pdf")


def test_imports_inside_an_archive_stay_inside_it(tmp_path):
    archive = zipped({"CLAUDE.md": "@a.txt @../x.md", "a.txt": "a"}, tmp_path / "a.zip")
    first, second = read_seed_files([archive])
    assert (codes(first), second.text) == (["import_outside"], "a")


def test_an_archive_beside_a_skill_is_never_opened(tmp_path):
    inner = zipped({"x.md": "x"}, tmp_path / "inner.zip").read_bytes()
    archive = zipped({"pdf/SKILL.md": SKILL, "pdf/parts.zip": inner, "pdf/fonts.tar.gz": gzip.compress(b"x")}, tmp_path / "a.zip")
    (found,) = read_seed_files([archive])
    assert [(one.path, one.text) for one in found.resources] == [("fonts.tar.gz", None), ("parts.zip", None)]


def test_archives_packed_in_an_unusual_way_are_refused(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.md", "text")
    assert refusal(path).reason == "archive_type"
    data = bytearray(zipped({"a.md": "text"}, path).read_bytes())
    data[6] = data[data.index(b"PK\x01\x02") + 8] = 1
    path.write_bytes(bytes(data))
    error = refusal(path)
    assert (error.reason, "encrypted" in error.message) == ("archive_type", True)


def test_a_compressed_tar_may_come_in_parts_and_is_read_to_its_end(tmp_path):
    whole = gzip.decompress(tarred({"a.md": "text"}, tmp_path / "a.tgz").read_bytes())
    (tmp_path / "a.tgz").write_bytes(gzip.compress(whole[:700]) + gzip.compress(whole[700:]) + bytes(8))
    assert [file.text for file in read_seed_files([tmp_path / "a.tgz"])] == ["text"]
    (tmp_path / "a.tgz").write_bytes(gzip.compress(whole)[:-9])
    assert refusal(tmp_path / "a.tgz").reason == "archive_damaged"
    (tmp_path / "a.tgz").write_bytes(gzip.compress(b"") * 65)
    assert refusal(tmp_path / "a.tgz").reason == "archive_damaged"


def test_a_file_that_only_begins_like_an_archive_is_a_file(tmp_path):
    archive = zipped({"x/SKILL.md": SKILL, "x/odd.bin": b"PK\x03\x04 and no more"}, tmp_path / "a.zip")
    assert [one.path for one in read_seed_files([archive])[0].resources] == ["odd.bin"]


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tgz"])
def test_damaged_archives_are_refused_whatever_the_damage(tmp_path, name):
    files = {f"{'n' * 40}{n}.md": "text " * 40 for n in range(4)}
    archive = (zipped if name == "a.zip" else tarred)(files, tmp_path / name)
    whole, dice = archive.read_bytes(), random.Random(7)
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(dice.randint(1, 5)):
            place = dice.randrange(len(data))
            data[place : place + dice.randint(0, 3)] = dice.randbytes(dice.randint(0, 4))
        archive.write_bytes(bytes(data))
        try:
            found = read_seed_files([archive])
        except SeedError as error:
            told = error.reason.startswith("archive_") or error.reason == "not_utf8"
        else:
            told = len(found) <= 4
        assert told


def test_a_chain_of_a_folder_that_is_not_there_is_refused(tmp_path):
    for folder, root in ((tmp_path / "none", tmp_path), (tmp_path, tmp_path / "none")):
        with pytest.raises(SeedError) as caught:
            read_chain(folder, root=root)
        assert (caught.value.code, caught.value.place) == ("unreadable", (tmp_path / "none").as_posix())


def test_one_file_of_another_tool_leaves_its_folder_usable(tmp_path):
    files = {
        "rules.md": "---\nname: tone\n---\nBe brief.\n",
        "post.md": "---\ntitle: A post: the second\n---\nWords.\n",
        ".claude/commands/say.md": "---\ndescription: Say it\nargument-hint: [a] [b]\n---\nSay $1.\n",
        "ts.md": "---\nglobs: *.ts\n---\nTypes.\n",
        "rule.md": "---\n\nA page.\n",
        "pdf/SKILL.md": "---\ndescription: Use it: now\npriority: 99\n---\nSteps.\n",
    }
    laid(tmp_path, files)
    library = Library.read(read_seed_files([tmp_path]))
    assert {*library.names()} == {"post.post", "rule.rule", "rules.tone", "ts.ts", "claude.commands.say.say", "pdf.pdf"}
    assert library.get("say").description == "Say it"
    assert library.get("pdf").description == "Use it: now"
