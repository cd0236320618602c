"""Labels: unique in the process while their registry is alive, and no longer."""

from __future__ import annotations

import gc

import pytest

from muniment.errors import BlockError
from muniment.registry import Registry


def refused(code, call, *args, **kwargs):
    with pytest.raises(BlockError) as error:
        call(*args, **kwargs)
    assert error.value.reason == code
    assert error.value.hint


def test_a_registry_is_found_by_its_label():
    registry = Registry(label="planner")
    assert Registry.labelled("planner") is registry
    assert registry.label == "planner"


def test_a_label_is_taken_while_its_registry_is_alive_and_free_afterwards():
    registry = Registry(label="short-lived")
    refused("label_taken", Registry, label="short-lived")
    assert Registry.labelled("short-lived") is registry
    del registry
    gc.collect()
    refused("unknown_label", Registry.labelled, "short-lived")
    assert Registry(label="short-lived").label == "short-lived"


def test_a_handle_does_not_keep_the_label_of_its_registry():
    owner, registry = Registry(), Registry(label="lent")
    handle = owner.accept(registry.invite("write"))
    del registry
    gc.collect()
    assert handle.write("x", name="x") in handle
    refused("unknown_label", Registry.labelled, "lent")


def test_without_a_label_each_gets_one_that_cannot_be_guessed():
    registries = [Registry() for _ in range(20)]
    labels = {registry.label for registry in registries}
    assert len(labels) == 20
    assert not any(registry.author in registry.label or len(registry.label) < 32 for registry in registries)


@pytest.mark.parametrize("label", ["", " ", 7, "a\0b"])
def test_a_label_is_a_name(label):
    with pytest.raises(BlockError):
        Registry(label=label)


def test_a_fork_has_its_own_label():
    registry = Registry(label="trunk")
    refused("label_taken", registry.fork, label="trunk")
    assert registry.fork(label="branch").label == "branch"
    assert registry.fork().label not in {"trunk", "branch"}
