"""`muniment compile`: the prompt in every form, explained, compared, gated, priced, placed; the same bytes in every run."""

from __future__ import annotations

import json
import re
import zipfile

import pytest
from running_cli import Cli, environment, on_terminal, process

from muniment.cli.reference import DOCUMENTS, SHAPES

GIF, POSTER, LETTER = "Make an animated gif for a chat.", "Draw a poster for a concert.", "Write a letter to the landlord."
SKILLS = {
    "gif": (
        "Animated gifs for chats. Use for gifs and short loops.",
        "Keep a gif under 3 seconds.\n\n" + "Draw each frame. " * 40,
    ),
    "letter": ("Letters and mail. Use for letters to offices.", "Put the address on top.\n\n" + "Be polite in letters. " * 40),
    "poster": ("Posters in print sizes. Use for posters of events.", "Use large type.\n\n" + "Leave a margin on posters. " * 40),
}
TOOLS = {
    "tools": [
        {
            "name": name,
            "description": description,
            "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}}},
        }
        for name, description in (
            ("search_mail", "Search the mail for a letter."),
            ("make_gif", "Make an animated gif."),
            ("book_room", "Book a meeting room."),
        )
    ]
}


@pytest.fixture
def cli(tmp_path, monkeypatch):
    cli = Cli(tmp_path, monkeypatch)
    write_skills(cli, "skills")
    cli.file("rules.md", "Answer in one sentence.\n")
    cli.file("tools.json", TOOLS)
    return cli


def write_skills(cli, folder, **texts):
    for name, (description, text) in SKILLS.items():
        (cli.folder / folder / name).mkdir(parents=True, exist_ok=True)
        head = f"---\nname: {name}\ndescription: {description}\n---\n"
        cli.file(f"{folder}/{name}/SKILL.md", f"{head}\n{texts.get(name, text)}\n")


def fates(document):
    return {row["name"]: row["fate"] for row in document["blocks"]}


def included(document):
    return [row["name"] for row in document["blocks"] if row["fate"] == "included"]


def test_the_prompt_is_printed_byte_for_byte_and_the_rest_beside_it(cli):
    done = process("compile", "rules.md", "skills", "--budget", "4000", folder=cli.folder)
    prompt = cli.as_json("compile", "rules.md", "skills", "--budget", "4000")["prompt"]
    assert done.stdout.decode() == prompt + "\n"
    assert prompt.startswith("Answer in one sentence.\n\nKeep a gif under 3 seconds.")
    assert b"of 4,000 tokens" in done.stderr


def test_a_document_has_every_key(cli):
    words = ("compile", "skills", "--budget", "4000", "--task", GIF, "--prices", "3,0.3,3.75")
    document = cli.as_json(*words)
    assert list(document) == DOCUMENTS["compile"].split()
    assert [list(row) for row in document["blocks"]] == [SHAPES["block"].split()] * len(document["blocks"])
    assert list(document["gate"]) == SHAPES["gate"].split()
    assert list(document["price"]) == SHAPES["price"].split()
    assert 0 < document["price"]["again"] < document["price"]["first"]


def test_with_a_task_skills_are_cards_and_only_the_one_it_needs_is_there_whole(cli):
    document = cli.as_json("compile", "skills", "--budget", "4000", "--task", GIF, "--top", "1")
    assert included(document) == ["gif.card", "letter.card", "poster.card", "gif", "task"]
    assert (document["progressive"], document["gate"]["by"], document["gate"]["top"]) == (True, "by words", 1)
    assert document["prompt"].endswith(GIF)
    assert fates(document)["poster"] in {"below_top", "below_threshold"}


def test_T01_what_is_in_front_of_the_gated_blocks_stays_the_same_whatever_the_task(cli):
    first, second = (
        cli.as_json("compile", "rules.md", "skills", "--budget", "4000", "--task", task, "--top", "1") for task in (GIF, LETTER)
    )
    assert first["steady"] == second["steady"] > 0
    assert first["prompt"].split("Keep a gif")[0] == second["prompt"].split("Put the address")[0]


