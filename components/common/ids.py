"""Element ids that Python and the scripts in components/player both know.

One word everywhere: a field's control is `{"type": "field", "name": <query key>}`, its message
`error-<query key>`, a panel's drawing area `plot-<panel name>`.
"""

import re

RUN_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)
"""The name of a run."""

PAGE = "page"
SPECIFICATION = "specification"
BOOTED = "booted"
LINK = "link"
CONTROLS = "controls"
SETTINGS = "settings"
PANELS = "panels"
PLAYER = "player"
STAGES = "stages"
RUN_TABLES = "run-tables"
PLATEAU_TABLE = "plateau-table"
FORECAST_TABLE = "forecast-table"
STAGE_TABLE = "stage-table"
QUESTION = "question"
ANSWER = "answer"
SHARING = "sharing"
SHARED = "shared"
COPIED = "copied"
LESSON = "lesson"
LESSON_AT = "lesson-at"
LESSON_GIVEN = "lesson-given"
LESSON_GO = "lesson-go"
LESSON_GONE = "lesson-gone"
LESSON_TEXT = "lesson-text"
LESSON_ANSWERS = "lesson-answers"
PRESENTATION_BEAT = "presentation-beat"

BOX = "box-"
BUDGET_ROW = "budget-row-"
SOURCE_PART = "source-part-"
"""How the ids of a field's box, a method's budget and a way to give the target begin."""


def control(kind: str, name: str) -> dict[str, str]:
    """The id of a control in callbacks; components.pages.lab.edits has a function for each kind."""
    return {"type": kind, "name": name}


def element_id(kind: str, name: str) -> str:
    """The id of a control's element, for its label: Dash spells an id of several parts so."""
    return f'{{"name":"{name}","type":"{kind}"}}'


def error_id(name: str) -> str:
    """Where the page says why a value is refused."""
    return f"error-{name}"


def hint_id(name: str) -> str:
    """The plain-words explanation of a field."""
    return f"hint-{name}"


def panel_id(name: str) -> str:
    """A panel's section."""
    return f"panel-{name}"


def graph_id(name: str) -> str:
    """The graph component in a panel's drawing area."""
    return f"graph-{name}"


def plot_id(name: str) -> str:
    """A panel's drawing area."""
    return f"plot-{name}"
