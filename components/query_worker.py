"""What the pages ask of query workers: each of these registers one kind of background query."""

from components.pages.lab.race_files import register_race_files
from components.pages.lessons.figures import register_lesson_figures
from components.pages.lessons.handout_runs import register_handouts
from components.panels.moments import register_panels


def register_answers() -> None:
    """Let query workers make what the pages ask for."""
    register_handouts()
    register_lesson_figures()
    register_panels()
    register_race_files()