def test_without_a_number_the_best_eight_pass_and_the_nearest_have_their_room_first(cli):
    task = f"{GIF} {POSTER}"
    wide = cli.as_json("compile", "skills", "--budget", "4000", "--task", task)
    narrow = cli.as_json("compile", "skills", "--budget", "350", "--task", task)
    assert {"gif", "poster"} <= set(included(wide))
    assert wide["gate"]["top"] == narrow["gate"]["top"] == 8
    scores = {row["name"]: row["score"] for row in narrow["blocks"] if row["score"]}
    nearest = max(("gif", "poster"), key=scores.__getitem__)
    assert {"gif", "poster"} & set(included(narrow)) == {nearest}
    assert "at most the 8 best, nearest first" in cli("compile", "skills", "--budget", "350", "--task", task).err
    stopped = cli("compile", "skills", "--budget", "4000", "--task", task, "--packing", "stop").err
    assert "at most the 8 best" in stopped
    assert "nearest" not in stopped


def test_a_block_that_fits_nowhere_keeps_none_of_the_others_out(cli):
    (cli.folder / "skills" / "huge").mkdir()
    cli.file("skills/huge/SKILL.md", f"---\nname: huge\ndescription: Gifs.\n---\n\n{'An animated gif for a chat. ' * 2000}\n")
    document = cli.as_json("compile", "skills", "--budget", "700", "--task", f"{GIF} {POSTER}")
    assert {"gif", "poster"} <= set(included(document))
    assert fates(document)["huge"] == "over_budget"


def test_skills_can_be_had_whole_with_a_task_and_as_cards_without_one(cli):
    whole = cli.as_json("compile", "skills", "--budget", "4000", "--task", GIF, "--full")
    assert included(whole) == ["gif", "letter", "poster", "task"]
    cards = cli.as_json("compile", "skills", "--budget", "4000", "--progressive")
    assert included(cards) == ["gif.card", "letter.card", "poster.card", "gif", "letter", "poster"]


def test_tools_pass_the_gate_and_those_left_out_leave_no_byte(cli):
    words = ("compile", "rules.md", "--tools", "tools.json", "--budget", "4000", "--task", GIF, "--top", "1")
    for form in ("text", "openai", "anthropic"):
        document = cli.as_json(*words, "--format", form)
        assert included(document) == ["rules", "make_gif", "task"]
        prompt = json.dumps(document["prompt"])
        assert "make_gif" in prompt
        assert "search_mail" not in prompt
        assert "book_room" not in prompt


def test_the_forms_are_what_chat_apis_take(cli):
    words = ("compile", "rules.md", "tools.json", "--budget", "4000", "--task", GIF, "--gate", "none")
    openai = json.loads(cli(*words, "--format", "openai").out)
    assert [message["role"] for message in openai["messages"]] == ["system", "user"]
    assert [tool["function"]["name"] for tool in openai["tools"]] == ["search_mail", "make_gif", "book_room"]
    anthropic = json.loads(cli(*words, "--format", "anthropic").out)
    assert anthropic["messages"][-1]["role"] == "user"
    assert [tool["name"] for tool in anthropic["tools"]] == ["search_mail", "make_gif", "book_room"]


def test_T02_the_same_files_and_options_give_the_same_bytes_in_every_process(cli):
    words = ("compile", "skills", "rules.md", "tools.json", "--budget", "700", "--task", GIF)
    for more in ((), ("--explain",), ("--json",), ("--format", "anthropic")):
        runs = [process(*words, *more, folder=cli.folder, env=environment(cli.folder, PYTHONHASHSEED=seed)) for seed in "12"]
        assert runs[0].stdout == runs[1].stdout
        assert runs[0].stderr == runs[1].stderr


def test_explain_gives_one_block_a_line_with_its_fate_in_words(cli):
    words = (
        "compile",
        "rules.md",
        "skills",
        "--budget",
        "4000",
        "--task",
        GIF,
        "--top",
        "1",
        "--explain",
        "--prices",
        "3,0.3,3.75",
    )
    lines = cli(*words).out.split("\n\n")[0].splitlines()
    rows = [line.split("\t") for line in lines]
    assert {len(row) for row in rows} == {7}
    assert [row[0] for row in rows if row[2] == "included"] == [str(n) for n in range(1, 7)]
    assert ["6", "volatile", "included", rows[-1][3], "", "task", "required"] == rows[-1]
    assert any(row[0] == "-" and row[5] == "poster" and row[6].startswith("left out: ") for row in rows)
    told = cli(*words).out
    for fact in ("by words, at most the best one", "before anything volatile", "estimate", "when sent again", "hash"):
        assert fact in told


