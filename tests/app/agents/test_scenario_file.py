"""A scenario is read strictly, and every error names its file and line."""

from __future__ import annotations

import pytest

from app.agents.scenario import (
    CallModel,
    CallTool,
    Delegate,
    Fail,
    Propose,
    Publish,
    Repeat,
    Scenario,
    Wait,
)
from app.agents.scenario_file import ScenarioError, parse_scenario
from tests.app.agents.builders import task

WHOLE = """\
acts:
  - when: {path: "src/**", title: Login, pull: 7, review: 2, probe: true}
    steps:
      - call_model: {prompt_tokens: 1200, output_tokens: 300, usd: 0.01, prompt: a}
      - call_tool: {tool: read_file, arguments: {path: src/a.py, start: 2}}
      - propose:
          path: src/a.py
          start_line: 1
          end_line: 1
          replacement: "x = 1"
          reason: because
          expected: "x = 2"
          severity: high
      - publish: {path: src/a.py, line: 3, body: "Wrong.", confidence: 1}
      - delegate: {target: other, intent: look again}
      - repeat:
          times: 2
          steps: [{wait: 2s}]
      - fail: crash
    summary: "Two remarks."
    confidence: 0.5
    stubborn: true
  - summary: All is well.
"""


def parse(text: str) -> Scenario:
    return parse_scenario(text, source="demo.yaml")


def test_a_whole_scenario_is_read() -> None:
    """Each kind of step is read into its value."""
    act, other = parse(WHOLE).acts
    kinds = (CallModel, CallTool, Propose, Publish, Delegate, Repeat, Fail)
    assert tuple(type(each) for each in act.steps) == kinds
    assert act.steps[0] == CallModel(
        prompt_tokens=1200, output_tokens=300, usd=0.01, prompt="a"
    )
    assert act.steps[5] == Repeat(times=2, steps=(Wait(seconds=2.0),))
    assert (act.summary, act.confidence, act.stubborn) == ("Two remarks.", 0.5, True)
    assert (other.summary, other.steps) == ("All is well.", ())


@pytest.mark.parametrize(
    ("when", "does"),
    [
        ("{}", True),
        ("{path: '*.py'}", True),
        ("{path: 'src/**'}", False),
        ("{title: COMPUTE}", True),
        ("{title: login}", False),
        ("{pull: 7}", True),
        ("{pull: 8}", False),
        ("{review: 1}", True),
        ("{review: 2}", False),
        ("{probe: false}", True),
        ("{probe: true}", False),
        ("{path: '*.py', pull: 8}", False),
    ],
)
def test_an_act_is_chosen_by_what_is_reviewed(when: str, does: bool) -> None:
    """An act fits when all that it names fits."""
    scenario = parse(f"acts:\n  - {{when: {when}, summary: x}}\n")
    assert (scenario.act_for(task(), 1) is not None) is does


def test_the_first_act_that_fits_is_played() -> None:
    """Of several acts that fit, the first is played."""
    scenario = parse(
        "acts: [{when: {pull: 9}, summary: a}, {summary: b}, {summary: c}]"
    )
    act = scenario.act_for(task(), 1)
    assert act is not None
    assert act.summary == "b"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 1, "there is no scenario here"),
        ("acts: []", 1, "`acts` is empty"),
        ("act: []", 1, "no `act`, only acts"),
        ("acts:\n  - sumary: x", 2, "no `sumary`"),
        ("acts:\n  - summary: x\n    summary: y", 3, "there twice"),
        ("acts:\n  - summary: 3", 2, "valid string"),
        ("acts:\n  - confidence: 1.5", 2, "from 0 to 1"),
        ("acts:\n  - stubborn: 1", 2, "valid boolean"),
        ("acts:\n  - when: {pul: 7}", 2, "no `pul`"),
        ("acts:\n  - when:\n      pull: seven", 3, "`pull`"),
        ("acts:\n  - steps:\n    - wait: 2", 3, "such as 2s"),
        ("acts:\n  - steps:\n    - fail: loudly", 3, "crash, empty"),
        ("acts:\n  - steps:\n    - explode: 1", 3, "no `explode`"),
        ("acts:\n  - steps:\n    - {wait: 2s, fail: crash}", 3, "one, not more"),
        ("acts:\n  - steps:\n    - publish:\n        body: ''", 4, "`body`"),
        ("acts:\n  - steps:\n    - publish: {line: 3}", 3, "`body`: Field required"),
        (
            "acts:\n  - steps:\n    - publish:\n        body: x\n        severity: bad",
            5,
            "`severity`",
        ),
        ("acts:\n  - steps:\n    - call_model: {tokens: 3}", 3, "no `tokens`"),
        (
            "acts:\n  - steps:\n    - call_model:\n        prompt_tokens: 012",
            4,
            "quotes",
        ),
        ("acts:\n  - steps:\n    - repeat: {times: 0, steps: []}", 3, "`times`"),
        ("acts:\n  - steps:\n    - repeat: {times: 2}", 3, "needs"),
        ("acts:\n  - [", 2, "this is not YAML"),
        ("acts: !!python/object:os.system x", 1, "tag"),
    ],
)
def test_every_error_names_file_line_and_reason(
    text: str, line: int, words: str
) -> None:
    """What cannot be read is told with the file, the line and the reason."""
    with pytest.raises(ScenarioError) as caught:
        parse(text)
    assert str(caught.value).startswith(f"demo.yaml, line {line}: ")
    assert words in str(caught.value)
