"""Two processes on one store: what one wrote, erased, set or revoked is never contradicted from the memory of the other."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import muniment
from muniment import Scope

OTHER = """
import json, sys
import muniment
from muniment import MunimentError, Scope

ANA, NORTH = Scope(client="acme", customer="north", user="ana"), Scope(client="acme", customer="north")

def found():
    return [hit.record.text for hit in engine.retrieve(ANA, "Which plan does Ana have?").hits]

def memories():
    return [memory.text for memory in engine.memories.list(ANA, inherited=True).memories]

def assembled():
    return engine.assemble(ANA, "Which plan do I have?", budget=600).compilation.text

def rules():
    return engine.architecture.current("default").version

def shares():
    return next(one.share for one in engine.sharing.current(ANA) if one.kind == "fact")

def check(text):
    global own
    own = engine.acting(engine.keys.check(text))

def listed():
    return len(own.list({}).records)

def export():
    global stream
    stream = own.export({})
    return next(stream).text

def rest():
    return len(list(stream))

with muniment.sync.open(sys.argv[1], embedder=None, tokens="estimate") as engine:
    for line in sys.stdin:
        name, *given = json.loads(line)
        try:
            answer = globals()[name](*given)
        except MunimentError as error:
            answer = error.code
        print(json.dumps(answer), flush=True)
"""
ANA = Scope(client="acme", customer="north", user="ana")
NORTH = Scope(client="acme", customer="north")


@pytest.fixture(params=["sqlite", "postgres"])
def address(request, tmp_path):
    return request.getfixturevalue("emptied") if request.param == "postgres" else f"sqlite:///{tmp_path}/agent.db"


@pytest.fixture
def pair(address):
    """An engine here, and a way to ask one in a process of its own."""
    with muniment.sync.open(address, embedder=None, tokens="estimate") as here:
        here.architecture.apply("agent: default\nkinds:\n  fact: {share: customer}\n")
        words = [sys.executable, "-c", OTHER, address]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:

            def there(*asked):
                other.stdin.write(json.dumps(asked) + "\n")
                other.stdin.flush()
                return json.loads(other.stdout.readline())

            yield here, there
            other.stdin.close()


def said(here, text, **more):
    ids = here.ingest(ANA, [{"role": "user", "content": text}], **more).ids
    here.work.wait()
    return ids


def test_what_one_writes_corrects_and_erases_the_other_never_contradicts(pair):
    here, there = pair
    assert (there("found"), there("memories")) == ([], [])
    said(here, "My plan is Harbor.")
    assert there("found") == ["My plan is Harbor."]
    assert any("Harbor" in text for text in there("memories"))
    assert "Harbor" in there("assembled")
    (plan,) = here.memories.list(ANA).memories
    here.memories.update(ANA, plan.id, "user's plan is Basic", value="Basic")
    assert [text for text in there("memories") if "Harbor" in text] == []
    here.forget(ANA)
    assert (there("found"), there("memories")) == ([], [])
    assert "Harbor" not in there("assembled")
    said(here, "My plan is Lagoon.")
    assert there("found") == ["My plan is Lagoon."]


def test_rules_settings_and_copies_of_one_hold_for_the_other_at_once(pair):
    here, there = pair
    assert (there("rules"), there("shares")) == (1, "customer")
    here.architecture.apply("agent: default\nkinds:\n  fact: {share: client}\n")
    assert (there("rules"), there("shares")) == (2, "client")
    here.sharing.set(NORTH, "fact", "customer")
    assert there("shares") == "customer"
    memory = here.memories.add(ANA, "The boat yard opens at noon.", subject="boat yard").memory
    here.memories.share(ANA, memory.id)
    assert there("memories") == ["The boat yard opens at noon."] * 2
    here.sharing.set(NORTH, "fact", "none")
    assert (there("shares"), there("memories")) == ("", ["The boat yard opens at noon."])


def test_vector_51_52_a_key_that_one_revokes_holds_no_longer_in_the_other(pair):
    here, there = pair
    here.ingest(ANA, [f"Note {number}." for number in range(300)])
    made = here.keys.create(NORTH, ["read"])
    assert there("check", made.text) is None
    assert there("listed") == 0
    assert there("export").startswith("Note")
    here.keys.revoke(made.credential.id)
    assert there("listed") == "key_refused"
    assert there("rest") == "key_refused"
    assert there("check", made.text) == "key_refused"