@pytest.mark.parametrize("packing", ["stop", "skip", "priority", "short"])
def test_every_packing_keeps_the_budget_and_says_why_a_block_is_out(cli, packing):
    document = cli.as_json("compile", "skills", "rules.md", "--budget", "400", "--packing", packing)
    assert document["tokens"] <= 400
    assert all(row["reason"] for row in document["blocks"] if row["fate"] != "included")
    cli("compile", "skills", "rules.md", "--budget", "400", "--packing", packing, "--explain")


def test_a_requirement_that_nothing_is_called_is_named_wherever_a_reason_is_given(cli):
    cli.file("a.md", "---\nname: a\nrequires: [nothere]\n---\nRule a.\n")
    told = 'requires "nothere", which nothing here is called'
    assert f"left out: {told}" in cli("compile", "a.md", "--budget", "400", "--explain").out
    assert f"a {told}" in cli("compile", "a.md", "--budget", "400").err
    assert [row["reason"] for row in cli.as_json("compile", "a.md", "--budget", "400")["blocks"]] == [told]


def test_two_things_of_one_name_are_told_with_both_their_files(cli):
    for name in ("mail", "files"):
        cli.file(f"{name}.json", {"tools": [{"name": "search", "description": name, "inputSchema": {"type": "object"}}]})
    error = cli.refused("compile", "mail.json", "files.json", "--budget", "4000")
    assert error["code"] == "tool_clash"
    assert "mail.json" in error["message"]
    assert "files.json" in error["message"]
    write_skills(cli, "again")
    error = cli.refused("compile", "skills", "again", "--budget", "4000")
    assert error["code"] == "duplicate_name"
    assert "override" not in error["hint"]


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("--budget", "0"), "--budget"),
        (("--budget", "100", "--reserve", "100"), "--reserve"),
        (("--budget", "100", "--reserve", "-1"), "--reserve"),
        (("--budget", "4000", "--task", "x", "--top", "0"), "--top"),
        (("--budget", "4000", "--task", "x", "--threshold", "nan"), "--threshold"),
    ],
)
def test_a_number_out_of_range_is_told_as_the_option_it_was_given_for(cli, words, option):
    error = cli.refused("compile", "skills", *words)
    assert error["place"] == option
    assert "Gate(" not in error["hint"]
    assert "int" not in error["hint"].split()


def test_tools_come_from_standard_input_too(cli):
    document = cli.as_json("compile", "rules.md", "--tools", "-", "--budget", "4000", stdin=json.dumps(TOOLS))
    assert included(document) == ["rules", "search_mail", "make_gif", "book_room"]
    assert included(cli.as_json("compile", "--tools", "-", "--budget", "4000", stdin=json.dumps(TOOLS)))[0] == "search_mail"
    assert cli.refused("compile", "rules.md", "--tools", "-", "--budget", "4000", stdin="Be kind.")["code"] == "usage"
    assert cli.refused("compile", "-", "--tools", "-", "--budget", "4000", stdin="{}")["code"] == "usage"


def test_the_rows_of_explain_and_what_is_between_them_add_up(cli):
    cli.file("many.md", "".join(f"---\nname: n{n}\n---\nRule number {n} of this long list.\n\n" for n in range(9)))
    words = ("compile", "many.md", "rules.md", "--budget", "4000")
    document = cli.as_json(*words)
    rest = document["tokens"] - sum(row["tokens"] for row in document["blocks"])
    told = cli(*words, "--explain").out
    assert (f"{abs(rest)} token" in told) if rest else ("between" not in told)


def test_a_placement_is_proposed_told_and_made(cli):
    heads = "".join(f"---\nname: n{n}\npriority: 0.{n}\n---\nRule number {n}.\n\n" for n in range(1, 9))
    cli.file("many.md", heads)
    plain = cli.as_json("compile", "many.md", "--budget", "4000")
    assert plain["placement"] is None
    placed = cli.as_json("compile", "many.md", "--budget", "4000", "--place", "tail")
    assert included(placed) == included(plain)
    front = cli.as_json("compile", "many.md", "--budget", "4000", "--place", "edges")
    assert included(front) != included(plain)
    assert front["placement"]
    echoed = cli.as_json("compile", "many.md", "--budget", "4000", "--place", "echo-twice")
    assert echoed["prompt"].count("Rule number 8.") == 2
    points = [{"n": 8, "position": at, "success": 1.0 if at == 0 else 0.1, "trials": 5} for at in range(8)]
    cli.file("profile.json", {"version": 1, "model": "m", "layout": "task_after", "curve": points})
    measured = cli.as_json("compile", "many.md", "--budget", "4000", "--place", "profile.json")
    assert included(measured)[0] == "n8"


