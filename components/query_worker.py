"""The process that answers background queries for the whole application: those of the pages included."""

from components.lesson_figures import register_lesson_figures
from components.occasions import register_panels
from components.race_files import register_race_files
from components.sheet import register_handouts
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
