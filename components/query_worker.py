"""What the pages ask of query workers: each of these registers one kind of background query."""

from components.lesson_figures import register_lesson_figures
from components.occasions import register_panels
from components.race_files import register_race_files
from components.sheet import register_handouts


def register_answers() -> None:
    """Let query workers make what the pages ask for."""
    register_handouts()
    register_lesson_figures()
    register_panels()
    register_race_files()