def test_what_changes_between_two_sets_of_seeds_is_told_block_by_block(cli):
    write_skills(cli, "new", gif="Keep a gif under 5 seconds.")
    (cli.folder / "new" / "poster" / "SKILL.md").unlink()
    cli.file("new/zoo.md", "Animals come last.\n")
    document = cli.as_json("compile", "--diff", "skills", "new", "--budget", "4000", "--prices", "3,0.3,3.75")
    assert list(document) == SHAPES["difference"].split()
    assert list(document["old"]) == SHAPES["side"].split()
    assert [list(one) for one in document["blocks"]] == [SHAPES["change"].split()] * 3
    assert {one["name"]: one["ways"] for one in document["blocks"]} == {
        "poster": ["removed"],
        "gif": ["edited"],
        "zoo": ["added"],
    }
    assert any(line == "+Animals come last." for line in document["diff"])
    assert document["first_changed_byte"] == 0
    told = cli("compile", "--diff", "skills", "new", "--budget", "4000").out
    assert "edited" in told
    assert "-Keep a gif under 3 seconds." in told.splitlines()


def test_equal_sets_of_seeds_are_told_to_be_the_same_byte_for_byte(cli):
    write_skills(cli, "new")
    document = cli.as_json("compile", "--diff", "skills", "new", "--budget", "4000", "--task", GIF)
    assert (document["blocks"], document["diff"], document["first_changed_byte"]) == ([], [], None)
    assert document["unchanged"] == document["new"]["tokens"]
    assert "the same, byte for byte" in cli("compile", "--diff", "skills", "new", "--budget", "4000").out


def test_a_block_that_only_moved_and_one_that_only_lost_its_room_are_told_as_that(cli):
    cli.file("old.md", "".join(f"---\nname: {name}\n---\nRule {name}.\n\n" for name in "abcd"))
    cli.file("moved.md", "".join(f"---\nname: {name}\n---\nRule {name}.\n\n" for name in "bcda"))
    document = cli.as_json("compile", "--diff", "old.md", "moved.md", "--budget", "4000")
    assert [(one["name"], one["ways"]) for one in document["blocks"]] == [("a", ["moved"])]
    cli.file("short.md", "---\nname: a\n---\nRule a.\n\n---\nname: b\n---\nRule b.\n")
    cli.file("long.md", "---\nname: a\n---\nRule a, which is longer now than it was.\n\n---\nname: b\n---\nRule b.\n")
    document = cli.as_json("compile", "--diff", "short.md", "long.md", "--budget", "12")
    assert {one["name"]: one["ways"] for one in document["blocks"]} == {"a": ["edited"], "b": ["fate"]}
    told = cli("compile", "--diff", "short.md", "long.md", "--budget", "12").out
    assert "in before, now left out: no room left in the budget" in told


REFUSED = [
    (("--budget", "4000"), "usage", "muniment compile skills/"),
    (("", "--budget", "4000"), "usage", "muniment compile skills/"),
    (("skills", "--diff", "skills", "rules.md", "--budget", "4000"), "usage", "SEEDS"),
    (("skills", "--budget", "0"), "range", ""),
    (("skills", "--budget", "100", "--reserve", "100"), "range", ""),
    (("skills", "--budget", "4000", "--top", "2"), "task_needed", "--task"),
    (("skills", "--budget", "4000", "--gate", "lexical"), "task_needed", "--task"),
    (("skills", "--budget", "4000", "--gate", "none", "--task", "x", "--threshold", "1"), "task_needed", "--gate"),
    (("skills", "--budget", "4000", "--task", " "), "task_needed", ""),
    (("skills", "--budget", "4000", "--task", "x", "--top", "0"), "range", ""),
    (("skills", "--budget", "4000", "--task", "x", "--threshold", "nan"), "range", ""),
    (("skills", "--budget", "4000", "--task", "x", "--gate", "dense"), "missing_extra", "--gate lexical"),
    (("skills", "--budget", "4000", "--prices", "1,2"), "range", "3,0.3,3.75"),
    (("skills", "--budget", "4000", "--prices", "1,x,-2"), "range", "3,0.3,3.75"),
    (("skills", "--budget", "4000", "--place", "middle"), "place_unknown", "front-load"),
    (("skills", "--budget", "4000", "--place", "no.json"), "unreadable", ""),
    (("skills", "--budget", "4000", "--place", "tools.json"), "profile_invalid", ""),
    (("skills", "nowhere", "--budget", "4000"), "unreadable", ""),
    (("skills", "--tools", "rules.md", "--budget", "4000"), "usage", "OpenAPI"),
    (("skills", "--explain", "--diff", "skills", "rules.md", "--budget", "4000"), "usage", ""),
    (("skills", "--tools", "rules.json", "--budget", "4000"), "unreadable", ""),
    (("skills", "--budget", "4000", "--packing", "loose"), "usage", ""),
    (("skills",), "usage", ""),
]


