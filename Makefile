# One task runner. `make` checks everything a commit needs; `make all` adds what takes longer.
.PHONY: check format lint types test all slow docs demo

check: lint types test

format:
	ruff format .
	ruff check --fix .

lint:
	ruff format --check .
	ruff check .

types:
	mypy

test:
	pytest -n auto --dist loadfile

slow:
	pytest -m slow

docs:
	python -m muniment.cli.reference > docs/reference/cli.md
	python -m muniment.cli.architect_reference > docs/reference/architecture.md
	python -m muniment.cli.acting_stub > src/muniment/verbs.pyi && ruff format -q src/muniment/verbs.pyi && ruff check -q --fix src/muniment/verbs.pyi && ruff format -q src/muniment/verbs.pyi
	python -m muniment architect schema > docs/reference/architecture.schema.json

demo:
	muniment demo

all: check slow
	python -m benchmarks latency --size small
