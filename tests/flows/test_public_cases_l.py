"""Public cases of kind L: characters and escaping."""

from __future__ import annotations

import pytest
from cases import ANA, kept, opened, texts

from muniment import Filter, Scope


@pytest.mark.parametrize("name", ["acpt-probe", "00000000-0000-0000-0000-000000000001", "main", "m; drop table x"])
async def test_L01_L06_ids_with_marks_are_written_and_searched_like_any_other(engine, name):
    for scope in (Scope(client=name), Scope(client=name, customer=name), Scope(client=name, customer=name, user=name)):
        await engine.ingest(scope, f"the kettle of {len(scope.rungs)}", agent=name, conversation=name)
        assert texts(await engine.retrieve(scope, f"kettle of {len(scope.rungs)}"))[0] == f"the kettle of {len(scope.rungs)}"
        assert await kept(engine, scope, where=Filter(agent=name, conversation=name)) == [f"the kettle of {len(scope.rungs)}"]


@pytest.mark.parametrize("query", ["C:\\repo\\src\\main.py", "a/b/c", "src/main.py", "//host/share"])
async def test_L02_a_path_in_a_question_finds_what_holds_it(engine, query):
    await engine.ingest(ANA, ["nothing else", f"open {query} first", "nor here"])
    assert texts(await engine.retrieve(ANA, query))[0] == f"open {query} first"


SIGNS = ['"', "(", "*", "a AND", "NEAR(", "'; DROP TABLE x;--", "%_%", "🙂", "a OR b", "{", "\\", "~1", "^2"]


@pytest.mark.parametrize("query", SIGNS)
async def test_L03_special_characters_in_a_question_are_text(url, query):
    async with opened(url, embedder=None) as engine:
        await engine.ingest(ANA, ["nothing else", f"someone wrote {query} on the wall"])
        assert f"someone wrote {query} on the wall" in texts(await engine.retrieve(ANA, query))
        assert query in (await engine.assemble(ANA, query, budget=200)).compilation.text
        assert len(await kept(engine, ANA)) == 2


async def test_L05_a_colon_and_a_space_are_allowed_in_every_name(engine):
    name = "category:Academic History"
    await engine.ingest(Scope(user=name), "a kettle", agent=name, conversation=name)
    assert await kept(engine, Scope(user=name), where=Filter(agent=name, conversation=name)) == ["a kettle"]


def test_L05_a_colon_and_a_space_are_allowed_in_every_option(cli):
    name = "category:Academic History"
    chat = cli.file("chat.json", [{"role": "user", "content": "a kettle", "name": name}])
    cli("ingest", chat, "--user", name, "--conversation", name, "--agent", name, "--store", "sqlite:///other.db")
    found = cli.as_json(
        "list", "--user", name, "--conversation", name, "--by-agent", name, "--speaker", name, "--store", "sqlite:///other.db"
    )
    assert [record["text"] for record in found["records"]] == ["a kettle"]