@pytest.mark.parametrize(("words", "code", "hint"), REFUSED, ids=[" ".join(words) for words, _, _ in REFUSED])
def test_what_cannot_be_done_is_refused_with_the_next_step(cli, words, code, hint):
    error = cli.refused("compile", *words)
    assert error["code"] == code
    assert hint in error["hint"]


def test_seeds_that_clash_are_refused_and_lint_is_the_place_to_look(cli):
    (cli.folder / "again" / "gif").mkdir(parents=True)
    cli.file("again/gif/SKILL.md", "---\nname: gif\ndescription: Another.\n---\n\nAnother gif.\n")
    assert cli.refused("compile", "skills", "again", "--budget", "4000")["code"] == "duplicate_name"


def test_an_archive_is_compiled_as_data_of_strangers(cli):
    with zipfile.ZipFile(cli.folder / "s.zip", "w") as archive:
        archive.writestr("gif/SKILL.md", f"---\nname: gif\ndescription: Gifs.\n---\n\n{SKILLS['gif'][1]}\n")
    document = cli.as_json("compile", "s.zip", "--budget", "4000")
    assert [row["band"] for row in document["blocks"]] == ["session"]
    assert "muniment-data" in document["prompt"]
    own = cli.as_json("compile", "s.zip", "--budget", "4000", "--trust", "trusted")
    assert "muniment-data" not in own["prompt"]
    assert "muniment-data" in cli.as_json("compile", "skills", "--budget", "4000", "--trust", "untrusted")["prompt"]


def test_standard_input_can_be_a_seed(cli):
    document = cli.as_json("compile", "rules.md", "-", "--budget", "4000", stdin="Be kind.\n")
    assert document["prompt"] == "Answer in one sentence.\n\nBe kind."


def test_nothing_active_reaches_the_screen_but_the_prompt_itself_is_exact(cli):
    cli.file("odd.md", "---\nname: odd\n---\nLook \u202e here \x1b[2J.\n")
    exact = process("compile", "odd.md", "--budget", "4000", folder=cli.folder)
    assert exact.stdout.decode() == "Look \u202e here \x1b[2J.\n"
    cli.file("old.md", "---\nname: odd\n---\nLook.\n")
    for words in (("odd.md", "--explain"), ("--diff", "old.md", "odd.md"), ("odd.md", "--json")):
        done = process("compile", *words, "--budget", "4000", folder=cli.folder)
        assert not set(done.stdout.decode()) & set("\u202e\x1b")
    shown, _ = on_terminal("compile", "odd.md", "--budget", "4000", folder=cli.folder, columns=80)
    assert "\u202e" not in shown
    assert "\x1b[2J" not in shown


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("words", [("skills", "--explain"), ("--diff", "skills", "rules.md")], ids=["explain", "diff"])
def test_at_a_terminal_lines_fit(cli, columns, words):
    env = environment(cli.folder, NO_COLOR="1")
    words = ("compile", *words, "--budget", "700", "--task", GIF, "--prices", "3,0.3,3.75")
    shown, code = on_terminal(*words, folder=cli.folder, columns=columns, env=env)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert code == 0
    assert max(map(len, plain.splitlines())) <= columns


def test_meaning_joins_words_where_an_embedder_is_named(cli):
    document = cli.as_json("compile", "skills", "--budget", "4000", "--task", GIF, "--embedder", "hashed")
    assert document["gate"]["by"] == "by words and meaning"
    assert document["gate"]["embedder"]
    alone = cli.as_json("compile", "skills", "--budget", "4000", "--task", GIF, "--embedder", "hashed", "--gate", "dense")
    assert alone["gate"]["by"] == "by meaning"
    assert "by words and meaning (" in cli("compile", "skills", "--budget", "4000", "--task", GIF, "--embedder", "hashed").err
