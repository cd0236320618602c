"""Experiments on models: where in a prompt a block is found, and what placing, grouping, gating and evicting do about it.

Prompts are made by the registry and the compiler like any others; models are scripts, files or services.
"""

from __future__ import annotations

from muniment.probe.experiments import EXPERIMENTS, Experiment
from muniment.probe.plan import Layout, Setup, Trial
from muniment.probe.profile import profile
from muniment.probe.report import Report
from muniment.probe.run import Run
from muniment.probe.scenes import Order
from muniment.probe.trials import Outcome, Row

__all__ = ["EXPERIMENTS", "Experiment", "Layout", "Order", "Outcome", "Report", "Row", "Run", "Setup", "Trial", "profile"]
