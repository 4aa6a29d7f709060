"""The process that answers background queries for the whole application: those of the pages included."""

from components.pages.lab.race_files import register_race_files
from components.pages.lessons.figures import register_lesson_figures
from components.pages.lessons.handout_runs import register_handouts
from components.panels.moments import register_panels
from core.service.queries.worker import main as answer


def register_answers() -> None:
    """Let query workers make what the pages ask for."""
    register_handouts()
    register_lesson_figures()
    register_panels()
    register_race_files()


def main() -> None:
    """See core.service.workers.process for how it is started."""
    register_answers()
    answer()
