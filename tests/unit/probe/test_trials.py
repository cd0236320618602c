"""Plans and logs: a run that was cut off goes on, with the same plan and with no other."""

from __future__ import annotations

import json

import pytest

from muniment.errors import InputError
from muniment.probe import EXPERIMENTS, Layout, Order, Setup
from muniment.probe.plan import Trial, fingerprint
from muniment.probe.trials import Outcome, Row, TrialLog

SETUP = Setup(sizes=(7,), seeds=2)


def trial(seed=0, **fields):
    given = {"experiment": "position", "model": "m", "arm": "plain", "layout": Layout.AFTER, "order": Order.FIXED, "n": 7}
    return Trial(**{**given, "position": 0, "seed": seed, **fields})


def opened(path, *, plan="p", resume=False):
    return TrialLog(path, plan=plan, setup=SETUP, resume=resume)


def refused(path, **options):
    with pytest.raises(InputError) as caught:
        opened(path, **options)
    assert caught.value.hint
    return caught.value.reason


@pytest.mark.parametrize(
    ("size", "places"), [(7, (0, 2, 3, 4, 6)), (13, (0, 3, 6, 9, 12)), (19, (0, 4, 9, 14, 18)), (5, (0, 1, 2, 3, 4))]
)
def test_positions_are_spread_from_the_first_to_the_last(size, places):
    assert Setup().places(size) == places


def test_all_positions_can_be_tried():
    assert Setup(positions=None).places(7) == tuple(range(7))


@pytest.mark.parametrize(
    "wrong", [{"sizes": ()}, {"sizes": (2,)}, {"sizes": (7, 101)}, {"positions": 1}, {"seeds": 0}, {"top": 0}, {"max_tokens": 0}]
)
def test_a_setup_that_makes_no_experiment_is_refused(wrong):
    with pytest.raises(InputError) as caught:
        Setup(**wrong)
    assert caught.value.reason == "range"


@pytest.mark.parametrize("experiment", EXPERIMENTS.values(), ids=lambda one: one.name)
def test_every_trial_of_a_plan_has_a_key_of_its_own(experiment):
    setup = Setup(layouts=tuple(Layout), seeds=3)
    trials = [trial for model in ("one", "other") for trial in experiment.plan(setup, model)]
    assert len({trial.key for trial in trials}) == len(trials) > 0
    assert trials == [trial for model in ("one", "other") for trial in experiment.plan(setup, model)]


def test_a_plan_is_known_by_all_that_it_follows_from():
    same = fingerprint("position", ["m"], Setup())
    assert same == fingerprint("position", ["m"], Setup())
    others = [("groups", ["m"], Setup()), ("position", ["n"], Setup()), ("position", ["m"], Setup(seeds=6))]
    assert same not in {fingerprint(*other) for other in others}


def test_what_is_kept_is_read_back(tmp_path):
    rows = [Row(trial(seed), Outcome(passed=bool(seed), answer='It\u2019s \ud800 "x"', prompt_tokens=9)) for seed in range(2)]
    with opened(tmp_path / "log") as log:
        log.meet("m", "the model")
        for row in rows:
            log.keep(row)
    with opened(tmp_path / "log", resume=True) as log:
        assert list(log.rows.values()) == rows


def test_a_line_that_was_cut_off_is_taken_back_and_written_again(tmp_path):
    whole = tmp_path / "whole"
    rows = [Row(trial(seed), Outcome(passed=True)) for seed in range(3)]
    with opened(whole) as log:
        for row in rows:
            log.keep(row)
    content = whole.read_bytes()
    for end in range(len(content)):
        cut = tmp_path / "cut"
        cut.write_bytes(content[:end])
        with opened(cut, resume=True) as log:
            for row in rows:
                if row.trial.key not in log.rows:
                    log.keep(row)
        assert cut.read_bytes() == content


def test_a_trial_that_failed_is_not_done(tmp_path):
    with opened(tmp_path / "log") as log:
        log.keep(Row(trial(), Outcome(error="timeout")))
    with opened(tmp_path / "log", resume=True) as log:
        assert log.rows == {}
        log.keep(Row(trial(), Outcome(passed=True)))
        assert log.rows[trial().key].outcome.passed is True


def test_a_log_is_not_written_over_and_not_gone_on_with_by_another_plan(tmp_path):
    with opened(tmp_path / "log"):
        pass
    before = (tmp_path / "log").read_bytes()
    assert refused(tmp_path / "log") == "exists"
    assert refused(tmp_path / "log", plan="q", resume=True) == "plan_changed"
    assert (tmp_path / "log").read_bytes() == before


def test_a_run_that_failed_before_its_first_trial_leaves_no_log(tmp_path):
    log = tmp_path / "position.jsonl"
    with pytest.raises(InputError), TrialLog(log, plan="p", setup=Setup(), resume=False):
        raise InputError("no such model.")
    assert not log.exists()


def test_another_model_of_the_same_name_is_noticed(tmp_path):
    with opened(tmp_path / "log") as log:
        log.meet("m", "model-a")
        log.meet("m", "model-a")
        with pytest.raises(InputError) as caught:
            log.meet("m", "model-b")
    assert caught.value.reason == "plan_changed"
    assert (tmp_path / "log").read_bytes().count(b"model-a") == 1


@pytest.mark.parametrize("line", ["nonsense", "[]", '{"trial": 1}', '{"trial": {}, "outcome": {}}'])
def test_a_damaged_line_is_named(tmp_path, line):
    with opened(tmp_path / "log"):
        pass
    with (tmp_path / "log").open("a") as file:
        file.write(line + "\n")
    with pytest.raises(InputError) as caught:
        opened(tmp_path / "log", resume=True)
    assert caught.value.reason == "log_damaged"
    assert "line 2" in caught.value.place


def test_a_file_that_is_no_log_is_left_alone(tmp_path):
    (tmp_path / "log").write_text(json.dumps({"other": 1}) + "\n")
    assert refused(tmp_path / "log", resume=True) == "plan_changed"
