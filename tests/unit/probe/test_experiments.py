"""The harness against models whose curve is known: what was put in is what comes out."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

import pytest

from muniment.compile import openai_tools, to_anthropic, to_openai, to_text
from muniment.errors import InputError, ProviderError
from muniment.probe import EXPERIMENTS, Layout, Order, Run, Setup
from muniment.probe.experiments import groups, tools
from muniment.probe.experiments.priming import arranged as priming_registry
from muniment.probe.experiments.priming import is_beside
from muniment.probe.prompts import COUNTER, compiled
from muniment.probe.scenes import CRITICAL, scene
from muniment.providers.models import ScriptedModel, open_model

LARGE = Setup(sizes=(19,), positions=None, seeds=20, orders=(Order.SHUFFLED,))
SMALL = Setup(sizes=(19,), seeds=16, orders=(Order.SHUFFLED,))


@pytest.fixture
def tried(tmp_path):
    """`tried(experiment, script, …)` runs it and gives the report; with several scripts, on a model for each."""

    def run(name, *scripts, setup=SMALL):
        models = {f"scripted:{one}": lambda one=one: open_model(f"scripted:{one}") for one in scripts}
        wanted = Run(
            experiment=EXPERIMENTS[name], setup=setup, models=models, log=tmp_path / f"{name}-{len(list(tmp_path.iterdir()))}"
        )
        return wanted.report(list(wanted.attempt()))

    return run


def comparison(report, first, second):
    return next(one.difference for one in report.comparisons if (one.first, one.second) == (first, second))


def numbers(report, name):
    return {dict(one.where).get("arm"): one.value for one in report.numbers if one.name == name}


def test_the_sweep_recovers_a_curve_within_its_intervals(tried):
    setup = replace(LARGE, seeds=60)
    [curve, control] = tried("position", "near=0.9,far=0.3,cliff=7", setup=setup).curves
    truth = [0.9 if position < 7 else 0.3 for position, _ in curve.points]
    covered = [
        low <= true <= high for true, (_, share) in zip(truth, curve.points, strict=True) for low, high in [share.interval]
    ]
    assert len(covered) == 19
    assert sum(covered) >= 17
    assert control.total.passed == 0


@pytest.mark.parametrize("cliff", [3, 7, 12])
def test_a_cliff_is_found_where_it_is(tried, cliff):
    assert tried("position", f"cliff={cliff},far=0.1", setup=LARGE).curves[0].cliff == cliff


def test_a_model_without_a_cliff_has_none(tried):
    assert tried("position", "near=0.6", setup=LARGE).curves[0].cliff is None


def test_each_layout_has_its_own_cliff(tried):
    setup = replace(LARGE, layouts=tuple(Layout))
    after, before, *_ = tried("position", "cliff=7,before=12", setup=setup).curves
    assert (dict(after.where)["layout"], after.cliff) == ("after", 7)
    assert (dict(before.where)["layout"], before.cliff) == ("before", 12)


def test_a_gentle_slope_is_seen_by_seed_where_no_step_is_clear(tried):
    """Half of the names are found in front, a third behind: too little for a step, enough for many seeds together."""
    report = tried("position", "near=0.6,far=0.45,cliff=9", setup=replace(SMALL, seeds=40))
    [said] = [finding for finding in report.findings if "front half" in finding]
    better, worse = (int(word) for word in said.replace("of 40", "").split() if word.isdigit())
    assert better > worse
    assert better + worse < 40


def test_a_model_of_subjects_and_not_of_places_is_seen_as_one(tried):
    report = tried("position", "")
    assert "after: of 16 seeds 16 passed in every trial and 0 in none." in report.findings
    assert any("better in 0 of 16 seeds and worse in 0 (p 1)" in finding for finding in report.findings)


def test_only_a_prompt_with_the_critical_block_can_be_passed(tried):
    report = tried("position", "", setup=replace(SMALL, sizes=(7, 31), orders=tuple(Order)))
    control = report.curves[-1].total
    assert control.passed == 0
    assert control.trials == 2 * 2 * 16
    assert all(curve.total.rate == 1 for curve in report.curves[:-1])


def test_a_bump_that_follows_the_content_is_told_from_one_that_stays(tried):
    """Two models with a bump around position 9: one for its place, the other for the related blocks beside it."""
    by_content = comparison(tried("priming", "cliff=0,related=0.8"), "away", "beside")
    by_place = comparison(tried("priming", "cliff=0,bump=8,bump_end=10,lift=0.8"), "away", "beside")
    assert by_content.interval[0] > 0.5
    assert by_place.interval[0] < 0 < by_place.interval[1]


def test_the_related_blocks_stand_beside_the_critical_one_where_the_plan_says_so():
    priming = EXPERIMENTS["priming"]
    for trial in priming.plan(replace(SMALL, seeds=1, sizes=(7, 19)), "m"):
        about = scene(trial.seed, fillers=trial.n - 4)
        order = [block.text for block in priming_registry(trial, about).blocks]
        related = {text.text for text in about.related}
        beside = {order[place] for place in (trial.position - 1, trial.position + 1) if 0 <= place < trial.n}
        assert order[trial.position] == about.critical.text
        assert bool(beside & related) is is_beside(trial)


def test_company_on_the_subject_is_told_from_company(tried):
    report = tried("groups", "cliff=0,far=0.1,related=0.7")
    assert comparison(report, "single", "group").interval[0] > 0.3
    assert comparison(report, "unrelated", "group").interval[0] > 0.3
    assert comparison(report, "single", "unrelated").interval[0] < 0 < comparison(report, "single", "unrelated").interval[1]


def test_all_arms_of_the_groups_cost_the_same_and_keep_the_position():
    for trial in EXPERIMENTS["groups"].plan(replace(SMALL, seeds=3), "m"):
        about = scene(trial.seed, fillers=trial.n - 3, order=trial.order)
        made = {arm: compiled(groups.arranged(replace(trial, arm=arm), about)) for arm in ("single", "group", "unrelated")}
        assert {one.names.index(CRITICAL) for one in made.values()} == {trial.position}
        assert len({tuple(sorted(block.text for block in one.blocks)) for one in made.values()}) == 1
        members = [block for block in made["group"].blocks if block.group]
        assert {block.name for block in members} == {CRITICAL, "related-0", "related-1"}
        beside = [COUNTER.count(block.text) for block in made["unrelated"].blocks if block.group and block.name != CRITICAL]
        related = [COUNTER.count(text.text) for text in about.related[:2]]
        assert abs(sum(beside) - sum(related)) <= 0.25 * sum(related)


def test_the_stack_makes_up_for_a_position(tried):
    report = tried("scale", "cliff=7,far=0.1")
    assert comparison(report, "plain", "stack").interval[0] > 0.3


def test_with_two_models_the_second_ones_stack_meets_the_first_ones_plain_order(tried):
    report = tried("scale", "near=0.9", "cliff=7,far=0.1")
    mixed = report.comparisons[-1]
    assert dict(mixed.where)["model"] == "scripted:cliff=7,far=0.1 with the stack, scripted:near=0.9 without"
    assert mixed.difference.interval[0] > -0.2


def test_gating_saves_tokens_and_says_what_it_loses(tried):
    report = tried("gating", "cliff=7,far=0.2")
    tokens, per_success = numbers(report, "mean prompt tokens"), numbers(report, "prompt tokens per success")
    assert tokens["gated"] < 0.5 * tokens["full"] == 0.5 * tokens["promoted"]
    assert per_success["gated"] < per_success["promoted"] < per_success["full"]
    assert comparison(report, "full", "promoted").interval[0] > 0
    saved = next(one.value for one in report.numbers if one.name == "share of prompt tokens saved by the gate")
    assert saved == pytest.approx(1 - tokens["gated"] / tokens["full"])
    assert any("lets the needed block through in 80 of 80" in finding for finding in report.findings)


def test_a_gate_that_loses_the_critical_block_is_caught(tmp_path):
    run = Run(
        experiment=EXPERIMENTS["gating"],
        setup=replace(SMALL, top=1),
        models={"m": lambda: open_model("scripted:")},
        log=tmp_path / "log",
    )
    gated = [row.outcome for row in run.attempt() if row.trial.arm == "gated"]
    lost = [outcome for outcome in gated if not outcome.recalled]
    assert lost
    assert not any(outcome.passed for outcome in lost)


def test_an_evicted_tool_is_never_dispatched_however_often_it_is_called(tried):
    report = tried("tools", "stray=0.9,obey=0.5")
    called, run = numbers(report, "share of trials with a call"), numbers(report, "share of trials with a dispatched call")
    assert called["present"] == run["present"] == 1
    assert called["evicted"] > 0.5
    assert called["mentioned"] > 0.5
    assert run["evicted"] == run["mentioned"] == 0
    assert 0 < called["forbidden"] == run["forbidden"] < 1


def test_an_evicted_tool_leaves_no_byte_in_any_output():
    for trial in EXPERIMENTS["tools"].plan(replace(SMALL, sizes=(7,), seeds=8), "m"):
        offer = tools.OFFERS[trial.seed % len(tools.OFFERS)]
        made = compiled(tools.arranged(trial, offer))
        whole = [to_text(made), json.dumps(to_openai(made)), json.dumps(openai_tools(made)), json.dumps(to_anthropic(made))]
        assert (offer.name in whole[2]) is (trial.arm in {"present", "forbidden"})
        if trial.arm == "evicted":
            assert not any(offer.name in text for text in whole)


def test_calls_written_out_in_words_are_counted_too():
    said = [
        '{"name": "close_account", "arguments": {}}',
        "I call close_account(target=4711).",
        "I cannot do that: close_account is not here.",
    ]
    assert [tools.called_in(text) for text in said] == [["close_account"], ["close_account"], []]


def test_several_models_are_put_side_by_side(tried):
    report = tried("models", "cliff=7,far=0.1", "cliff=7,near=0.8,far=0", setup=LARGE)
    [likeness] = report.numbers
    assert likeness.value > 0.8
    assert {dict(curve.where)["model"] for curve in report.curves} == set(report.models)


def test_comparing_models_takes_two(tried):
    with pytest.raises(InputError) as caught:
        tried("models", "")
    assert caught.value.reason == "models_needed"


def test_a_written_block_costs_no_coordination_and_its_own_length_to_carry(tried):
    report = tried("coordination", "", setup=replace(SMALL, sizes=(7,)))
    spent = numbers(report, "coordination tokens, mean")
    carried = numbers(report, "carried tokens per prompt, mean")
    assert spent["write"] == 0 < spent["message"]
    assert carried["write"] > 0 < carried["message"]
    assert all(curve.total.rate == 1 for curve in report.curves)


@dataclass
class Flaky:
    """A model that fails at the given calls."""

    fails: set = field(default_factory=set)
    calls: int = 0
    closed: bool = False
    name: str = "flaky"

    def answer(self, messages, tools=(), *, max_tokens, seed):
        self.calls += 1
        if self.calls in self.fails:
            raise ProviderError("no answer.", code="timeout")
        return ScriptedModel(open_model("scripted:")._script).answer(messages, tools, max_tokens=max_tokens, seed=seed)

    def close(self):
        self.closed = True


def running(path, model):
    setup = Setup(sizes=(7,), seeds=1, orders=(Order.FIXED,))
    return Run(experiment=EXPERIMENTS["position"], setup=setup, models={"flaky": lambda: model}, log=path)


def test_a_failed_trial_is_kept_with_its_error_and_tried_again_on_resume(tmp_path):
    model = Flaky(fails={2})
    run = running(tmp_path / "log", model)
    rows = list(run.attempt())
    assert [row.outcome.error for row in rows] == ["", "timeout", "", "", "", ""]
    assert (run.report(rows).trials, run.report(rows).errors) == (6, 1)
    assert model.closed
    again = Flaky()
    rows = list(running(tmp_path / "log", again).attempt(resume=True))
    assert again.calls == 1
    assert not any(row.outcome.error for row in rows)
    assert len(rows) == 6


def test_a_model_that_keeps_failing_ends_the_run_and_leaves_what_was_done(tmp_path):
    model = Flaky(fails={3, 4, 5, 6})
    with pytest.raises(ProviderError):
        list(running(tmp_path / "log", model).attempt())
    assert model.closed
    lines = map(json.loads, (tmp_path / "log").read_text().splitlines())
    assert [line["outcome"]["error"] for line in lines if "outcome" in line] == ["", "", "timeout", "timeout", "timeout"]
    assert len(list(running(tmp_path / "log", Flaky()).attempt(resume=True))) == 6
