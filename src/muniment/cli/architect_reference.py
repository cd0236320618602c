"""docs/reference/architecture.md: `python -m muniment.cli.architect_reference > docs/reference/architecture.md`.

Rule of this file: keys, values and meanings come from the table that files are read with; only what joins them stands here.
"""

from __future__ import annotations

from collections.abc import Iterator

import click

from muniment.architect import OF_FILE, archetypes, default_architecture, key_tables, write_architecture

HEAD = """# Architecture files

<!-- Made by `python -m muniment.cli.architect_reference > docs/reference/architecture.md`; a test compares. -->

An architecture is the memory rules of one agent in one YAML file: which kinds of memory there are, what is refused, what is done
with personal data, how long things are kept, and how they are found. [How to make, try and apply one](../how-to/architecture.md).

- What a file leaves out is as in the [default architecture](#default-architecture). An empty file is that architecture.
- A section that is given says which of its names there are: with `kinds: {fact: {}}` there are facts and nothing else. A standard
  kind or entity type still has what it does not say from the default architecture.
- Nothing is passed over: an unknown key, a value of another form, or a name that stands twice is an error with its line.
- Text is text: anchors, tags, includes and several documents are refused. A file may have 64 KiB.
- Durations are whole numbers with a unit: `s`, `min`, `h`, `d`, `weeks`, `months`, `years`, or `forever`. A month counts as 30
  days and a year as 365.
- An attribute that ends in `*`, such as `favourite:*`, stands for every attribute that begins so.

Read, checked and compared, but not acted on yet: {file}.
`muniment architect validate` notes where a file asks for one of them.

## Editors

The [JSON Schema](architecture.schema.json) of the file (draft 2020-12) lets editors complete and check it. Keep a copy beside
your files with `muniment architect schema > architecture.schema.json`, and begin each with this line, which `muniment architect`
writes:

```yaml
# yaml-language-server: $schema=architecture.schema.json
```

"""

DEFAULT = """
## Default architecture

What an agent has while nothing was applied for it:

```yaml
{yaml}```
"""

ARCHETYPES = """
## Archetypes

What `muniment architect` chooses from and merges. Where several fit, their kinds are joined, the strictest rule for personal data
holds, and the shorter retention, unless one of them must keep records. A description's words are looked for in the archetype's
own; the score, 0 to 1, is the share of the description's telling words that it accounts for.

| archetype | what it does | kinds | keeps records |
| --- | --- | --- | --- |
{rows}
"""


def page() -> str:
    """The whole page."""
    yaml = write_architecture(default_architecture())
    file = ", ".join(f"`{name}`" for name in OF_FILE)
    return HEAD.replace("{file}", file) + key_tables() + DEFAULT.format(yaml=yaml) + ARCHETYPES.format(rows="\n".join(_rows()))


def _rows() -> Iterator[str]:
    for one in archetypes():
        kinds = ", ".join(f"`{rule.name}`" for rule in one.architecture.kinds)
        yield f"| `{one.name}` | {one.description} | {kinds} | {'yes' if one.records else ''} |"


if __name__ == "__main__":
    click.echo(page(), nl=False)
