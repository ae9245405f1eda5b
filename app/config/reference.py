"""Write the reference page of the file, so that it cannot drift. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from app.config.example import example, written
from app.config.expectation import expectation
from app.config.keys import CONFIG_PATH, KEYS, Key, children
from app.config.parser import MAX_BYTES

INTRODUCTION = f"""# Configuration

<!-- Written by `python -m app.config.schema --write`; do not edit by hand. -->

A repository is configured by `{CONFIG_PATH}` on its **default branch**. A pull
request cannot change how it is judged itself: its own version of the file is never
used, and editing the file is a finding.

- Every key is optional. No file, or an empty one, means the defaults below, and
  Recloser is active.
- The file is read strictly, as YAML 1.2 of one document and at most
  {MAX_BYTES // 1024} KB. Unknown and duplicate keys, values of another type
  (`"5"` is not `5`), tags and directives are problems. All of them are named at once,
  each with its line.
- Durations are one whole number and one unit: `90s`, `10m`, `1h`. Write neither a
  bare number nor `1:30`.
- A file with a problem changes nothing: the last good configuration, or the
  defaults, stay in force, and the check says so and is not green.
- Put quotes around globs that start with `*`: `"*.md"`.

Check a file before you commit it:

```console
recloser validate {CONFIG_PATH}
```

Editors that know JSON schemas complete and check it with
[`recloser.schema.json`](recloser.schema.json). The schema cannot say three things,
which the parser checks: `breaker.recovery.first` is at most
`breaker.recovery.max`, no key is there twice, and a whole number is written
without a point (`3`, not `3.0`).

## Example

This file says the same as an empty one.

```yaml
"""


def page() -> str:
    """Return the whole page as Markdown."""
    lines = [INTRODUCTION + example() + "```", "", "## Keys"]
    tops = [key for key in children(()).values() if not key.is_section]
    lines += ["", *_table(tops)]
    for key in KEYS.values():
        if key.is_section:
            lines += ["", f"### `{key.name}`", "", key.meaning]
            leaves = [
                each for each in children(key.path).values() if not each.is_section
            ]
            if leaves:
                lines += ["", *_table(leaves)]
    return "\n".join(lines) + "\n"


def _table(keys: list[Key]) -> Iterator[str]:
    yield "| key | value | default | meaning |"
    yield "|---|---|---|---|"
    for key in keys:
        default = "" if key.default is None else f"`{written(key.default)}`"
        cells = (f"`{key.name}`", expectation(key.schema), default, key.meaning)
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
