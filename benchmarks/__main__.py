"""`python -m benchmarks NAME …` runs one benchmark; without a name it lists them."""

from __future__ import annotations

import sys
from importlib import import_module

MODULES = {
    "ablation": "ablation",
    "abstain": "abstain",
    "alike": "alike",
    "compaction": "compaction",
    "compile": "compiling",
    "counting": "counting",
    "entities": "entities",
    "decisions": "decisions",
    "extraction": "extraction",
    "gating": "gating",
    "junk": "junk",
    "kill": "kill",
    "latency": "latency",
    "locomo": "locomo",
    "longmemeval": "longmemeval",
    "multihop": "multihop",
    "postgres-ann": "postgres_ann",
    "temporal": "temporal",
    "throughput": "throughput",
    "pii": "pii",
    "study": "study",
}


def run(argv: list[str]) -> int:
    """Run the benchmark named first with the rest as its arguments; list the names when it is none of them."""
    if argv and argv[0] in MODULES:
        status: int = import_module(f"benchmarks.{MODULES[argv[0]]}").main(argv[1:])
        return status
    asked = bool(argv) and argv[0] not in ("-h", "--help")
    print(
        f"usage: python -m benchmarks NAME …   with NAME one of: {', '.join(MODULES)}", file=sys.stderr if asked else sys.stdout
    )
    return 2 if asked else 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
